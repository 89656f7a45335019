package import StreakDomain

/// A habit after a day, by the plain fold.
package struct PlainDay: Equatable {
  package var verdict = Verdict.excused
  package var run = 0
  package var start: Day?
  package var held = 0
  package var misses = 0
  package var rested = 0
  package var earned = 0
  package var spent = 0
  package var forfeited = 0
  package var penalised = 0

  package init() {}

  /// The day after this one; the first rule of domain.md that fits, word by word.
  package func next(
    _ day: Day, _ outcome: Text, isExcused: Bool = false, isRest: Bool = false, isOpen: Bool = false,
    startsSchedule: Bool = false, _ definition: Definition
  ) -> PlainDay {
    var next = self
    if startsSchedule || beginsPeriod(day, definition.schedule) { next.rested = 0 }
    let alone = PlainDay.alone(outcome)
    if isExcused {
      next.verdict = .excused
    } else if isOpen {
      next.verdict = .open
    } else if isRest || next.isLetGo(day, outcome, definition) {
      next.verdict = .rest
      next.rested += 1
    } else if definition.streak == false {
      next.verdict = alone
    } else if outcome == "restarted" {
      next.verdict = .restarted
      next.run = 1
      next.start = day
      next.misses = 0
    } else {
      next.forgive(outcome, alone, definition)
    }
    if next.run == 0 { next.start = nil } else if run == 0 { next.start = day }
    if next.run == 0 || next.verdict == .good && definition.streak != false { next.misses = 0 }
    if case .every? = definition.schedule {
      let isKept = [.good, .healed, .restarted].contains(next.verdict) && definition.streak != false
      if next.run == 0 || isKept { next.rested = 0 }
    }
    return next
  }

  private func beginsPeriod(_ day: Day, _ schedule: Schedule?) -> Bool {
    switch schedule {
    case .times(_, .week): day.weekday == 0
    case .times(_, .month): day.date.day == 1
    default: false
    }
  }

  private func isLetGo(_ day: Day, _ outcome: Text, _ definition: Definition) -> Bool {
    if outcome == "restarted", run == 0 { return false }
    switch definition.schedule {
    case nil: return false
    case .weekdays(let weekdays):
      return !weekdays.has(day.weekday) && (outcome != "good" || definition.rule.isLimit)
    case .times(let times, .week): return outcome != "good" && rested < 7 - times
    case .times(let times, .month):
      let (year, month, _) = day.date
      return outcome != "good" && rested < Day.length(ofMonth: month, year: year) - times
    case .every(let days): return outcome != "good" && run > 0 && rested < days - 1
    }
  }

  private mutating func forgive(_ outcome: Text, _ alone: Verdict, _ definition: Definition) {
    verdict = alone
    switch definition.forgiveness ?? .none {
    case .none: run = outcome == "good" ? run + 1 : 0
    case .joker(let rule):
      let levels = definition.rule.levels.bad
      let heals = rule.heals ?? ["missed", "slip", "over"] + levels
      let isHealable = run > 0 && heals.contains(outcome) && outcome != "good"
      if outcome == "good" || isHealable, (run + 1) % rule.every == 0 {
        if held < rule.cap {
          (held, earned) = (held + 1, earned + 1)
        } else {
          forfeited += 1
        }
      }
      if outcome == "good" {
        run += 1
      } else if isHealable, held > 0 {
        (held, spent, run, verdict) = (held - 1, spent + 1, run + 1, .healed)
      } else {
        run = 0
        let taken = alone == .bad ? rule.penalty.first { $0.outcome == outcome }?.jokers ?? 0 : 0
        (held, penalised) = (held - min(held, taken), penalised + min(held, taken))
      }
    case .grace(let days):
      if outcome == "good" {
        run += 1
      } else if outcome == "missed", run > 0, misses + 1 <= days {
        (misses, verdict) = (misses + 1, .graced)
      } else {
        run = 0
      }
    }
  }

  private static func alone(_ outcome: Text) -> Verdict {
    switch outcome {
    case "good": .good
    case "missed": .missed
    case "restarted": .restarted
    default: .bad
    }
  }
}

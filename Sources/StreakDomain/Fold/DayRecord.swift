/// The result of a habit's day after forgiveness.
///
/// ```swift
/// ledger.calendar(of: "noalc", in: month).count { $0.verdict == .healed }
/// ```
public enum Verdict: String, CaseIterable, Codable, BitwiseCopyable, Sendable {
  /// The rule's condition was met.
  case good
  /// The condition wasn't met, but a joker was spent, so the run continues.
  case healed
  /// The condition wasn't met, but within the days of grace, so the run continues.
  case graced
  /// Too little was logged, and the run ended if there was one.
  case missed
  /// Something was logged that ends a run.
  case bad
  /// The run ended, and a new one began on the same day.
  case restarted
  /// The day isn't over.
  case open
  /// The day was excused and has no effect.
  case excused
  /// The schedule doesn't require the day.
  case rest

  var isGood: Bool { self == .good || self == .restarted }

  /// True if the day counts toward an n-per-week schedule.
  var isKept: Bool { isGood || self == .healed }

  var place: Int {
    switch self {
    case .good: 0
    case .healed: 1
    case .graced: 2
    case .missed: 3
    case .bad: 4
    case .restarted: 5
    case .open: 6
    case .excused: 7
    case .rest: 8
    }
  }
}

/// The state of a habit after one day: the values carried to the next day, and the day's effect on jokers.
///
/// It contains only what the next day needs, so a refold can stop at the first unchanged record.
struct DayRecord: Sendable, Equatable {
  var run: Int32 = 0
  private var startNumber: Int32 = 0
  var misses: Int32 = 0
  var held: UInt16 = 0
  var penalised: UInt16 = 0
  var rested: UInt16 = 0
  var verdict: Verdict = .excused
  var jokers: Actions = []

  var start: Day? { run > 0 ? Day(unchecked: startNumber) : nil }

  struct Actions: OptionSet, Sendable {
    let rawValue: UInt8
    static let earned = Actions(rawValue: 1)
    static let forfeited = Actions(rawValue: 2)
    static let spent = Actions(rawValue: 4)
  }
}

extension DayRecord {
  @inline(__always)
  func isSameRun(as other: DayRecord) -> Bool { run > 0 && startNumber == other.startNumber }

  @inline(__always)
  func growing(by days: Int32) -> DayRecord {
    var grown = self
    grown.run += days
    return grown
  }

  @inline(__always)
  func continuing(_ earlier: DayRecord) -> DayRecord {
    var longer = self
    longer.run += earlier.run
    longer.startNumber = earlier.startNumber
    return longer
  }

  func shifted(by days: Int) -> DayRecord {
    var later = self
    if run > 0 { later.startNumber += Int32(days) }
    return later
  }
}

extension DayRecord {
  /// Returns the record of the next day (domain.md, "The fold").
  func next(_ day: FoldDay, under definition: CompiledDefinition) -> DayRecord {
    var next = judged(day, under: definition)
    if next.run == 0 {
      next.startNumber = 0
    } else if run == 0 || next.verdict == .restarted && definition.streak {
      next.startNumber = day.day.number
    }
    return next
  }

  private func judged(_ day: FoldDay, under definition: CompiledDefinition) -> DayRecord {
    var next = self
    next.penalised = 0
    next.jokers = []
    next.rested = day.startsSchedule ? 0 : definition.schedule.carried(rested, into: day.day)
    if day.isExcused {
      next.verdict = .excused
    } else if day.isOpen {
      next.verdict = .open
    } else if day.isRest || next.rests(on: day, under: definition) {
      next.verdict = .rest
      next.rested = definition.schedule.counting(next.rested, on: day.day)
    } else if !definition.streak {
      next.verdict = day.outcome.verdictAlone
    } else if day.outcome == .restarted {
      next.run = 1
      next.misses = 0
      next.verdict = .restarted
    } else {
      switch definition.forgiveness.kind {
      case .none: next.closeStrictly(day.outcome)
      case .jokers(let every, let cap): next.closeWithJokers(day.outcome, every: every, cap: cap, definition)
      case .grace(let days): next.closeWithGrace(day.outcome, days: days)
      }
    }
    // With `every`, rest days are counted from the last good, healed or restarted day, and only during a run.
    if definition.schedule.kind == .every, next.run == 0 || definition.streak && next.verdict.isKept {
      next.rested = 0
    }
    return next
  }

  private func rests(on day: FoldDay, under definition: CompiledDefinition) -> Bool {
    guard !definition.schedule.isDaily, day.outcome != .restarted || run > 0 else { return false }
    return definition.schedule.lets(
      go: day.day, isGood: day.outcome == .good, isLimit: definition.isLimit, run: run, rested: rested)
  }

  private mutating func closeStrictly(_ outcome: Outcome) {
    verdict = outcome.verdictAlone
    misses = 0
    run = outcome == .good ? run + 1 : 0
  }

  /// Earning comes before spending, so a seventh day can be healed by the joker it earns.
  private mutating func closeWithJokers(
    _ outcome: Outcome, every: Int, cap: Int, _ definition: CompiledDefinition
  ) {
    let isHealable = run > 0 && definition.forgiveness.heals(outcome)
    if outcome == .good || isHealable, (Int(run) + 1) % every == 0 {
      if Int(held) < cap {
        held += 1
        jokers.insert(.earned)
      } else {
        jokers.insert(.forfeited)
      }
    }
    if outcome == .good {
      run += 1
      misses = 0
      verdict = .good
    } else if isHealable, held > 0 {
      held -= 1
      jokers.insert(.spent)
      run += 1
      verdict = .healed
    } else {
      run = 0
      misses = 0
      verdict = outcome.verdictAlone
      penalised = UInt16(min(Int(held), definition.forgiveness.penalty(of: outcome)))
      held -= penalised
    }
  }

  private mutating func closeWithGrace(_ outcome: Outcome, days: Int) {
    verdict = outcome.verdictAlone
    if outcome == .good {
      run += 1
      misses = 0
    } else if outcome == .missed, run > 0, Int(misses) < days {
      misses += 1
      verdict = .graced
    } else {
      run = 0
      misses = 0
    }
  }
}

extension Outcome {
  var verdictAlone: Verdict {
    switch self {
    case .good: .good
    case .missed: .missed
    case .restarted: .restarted
    default: .bad
    }
  }
}

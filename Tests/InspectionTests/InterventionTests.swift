import DomainFixtures
import Inspection
import StreakDomain
import Testing

/// The events that changed closed days, against all states before and after looked at in full.
struct InterventionTests {
  /// What a closed day is to an auditor.
  private struct Look: Equatable {
    var verdict: Verdict?
    var run = 0
    var lines: [JokerLine] = []
    var entries: [String] = []
  }

  /// Every closed day of every habit as a ledger has it.
  private func looks(_ ledger: Ledger, _ events: ArraySlice<Event>, before today: Day) -> [String: Look] {
    var looks: [String: Look] = [:]
    for habit in ledger.definedHabits {
      for day in ledger.verdicts(of: habit, in: Day.first...Day.last) where day.day < today {
        looks["\(habit) \(day.day)", default: Look()].verdict = day.verdict
        looks["\(habit) \(day.day)", default: Look()].run = day.run
      }
      for line in ledger.jokerBook(of: habit) where line.day < today {
        looks["\(habit) \(line.day)", default: Look()].lines.append(line)
      }
    }
    for event in events where event.day < today && ledger.fate(of: event.id) == .standing {
      guard case .entryLogged(let entry) = event.payload, ledger.definedHabits.contains(entry.habit),
        ledger.countsFrom(of: entry.habit).map({ $0 <= event.day }) ?? true
      else { continue }
      looks["\(entry.habit) \(event.day)", default: Look()].entries.append(event.id)
    }
    return looks
  }

  private func days(_ before: [String: Look], unlike after: [String: Look]) -> ClosedRange<Day>? {
    let names = Set(before.keys).union(after.keys).filter {
      (before[$0] ?? Look()) != (after[$0] ?? Look())
    }
    let days = names.compactMap { Day($0.split(separator: " ")[1]) }
    return days.min().flatMap { low in days.max().map { low...$0 } }
  }

  /// Compares each event of a stream with the full look.
  private func expectRight(_ events: [Event], _ context: String) {
    var (fold, plain) = (LedgerFold(), Ledger())
    var interventions = Interventions()
    for (index, event) in events.enumerated() {
      let today = plain.today
      let before = today.map { looks(plain, events[..<index], before: $0) } ?? [:]
      interventions.expect(event, on: event.day, in: &fold)
      _ = fold.apply(event)
      let found = interventions.note(event, on: event.day, in: &fold)
      plain.add(event)
      let says = "\(context), event \(index + 1) \(event.payload)"
      guard let today else {
        #expect(found == nil, "\(says)")
        continue
      }
      let wanted = days(before, unlike: looks(plain, events[...index], before: today))
      let isOfAchievements = found.map { !$0.difference.unlocked.isEmpty || !$0.difference.revoked.isEmpty }
      if case .dayChanged = event.payload {
        #expect(found == nil, "\(says)")
      } else if let wanted, isOfAchievements == true {
        #expect(found?.days.joined(wanted) == found?.days, "\(says)")
      } else if isOfAchievements != true {
        #expect(found?.days == wanted, "\(says)")
      }
      if let found { #expect(found.lateDays == today - found.days.lowerBound, "\(says)") }
    }
  }

  @Test(arguments: Cases.seeds(12))
  func `what changes a closed day of a random stream is found, with the days, and nothing else`(seed: UInt64)
  {
    var stream = RandomStream(seed: seed)
    expectRight(stream.events(120), "seed \(seed)")
  }

  @Test func `every correction of every history of up to four days is found with its days`() {
    var definition = Preset.noalc.definition(for: "noalc")
    definition.forgiveness = .joker(JokerRule(every: 2, cap: 1))
    for history in ShortHistory.all(of: definition, upTo: 4, later: 1) {
      for (offset, mark) in history.marks.enumerated() {
        let day = History.start + offset
        var corrections: [Payload] = [
          .entryLogged(History.entries("noalc", "E")[0]),
          .daysExcused(from: day, to: day, habits: nil, reason: nil), .habitRetired(habit: "noalc"),
        ]
        if mark != "." { corrections.append(.entryDeleted(entry: "d\(offset)", reason: nil)) }
        for correction in corrections {
          var after = history.sequence
          expectRight(history.events + [after.event(correction, on: day)], history.marks)
        }
      }
    }
  }

  @Test func `runs that begin to count change closed days though every verdict is as it was`() throws {
    var definition = Preset.awareness.definition(for: "a")
    definition.streak = false
    var sequence = Sequence()
    var events = [sequence.event(.habitDefined(definition), on: History.start)]
    for offset in 0..<4 {
      events.append(sequence.event(.entryLogged(Entry(habit: "a")), on: History.start + offset))
    }
    definition.streak = true
    events.append(sequence.event(.habitDefined(definition), on: History.start + 1))
    expectRight(events, "streak on")
    var fold = LedgerFold()
    var interventions = Interventions()
    var last: Intervention?
    for event in events {
      interventions.expect(event, on: event.day, in: &fold)
      _ = fold.apply(event)
      last = interventions.note(event, on: event.day, in: &fold)
    }
    #expect(last?.difference.verdicts == [])
    #expect(last?.days == History.start + 1...History.start + 2)
  }
}

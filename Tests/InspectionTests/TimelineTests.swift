import DomainFixtures
import Inspection
import StreakDomain
import Testing

struct TimelineTests {
  private func events(_ seed: UInt64, _ count: Int) -> [Event] {
    if seed.isMultiple(of: 3) {
      // Definitions with other milestones and schedules.
      var stream = WideStream(seed: seed)
      return stream.events(count)
    }
    guard seed.isMultiple(of: 2) else { return SlippedStream(seed: seed).events(count) }
    var stream = RandomStream(seed: seed)
    return stream.events(count)
  }

  @Test(arguments: Cases.seeds(24))
  func `the timeline reports the changes of the joker book in the order of the book`(seed: UInt64)
    throws
  {
    var ledger = Ledger()
    var timeline = Timeline()
    var known: [String: [JokerLine]] = [:]
    for (index, event) in events(seed, 120).enumerated() {
      ledger.fold(event)
      let books = timeline.note(&ledger).books
      for habit in ledger.definedHabits {
        let (before, after) = (known[habit] ?? [], ledger.jokerBook(of: habit))
        let book = books.first { $0.habit == habit }
        try #require(
          book?.removed ?? [] == before.filter { !after.contains($0) },
          "seed \(seed), event \(index)")
        try #require(
          book?.added ?? [] == after.filter { !before.contains($0) }, "seed \(seed), event \(index)"
        )
        known[habit] = after
      }
    }
  }

  @Test(arguments: Cases.seeds(12))
  func `the timeline reports exactly the differences between the ledgers before and after an event`(
    seed: UInt64
  ) {
    var ledger = Ledger()
    var timeline = Timeline()
    for (index, event) in events(seed, 120).enumerated() {
      let before = ledger
      ledger.fold(event)
      let found = timeline.note(&ledger)
      let wanted = Difference.between(before, ledger)
      let context: Comment = "seed \(seed), event \(index + 1)"
      // Habits are in the order in which they changed.
      #expect(Set(found.changes) == Set(wanted.changes), context)
      #expect(found.changes.count == wanted.changes.count, context)
      #expect(Set(found.verdicts) == Set(wanted.verdicts), context)
      #expect(Set(found.books) == Set(wanted.books), context)
      #expect(found.unlocked == wanted.unlocked && found.revoked == wanted.revoked, context)
      #expect(found.moved == wanted.moved, context)
      #expect(Set(found.definitions) == Set(wanted.definitions), context)
    }
  }

  @Test(arguments: Cases.seeds(12))
  func `applying the reported changes of a random stream one by one gives every state`(
    seed: UInt64
  ) {
    var ledger = Ledger()
    var timeline = Timeline()
    var told = Rebuilt()
    for (index, event) in events(seed, 120).enumerated() {
      ledger.fold(event)
      told.apply(timeline.note(&ledger))
      guard index % 9 == 0 else { continue }
      told.expectEqual(ledger, "seed \(seed), event \(index + 1)")
    }
    told.expectEqual(ledger, "seed \(seed)")
  }

  @Test func `a deletion reports the jokers, verdicts and achievements that it revokes`() {
    var sequence = Sequence()
    var ledger = Ledger()
    var timeline = Timeline()
    var last = Difference()
    var events = [
      sequence.event(.habitDefined(Preset.noalc.definition(for: "noalc")), on: History.start)
    ]
    for offset in 0..<8 {
      let mark: Character = offset == 7 ? "E" : "S"
      for entry in History.entries("noalc", mark) {
        events.append(
          sequence.event(.entryLogged(entry), on: History.start + offset, id: "n\(offset)"))
      }
    }
    events.append(
      sequence.event(.entryDeleted(entry: "n2", reason: nil), on: History.start + 7, id: "undo"))
    for event in events {
      ledger.fold(event)
      last = timeline.note(&ledger)
    }
    #expect(last.books.first?.removed.map(\.action) == [.earned, .spent])
    #expect(last.verdicts.map(\.days.lowerBound) == [History.start + 2, History.start + 7])
    #expect(last.revoked.contains("milestone:noalc:7"))
  }

  @Test
  func `after slips of a limit, the timeline reports the entry that completes a collector tier`() {
    var sequence = Sequence()
    var ledger = Ledger()
    var timeline = Timeline()
    var unlocked: [String] = []
    let (limit, habit) = (Preset.saboteurAvoidance.definition, Preset.awareness.definition)
    var events = [limit, habit].map { sequence.event(.habitDefined($0), on: History.start) }
    for name in Array(repeating: limit.id, count: 10) + Array(repeating: habit.id, count: 250) {
      events.append(sequence.event(.entryLogged(Entry(habit: name)), on: History.start))
    }
    for event in events {
      ledger.fold(event)
      unlocked = timeline.note(&ledger).unlocked
    }
    #expect(unlocked == ["collector:legendary"])
  }
}

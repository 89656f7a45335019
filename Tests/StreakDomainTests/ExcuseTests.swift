import DomainFixtures
import StreakDomain
import Testing

struct ExcuseTests {
  /// Returns the verdicts of ten days without entries on days 3 to 7.
  ///
  /// The excuses are `id:from-to`, by days from 1; `!id` withdraws one.
  private func verdicts(_ events: String) -> String {
    var history = Histories("workout 22.....222")
    for word in events.split(separator: " ") {
      if word.hasPrefix("!") {
        history.add(.excuseWithdrawn(excuse: String(word.dropFirst()), reason: nil), on: 10)
        continue
      }
      let parts = word.split(whereSeparator: { ":-".contains($0) })
      guard let from = Int(parts[1]) else { return "no days: \(word)" }
      let to = Int(parts[2])
      history.add(
        .daysExcused(
          from: Histories.day(from), to: to.map(Histories.day),
          habits: word.hasPrefix("w") ? ["workout"] : nil,
          reason: word.hasPrefix("z") ? "zone" : nil), on: 10, id: String(parts[0]))
    }
    let found = history.ledger.verdicts(of: "workout", in: Day.first...Day.last)
    return found.letters
  }

  @Test(arguments: [
    ("", "ggmmmmmggg"), ("a:3-7", "ggeeeeeggg"), ("a:3-7 !a", "ggmmmmmggg"),
    ("!a a:3-7", "ggmmmmmggg"),
    // A day is excused as long as one excuse covers it.
    ("a:3-5 b:5-7 !a", "ggmmeeeggg"), ("a:3-5 b:5-7 !b", "ggeeemmggg"),
    ("a:3-7 b:4-4 !a", "ggmemmmggg"),
    ("a:3-7 b:3-7 !a", "ggeeeeeggg"), ("a:3-7 b:3-7 !a !b", "ggmmmmmggg"),
    ("a:3-4 b:5-7 !a", "ggmmeeeggg"),
    ("a:3-7 w:4-5 !a", "ggmeemmggg"), ("a:3-7 w:4-5 !w", "ggeeeeeggg"),
    // No effect: withdrawn twice, not an excuse, and a date that doesn't exist.
    ("a:3-5 b:3-5 !a !a", "ggeeemmggg"), ("a:3-5 !workout-2", "ggeeemmggg"),
    // Without an end, until it is withdrawn; of two devices' excuses the union counts.
    ("a:4-on", "ggmeeeeggg"), ("a:4-on !a", "ggmmmmmggg"), ("!a a:4-on", "ggmmmmmggg"),
    ("a:6-on b:4-5", "ggmeeeeggg"), ("a:6-on b:4-on !a", "ggmeeeeggg"),
    ("a:6-on b:4-on !b", "ggmmmeeggg"), ("a:3-on w:4-5 !a", "ggmeemmggg"),
    ("z:3-3 !z", "ggemmmmggg"),
    ("!z z:3-3", "ggemmmmggg"),
  ])
  func `withdrawing an excuse uncovers only the days that no other excuse covers`(
    events: String, wanted: String
  ) {
    #expect(verdicts(events) == wanted)
  }

  @Test(arguments: Cases.seeds(60))
  func `a set of days is the union of the inserted spans, in any order`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var days = DaySpans()
    var inserted: [ClosedRange<Day>] = []
    for _ in 0..<30 {
      let from = History.start + random.below(200)
      inserted.append(from...(from + random.below(12)))
      days.insert(inserted[inserted.count - 1])
      for offset in 0..<220 {
        let day = History.start + offset
        let (isCovered, until) = days.coverage(from: day)
        #expect(isCovered == inserted.contains { $0.contains(day) }, "seed \(seed)")
        let isLast =
          days.coverage(from: until).isCovered == isCovered
          && days.coverage(from: until.next).isCovered != isCovered
        #expect(until == Day.last || isLast)
      }
    }
    #expect(DaySpans(inserted.shuffled(using: &random)) == days, "seed \(seed)")
  }

  @Test(arguments: Cases.seeds(40))
  func `withdrawn excuses change nothing, in any order of arrival`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let plain = stream.events(60).filter {
      if case .excuseWithdrawn = $0.payload { false } else { true }
    }
    var random = SeededRandom(seed: seed)
    var sequence = Sequence()
    var events = plain
    for number in 0..<12 {
      let from = History.start + random.below(14)
      let habits = random.chance(50) ? nil : [["a", "b", "c", "d", "both"][random.below(5)]]
      let given = sequence.event(
        .daysExcused(from: from, to: from + random.below(6), habits: habits, reason: nil),
        on: History.start,
        id: "given-\(number)")
      let taken = sequence.event(
        .excuseWithdrawn(excuse: given.id, reason: nil), on: History.start, id: "taken-\(number)")
      for event in random.chance(50) ? [given, taken] : [taken, given] {
        events.insert(event, at: 1 + random.below(events.count))
      }
    }
    let wanted = Ledger(folding: plain)
    // Each event is a step of its own, or all are one step.
    for ledger in [Ledger(folding: events), Ledger(folding: events.asBatch)] {
      for state in wanted.states() {
        var found = try #require(ledger.state(of: state.habit))
        found.longest = state.longest
        try #require(found == state, "seed \(seed)")
        let books = [wanted, ledger].map { ledger in
          ledger.jokerBook(of: state.habit).map {
            "\($0.day) \($0.action) \($0.lot?.number ?? 0) \($0.held)"
          }
        }
        try #require(books[0] == books[1], "seed \(seed)")
      }
      try #require(ledger.xp == wanted.xp && ledger.activity == wanted.activity, "seed \(seed)")
      let keys = [wanted, ledger].map { $0.achievements().map { "\($0.key) \($0.on)" } }
      try #require(keys[0] == keys[1], "seed \(seed)")
    }
  }

  @Test func `a missed day whose excuse is withdrawn is healed by a held joker`() {
    var history = Histories("workout " + String(repeating: "2", count: 400) + ".2")
    history.add(
      .daysExcused(from: Histories.day(401), to: Histories.day(401), habits: nil, reason: nil),
      on: 402,
      id: "x")
    history.add(.excuseWithdrawn(excuse: "x", reason: nil), on: 402)
    #expect(
      history.ledger.verdicts(of: "workout", in: Histories.day(401)...Histories.day(401)).first?
        .verdict
        == .healed)
  }
}

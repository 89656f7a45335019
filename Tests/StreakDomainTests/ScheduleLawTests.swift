import DomainFixtures
import StreakDomain
import Testing

/// Schedules against the plain fold, on every short history; `FieldLawTests` has random ledgers.
struct ScheduleLawTests {
  private static let schedules: [Schedule?] = [
    nil, .weekdays(Weekdays([.mon, .wed, .fri])), .weekdays(Weekdays([.sat])), .times(3, per: .week),
    .times(1, per: .week), .times(27, per: .month), .every(2), .every(3),
  ]

  private static let forgivenesses: [Forgiveness] = [
    .none, .grace(days: 1), .grace(days: 2),
    .joker(JokerRule(every: 2, cap: 1, penalty: [JokerRule.Penalty(outcome: "over", jokers: 1)])),
  ]

  /// Good, missed and bad days: one page, none, and too many.
  private static let marks: [(amount: Int?, outcome: Text)] = [(1, "good"), (nil, "missed"), (9, "over")]

  @Test(arguments: schedules, forgivenesses)
  func `every history of a few good, missed and bad days`(
    schedule: Schedule?, forgiveness: Forgiveness
  ) throws {
    let sum = Sum(of: .amount, atLeast: Thousandths(1), atMost: Thousandths(5))
    // The last week of a month, so that both a week and a month end within the days.
    try explore(
      Rule(.sum(sum)), schedule, forgiveness, from: History.start + -4, days: Cases.days(8), marks: Self.marks
    )
  }

  @Test(arguments: schedules, forgivenesses)
  func `every history of a few kept and broken limits`(
    schedule: Schedule?, forgiveness: Forgiveness
  ) throws {
    if case .every? = schedule { return }
    let limit = Rule(.sum(Sum(of: .amount, atMost: Thousandths(5))))
    try explore(
      limit, schedule, forgiveness, from: History.start + -4, days: Cases.days(10),
      marks: [(nil, "good"), (9, "over")])
  }

  /// Walks through the histories as through a tree, the ledger of each day copied for the next.
  private func explore(
    _ rule: Rule, _ schedule: Schedule?, _ forgiveness: Forgiveness, from start: Day, days: Int,
    marks: [(amount: Int?, outcome: Text)]
  ) throws {
    var definition = Definition(habit: "h", rule: rule)
    definition.schedule = schedule
    definition.forgiveness = forgiveness
    var sequence = Sequence()
    var ledger = Ledger()
    ledger.add(sequence.event(.ledgerOpened(owner: nil), on: start))
    ledger.add(sequence.event(.habitDefined(definition), on: start))
    var pending: [(ledger: Ledger, plain: PlainDay, text: String)] = [(ledger, PlainDay(), "")]
    var seen = 0
    while let (ledger, plain, text) = pending.popLast() {
      if text.utf8.count == days { continue }
      let day = start + text.utf8.count
      for (place, mark) in marks.enumerated() {
        // A habit begins with its first entry.
        if text.isEmpty, place > 0, !rule.isLimit { continue }
        var next = ledger
        if let amount = mark.amount {
          var entry = Entry(habit: "h")
          entry.amount = Thousandths(amount)
          next.add(sequence.event(.entryLogged(entry), on: day))
        }
        next.advance(to: day.next)
        let closed = plain.next(day, mark.outcome, definition)
        let path = text + ["g", ".", "b"][place]
        let state = try #require(next.state(of: "h"))
        let note = Comment("\(path) from \(start)")
        try #require(next.verdicts(of: "h", in: day...day).first?.verdict == closed.verdict, note)
        try #require(state.current == closed.run && state.start == closed.start, note)
        try #require(state.jokers.held == closed.held && state.jokers.spent == closed.spent, note)
        try check(state, after: closed, on: day.next, definition, note)
        pending.append((next, closed, path))
        seen += 1
      }
    }
    #expect(seen > (Cases.areAll ? 1000 : 200))
  }

  /// What is said of a today on which nothing is logged yet.
  private func check(
    _ state: HabitState, after closed: PlainDay, on today: Day, _ definition: Definition, _ note: Comment
  ) throws {
    let quiet: Text = definition.rule.isLimit ? "good" : "missed"
    var day = closed
    var end: Day?
    for offset in 0..<20 where end == nil && closed.run > 0 {
      day = day.next(today + offset, quiet, definition)
      if day.run == 0 { end = today + (offset - 1) }
    }
    let isLong = definition.rule.isLimit || end == nil
    try #require(isLong || state.safeThrough == end, note)
    let then = closed.next(today, quiet, definition)
    let ifMissed: HabitState.IfMissed =
      closed.run == 0
      ? .none
      : [.good: .safe, .rest: .rests, .healed: .heals, .graced: .graced][then.verdict] ?? .breaks
    try #require(state.ifMissed == ifMissed, note)
  }

  // The histories of domain.md, "Schedules": a week that begins on Monday.

  @Test(
    arguments: [
      (.weekdays(Weekdays([.mon, .tue, .wed, .thu, .fri])), "xxxxx..x.x", "gggggrrgmg", "1234555601"),
      (.times(3, per: .week), "x.x...x.....x", "grgrrrgrrrrmg", "1122223333301"),
      (.every(3), "x..x...x", "grrgrrmg", "11122201"),
    ] as [(Schedule, String, String, String)])
  func `the histories of the contract`(schedule: Schedule, entries: String, verdicts: String, runs: String) {
    var definition = Definition(habit: "h", rule: Rule(.any))
    definition.schedule = schedule
    let history = History(definition, entries)
    #expect(history.verdicts == verdicts)
    let found = history.ledger.verdicts(of: "h", in: Day.first...Day.last)
    #expect(found.map { String($0.run) }.joined() == runs)
  }
}

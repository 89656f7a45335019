import DomainFixtures
import StreakDomain
import Testing

struct PeriodSumTests {
  private func folded(_ events: [Event], today: Day) -> Ledger {
    var ledger = Ledger(folding: events)
    ledger.advance(to: today)
    return ledger
  }

  private func verdicts(_ ledger: Ledger, _ habit: String) -> String {
    ledger.verdicts(of: habit, in: Day.first...Day.last).letters
  }

  private func plain(_ events: [Event], today: Day, _ habit: String = "h") -> String {
    var plain = PlainLedger(events, today: today)
    return plain.days(habit).map(\.verdict.letter).joined()
  }

  @Test(arguments: PeriodHistory.all)
  func `a weekly or monthly sum is decided by exactly one day of the week or month`(
    history: PeriodHistory
  ) {
    #expect(plain(history.events, today: history.today) == history.verdicts)
    #expect(verdicts(folded(history.events, today: history.today), "h") == history.verdicts)
  }

  @Test(arguments: CompositeOfSums.all)
  func `a composite leaves out a member on days that do not decide the member's week`(
    history: CompositeOfSums
  ) {
    let ledger = folded(history.events, today: history.today)
    for (habit, expected) in history.verdicts {
      #expect(verdicts(ledger, habit) == expected, "\(habit)")
      #expect(plain(history.events, today: history.today, habit) == expected, "\(habit)")
    }
  }

  @Test(arguments: RetiredHistory.all)
  func `a retirement lasts until a definition that comes later in the stream`(
    history: RetiredHistory
  ) {
    #expect(plain(history.events, today: history.today) == history.verdicts)
    #expect(verdicts(folded(history.events, today: history.today), "h") == history.verdicts)
  }

  @Test(arguments: [
    (Preset.sportWeek, "90 0 60 0 0 0 0", "rrgrrrr"), (.sportWeek, "90 0 59 0 0 0 0", "rrrrrr?"),
    (.alcoholWeek, "7 0 7 0 0 0 0 0", "rrrrrrg?"), (.alcoholWeek, "7 0 8 0", "rrbr"),
  ])
  func `the presets sport-week and alcohol-week give the expected verdicts`(
    preset: Preset, numbers: String, expected: String
  ) {
    var sequence = Sequence()
    var events = [sequence.event(.habitDefined(preset.definition(for: "h")), on: History.start)]
    let numbers = numbers.split(separator: " ").map { Int($0) ?? 0 }
    for (place, number) in numbers.enumerated() where number > 0 {
      var entry = Entry(habit: "h")
      (entry.minutes, entry.drinks) = (Millionths(number), number)
      events.append(sequence.event(.entryLogged(entry), on: History.start + place))
    }
    let ledger = folded(events, today: History.start + (numbers.count - 1))
    #expect(verdicts(ledger, "h") == expected)
  }

  @Test func `no reminder is due once the sum of the day, week or month is decided`() throws {
    let clock: ClockTime = "20:00"
    func isDue(_ history: PeriodHistory) -> Bool {
      var ledger = folded(history.events, today: history.today)
      var sequence = Sequence()
      let reminder = Payload.reminderSet(habit: "h", time: clock, enabled: true)
      ledger.fold(sequence.event(reminder, on: History.start, id: "reminder"))
      return !Reminders(of: ledger).due(on: history.today, at: clock, hoursLeft: 5).isEmpty
    }
    for (name, isAsked) in [
      ("today does not reach it", true), ("today reaches it", false),
      ("today after an earlier day reached it", false), ("today is within the limit", false),
      ("today after an earlier day was over", false), ("today is within both bounds", true),
    ] {
      let history = try #require(PeriodHistory.all.first { $0.description == name })
      #expect(isDue(history) == isAsked, "\(name)")
    }
  }
}

/// All histories of a habit over nine days from a Saturday on, which contain two ends of weeks.
struct EveryPeriodSumTests {
  private static let start = History.start + 5

  private static let sums: [(Sum, Sum?)] = {
    func sum(
      _ least: Int?, _ most: Int?, of measure: Measure = .amount, _ per: Schedule.Period? = .week
    ) -> Sum {
      Sum(
        of: measure, atLeast: least.map { Thousandths($0) }, atMost: most.map { Thousandths($0) },
        per: per)
    }
    let (least, most, both) = (sum(10, nil), sum(nil, 10), sum(4, 10))
    return [
      (least, nil), (most, nil), (both, nil), (least, sum(4, nil)), (least, most), (most, least),
      (both, most),
      (least, sum(10, nil, of: .minutes)), (most, sum(nil, 10, of: .minutes)),
      (least, sum(4, nil, nil)),
      (sum(4, nil, nil), least), (least, sum(10, nil, .month)),
    ]
  }()

  private static let forgivenesses: [Forgiveness] = [
    .nothing, .grace(days: 1), .joker(JokerRule(every: 2, cap: 1)),
  ]

  private static let cases = sums.indices.flatMap { place in
    (sums[place].1 == nil ? forgivenesses : [.nothing]).map { (place, $0) }
  }

  private static let days = Cases.areAll ? 9 : 5

  @Test(arguments: cases)
  func `short histories of weekly sums match a second implementation`(
    place: Int, forgiveness: Forgiveness
  ) throws {
    let (sum, second) = EveryPeriodSumTests.sums[place]
    var sequence = Sequence()
    func defined(_ sum: Sum, _ offset: Int) -> Event {
      var definition = Habit("h", rule: Rule(.sum(sum)))
      definition.forgiveness = forgiveness
      return sequence.event(.habitDefined(definition), on: EveryPeriodSumTests.start + offset)
    }
    var opening = [sequence.event(.ledgerOpened(), on: EveryPeriodSumTests.start)]
    opening.append(defined(sum, 0))
    if let second { opening.append(defined(second, 4)) }
    let ledger = Ledger(folding: opening)
    var pending: [(ledger: Ledger, events: [Event], text: String)] = [(ledger, opening, "")]
    while let (ledger, events, text) = pending.popLast() {
      let length = text.utf8.count
      if length == EveryPeriodSumTests.days { continue }
      let day = EveryPeriodSumTests.start + length
      for mark in [".", "4", "8"] as [Character] {
        var (next, longer) = (ledger, events)
        for entry in History.entries("h", mark) {
          longer.append(sequence.event(.entryLogged(entry), on: day))
          next.fold(longer[longer.count - 1])
        }
        next.advance(to: day)
        try check(next, longer, today: day, text + [mark])
        if length == EveryPeriodSumTests.days - 1 {
          next.advance(to: day + 9)
          try check(next, longer, today: day + 9, text + [mark])
        }
        pending.append((next, longer, text + [mark]))
      }
    }
  }

  private func check(_ ledger: Ledger, _ events: [Event], today: Day, _ text: String) throws {
    var plain = PlainLedger(events, today: today)
    let days = plain.days("h")
    let found = ledger.verdicts(of: "h", in: Day.first...Day.last)
    let note = Comment("\(text) on \(today)")
    try #require(found.letters == days.map(\.verdict.letter).joined(), note)
    try #require(found.map(\.run) == days.map(\.run), note)
    try #require(ledger.state(of: "h")?.jokers.held == days.last?.held ?? 0, note)
  }
}

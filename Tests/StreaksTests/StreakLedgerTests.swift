import CommandFixtures
import Foundation
import StreakCommands
import Streaks
import Testing

struct StreakLedgerTests {
  private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func noon(_ day: Int) -> Date {
    ISO8601DateFormatter().date(from: "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00")
      ?? .distantPast
  }

  private func ledger(through last: Int) throws -> StreakLedger {
    var ledger = try StreakLedger(timeZone: zone, now: noon(3))
    try ledger.append(.habit(Habit(preset: "meditation")), now: noon(3))
    for day in 3...last { try ledger.append(.entry("meditation", minutes: 12), now: noon(day)) }
    return ledger
  }

  @Test func `a ledger in memory counts days, earns jokers and closes days like a ledger on disk`()
    throws
  {
    let ledger = try ledger(through: 9)
    let today = try #require(ledger.streak(of: "meditation"))
    #expect(today.current == 7)
    #expect(today.jokers.held == 1)
    #expect(today.status == .done)
    let tomorrow = try #require(ledger.seen(now: noon(10)).streak(of: "meditation"))
    #expect(tomorrow.status == .due)
    #expect(tomorrow.ifMissed == .heals)
    let later = try #require(ledger.seen(now: noon(12)).streak(of: "meditation"))
    #expect(later.current == 0)
    #expect(later.longest == 8)
    #expect(ledger.streak(of: "reading") == nil)
    #expect(ledger.habits.map(\.id) == ["meditation"])
  }

  @Test func `a date is the day of the ledger's zone, which begins at the ledger's start of days`()
    throws
  {
    let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let ledger = try StreakLedger(timeZone: auckland, dayStart: "04:00", now: noon(3))
    // 12:00 in Berlin is 0:00 of the next date in Auckland, where the day begins at 4:00.
    #expect(ledger.day(of: noon(3)) == "2025-11-03")
    #expect(ledger.day(of: noon(3) + 4 * 3600) == "2025-11-04")
    #expect(ledger.start(of: "2025-11-04") == noon(3) + 4 * 3600)
    #expect(ledger.day(of: noon(3)) == ledger.today)

    for day: Day in ["1900-01-01", "2025-03-30", "2025-10-26", "2199-12-31"] {
      let start = try #require(ledger.start(of: day))
      #expect(ledger.day(of: start) == day)
    }
    #expect(ledger.day(of: .distantPast) == "1900-01-01")
    #expect(ledger.day(of: .distantFuture) == "2199-12-31")
  }

  @Test func `runs, achievements and celebrations have titles in plain words`() throws {
    let week = try ledger(through: 9)
    let titles = week.celebrations.map(week.title) + week.achievements.map(week.title)
    for title in [
      "🧘 meditation: done", "🎉 🧘 meditation: a run of 7 days", "🏆 Devotee, silver",
      "Devotee, silver",
    ] {
      #expect(titles.contains(title), "\(titles)")
    }
    #expect(week.runInWords(of: "meditation") == "7 days")
    var weeks = try StreakLedger(timeZone: zone, now: noon(3))
    try weeks.append(.habit(Habit(preset: "sport-week")), now: noon(3))
    for day in [3, 10] { try weeks.append(.entry("sport-week", minutes: 150), now: noon(day)) }
    #expect(
      weeks.runInWords(of: "sport-week") == "2 weeks" && weeks.runInWords(of: "reading") == nil)
  }

  @Test
  func `a streak in the library has every field of the state that the program prints`() async throws
  {
    let ledger = try TemporaryLedger()
    ledger.run("init gym")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(ledger.run("replay --json").text.utf8))
        as? [String: Any])
    let state = try #require((document["habits"] as? [[String: Any]])?.first)
    let streak = try #require(
      await StreakFolder(URL(filePath: ledger.events)).ledger(now: noon(20)).streak(of: "gym"))
    func labels(_ value: Any) -> Set<String> {
      Set(Mirror(reflecting: value).children.compactMap(\.label))
    }
    #expect(labels(streak).symmetricDifference(state.keys) == [])
    for (part, value) in [("jokers", streak.jokers as Any), ("totals", streak.totals)] {
      #expect(labels(value) == Set((state[part] as? [String: Any] ?? [:]).keys), "\(part)")
    }
    let quota = Set((state["quota"] as? [String: Any] ?? [:]).keys)
    #expect(labels(try #require(streak.quota)).subtracting(["period"]) == quota)
    #expect(
      Set(Verdict.allCases.map(\.rawValue)) == Set((state["days"] as? [String: Any] ?? [:]).keys))
  }

  @Test func `if days begin at four, an entry at half past two counts for the day before`() throws {
    let night = try #require(ISO8601DateFormatter().date(from: "2025-11-04T02:30:00+01:00"))
    var ledger = try StreakLedger(timeZone: zone, dayStart: "04:00", now: noon(2))
    try ledger.append(.habit(Habit(preset: "meditation")), now: noon(2))
    try ledger.append(.entry("meditation", minutes: 12), now: night)
    #expect(ledger.streak(of: "meditation")?.status == .done)
    let data = try #require(ledger.streakData(for: "meditation"))
    #expect(data.lastActivityDate == noon(3).addingTimeInterval(-8 * 3600))
    let error = #expect(throws: StreakError.self) {
      try StreakLedger(timeZone: zone, dayStart: "12:00", now: noon(2))
    }
    #expect(error?.description.contains("00:00 to 11:59") == true && error?.kind == .refused)
  }

  @Test func `streak data for an app is computed from the ledger`() throws {
    let data = try #require(
      try ledger(through: 9).seen(now: noon(10)).streakData(for: "meditation"))
    #expect(data.currentStreakDays == 7)
    #expect(data.rewardsEarned == 1)
    #expect(data.lastActivityDate == noon(9).addingTimeInterval(-12 * 3600))
    #expect(try ledger(through: 9).streakData(for: "reading") == nil)
  }

  @Test(arguments: [
    (
      NewEvent.entry("meditatoin", minutes: 1), StreakError.Kind.unknownHabit,
      "did you mean \"meditation\""
    ),
    (.entry("meditation"), .needsMeasure, "needs minutes"),
    (.entry("meditation", minutes: 1441), .outOfRange, "from 0 to 1440"),
    (.entry("meditation", minutes: .infinity), .outOfRange, "from 0 to 1440"),
    (.entry("meditation", minutes: .nan), .outOfRange, "from 0 to 1440"),
    (.habit(Habit("tea", rule: .sum(of: .amount))), .refused, "atLeast"),
    (.habit(Habit("Tea", rule: .any)), .refused, "\"Tea\""),
  ])
  func `an event that a ledger on disk refuses is refused in memory and changes nothing`(
    event: NewEvent, kind: StreakError.Kind, says: String
  ) throws {
    var ledger = try ledger(through: 4)
    let error = #expect(throws: StreakError.self) {
      try ledger.append(.entry("meditation", minutes: 9), event, now: noon(4))
    }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    #expect(error?.kind == kind && error?.place == nil)
    #expect(error?.nearest == (kind == .unknownHabit ? ["meditation"] : []))
    #expect(ledger.streak(of: "meditation")?.totals.minutes == 24)
  }

  @Test(arguments: [
    ("swim", "running", nil, false), ("swim", "running", 1, true), ("swim", "skating", nil, true),
    ("cardio", "running", nil, true),
  ])
  func
    `an entry that can never reach its activity's threshold is refused if no threshold is empty`(
      habit: String, activity: String, minutes: Double?, isTaken: Bool
    ) throws
  {
    var ledger = try ledger(through: 4)
    let running = ActivityThreshold(activity: "running", measures: Measures(minutes: 10))
    try ledger.append(.habit(Habit("swim", rule: .activity([running]))), now: noon(4))
    try ledger.append(.habit(Habit(preset: "cardio")), now: noon(4))
    let entry = NewEvent.entry(habit, minutes: minutes, activity: activity)
    if isTaken {
      try ledger.append(entry, now: noon(4))
    } else {
      let error = #expect(throws: StreakError.self) { try ledger.append(entry, now: noon(4)) }
      #expect(error?.kind == .needsMeasure && error?.sentence.contains("needs minutes") == true)
    }
    #expect(try ledger.entries(of: habit).count == (isTaken ? 1 : 0))
  }

  @Test
  func `a guest continues a host's ledger in memory, and the host's folder stays unchanged`()
    async throws
  {
    let host = try TemporaryLedger()
    try host.run(all: "init meditation\nlog meditation 12m")
    let before = try #require(host.contents())
    let folder = StreakFolder(URL(fileURLWithPath: host.events), writer: "guest")
    var guest = try await folder.ledger(now: noon(4))
    try guest.append(.entry("meditation", minutes: 5), now: noon(4))
    #expect(guest.streak(of: "meditation")?.current == 2)
    #expect(host.contents() == before)
    let again = try await folder.ledger(now: noon(4))
    #expect(again.streak(of: "meditation")?.current == 1)
  }

  @Test func `reading a folder without a ledger fails with the name of the folder`() async {
    let folder = StreakFolder(URL(fileURLWithPath: "/nowhere/at-all"), writer: "guest")
    let error = await #expect(throws: StreakError.self) { try await folder.ledger(now: noon(3)) }
    #expect(error?.description.contains("/nowhere/at-all") == true)
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Testing

struct HabitDaysTests {
  private let root: TemporaryLedger
  private let server: Server

  init() throws {
    root = try TemporaryLedger()
    server = Server(.eachLogin(root: root.folder), memory: 1 << 26)
  }

  private func post(_ events: [String]) -> WebAnswer {
    WebRequest("POST", "/v1/events", root: "", body: "[\(events.joined(separator: ","))]").answer(
      of: server)
  }

  private static let opened = #"{"type":"ledger.opened","zone":"UTC"}"#

  private static func habit(_ id: String, _ rule: String = #"{"kind":"any"}"#, _ more: String = "")
    -> String
  {
    #"{"type":"habit.defined","habit":"\#(id)","rule":\#(rule)\#(more)}"#
  }

  private static func entry(_ habit: String, _ day: String) -> String {
    #"{"type":"entry.logged","habit":"\#(habit)","day":"\#(day)"}"#
  }

  @Test(arguments: Cases.seeds(40))
  func `the days of events are at least those of the folded ledger`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let events = stream.events(150)
    var ledger = Ledger()
    var days = HabitDays()
    for event in events {
      ledger.fold(event)
      days.add(event.payload, on: event.day)
    }
    let today = try #require(ledger.today)
    let folded = ledger.habits.compactMap(\.firstDay).reduce(0) { $0 + (today - $1) + 1 }
    #expect(days.count(through: today) >= folded, "seed \(seed)")
    #expect(HabitDays(of: ledger).count(through: today) >= folded, "seed \(seed)")
  }

  @Test func `habits from 1900 with their composites are refused before they are folded`() {
    let habits = (0..<80).map { HabitDaysTests.habit("h\($0)") }
    let members = (0..<80).map { "\"h\($0)\"" }.joined(separator: ",")
    let composites = (0..<140).map {
      HabitDaysTests.habit("c\($0)", #"{"kind":"all","of":[\#(members)]}"#)
    }
    let entries = (0..<80).map { HabitDaysTests.entry("h\($0)", "1900-01-01") }
    let start = ContinuousClock.now
    let answer = post([HabitDaysTests.opened] + habits + composites + entries)
    #expect(answer.status == 422 && answer.detail.contains("habit-days"), "\(answer.body)")
    #expect(start.duration(to: .now) < .seconds(5))
    #expect((try? FileManager.default.contentsOfDirectory(atPath: root.folder)) == [])
  }

  @Test func `a definition that brings early entries back counts them`() throws {
    let (first, late) = (Day.first, Day("2025-11-01"))
    var habit = Habit("a", rule: .any)
    habit.countsFrom = late
    var days = HabitDays()
    days.add(.habitDefined(habit), on: late)
    days.add(.entryLogged(Entry(habit: "a")), on: first)
    #expect(days.count(through: late) == 1)
    habit.countsFrom = nil
    days.add(.habitDefined(habit), on: late)
    #expect(days.count(through: late) == late - first + 1)
  }

  @Test func `a day of a composite counts as one habit-day per member`() {
    var days = HabitDays()
    let day = Day("2025-11-01")
    for habit in ["a", "b"] { days.add(.habitDefined(Habit(habit, rule: .any)), on: day) }
    days.add(.habitDefined(Habit("both", rule: Rule(.all(of: ["a", "b"])))), on: day)
    days.add(.entryLogged(Entry(habit: "a")), on: day)
    #expect(days.count(through: day.next) == 2 + 2 * 2)
  }

  @Test func `habits that are defined twice have no more days`() {
    let habits = (0..<100).map { HabitDaysTests.habit("h\($0)") }
    let entries = (0..<100).map { HabitDaysTests.entry("h\($0)", "2025-11-02") }
    #expect(post([HabitDaysTests.opened] + habits + entries).status == 201)
    let again = (0..<100).map {
      HabitDaysTests.habit("h\($0)", #"{"kind":"any"}"#, #","name":"Again""#)
    }
    #expect(post(again).status == 201)
    let other = Server(.eachLogin(root: root.folder), memory: 1 << 26)
    #expect(WebRequest("GET", "/v1/state", root: "").answer(of: other).status == 200)
  }

  /// Writes a ledger as the command line could, with habits that have had an entry since 1900.
  private func writeLedger(ofHabits count: Int) throws {
    let folder = root.folder + "/ana"
    let events = (0..<count).flatMap { habit in
      [
        HabitDaysTests.line(HabitDaysTests.habit("h\(habit)"), 2 * habit, "2025-11-01"),
        HabitDaysTests.line(
          #"{"type":"entry.logged","habit":"h\#(habit)"}"#, 2 * habit + 1, "1900-01-01"),
      ]
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(events.joined().utf8).write(to: URL(filePath: folder + "/main.jsonl"))
  }

  @Test func `a ledger that others made too large is not folded`() throws {
    try writeLedger(ofHabits: 100)
    for target in ["/", "/v1/state", "/v1/changes?after=start"] {
      let answer = WebRequest("GET", target, root: "").answer(of: server)
      #expect(
        answer.problem == "unreadable-ledger" && answer.detail.contains("habit-days"),
        "\(answer.body)")
    }
  }

  @Test func `a ledger that reaches the limit by growing older is still read and written`() throws {
    // From 1900-01-01 on, 88 habits have fewer days than the limit in 2023, and more in November
    // 2025.
    try writeLedger(ofHabits: 88)
    #expect(WebRequest("GET", "/v1/state", root: "").answer(of: server).status == 200)
    let page = WebRequest("GET", "/", root: "").answer(of: server)
    #expect(page.status == 413 && page.detail.contains("habit-days"), "\(page.body.prefix(200))")
    #expect(page.detail.contains("ask for /v1/state"))
    #expect(post([HabitDaysTests.entry("h3", "2025-11-02")]).status == 201)
    let more = post([HabitDaysTests.habit("more"), HabitDaysTests.entry("more", "2025-11-02")])
    #expect(more.status == 422 && more.detail.contains("habit-days"), "\(more.body)")
  }

  @Test func `a day far ahead counts, because the ledger would be folded up to it`() {
    let habits = (0..<100).map { "h\($0)" }
    let events =
      habits.map { HabitDaysTests.habit($0) }
      + habits.map { HabitDaysTests.entry($0, "2025-11-02") }
    #expect(post([HabitDaysTests.opened] + events).status == 201)
    func get(_ query: String) -> WebAnswer {
      WebRequest("GET", "/v1/state" + query, root: "").answer(of: server)
    }
    for query in ["?on=2199-12-31", "?at=2199-12-31", "?at=2199-12-31T10:00:00Z"] {
      let answer = get(query)
      #expect(
        answer.problem == "bad-parameter" && answer.detail.contains("habit-days"), "\(answer.body)")
    }
    #expect(get("?on=2026-12-31").status == 200)
  }

  @Test func `a history beyond the limit is refused while it is built`() {
    var limits = Server.Limits()
    limits.answer = 30_000
    let server = Server(.eachLogin(root: root.folder), memory: 1 << 24, limits: limits)
    let habit = HabitDaysTests.habit(
      "a", #"{"kind":"any"}"#, #","forgiveness":{"kind":"joker","every":2,"cap":3}"#)
    let days = (1...28).flatMap {
      ["2025-09-\($0 < 10 ? "0" : "")\($0)", "2025-10-\($0 < 10 ? "0" : "")\($0)"]
    }
    #expect(
      post([HabitDaysTests.opened, habit] + days.map { HabitDaysTests.entry("a", $0) }).status
        == 201)
    for turn in 0..<12 {
      let id = "first\(turn)"
      _ = post([#"{"id":"\#(id)","type":"entry.logged","habit":"a","day":"2025-08-31"}"#])
      #expect(post([#"{"type":"entry.deleted","entry":"\#(id)"}"#]).status == 201)
    }
    func get(_ target: String) -> WebAnswer {
      WebRequest("GET", target, root: "").answer(of: server)
    }
    let answer = get("/v1/audit/a?history")
    #expect(
      answer.status == 413 && answer.detail.hasSuffix("ask without history"),
      "\(answer.body.prefix(200))")
    #expect(get("/v1/audit/a").status == 200)
  }

  private static func line(_ event: String, _ number: Int, _ day: String) -> String {
    let fields =
      #"""
      "id":"e\#(number)","at":"2025-11-01T12:00:00Z","recorded":"2025-11-01T12:00:\#
      00.\#(100_000 + number)Z",
      """#
      + #""day":"\#(day)","zone":"UTC","#
    return "{" + fields + event.dropFirst() + "\n"
  }

  @Test func `an answer that is too large is refused, with what to ask for instead`() {
    var limits = Server.Limits()
    limits.answer = 20_000
    let server = Server(.eachLogin(root: root.folder), memory: 1 << 24, limits: limits)
    let body = [
      HabitDaysTests.opened, HabitDaysTests.habit("a"), HabitDaysTests.entry("a", "2015-01-01"),
    ]
    #expect(post(body).status == 201)
    func get(_ target: String) -> WebAnswer {
      WebRequest("GET", target, root: "").answer(of: server)
    }
    for target in ["/", "/v1/report"] {
      let answer = get(target)
      #expect(
        answer.status == 413 && answer.detail.contains("ask for /v1/state"),
        "\(answer.body.prefix(200))")
    }
    #expect(get("/v1/streaks/a/calendar?all").detail.hasSuffix("ask for one year with ?year="))
    #expect(get("/v1/changes?after=main:2").status == 413)
    #expect(get("/v1/state").status == 200)
  }
}

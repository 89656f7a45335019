import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Testing

struct AgreementTests {
  private let ledger: TemporaryLedger
  private let now = "2025-09-28T12:00:00Z"
  private let seeds: UInt64 = 6

  init() throws {
    ledger = try TemporaryLedger(now: now)
  }

  private func read(_ seed: UInt64) async throws -> StreakLedger {
    var stream = RandomStream(seed: seed)
    try ledger.write(stream.events(70).flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    let date = try #require(ISO8601DateFormatter().date(from: now))
    return try await StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app").ledger(
      now: date)
  }

  /// Returns the JSON value without null members, which Foundation omits.
  private func plain(_ value: Any) -> NSObject {
    switch value {
    case let members as [String: Any]:
      return members.filter { !($0.value is NSNull) && $0.key != "format" }.mapValues { plain($0) }
        as NSDictionary
    case let items as [Any]: return items.map { plain($0) } as NSArray
    default: return value as? NSObject ?? NSNull()
    }
  }

  private func plain(_ value: some Encodable) throws -> NSObject {
    plain(
      try JSONSerialization.jsonObject(
        with: JSONEncoder().encode(value), options: .fragmentsAllowed))
  }

  private func fields(_ payload: Payload) throws -> [String: NSObject] {
    let moment = Timestamp(instant: Instant(microseconds: 0), offset: 0)
    let event = Event(
      id: "a", at: moment, recorded: moment.instant, day: "2025-11-03", zone: "UTC",
      payload: payload)
    let object =
      try JSONSerialization.jsonObject(with: Data(EventEncoder.line(event))) as? [String: Any]
    let envelope = ["id", "type", "at", "recorded", "day", "zone"]
    return (object ?? [:]).filter { !envelope.contains($0.key) }.mapValues { plain($0) }
  }

  private func printed(_ line: String, _ path: [String] = []) throws -> NSObject {
    let output = ledger.run(line)
    #expect(!output.text.isEmpty, "\(output.errors)")
    var value = try JSONSerialization.jsonObject(with: Data(output.text.utf8))
    for step in path {
      let item = Int(step).flatMap { (value as? [Any])?[$0] }
      value = item ?? (value as? [String: Any])?[step] ?? NSNull()
    }
    return plain(value)
  }

  private func expect(
    _ value: some Encodable, is printed: NSObject, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try plain(value) == printed, "\(what)", sourceLocation: sourceLocation)
  }

  /// Expects that `value` is encoded as `printed`, and can be decoded to a value with the same
  /// JSON.
  ///
  /// The order of levels and thresholds can differ, because a decoder doesn't keep the order of
  /// keys.
  private func expect<Value: Codable & Equatable>(
    _ value: Value, is printed: NSObject, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try plain(value) == printed, "\(what)", sourceLocation: sourceLocation)
    let bytes = try JSONEncoder().encode(value)
    let decoded = try JSONDecoder().decode(Value.self, from: bytes)
    #expect(try plain(decoded) == printed, "\(what)", sourceLocation: sourceLocation)
  }

  @Test func `states in the library equal what show and replay print`() async throws {
    for seed in 0..<seeds {
      let read = try await read(seed)
      try expect(read.state, is: printed("show --all --json"), "seed \(seed)")
      for position in [0, 1, 9, 40] {
        try expect(
          read.state(at: .position(position)), is: printed("replay --json --at \(position)"),
          "seed \(seed), \(position)")
      }
      try expect(
        read.state(at: .event("e30")), is: printed("replay --json --at e30"), "seed \(seed)")
      try expect(
        read.state(at: .end, on: "2025-09-09"), is: printed("replay --json --on 2025-09-09"),
        "seed \(seed)")
      try expect(
        read.state(at: .end, on: "2025-10-20"), is: printed("replay --json --on 2025-10-20"),
        "seed \(seed)")
    }
  }

  @Test func `days, jokers, entries and achievements in the library equal what the commands print`()
    async throws
  {
    let always: ClosedRange<Day> = "1900-01-01"..."2199-12-31"
    for seed in 0..<seeds {
      let read = try await read(seed)
      for habit in read.habits.map(\.id) {
        let what = "seed \(seed), \(habit)"
        try expect(
          read.calendar(of: habit, in: always),
          is: printed("calendar \(habit) --all --json", ["habits", "0", "days"]), what)
        try expect(
          read.calendar(of: habit),
          is: printed("calendar \(habit) --json", ["habits", "0", "days"]), what)
        try expect(
          read.jokerBook(of: habit), is: printed("audit \(habit) --json", ["habits", "0", "book"]),
          what)
        let logged =
          try printed("entries \(habit) --all --json", ["entries"]) as? [NSDictionary] ?? []
        let entries = try read.entries(of: habit, includesDeleted: true)
        #expect(logged.map { $0["id"] as? String } == entries.map(\.id), "\(what)")
        for (printed, own) in zip(logged, entries) {
          for (key, value) in try fields(.entryLogged(own.entry)) {
            #expect(printed[key] as? NSObject == value, "\(what), \(own.id)")
          }
          #expect(
            printed["day"] as? String == own.day.description
              && printed["zone"] as? String == own.zone)
        }
        let defined =
          try printed("habits \(habit) --json", ["habits", "0", "definitions"]) as? [NSDictionary]
        let definitions = read.definitions(of: habit)
        #expect(defined?.map { $0["event"] as? String } == definitions.map(\.event))
        for (printed, own) in zip(defined ?? [], definitions) {
          guard let own = own.habit else { continue }
          let fields = try #require(printed.mutableCopy() as? NSMutableDictionary)
          fields.removeObjects(forKeys: ["day", "event"])
          fields["habit"] = habit
          #expect(try self.fields(.habitDefined(own)) == fields as? [String: NSObject], "\(what)")
        }
      }
      try expect(read.achievements, is: printed("show --json", ["achievements"]), "seed \(seed)")
      #expect(
        try plain(read.celebrations.map(\.key)) == printed("celebrate --json", ["celebrations"]))
      try expect(read.reminders, is: printed("remind --json", ["due"]), "seed \(seed)")
    }
  }

  @Test func `differences, timeline and conditions in the library equal those of the commands`()
    async throws
  {
    for seed in 0..<seeds {
      let read = try await read(seed)
      for (from, to) in [(0, 20), (31, 32), (60, 40)] {
        try expect(
          read.changes(from: .position(from), to: .position(to)),
          is: printed("diff \(from) \(to) --json"),
          "seed \(seed), \(from) to \(to)")
      }
      let lines = ledger.run("timeline --json").text
        .replacing(#/"cursor":"[^"]*",/#, with: "").split(separator: "\n")
      let changes = try read.timeline()
      #expect(lines.count == changes.count)
      for (line, change) in zip(lines, changes) {
        try expect(
          change, is: plain(JSONSerialization.jsonObject(with: Data(line.utf8))), "seed \(seed)")
      }
      for condition in ["a.current >= 2", "xp > 0 or b.jokers.held == 1", "both.status == broken"] {
        let output = ledger.run(["when", condition, "--all", "--json"])
        let printed = try #require(
          JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any])
        try expect(
          read.when(condition), is: plain(printed["flips"] ?? NSNull()),
          "seed \(seed), \(condition)")
      }
    }
  }

  @Test func `the library explains a day like the command why`() async throws {
    for seed in 0..<seeds {
      let read = try await read(seed)
      for habit in read.habits.map(\.id) {
        let definitions = try printed("habits \(habit) --json", ["habits", "0", "definitions"])
        try expect(read.definitions(of: habit), is: definitions, "seed \(seed), \(habit)")
        for day in read.calendar(of: habit).suffix(Cases.areAll ? 6 : 3) {
          let why = try read.why(habit, on: day.day)
          let what: Comment = "seed \(seed), \(habit), \(day.day)"
          try expect(why, is: printed("why \(habit) \(day.day) --json"), "\(what)")
          let told = ledger.run("why \(habit) \(day.day)").text.split(separator: "\n").map(
            String.init)
          #expect(told.first == why.sentences.first, what)
        }
      }
    }
  }

  @Test
  func `dates, numbers and names are encoded as in the JSON documents and can be decoded`() throws {
    let texts: LedgerText = "é\u{200D}"
    let time: ClockTime = "07:05"
    try expect([Day("2024-02-29")], is: ["2024-02-29"] as NSArray, "day")
    try expect([time], is: ["07:05"] as NSArray, "time")
    try expect([texts], is: ["é\u{200D}"] as NSArray, "text")
    try expect([Joker(habit: "a", number: 2)], is: ["a/2"] as NSArray, "joker")
    try expect([Thousandths(12), 1.5, 0.125], is: [12, 1.5, 0.125] as NSArray, "numbers")
    try expect([Millionths(12), 1.5, 6.437376], is: [12, 1.5, 6.437376] as NSArray, "measures")
    try expect([Weekday.monday, .sunday], is: ["mon", "sun"] as NSArray, "weekdays")
    try expect([Verdict.healed], is: ["healed"] as NSArray, "verdict")
    try expect([EventType.entryLogged], is: ["entry.logged"] as NSArray, "type")
    try expect([Streak.IfMissed.nothing], is: ["none"] as NSArray, "none")
    let moment = "2025-11-03T20:15:00.000000Z"
    try expect([Instant(microseconds: 1_762_200_900_000_000)], is: [moment] as NSArray, "moment")
    for wrong in [#"["x"]"#, "[1]"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Day].self, from: Data(wrong.utf8))
      }
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([Joker].self, from: Data(wrong.utf8))
      }
    }
  }

  @Test func `a day can be moved and converted, and never leaves the calendar`() throws {
    let day: Day = "2024-02-29"
    #expect(day.advanced(by: 1) == "2024-03-01" && day.weekday == .thursday && day.year == 2024)
    #expect(day.wholeMonth.count == 29)
    #expect(day.advanced(by: .max) == "2199-12-31" && day.advanced(by: .min) == "1900-01-01")
    let (noDay, noTime) = ("2025-02-29", "24:00")
    #expect(
      Day(noDay) == nil && Day(year: 2025, month: 13, day: 1) == nil && ClockTime(noTime) == nil)
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    #expect(Day(Date(timeIntervalSince1970: 0), in: zone) == "1970-01-01")
    #expect(Day(Date(timeIntervalSince1970: 43_200), in: zone) == "1970-01-02")
    let time: ClockTime = "07:05"
    #expect(time.hour == 7 && time.minute == 5)
  }

  @Test func `a day after a wrong clock is the same position in the library and in replay`()
    async throws
  {
    let ledger = try TemporaryLedger(now: "2025-10-01T12:00:00+02:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    try ledger.run(all: "log noalc steady", at: "2025-11-15T12:00:00+01:00")
    try ledger.run(all: "day --correct\nlog noalc steady", at: "2025-10-02T20:00:00+02:00")
    try ledger.run(all: "log noalc steady", at: "2025-10-03T20:00:00+02:00")
    try ledger.run(all: "log noalc steady", at: "2025-10-05T20:00:00+02:00")

    let date = try #require(ISO8601DateFormatter().date(from: "2025-10-05T20:00:00+02:00"))
    let read = try await StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
      .ledger(now: date)
    ledger.now = "2025-10-05T20:00:00+02:00"
    for (day, position) in [("2025-10-01", 3), ("2025-10-02", 7), ("2025-10-04", 9)] {
      let point = Point.day(try #require(Day(day)))
      #expect(try read.state(at: point).position == position, "\(day)")
      #expect(ledger.run("replay --at \(day) --json")["position"] == "\(position)", "\(day)")
    }
  }
}

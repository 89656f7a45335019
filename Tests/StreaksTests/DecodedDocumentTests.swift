import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import Inspection
import StreakDomain
import Streaks
import Testing

/// The JSON documents of the sample ledger can be decoded, and encoded to the same JSON.
struct DecodedDocumentTests {
  /// The habits of `calendar --json`.
  private struct Calendars: Codable {
    struct Days: Codable {
      let habit: Habit.ID
      let days: [CalendarDay]
    }
    let habits: [Days]
  }

  /// The habits of `habits --json`.
  private struct Histories: Codable { let habits: [HabitHistory] }
  /// The excuses of `excuse --json`.
  private struct Excuses: Codable { let excuses: [StandingExcuse] }
  /// The entries of `entries --json`.
  private struct Entries: Decodable { let entries: [LoggedEntry] }

  /// Returns the members of a JSON object as text, without `format` and `line`.
  private func members(of json: JSONValue) throws -> [String: String] {
    guard case .object(let members) = json.kind else { throw NotAnObject() }
    let pairs = members.map { ($0.key.string, sorted($0.value).json) }
    return Dictionary(uniqueKeysWithValues: pairs.filter { !["format", "line"].contains($0.0) })
  }

  private struct NotAnObject: Error {}

  /// Returns the value with the members of all its objects in the order of their keys.
  private func sorted(_ json: JSONValue) -> JSONValue {
    switch json.kind {
    case .object(let members):
      .object(JSONValue.Members(members.map { ($0.key, sorted($0.value)) }))
    case .list(let items): .list(items.map { sorted($0) })
    case .null, .bool, .number, .text, .raw: json
    }
  }

  /// Decodes the JSON and checks that encoding gives it back.
  private func roundTrip<Value: Codable>(
    _ type: Value.Type, _ text: some StringProtocol, omitsNil: Bool = false
  ) throws {
    let value = try JSONDecoder().decode(type, from: Data(text.utf8))
    let printed = try members(of: JSONValue(parsing: String(text)))
    #expect(try members(of: JSONValue(of: value, omitsNil: omitsNil)) == printed)
  }

  @Test(arguments: ["show", "show noalc", "replay --at 2025-11-03", "replay --at 0"])
  func `a state that is printed as JSON can be decoded`(command: String) throws {
    try roundTrip(LedgerState.self, TemporaryLedger.sample(command + " --json").text)
  }

  @Test func `the days of all habits that are printed as JSON can be decoded`() throws {
    let output = TemporaryLedger.sample("calendar --all --json")
    try roundTrip(Calendars.self, output.text, omitsNil: true)
  }

  @Test func `the definitions of all habits that are printed as JSON can be decoded`() throws {
    try roundTrip(Histories.self, TemporaryLedger.sample("habits --json").text)
  }

  @Test func `excuses that are printed as JSON can be decoded`() throws {
    try roundTrip(Excuses.self, TemporaryLedger.sample("excuse --json").text)
  }

  @Test func `a difference that is printed as JSON can be decoded`() throws {
    let output = TemporaryLedger.sample("diff 2025-10-01 2025-11-20 --json")
    try roundTrip(LedgerDifference.self, output.text)
  }

  @Test func `each change that timeline prints as JSON can be decoded`() throws {
    let lines = TemporaryLedger.sample("timeline --json").text.split(separator: "\n")
    try #require(lines.count > 4000)
    for line in lines.enumerated().filter({ $0.offset % 10 == 0 || $0.offset < 100 }) {
      try roundTrip(StreakChange.self, line.element)
    }
  }

  @Test
  func `entries that are printed as JSON can be decoded and equal those of the library`()
    async throws
  {
    let output = TemporaryLedger.sample("entries --all --json")
    let decoded = try JSONDecoder().decode(Entries.self, from: Data(output.text.utf8)).entries
    let folder = StreakFolder(URL(filePath: "\(Repository.root)/events"))
    #expect(try await folder.ledger().entries(includesDeleted: true) == decoded)
  }

  @Test func `every preset and a habit of every kind of rule can be encoded and decoded`() throws {
    let rules: [Rule] = [
      .any, .never, .completed, .minutes(atLeast: 20), .all(of: ["a", "b"]), .either(of: ["a"]),
      .sum(of: .amount, unit: "pages", atLeast: 20, atMost: 30.125, per: .week),
      .activity([
        ActivityThreshold(activity: "*", measures: Measures(minutes: 20)),
        ActivityThreshold(activity: "run", measures: Measures(km: 1.5, sets: 3)),
      ]),
    ]
    for habit in Habit.presets + rules.map({ Habit("habit", rule: $0) }) {
      let json = try JSONEncoder().encode(habit)
      let decoded = try JSONDecoder().decode(Habit.self, from: json)
      #expect(JSONValue(of: decoded).json == JSONValue(of: habit).json, "\(habit.id)")
    }
  }

  @Test func `an entry can be encoded as JSON and decoded`() throws {
    var entry = Entry(habit: "run")
    entry.km = 6.437376
    entry.minutes = 31
    entry.activity = "running"
    entry.key = "run-1"
    entry.note = "cold"
    let json = try JSONEncoder().encode(entry)
    #expect(try JSONDecoder().decode(Entry.self, from: json) == entry)
  }

  @Test func `a definition with an unknown kind of rule cannot be decoded`() {
    let json = #"{"habit":"read","rule":{"kind":"minuts","atLeast":20}}"#
    #expect {
      try JSONDecoder().decode(Habit.self, from: Data(json.utf8))
    } throws: {
      "\($0)".contains("minuts")
    }
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import Inspection
import StreakDomain
import Streaks
import Testing

/// Entries and definitions can be decoded, and equal those of the library.
struct DecodedDocumentTests {
  @Test
  func `entries that are printed as JSON can be decoded and equal those of the library`()
    async throws
  {
    let output = TemporaryLedger.sample("entries --all --json")
    let decoded = try JSONDecoder().decode(EntryList.self, from: Data(output.text.utf8)).entries
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
      #expect(decoded == habit && decoded.hashValue == habit.hashValue, "\(habit.id)")
    }
  }

  @Test func `a habit equals its decoded JSON in whatever order its levels and thresholds are`()
    throws
  {
    let few = Level(name: "few", low: 0, high: 1)
    let many = Level(name: "many", low: 2, high: nil)
    let penalties = ["many", "few"].map { JokerRule.Penalty(outcome: $0, jokers: 2) }
    var beer = Habit("beer", rule: .level([many, few], good: ["few"]))
    beer.forgiveness = .joker(JokerRule(every: 7, cap: 3, penalty: penalties))
    let run = ActivityThreshold(activity: "run", measures: Measures(minutes: 20, km: 1.125))
    let others = ActivityThreshold(activity: "*", measures: Measures(sets: 3))
    let cardio = Habit("cardio", rule: .activity([run, others]))

    for habit in [beer, cardio] {
      let json = try JSONEncoder().encode(habit)
      #expect(Set([habit, try JSONDecoder().decode(Habit.self, from: json)]).count == 1)
    }
    #expect(cardio.rule == .activity([others, run]) && cardio.rule != .activity([run]))
    let otherGood = Habit("beer", rule: .level([many, few], good: ["many"]))
    #expect(otherGood.rule != beer.rule)
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

import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `calendar --known`: what was believed when, against `replay --at` and `calendar` of the log cut off there.
struct KnownCalendarTests {
  private func sample(_ words: String, columns: String = "") -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0, variables: columns.isEmpty ? [:] : ["COLUMNS": columns])
  }

  private func members(_ output: Output) throws -> NSDictionary {
    try #require(
      JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? NSDictionary, "\(output.screen)")
  }

  private struct Row: Equatable {
    let position: Int
    let event: String?
    let verdicts: [String?]
  }

  private func rows(_ output: Output) throws -> [Row] {
    let rows = try #require(members(output)["rows"] as? [NSDictionary])
    return rows.map { row in
      Row(
        position: row["position"] as? Int ?? -1, event: row["event"] as? String,
        verdicts: (row["verdicts"] as? [Any] ?? []).map { $0 as? String })
    }
  }

  /// A random history that was recorded day by day, with entries dated ahead of the clock and behind it.
  private func ledger(_ seed: UInt64) throws -> (TemporaryLedger, [Event]) {
    var stream = RandomStream(seed: seed)
    var random = SeededRandom(seed: seed)
    var today = History.start
    var last: Int64 = 0
    let events = stream.events(60).enumerated().map { index, event in
      var event = event
      today = max(today, event.day)
      // Mostly on the day, at times while it is still the day before in the ledger's zone.
      let day = today + (random.chance(20) ? -1 : 0)
      let midnight = Int64(day.number) * 86_400_000_000
      event.recorded = Instant(microseconds: max(midnight, last) + Int64(index) + 1)
      last = event.recorded.microseconds
      return event
    }
    let ledger = try TemporaryLedger(now: "2025-12-24T12:00:00Z")
    try ledger.write(events.flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    return (ledger, events)
  }

  /// The verdicts of a log cut off at a position, seen from a day.
  private func verdicts(
    _ events: ArraySlice<Event>, _ habit: String, from first: Day, count: Int, on day: Day?
  ) -> [String?] {
    var fold = LedgerFold(Ledger(cutoff: day))
    for event in events { _ = fold.apply(event) }
    if let day { fold.settled.advance(to: day) }
    let ledger = fold.settled
    let known = ledger.verdicts(of: habit, in: first...first + (count - 1))
    return (0..<count).map { place in known.first { $0.day == first + place }?.verdict.rawValue }
  }

  @Test(arguments: Cases.seeds(4))
  func `each row of a random history is the log as it was then, seen from then`(seed: UInt64) throws {
    let (ledger, events) = try ledger(seed)
    let (first, count) = (History.start, 60)
    for (known, isEnd) in [
      ("daily", { _ in true }), ("weekly", { $0.weekday == .sunday }), ("monthly", { $0 == $0.endOfMonth }),
    ] as [(String, (Day) -> Bool)] {
      for habit in ["a", "b", "both"] {
        let found = try rows(
          ledger.run("calendar \(habit) --from \(first) --to \(first + (count - 1)) --known \(known) --json"))
        let begin = try #require(events.first).recorded.microseconds / 86_400_000_000
        var wanted: [Row] = []
        var day = Day(unchecked: Int32(begin))
        while day < "2025-12-24" {
          defer { day = day.next }
          guard isEnd(day) else { continue }
          let end = Int64(day.next.number) * 86_400_000_000
          let there = events.prefix { $0.recorded.microseconds < end }
          wanted.append(
            Row(
              position: there.count, event: there.last?.id,
              verdicts: verdicts(there, habit, from: first, count: count, on: day)))
        }
        wanted.append(
          Row(
            position: events.count, event: events.last?.id,
            verdicts: verdicts(events[...], habit, from: first, count: count, on: Day("2025-12-24"))))
        #expect(found == wanted, "seed \(seed), \(habit) \(known)")
      }
    }
  }

  @Test func `after each event of every history of up to four days a row is the log cut off there`() throws {
    var definition = Preset.noalc.definition(for: "noalc")
    definition.forgiveness = .joker(JokerRule(every: 2, cap: 1))
    for history in ShortHistory.all(of: definition, upTo: 4) {
      let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00Z")
      try ledger.write(history.events.flatMap { EventEncoder.line($0) }, to: "main.jsonl")
      let points = history.events.indices.map { "\($0 + 1)" }.joined(separator: ",")
      let days = "--from \(History.start) --to \(History.start + 3)"
      let found = try rows(ledger.run("calendar noalc \(days) --known \(points) --json"))
      for (place, row) in found.enumerated() {
        let there = history.events[...place]
        #expect(
          row.verdicts == verdicts(there, "noalc", from: History.start, count: 4, on: nil),
          "\(history.marks), \(place + 1)")
      }
      #expect(found.count == history.events.count)
    }
  }

  @Test(arguments: Cases.seeds(4))
  func `each row at a position is the log cut off there on its own today`(seed: UInt64) throws {
    let (ledger, events) = try ledger(seed)
    let (first, count) = (History.start, 40)
    let positions = stride(from: 0, through: events.count, by: 5).map { $0 }
    let words = positions.map { "\($0)" }.joined(separator: ",")
    let found = try rows(
      ledger.run("calendar more --from \(first) --to \(first + (count - 1)) --known \(words) --json"))
    #expect(found.map(\.position) == positions, "seed \(seed)")
    for (row, position) in zip(found, positions) {
      #expect(
        row.verdicts == verdicts(events[..<position], "more", from: first, count: count, on: nil),
        "seed \(seed), \(position)")
    }
  }

  @Test(arguments: ["noalc", "gym", "daily_complete", "reading"])
  func `the last row of the sample is the calendar`(habit: String) throws {
    let last = try #require(
      rows(sample("calendar \(habit) --from 2025-09-01 --to 2025-11-30 --known weekly --json")).last)
    let calendar = try members(sample("calendar \(habit) --all --json"))["habits"] as? [NSDictionary]
    let days = try #require(calendar?.first?["days"] as? [NSDictionary])
    let known = Dictionary(
      uniqueKeysWithValues: days.map { ("\($0["day"] ?? "")", $0["verdict"] as? String) })
    let first: Day = "2025-09-01"
    #expect(last.verdicts == (0..<91).map { known["\(first + $0)"] ?? nil })
    #expect(last.position == 5148)
  }

  @Test func `a day, a time, a position and an event are seen as replay sees them`() throws {
    let points = ["2025-11-03", "2025-11-04T11:05:00Z", "4848", "019a4e8a-a360-7c7e-a700-769b2ec366d7"]
    let found = try rows(
      sample(
        "calendar noalc --from 2025-10-08 --to 2025-10-08 --known \(points.joined(separator: ",")) --json"))
    #expect(found.map { $0.verdicts[0] } == ["good", "healed", "healed", "healed"])
    for point in points {
      let replay = try members(sample("replay --json --at \(point)"))
      #expect(
        found.contains { $0.position == replay["position"] as? Int && $0.event == replay["event"] as? String }
      )
    }
  }

  @Test(arguments: ["40", "60", "100"])
  func `lines fit the terminal, and a changed past is marked`(columns: String) throws {
    let text = sample("calendar noalc --month 2025-10 --known weekly", columns: columns).text
    let width = try #require(Int(columns))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
    #expect(text.contains("!★") && text.contains("!✗"))
    #expect(text.contains("54 earlier points left out"))
  }

  @Test(arguments: [
    ("calendar --known daily", "--known needs one HABIT"),
    ("calendar noalc gym --known daily", "--known needs one HABIT"),
    ("calendar noalc --known daily --heat", "--known and --heat do not go together"),
    ("calendar noalc --known daily --on -3", "--known and --on do not go together"),
    ("calendar noalc --from 2025-10-02 --to 2025-10-01 --known daily", "2025-10-02 is after --to 2025-10-01"),
    ("calendar noalc --from 1950-01-01 --to 2025-10-01 --known daily", "at most 3660 are shown"),
    ("calendar noalc --from -3 --to today --known daily,4848", "--known takes daily alone, or points"),
    (
      "calendar noalc --from -3 --to today --known 99999",
      "there is no position 99999; the ledger ends at 5148"
    ),
    ("calendar noalc --from -3 --to today --known id:nothing", "there is no event \"nothing\""),
    (
      "calendar noalc --from -3 --to today --known daily --now 2035-01-01T00:00:00Z",
      "more than 1000 rows; at most 1000 are shown; say --known monthly, or name points"
    ),
  ])
  func `what cannot be shown is refused`(command: String, says: String) {
    let output = sample(command)
    #expect(output.status == .usage, "\(output.screen)")
    #expect(output.errors.contains(says), "\(output.screen)")
  }
}

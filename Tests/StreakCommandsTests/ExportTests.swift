import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct ExportTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger()
    try ledger.run(
      all: "init noalc workout\nlog noalc steady --id a\nlog workout 20m --id gone\ndelete gone")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(
      all: "log noalc wild --id b\nlog workout 31.5m --id c --at 2025-11-04T09:00:00+01:00")
    return ledger
  }

  @Test func `export csv entries has a column for each field and omits deleted entries`() throws {
    let ledger = try ledger()
    #expect(
      ledger.run("export csv entries").text == """
        id,habit,day,at,zone,recorded,key,asOf,minutes,km,sets,drinks,amount,level,completed,activity,value,note
        a,noalc,2025-11-03,2025-11-03T12:00:00+01:00,Europe/Berlin,2025-11-03T11:00:00.000003Z,,,,,,,,steady,,,,
        b,noalc,2025-11-04,2025-11-04T12:00:00+01:00,Europe/Berlin,2025-11-04T11:00:00.000001Z,,,,,,,,wild,,,,
        c,workout,2025-11-04,2025-11-04T09:00:00+01:00,Europe/Berlin,2025-11-04T11:00:00.000002Z,,,31.5,,,,,,,,,

        """)
    #expect(
      ledger.run("export csv entries workout --without c").text.split(separator: "\n").count == 1)
  }

  @Test func `export csv entries has the key and asOf of an entry and omits replaced entries`()
    throws
  {
    let ledger = try TemporaryLedger(
      running: """
        init workout
        log workout 20m --key 2025-11-03 --id a
        log workout 25m --replaces a --id b
        """)
    let line =
      #"{"id":"c","type":"entry.logged","habit":"workout","key":"2025-11-03","#
      + #""asOf":"2025-11-03T12:03:00+01:00","minutes":30}"#
    #expect(ledger.run("append", input: line).status == .done)
    #expect(
      ledger.run("export csv entries").text == """
        id,habit,day,at,zone,recorded,key,asOf,minutes,km,sets,drinks,amount,level,completed,activity,value,note
        c,workout,2025-11-03,2025-11-03T12:00:00+01:00,Europe/Berlin,2025-11-03T11:00:00.000004Z,2025-11-03,2025-11-03T11:03:00.000000Z,30,,,,,,,,,

        """)
  }

  @Test func `export csv days has the same verdicts, jokers and runs as calendar and show`() throws
  {
    let rows = TemporaryLedger.sample("export csv days noalc").text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows[0] == ["habit", "day", "verdict", "outcome", "joker", "run", "entries", "sum"])
    let calendar = TemporaryLedger.sample("calendar noalc --all --json")
    for row in rows.dropFirst() {
      let day = "habits.noalc.days.\(row[1])"
      let found = ["verdict", "outcome", "lot", "entries"].map { calendar["\(day).\($0)"] ?? "" }
      #expect([row[2], row[3], row[4], row[6]] == found)
    }
    let state = TemporaryLedger.sample("show --json")
    #expect(rows.last?[5] == state["habits.noalc.current"])
    #expect(
      rows.dropFirst().compactMap { Int($0[5]) }.max().map(String.init)
        == state["habits.noalc.best"])
  }

  @Test func `export csv jokers has the same lines as audit`() throws {
    let rows = TemporaryLedger.sample("export csv jokers").text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.count > 50 && rows[0] == ["habit", "day", "action", "lot", "held", "because"])
    let audit = TemporaryLedger.sample("audit --json")
    var lines: [String] = []
    for habit in 0..<20 {
      guard let name = audit["habits.\(habit).habit"] else { break }
      var line = 0
      while let day = audit["habits.\(habit).book.\(line).day"] {
        let rest = ["action", "lot", "held"].map {
          audit["habits.\(habit).book.\(line).\($0)"] ?? ""
        }
        .map { $0 == "null" ? "" : $0 }
        lines.append(([name, day] + rest).joined(separator: ","))
        line += 1
      }
    }
    #expect(rows.dropFirst().map { $0[..<5].joined(separator: ",") } == lines)
  }

  @Test func `export csv escapes commas, quotes and formulas in notes`() throws {
    let ledger = try TemporaryLedger(running: "init awareness")
    for note in ["one, two", "say \"hi\"", "=HYPERLINK(\"http://x\")", "-1+1", "plain"] {
      #expect(ledger.run(["log", "awareness", "--note", note]).status == .done)
    }
    let notes = ledger.run("export csv entries").text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",,,,,,,,,,,,", maxSplits: 1).last.map(String.init)
    }
    #expect(
      notes == [
        "\"one, two\"", "\"say \"\"hi\"\"\"", "\"'=HYPERLINK(\"\"http://x\"\")\"", "'-1+1", "plain",
      ])
  }

  @Test func `export csv escapes an id that begins with a minus in every table`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for day in 1...7 {
      ledger.now = "2025-11-1\(day)T12:00:00+01:00"
      let line = #"{"id":"-\#(day)","type":"entry.logged","habit":"noalc","level":"steady"}"#
      #expect(ledger.run(["append"], input: line).status == .done)
    }
    let first = ledger.run("export csv entries").text.split(separator: "\n").dropFirst()
    #expect(first.allSatisfy { $0.hasPrefix("'-") })
    #expect(first.count == 7)
    for table in ["export csv days", "export csv jokers"] {
      let last = ledger.run(table).text.split(separator: "\n").last?.split(separator: ",").last
      #expect(last == "'-7", "\(table)")
    }
  }

  @Test func `the event schema has every event type and every field of docs event-format`() throws {
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(EventSchema.json)) as? [String: Any])
    let types = (schema["properties"] as? [String: Any])?["type"] as? [String: [String]]
    #expect(types?["enum"] == EventType.allCases.map(\.rawValue))
    let schemas = try #require(schema["oneOf"] as? [[String: Any]])
    let named = schemas.flatMap { ($0["properties"] as? [String: Any] ?? [:]).keys }
    let catalogue = try Repository.text("docs/event-format.md").components(
      separatedBy: "## The catalogue")[1]
      .components(separatedBy: "## ")[0].split(separator: "\n")
    for type in EventType.allCases {
      let isThere = catalogue.contains { $0.hasPrefix("| `\(type.rawValue)` |") }
      #expect(isThere, "docs/event-format.md has no row for `\(type.rawValue)`")
    }
    for row in catalogue where row.hasPrefix("| `") {
      let payload = row.split(separator: "|")[1]
      for field in payload.split(whereSeparator: { !$0.isLetter }) {
        #expect(named.contains(String(field)))
      }
    }
  }

  @Test(.enabled(if: SchemaValidator.isThere, "there is no python3 with jsonschema"))
  func
    `an independent JSON Schema validator accepts sample and random events and refuses bad lines`()
    throws
  {
    var lines = try ["phone", "annas-laptop-3fa2c1"].flatMap {
      try Repository.text("events/\($0).jsonl").split(separator: "\n").map(String.init)
    }
    for seed in 0..<5 {
      var stream = RandomStream(seed: UInt64(seed))
      lines += stream.events(100).map {
        String(decoding: EventEncoder.line($0).dropLast(), as: UTF8.self)
      }
    }
    #expect(try SchemaValidator.event.refused(lines) == [:])
    // Problems that depend on other lines, or that JSON Schema cannot express.
    let unseen: Set = [
      "bad-form--day", "bad-form--excuse-backwards", "bad-form--gap", "bad-form--good",
      "bad-form--milestones",
      "bad-form--overlap", "bad-form--too-long", "not-json--duplicate-key", "not-json--inside",
      "not-json--lone-surrogate", "not-json--too-deep", "not-json--unknown-field",
      "out-of-range--decimals",
      "recorded-not-increasing", "reused-id",
    ]
    var names: [String] = []
    lines = []
    for file in try Repository.names(in: "Tests/Fixtures/bad-logs") {
      let name = String(file.dropLast(".jsonl".count))
      guard name != "not-json--not-utf8", name != "not-json--blank-line" else { continue }
      let bytes = try Repository.bytes("Tests/Fixtures/bad-logs/" + file)
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        names.append(name)
        lines.append(String(line))
      }
    }
    let seen = Set(try SchemaValidator.event.refused(lines).keys.map { names[$0 - 1] })
    #expect(Set(names).subtracting(seen) == unseen)
  }
}

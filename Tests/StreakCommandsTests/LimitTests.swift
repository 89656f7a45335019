import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct LimitTests {
  @Test func `docs event-format lists each limit with its number`() throws {
    let page = try Repository.text("docs/event-format.md")
    let section = try #require(page.components(separatedBy: "\n## Limits\n").dropFirst().first)
    let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let told = rows.map { row in
      row.split(separator: "|").prefix(2).map { $0.filter { !" `,".contains($0) } }.joined(
        separator: " ")
    }
    #expect(told == Limit.allCases.map { "\($0.rawValue) \($0.maximum)" })
  }

  @Test(arguments: [
    ("minutes", 0...Limits.minutes), ("km", 0...Limits.km), ("amount", 0...Limits.amount),
    ("measures/properties/sets", 0...Limits.sets), ("lateBy", Limits.lateBy),
    ("milestones/items", Limits.milestone), ("lines", Limits.lines),
    ("xp/properties/base", Limits.xp),
    ("xp/properties/bonus/items/properties/xp", Limits.xp),
    ("schedule/oneOf/1/properties/times", Limits.timesPerWeek),
    ("schedule/oneOf/2/properties/times", Limits.timesPerMonth),
    ("schedule/oneOf/3/properties/every", Limits.every),
    ("forgiveness/oneOf/1/properties/days", Limits.grace),
    ("forgiveness/oneOf/2/properties/every", Limits.jokerDays),
    ("forgiveness/oneOf/2/properties/cap", Limits.jokerCap),
    ("forgiveness/oneOf/2/properties/penalty/additionalProperties", Limits.penalty),
  ])
  func `the event schema has the minimum and maximum of each number`(
    path: String, range: ClosedRange<Int>
  ) throws {
    let number = try LimitTests.schema(at: path)
    #expect(number["minimum"] as? Int == range.lowerBound)
    #expect(number["maximum"] as? Int == range.upperBound)
  }

  @Test func `the event schema has the length limits of texts and writer names`() throws {
    #expect(try LimitTests.schema(at: "text")["maxLength"] as? Int == Limits.text)
    #expect(try LimitTests.schema(at: "by")["minLength"] as? Int == Limits.writer.lowerBound)
    #expect(try LimitTests.schema(at: "by")["maxLength"] as? Int == Limits.writer.upperBound)
  }

  /// Returns the part of the schema's definitions at a path such as `xp/properties/base`.
  private static func schema(at path: String) throws -> [String: Any] {
    let schema = try JSONSerialization.jsonObject(with: Data(EventSchema.json)) as? [String: Any]
    var part = schema?["$defs"]
    for name in path.split(separator: "/") {
      if let index = Int(name) {
        part = (part as? [Any])?[index]
      } else {
        part = (part as? [String: Any])?[String(name)]
      }
    }
    return try #require(part as? [String: Any], "the schema has no \(path)")
  }

  private static func line(
    _ habit: String, _ rule: String = #"{"kind":"any"}"#, more: String = ""
  ) -> String {
    #"{"type":"habit.defined","habit":"\#(habit)","rule":\#(rule)\#(more)}"# + "\n"
  }

  private static func before(_ limit: Limit) -> String {
    switch limit {
    case .habits: (1..<limit.maximum).map { line("h\($0)") }.joined()
    case .members, .excused: (0...limit.maximum).map { line("h\($0)") }.joined()
    case .depth:
      line("depth0")
        + (1..<limit.maximum).map {
          line("depth\($0)", #"{"kind":"all","of":["depth\#($0 - 1)"]}"#)
        }.joined()
    case .above:
      line("x")
        + (1..<limit.maximum).map { line("above\($0)", #"{"kind":"all","of":["x"]}"#) }.joined()
    case .levels, .activities, .bonuses, .milestones: ""
    }
  }

  private static func definition(_ limit: Limit, _ count: Int) -> String {
    let habit = "\(limit)\(count)"
    let numbers = Array(0..<count)
    func joined(_ text: (Int) -> String) -> String { numbers.map(text).joined(separator: ",") }
    switch limit {
    case .habits: return line(habit)
    case .members: return line(habit, #"{"kind":"either","of":[\#(joined { #""h\#($0)""# })]}"#)
    case .above: return line(habit, #"{"kind":"all","of":["x"]}"#)
    case .depth: return line(habit, #"{"kind":"all","of":["depth\#(count - 1)"]}"#)
    case .levels:
      let bands = joined { #""l\#($0)":[\#($0),\#($0 == count - 1 ? "null" : "\($0)")]"# }
      return line(habit, #"{"kind":"level","levels":{\#(bands)},"good":["l0"]}"#)
    case .activities:
      return line(
        habit, #"{"kind":"activity","thresholds":{\#(joined { #""a\#($0)":{"minutes":1}"# })}}"#)
    case .bonuses:
      let bonuses = joined { #"{"minutes":\#($0 + 1),"xp":1}"# }
      return line(habit, more: #","xp":{"base":1,"bonus":[\#(bonuses)]}"#)
    case .milestones: return line(habit, more: #","milestones":[\#(joined { "\($0 + 2)" })]"#)
    case .excused:
      let habits = joined { #""h\#($0)""# }
      return #"{"type":"days.excused","from":"2025-11-03","to":"2025-11-04","habits":[\#(habits)]}"#
    }
  }

  @Test(arguments: Limit.allCases)
  func `append accepts as many items as a limit allows and refuses one more with a message`(
    limit: Limit
  ) throws {
    let ledger = try TemporaryLedger(running: "init")
    let before = LimitTests.before(limit)
    #expect(before.isEmpty || ledger.run("append", input: before).status == .done)
    let taken = ledger.run("append", input: LimitTests.definition(limit, limit.maximum))
    #expect(taken.status == .done, "\(taken.errors.prefix(500))")
    let bytes = ledger.bytes()
    let refused = ledger.run("append", input: LimitTests.definition(limit, limit.maximum + 1))
    #expect(refused.status == .badData)
    let words = "\"\(limit)\(limit.maximum + 1)\" " + LimitTests.words(limit)
    let wanted = limit == .excused ? LimitTests.words(limit) : words
    #expect(refused.errors.contains(wanted), "\(refused.errors.prefix(500))")
    #expect(ledger.bytes() == bytes)
  }

  @Test(arguments: [
    (#""rule":{"kind":"all","of":["x","y","x"]}"#, #""rule.of" of "h" names "x" twice"#),
    (#""rule":{"kind":"either","of":["x","x"]}"#, #""rule.of" of "h" names "x" twice"#),
    (
      #""rule":{"kind":"level","levels":{"a":[0,1],"b":[2,null]},"good":["a","a"]}"#,
      #""rule.good" of "h" names "a" twice"#
    ),
    (
      #""rule":{"kind":"any"},"forgiveness":{"kind":"joker","every":7,"cap":3,"#
        + #""heals":["missed","missed"]}"#,
      #""forgiveness.heals" of "h" names "missed" twice"#
    ),
    (
      #""rule":{"kind":"any"},"xp":{"bonus":[{"km":5,"xp":1},{"km":7,"xp":2},{"km":5.0,"xp":3}]}"#,
      #""xp.bonus" of "h" names "5 km" twice"#
    ),
    (#""rule":{"kind":"any"},"milestones":[3,7,7]"#, "must ascend"),
    (#""rule":{"kind":"any"},"schedule":{"weekdays":["mon","mon"]}"#, "names a weekday twice"),
    (
      #""rule":{"kind":"activity","thresholds":{"run":{},"\u0072un":{}}}"#,
      #"duplicate key "run""#
    ),
  ])
  func `append refuses a definition with a list that repeats an item`(members: String, says: String)
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine x --any\ndefine y --any")
    let refused = ledger.run("append", input: #"{"type":"habit.defined","habit":"h",\#(members)}"#)
    #expect(refused.status == .badData && refused.errors.contains(says), "\(refused.errors)")
  }

  @Test(arguments: [
    #"{"type":"days.excused","from":"2025-11-03","to":"2025-11-03","habits":["x","y","x"]}"#,
    #"{"type":"day.corrected","day":"2025-11-03","to":"2025-11-03","moved":["x","y","x"]}"#,
  ])
  func `append refuses an excuse or a clock correction that repeats an item`(line: String) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine x --any\ndefine y --any")
    try ledger.run(all: "log x --id x\nlog x --id y", at: "2025-11-08T12:00:00+01:00")
    ledger.now = "2025-11-03T12:00:00+01:00"
    let refused = ledger.run("append --force", input: line)
    #expect(refused.status == .badData, "\(refused.screen)")
    #expect(refused.errors.contains(#"names "x" twice"#), "\(refused.errors)")
  }

  @Test func `a stored definition beyond the limits is read, and verify reports nothing`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine x --any\ndefine y --any")
    let numbers = (2...300).map(String.init).joined(separator: ",")
    let stored = #"""
      {"id":"d1","type":"habit.defined","at":"2025-11-03T11:00:00Z",\#
      "recorded":"2025-11-03T12:00:00.000000Z","day":"2025-11-03","zone":"Europe/Berlin",\#
      "habit":"h","rule":{"kind":"all","of":["x","x"]},"milestones":[\#(numbers)]}

      """#
    try ledger.write(Array(stored.utf8), to: "phone.jsonl")
    #expect(ledger.run("show").status == .done)
    #expect(ledger.run("verify").screen.isEmpty, "\(ledger.run("verify").screen)")
  }

  private static func words(_ limit: Limit) -> String {
    switch limit {
    case .above: "would exceed 100 composites above one habit"
    case .habits: "would exceed 10000 habits, the most of a ledger"
    case .depth: "would be nested more than 100 composites deep"
    case .excused: #""habits" has 1001 habits, and 1000 are the most of an excuse"#
    case .members, .levels, .activities, .bonuses, .milestones:
      "has \(limit.maximum + 1) \(limit.rawValue), and \(limit.maximum) are the most"
    }
  }
}

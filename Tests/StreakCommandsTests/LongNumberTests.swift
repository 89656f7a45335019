import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Numbers with more than the 32 characters that a number may have, wherever a number is read.
struct LongNumberTests {
  private static let zeros = String(repeating: "0", count: 60_000)

  /// A number equal to 2 with as many characters.
  private static func two(_ characters: Int) -> String {
    "2." + String(repeating: "0", count: characters - 2)
  }

  private static func entry(_ members: String) -> String {
    #"{"type":"entry.logged","habit":"walk","day":"2025-11-03",\#(members)}"#
  }

  private static func stored(_ members: String) -> String {
    #"""
    {"id":"e1","type":"entry.logged","at":"2025-11-03T10:00:00Z",\#
    "recorded":"2025-11-03T10:00:00.000000Z","day":"2025-11-03","zone":"Europe/Berlin",\#
    "habit":"walk",\#(members)}
    """#
  }

  static let members = [
    #""minutes":NUMBER"#, #""sets":NUMBER"#, #""v":1,"km":NUMBER"#, #""x_own":NUMBER"#,
    #""x_own":[{"deep":[1,NUMBER]}]"#, #""x_own":-NUMBER"#, #""x_own":NUMBERe5"#,
    #""x_own":1e2NUMBER"#,
  ]

  /// Returns a member with a number of at least so many characters.
  private static func member(_ place: Int, _ characters: Int) -> String {
    let isExponent = members[place].contains("1e2")
    let number = isExponent ? String(zeros.prefix(characters)) : two(characters)
    return members[place].replacing("NUMBER", with: number)
  }

  @Test(arguments: members.indices, [33, 60_000])
  func `append refuses an event with a number of more than 32 characters`(
    place: Int, characters: Int
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine walk --any")
    let before = ledger.bytes()
    let line = LongNumberTests.entry(
      LongNumberTests.member(place, characters))
    let output = ledger.run("append", input: line + "\n")
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix("-:1:"), "\(output.errors)")
    #expect(output.errors.contains("characters is too long; at most 32 are kept"))
    #expect(output.screen.utf8.count < 1000)
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: members.indices, [33, 60_000])
  func `a stored line with a number of more than 32 characters is reported as bad`(
    place: Int, characters: Int
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine walk --any")
    let line = LongNumberTests.stored(
      LongNumberTests.member(place, characters))
    try ledger.write(Array((line + "\n").utf8), to: "phone.jsonl")
    for command in ["show", "verify", "timeline", "replay --json", "log walk"] {
      let output = ledger.run(command)
      #expect(output.status != .done, "\(command)")
      #expect(output.screen.contains("phone.jsonl:1"), "\(command)\n\(output.screen)")
      #expect(output.screen.utf8.count < 1000, "\(command)")
    }
    #expect(ledger.run("show --skip").errors.contains("skipped 1 line"))
  }

  @Test(arguments: [0, 1, 3, 4]) func `append and verify accept a number of 32 characters`(
    place: Int
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine walk --any")
    let members = LongNumberTests.member(place, 32)
    #expect(ledger.run("append", input: LongNumberTests.entry(members)).status == .done)
    try ledger.write(Array((LongNumberTests.stored(members) + "\n").utf8), to: "phone.jsonl")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test(arguments: [
    #""rule":{"kind":"minutes","atLeast":NUMBER}"#,
    #""rule":{"kind":"any"},"schedule":{"every":NUMBER}"#,
    #""rule":{"kind":"any"},"milestones":[NUMBER]"#,
    #""rule":{"kind":"any"},"xp":{"base":NUMBER}"#,
  ])
  func `append refuses a definition with a number of 60,000 characters`(members: String) throws {
    let ledger = try TemporaryLedger(running: "init")
    func append(_ number: String) -> Output {
      let definition =
        #"{"type":"habit.defined","habit":"h","# + members.replacing("NUMBER", with: number) + "}"
      return ledger.run("append", input: definition)
    }
    let refused = append(LongNumberTests.two(60_000))
    #expect(refused.status == .badData && refused.errors.contains("at most 32 are kept"))
    #expect(refused.screen.utf8.count < 1000)
    #expect(append(LongNumberTests.two(32)).status == .done)
  }

  @Test(arguments: [
    "log walk NUMBERm", "log walk NUMBERkm", "log walk 2,000NUMBERkm",
    "define pages --at-least NUMBERpages", "define run --at-least NUMBERm",
    "when 'walk.current > NUMBER'", "show --if 'walk.current > NUMBER'",
    "log walk --if 'walk.current > NUMBER'",
  ])
  func `an argument with a number of 60,000 characters is refused with a short message`(
    command: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init\ndefine walk --any")
    let before = ledger.bytes()
    let output = ledger.run(
      command.replacing("NUMBER", with: LongNumberTests.two(33) + LongNumberTests.zeros))
    #expect(output.status != .done, "\(output.screen.prefix(300))")
    #expect(output.screen.utf8.count < 2000, "\(output.screen.utf8.count)")
    #expect(ledger.bytes() == before)
  }

  @Test func `import csv refuses a number of 60,000 characters with a short message`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine walk --any")
    let path = ledger.folder + "/table.csv"
    let number = LongNumberTests.two(33) + LongNumberTests.zeros
    try "day,minutes\n2025-11-01,20\n2025-11-02,\(number)\n".write(
      toFile: path, atomically: true, encoding: .utf8)
    let output = ledger.run(["import", "csv", path, "--habit", "walk"])
    #expect(output.status == .badData, "\(output.screen.prefix(500))")
    #expect(output.screen.utf8.count < 2000)
  }
}

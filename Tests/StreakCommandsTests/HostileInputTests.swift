import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct HostileInputTests {
  /// Characters that change the text direction or are invisible; no output contains them unescaped.
  private static let acting: [Unicode.Scalar] = [
    "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
    "\u{2069}",
    "\u{200B}", "\u{200E}", "\u{200F}", "\u{061C}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}",
    "\u{115F}",
    "\u{1160}", "\u{180E}", "\u{2061}", "\u{2064}", "\u{206A}", "\u{206F}", "\u{3164}", "\u{FE0F}",
    "\u{FFA0}",
    "\u{FFF9}", "\u{FFFB}", "\u{E0001}", "\u{E007F}",
  ]

  @Test func `no command prints an invisible or direction-changing character unescaped`() throws {
    let ledger = try TemporaryLedger()
    let text = String(String.UnicodeScalarView(HostileInputTests.acting))
    ledger.run("init noalc")
    let rule = #"{"kind":"any"}"#
    #expect(
      ledger.run(["define", "spoof", "--name", "a\(text)b", "--icon", text, "--rule", rule]).status
        == .done)
    #expect(
      ledger.run(["log", "spoof", "v\(text)", "--note", "n\(text)", "--id", "e1"]).status == .done)
    #expect(ledger.run(["excuse", "2025-11-03", "--reason", "r\(text)"]).status == .done)
    #expect(ledger.run(["log", "spoof", "--id", "e2"]).status == .done)
    #expect(ledger.run(["delete", "e2", "--reason", "d\(text)"]).status == .done)
    let reading = ReadingCommands.lines("spoof")
    #expect(reading.count > 8)
    let commands =
      reading + [
        "show spoof", "calendar spoof --all", "celebrate", "remind", "diff 0 end",
        "when spoof.current>=1",
        "calendar spoof --ahead 7", "export csv jokers", "audit --history", "verify",
        "timeline",
        "log spoof x --dry-run", "undo --dry-run", "export streak-data",
        "log nosuch",
      ]
    for command in commands.flatMap({ [$0, $0 + " --json"] }) {
      for isTerminal in [false, true] {
        let output = ledger.run(TemporaryLedger.words(command), isTerminal: isTerminal)
        let acting = output.screen.unicodeScalars.filter { HostileInputTests.acting.contains($0) }
        #expect(acting.isEmpty, "\(command) prints \(acting.map { String($0.value, radix: 16) })")
      }
    }
  }

  @Test(arguments: [
    "\u{1B}[31m", "\n", "\r", "\t", "\0", "\u{7F}", "\u{9B}", "\u{85}", "\u{2028}", "\u{2029}",
  ])
  func `control characters in an argument are refused and printed escaped`(character: String) throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    for words in [
      ["log", "noalc", "steady", "--note", "a\(character)b"],
      ["define", "x", "--name", "a\(character)b", "--rule", #"{"kind":"any"}"#],
      ["excuse", "2025-11-03", "--reason", "a\(character)b"], ["log", "a\(character)b"],
      ["show", "--events", "a\(character)b"],
      ["log", "noalc", "steady", "--writer", "a\(character)b"],
    ] {
      let output = ledger.run(words)
      #expect(output.status != .done, "\(words)")
      #expect(!output.screen.contains("a\(character)b"), "\(words)")
    }
  }

  @Test(arguments: [
    "../x", "x/y", "..", ".x", "-x", "", "a b", "a\\b", "c:", String(repeating: "w", count: 65),
  ])
  func `--writer refuses a malformed name and a name that leads out of the ledger's folder`(
    writer: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let before = ledger.files()
    #expect(ledger.run(["log", "noalc", "steady", "--writer", writer]).status == .usage)
    #expect(ledger.files() == before)
  }

  @Test func `a line of five megabytes is refused, or set aside if the line has no newline`() throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    let sound = ledger.bytes()
    let long =
      Array(#"{"id":"x","note":""#.utf8) + [UInt8](repeating: UInt8(ascii: "n"), count: 5_000_000)
    try ledger.write(sound + long, to: "main.jsonl")
    #expect(ledger.run("show").errors.contains("are an incomplete line"))
    try ledger.write(sound + long + [UInt8(ascii: "\n")], to: "main.jsonl")
    let output = ledger.run("show")
    #expect(output.status == .badData)
    #expect(output.errors.utf8.count < 1000)
    #expect(ledger.run("verify").text.contains("main.jsonl:3: form: "))
    try ledger.write(sound + long, to: "main.jsonl")
    let logged = ledger.run("log noalc steady")
    #expect(logged.status == .done && logged.errors.contains("are an incomplete line"))
    #expect(ledger.bytes(of: "main").count < sound.count + 1000)
    #expect(ledger.contents()?["main.torn-\(sound.count)"] == long)
  }

  @Test(arguments: [
    "9999-12-31", "-001-01-01", "0000-01-01", "2200-01-01", "1899-12-31", "2025-02-30",
  ])
  func `a date that does not exist or is out of range is refused and named in the message`(
    day: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for words in [
      ["log", "noalc", "steady", "--on", day], ["excuse", day], ["day", "--to", day],
      ["replay", "--on", day],
    ] {
      let output = ledger.run(words)
      #expect(output.status == .usage || output.status == .badData, "\(words)")
      #expect(output.errors.contains(day), "\(output.errors)")
    }
  }

  @Test func `replay and verify work with a thousand definitions and 500 deleted entries`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let definitions = (0..<(Cases.areAll ? 2000 : 1000)).map { index in
      #"""
      {"type":"habit.defined","day":\#
      "2025-\#(10 - index % 10 > 9 ? "10" : "0\(10 - index % 10)")-1\#(index % 9)","habit":"walk",\#
      "rule":{"kind":"minutes","atLeast":\#(1 + index % 9)}}
      """#
    }
    let entries = (0..<500).map { index in
      #"""
      {"id":"w\#(index)","type":"entry.logged","day":"2025-0\#(1 + index % 9)-1\#(index % 9)",\#
      "habit":"walk","minutes":5}
      """#
    }
    let deletions = (0..<500).map { #"{"type":"entry.deleted","entry":"w\#($0 * 7 % 500)"}"# }
    for lines in [definitions, entries, deletions] {
      let output = ledger.run("append", input: lines.joined(separator: "\n") + "\n")
      #expect(output.status == .done, "\(output.errors)")
    }
    #expect(ledger.run("replay --json")["habits.walk.totals.entries"] == "0")
    #expect(ledger.run("verify").screen == "")
  }
}

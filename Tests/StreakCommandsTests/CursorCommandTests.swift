import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct CursorCommandTests {
  private func line(_ id: String, _ minute: Int, level: String = "steady", more: String = "")
    -> String
  {
    let time = minute < 10 ? "0\(minute)" : "\(minute)"
    return #"{"id":"\#(id)","type":"entry.logged","at":"2025-11-03T12:00:00+01:00","#
      + #"""
      "recorded":"2025-11-03T11:\#(time):00.000000Z","day":"2025-11-03","zone":"Europe/Berlin",
      """#
      + #""habit":"noalc","level":"\#(level)"\#(more)}"#
  }

  private func lines(_ lines: String...) -> [UInt8] {
    Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Returns a ledger with noalc, begun at 11:00 UTC in `main`, and the cursor after its last
  /// event.
  private func ledger() throws -> (ledger: TemporaryLedger, begun: [UInt8], cursor: String) {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-03T12:00:00+01:00")
    let newest = try #require(ledger.run("timeline --json -n 1").lines.last?["cursor"])
    return (ledger, ledger.bytes(), newest)
  }

  private func ids(_ output: Output) -> [String?] { output.lines.map { $0["event"] } }

  /// Returns the lines of each step in the output of `timeline --json`.
  private func steps(_ output: Output) -> [[Output]] {
    var steps: [[Output]] = [[]]
    for line in output.lines {
      steps[steps.count - 1].append(line)
      if line["more"] == nil { steps.append([]) }
    }
    return steps.dropLast()
  }

  @Test func `timeline puts a step's cursor after the last line, even if that line is a duplicate`()
    throws
  {
    let (ledger, begun, _) = try ledger()
    try ledger.write(begun + lines(line("a1", 5)), to: "main.jsonl")
    try ledger.write(
      lines(line("b1", 10, more: #","more":true"#), line("a1", 11)), to: "other.jsonl")

    let cursor = ledger.run("timeline --json -n 1").lines.last?["cursor"]
    #expect(cursor?.hasSuffix(",other:2") == true, "\(cursor ?? "")")
    #expect(cursor == ledger.run("timeline --json --after start").lines.last?["cursor"])
  }

  @Test func `timeline --after start prints the complete timeline, with a cursor after each step`()
    throws
  {
    let ledger = try TemporaryLedger()
    try FileManager.default.copyItem(atPath: Repository.root + "/events", toPath: ledger.events)
    let all = ledger.run("timeline --json --after start")
    #expect(all.text == ledger.run("timeline --json").text)
    #expect(all.text.contains("\"cursor\"") && !all.text.contains("\"late\""))
    let steps = steps(all)
    #expect(
      steps.allSatisfy { step in
        step.indices.allSatisfy { index in
          (step[index]["cursor"] != nil) == (index == step.count - 1)
        }
      })
    var cursor = "start"
    for piece in [0..<1, 1..<700, 700..<steps.count] {
      let output = ledger.run("timeline --json --after \(cursor) -n \(piece.count)")
      #expect(output.lines.map(\.text) == steps[piece].joined().map(\.text))
      cursor = try #require(output.lines.last?["cursor"])
    }
    let end = ledger.run("timeline --json --after \(cursor)")
    #expect(end.text.isEmpty && end.errors.isEmpty && end.status == .done)
    #expect(ledger.run("timeline --after \(cursor)").text.isEmpty)
  }

  @Test func `timeline --after marks an event that arrived late and prints each event only once`()
    throws
  {
    let (ledger, begun, cursor) = try ledger()
    try ledger.write(begun + lines(line("a", 5), line("c", 7)), to: "main.jsonl")
    let first = ledger.run("timeline --json --after \(cursor)")
    #expect(ids(first) == ["a", "c"] && first.lines.allSatisfy { $0["late"] == nil })
    let after = try #require(first.lines.last?["cursor"])
    try ledger.write(lines(line("b", 6, level: "wild"), line("d", 8)), to: "phone.jsonl")
    let second = ledger.run("timeline --json --after \(after)")
    #expect(ids(second) == ["b", "d"])
    #expect(second.lines[0]["late"] == "1" && second.lines[1]["late"] == nil, "\(second.text)")
    #expect(second.lines.map { $0["position"] } == ["4", "6"])
    // `c` comes last and is steady, so `b` changed only the sums.
    #expect(second.lines[0]["changes.0.path"] == "noalc.totals.entries")
    let last = try #require(second.lines.last?["cursor"])
    #expect(ledger.run("timeline --json --after \(last)").text.isEmpty)
    let middle = try #require(second.lines.first?["cursor"])
    #expect(ids(ledger.run("timeline --json --after \(middle)")) == ["d"])
  }

  @Test func `timeline --after prints a batch only when all of its lines are complete`() throws {
    let (ledger, begun, cursor) = try ledger()
    let batch = lines(line("a", 5, more: #","more":true"#), line("b", 6))
    for count in 1..<batch.count {
      try ledger.write(begun + batch.prefix(count), to: "main.jsonl")
      let output = ledger.run("timeline --json --after \(cursor)")
      #expect(output.text.isEmpty && output.status == .done, "\(count) bytes: \(output.screen)")
    }
    try ledger.write(begun + batch, to: "main.jsonl")
    let whole = ledger.run("timeline --json --after \(cursor)")
    #expect(ids(whole) == ["a", "b"])
    #expect(whole.lines[0]["more"] != nil && whole.lines[0]["cursor"] == nil)
    #expect(whole.lines[1]["more"] == nil && whole.lines[1]["cursor"] == "main:4")
  }

  @Test func `timeline --after a cursor inside a batch prints the rest of the batch`() throws {
    let (ledger, begun, cursor) = try ledger()
    #expect(cursor == "main:2")
    let batch = lines(line("a", 5, more: #","more":true"#), line("b", 6))
    try ledger.write(begun + batch, to: "main.jsonl")
    let rest = ledger.run("timeline --json --after main:3")
    #expect(ids(rest) == ["b"] && rest.status == .done, "\(rest.screen)")
    #expect(rest["cursor"] == "main:4")
    #expect(ids(ledger.run("timeline --json --after main:1")).suffix(2) == ["a", "b"])
  }

  @Test func `timeline --after fails with file and line if lines before the cursor are missing`()
    throws
  {
    let (ledger, begun, _) = try ledger()
    let main = begun + lines(line("a", 5), line("b", 6))
    try ledger.write(main, to: "main.jsonl")
    try ledger.write(lines(line("p", 7)), to: "phone.jsonl")
    let cursor = try #require(ledger.run("timeline --json -n 1").lines.last?["cursor"])
    func refused(_ says: String, at place: String) {
      let output = ledger.run("timeline --json --after \(cursor)")
      #expect(output.status == .badData && output.text.isEmpty)
      #expect(output.errors.contains(says), "\(output.errors)")
      #expect(output.errors.contains("\"kind\":\"changed-past\""))
      let text = ledger.run("timeline --after \(cursor)")
      #expect(text.status == .badData && text.text.isEmpty)
      #expect(
        text.errors.hasPrefix(place.replacing("FOLDER", with: ledger.events)), "\(text.errors)")
    }
    try ledger.write(begun + lines(line("a", 5)), to: "main.jsonl")
    refused(
      "the cursor has 4 lines of this segment, and there are 3", at: "FOLDER/main.jsonl:4:1: ")
    try ledger.write(main, to: "main.jsonl")
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    refused(
      "the cursor has 1 line of this segment, which is missing", at: "FOLDER/phone.jsonl:1:1: ")
    try ledger.write([], to: ".phone.jsonl.icloud")
    refused("which is missing; a sync program evicted it", at: "FOLDER/phone.jsonl:1:1: ")
  }

  @Test func `timeline --after accepts a cursor of 300 segments`() throws {
    let (ledger, _, _) = try ledger()
    for index in 0..<300 {
      try ledger.write(lines(line("s\(index)", 1 + index % 50)), to: "s\(index).jsonl")
    }
    let most = ledger.run("timeline --json -n 1")
    let output = ledger.run(["timeline", "--json", "--after", most["cursor"] ?? ""])
    #expect(output.status == .done && output.text.isEmpty, "\(output.errors)")
  }

  @Test func `timeline -f -n 3 --after waits for three steps and then ends`() throws {
    let (ledger, begun, cursor) = try ledger()
    try ledger.write(begun + lines(line("a", 5)), to: "main.jsonl")
    var looks = 0
    let output = TemporaryLedger.run(
      ["timeline", "-f", "-n", "3", "--json", "--after", cursor], input: "", events: ledger.events,
      now: ledger.now, seed: 1,
      pause: {
        looks += 1
        switch looks {
        case 2: try? ledger.write(lines(line("early", 4)), to: "phone.jsonl")
        case 3:
          try? ledger.write(
            begun + lines(line("a", 5), line("b", 6), line("c", 7)), to: "main.jsonl")
        default: return looks < 9
        }
        return true
      })
    #expect(ids(output) == ["a", "early", "b"] && looks == 3, "\(output.screen)")
    #expect(output.lines.map { $0["late"] } == [nil, "1", nil])
    let last = try #require(output.lines.last?["cursor"])
    #expect(ids(ledger.run("timeline --json --after \(last)")) == ["c"])
  }

  @Test func `timeline -f waits for the rest of a batch that arrives in two parts`() throws {
    let (ledger, begun, _) = try ledger()
    try ledger.write(lines(line("p", 5)), to: "phone.jsonl")
    let cursor = try #require(ledger.run("timeline --json -n 1").lines.last?["cursor"])
    let batch = begun + lines(line("a", 6, more: #","more":true"#), line("b", 7))
    var looks = 0
    let output = TemporaryLedger.run(
      ["timeline", "-f", "-n", "1", "--json", "--after", cursor], input: "", events: ledger.events,
      now: ledger.now, seed: 1,
      pause: {
        looks += 1
        if looks == 2 { try? ledger.write(batch.dropLast(), to: "main.jsonl") }
        if looks == 4 { try? ledger.write(batch, to: "main.jsonl") }
        return looks < 9
      })
    #expect(ids(output) == ["a", "b"], "\(output.screen)")
    #expect(!output.errors.contains("belongs to another event"), "\(output.errors)")
  }

  @Test
  func `timeline -f prints each new line once, and an incomplete line only when it is complete`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-03T12:00:00+01:00")
    let begun = ledger.bytes()
    var looks = 0
    let output = TemporaryLedger.run(
      ["timeline", "-f", "-n", "1"], input: "", events: ledger.events, now: ledger.now, seed: 1,
      pause: { [self] in
        looks += 1
        let added = Array((line("a", 1) + "\n").utf8)
        switch looks {
        case 1: try? ledger.write(begun + added, to: "main.jsonl")
        case 2: break
        case 3: try? ledger.write(Array((line("early", 0) + "\n").utf8), to: "phone.jsonl")
        case 4:
          try? ledger.write(
            begun + added + Array(line("torn", 2).utf8.dropLast(9)), to: "main.jsonl")
        case 5:
          try? ledger.write(begun + added + Array((line("torn", 2) + "\n").utf8), to: "main.jsonl")
        default: return false
        }
        return true
      })
    #expect(output.status == .done)
    let ids = output.text.split(separator: "\n").dropFirst().compactMap { line in
      ["a", "early", "torn"].first { line.contains(" \($0) ") || line.hasSuffix(" \($0)") }
    }
    #expect(ids == ["a", "early", "torn"], "\(output.text)")
  }

  @Test(
    arguments: [SIGTERM, SIGINT],
    ["timeline -f", "timeline -f --json", "timeline -f --after start"])
  func `SIGTERM and SIGINT end timeline -f with exit code 0`(signal: Int32, command: String) throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments =
      command.split(separator: " ").map(String.init) + ["--events", ledger.events]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    #expect(!output.fileHandleForReading.availableData.isEmpty)

    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  @Test func `timeline -n with --to prints the last steps of the range, with cursors`() throws {
    let ledger = try TemporaryLedger(
      running: "init noalc meditation\nlog noalc steady\nlog meditation 5m")
    let all = ledger.run("timeline --json").text.split(separator: "\n")
    func lines(_ words: String) -> [Substring] {
      ledger.run("timeline --json \(words)").text.split(separator: "\n")
    }
    #expect(lines("-n 1 --to 4") == Array(all[3..<4]))
    #expect(lines("-n 2 --to 4") == Array(all[..<4]))
    #expect(lines("-n 1 --to 3") == Array(all[..<3]))
    #expect(ledger.run("timeline noalc -n 1").text.contains("noalc run 0 → 1"))
    let cursor = try #require(ledger.run("timeline --json").lines[3]["cursor"])
    #expect(
      ledger.run("timeline --json --after \(cursor)").text.split(separator: "\n")
        == Array(all[4...]))
    #expect(!ledger.run("timeline --json --without 2").text.contains("cursor"))
  }
}

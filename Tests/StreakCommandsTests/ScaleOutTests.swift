import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// The parts of docs/scale-out that run without Spark; `.ci/scale-out` tests the rest.
@Suite(.enabled("there is no python3") { ShellScript.succeeds("python3 -c ''") })
struct ScaleOutTests {
  private let folder = Repository.root + "/docs/scale-out"

  private func python(_ words: String, in place: String) throws -> ShellScript.Result {
    try ShellScript(text: "python3 -B \(words)", folder: place, environment: ["PYTHONPATH": folder])
      .run()
  }

  @Test func `without PySpark the Spark program reports what is missing`() throws {
    let ledger = try TemporaryLedger()
    // `-S` excludes the folders of installed packages, so Spark is missing.
    let result = try python("-S '\(folder)/spark_fold.py' --out states events", in: ledger.folder)
    #expect(result.status == 5)
    #expect(result.errors.contains("no PySpark here: `pip install pyspark`"))
    let usage = try python("-S '\(folder)/spark_fold.py' events", in: ledger.folder)
    #expect(usage.status == 2 && usage.errors.contains("--out"))
  }

  @Test(arguments: ["", "A", "a", "Aa", "B", "BB", "BBA", "Ba", "Bb", "b", "AAb", "ABx", "x", "Ax"])
  func `the Python script finds the same torn lines at the end of a segment as the program`(
    end: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    var lines = String(decoding: ledger.bytes(), as: UTF8.self)
    // `A` is an event, `B` one whose batch continues, `x` half a line; lowercase letters have no
    // newline.
    for (number, sign) in end.enumerated() {
      let more = sign == "B" || sign == "b" ? #","more":true"# : ""
      let line =
        #"{"id":"e\#(number)","type":"entry.logged","at":"2025-11-03T12:00:00Z","#
        + #""recorded":"2025-11-03T12:00:00.00000\#(number)Z","day":"2025-11-03","zone":"UTC","#
        + #""habit":"noalc","drinks":0\#(more)}"#
      lines += sign == "x" ? String(line.dropLast(20)) : line + (sign.isUppercase ? "\n" : "")
    }
    try ledger.write(Array(lines.utf8), to: "main.jsonl")
    let read = ledger.run("replay --json")
    let told = try python(
      """
      -c 'import segment_end
      text = open("events/main.jsonl", "rb").read()
      print(len(text.splitlines()) - len(segment_end.torn_lines(lambda start: text[start:], len(text))))'
      """, in: ledger.folder)
    #expect(told.errors.isEmpty)
    #expect(read["position"].map { $0 + "\n" } == told.text)
  }

  @Test(.enabled("there is no jq") { ShellScript.succeeds("command -v jq") })
  func `sort-fold of unsorted files gives the same states as a fold of the sorted stream`()
    throws
  {
    let ledger = try TemporaryLedger()
    #expect(
      try python("'\(folder)/make_events.py' made --events 600 --subjects 20", in: ledger.folder)
        .status == 0)
    // In place of the program, the sorted lines, which this process folds.
    let script =
      "printf '#!/bin/sh\\ncat\\n' > cat; chmod +x cat; STREAKS=./cat '\(folder)/sort-fold'"
    let sorted = try ShellScript(text: script + " made/files/*", folder: ledger.folder).run()
    #expect(sorted.status == 0)
    #expect(sorted.errors.isEmpty)
    let states = ledger.run(["fold", "--grouped"], input: sorted.text).text
    let stream = try String(contentsOfFile: ledger.folder + "/made/stream.jsonl", encoding: .utf8)
    #expect(states == ledger.run(["fold"], input: stream).text)
    #expect(states.split(separator: "\n").count == 20)
  }

  @Test(.enabled("there is no jq") { ShellScript.succeeds("command -v jq") })
  func `a line that is not JSON stops the fold, or with --bad leaves out only its person`()
    throws
  {
    let ledger = try TemporaryLedger()
    let script = """
      printf '#!/bin/sh\\ncat; : > "${4:-/dev/null}"\\n' > cat; chmod +x cat
      printf '%s\\n' '{"id":"1","recorded":"1","subject":"ana"}' > a.jsonl
      printf '%s\\n' '{"id":"2","recorded":"2","subject":"ana","note":"ca' '' rubbish \
        '{"id":"3","recorded":"3","subject":"ben"}' > b.jsonl
      STREAKS=./cat '\(folder)/sort-fold'
      """
    func run(_ words: String) throws -> ShellScript.Result {
      try ShellScript(text: "\(script) \(words) a.jsonl b.jsonl", folder: ledger.folder).run()
    }
    let refused = try run("")
    #expect(refused.status == 3 && refused.text == "")
    #expect(refused.errors.contains("no JSON in 2 of the lines, such as\nb.jsonl:1: {\"id\":\"2\""))

    let folded = try run("--bad list")
    #expect(folded.status == 0)
    #expect(folded.text == #"{"id":"3","recorded":"3","subject":"ben"}"# + "\n")
    let list = try String(contentsOfFile: ledger.folder + "/list", encoding: .utf8)
    let places = list.split(separator: "\n").map { $0.prefix { $0 != "," } + "" }
    #expect(places == [#"{"file":"b.jsonl""#, #"{"file":"b.jsonl""#])
    #expect(list.contains(#""line":1,"says":"no JSON","subject":"ana""#))
    #expect(list.contains(#""line":3,"says":"no JSON","subject":null,"text":"rubbish"}"#))
  }

  @Test
  func `the generated events can be folded, and the same seed makes the same events`()
    throws
  {
    let ledger = try TemporaryLedger()
    let words = "'\(folder)/make_events.py'"
    for (name, seed) in [("one", 7), ("two", 7), ("three", 8)] {
      let made = try python(
        "\(words) \(name) --events 600 --subjects 20 --seed \(seed)", in: ledger.folder)
      #expect(made.status == 0)
    }
    let streams = try ["one", "two", "three"].map {
      try String(contentsOfFile: "\(ledger.folder)/\($0)/stream.jsonl", encoding: .utf8)
    }
    #expect(streams[0] == streams[1] && streams[0] != streams[2])
    let folded = ledger.run(["fold"], input: streams[0])
    #expect(folded.status == .done && folded.errors.isEmpty)
    #expect(folded.text.split(separator: "\n").count == 20)
  }
}

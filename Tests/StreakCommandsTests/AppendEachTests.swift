import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct AppendEachTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation")
  }

  @Test func `append --each answers every line in order and continues after a bad line`() throws {
    let ledger = try ledger()
    let output = ledger.run(
      "append --each",
      input: """
        {"id":"a1","type":"entry.logged","habit":"noalc","level":"steady"}
        no json
        {"type":"entry.logged","habit":"nalc","level":"steady"}
        {"id":"a2","type":"entry.logged","habit":"meditation","minutes":5}
        {"id":"a2","type":"entry.logged","habit":"meditation","minutes":5}
        {"id":"a2","type":"entry.logged","habit":"meditation","minutes":6}
        {"type":"segment.dropped","segment":"phone","lines":3,"last":"e3"}

        {"type":"entry.deleted","entry":"a2"}
        """)
    #expect(output.status == .badData)
    let answers = output.lines
    #expect(
      answers.map { $0["status"] } == [
        "recorded", "refused", "refused", "recorded", "exists", "refused", "dropped", "recorded",
      ])
    // An empty line is counted, but not answered.
    #expect(answers.map { $0["line"] } == ["1", "2", "3", "4", "5", "6", "7", "9"])
    #expect(answers[5]["id"] == "a2" && answers[2]["id"] == nil)
    #expect(output.text.contains(#""kind":"unknown-habit","line":3,"nearest":["noalc"]"#))
    #expect(answers[5].text.contains("main.jsonl:"))
    #expect(ledger.stored().suffix(3).allSatisfy { $0["more"] == nil })
    #expect(ledger.run("verify").screen == "")
  }

  @Test
  func `append --each suggests jq for a JSON list, and append reports input without an event`()
    throws
  {
    let ledger = try ledger()
    let list = ledger.run("append --each", input: #"[{"type":"entry.logged","habit":"noalc"}]"#)
    #expect(
      list.status == .badData && list.text.contains("; each event is one line; `jq -c '.[]'`"))
    for input in ["", "\n", "[]"] {
      let output = ledger.run("append", input: input)
      #expect(
        output.status == .done && output.errors == "there was no event to append\n",
        "\(output.screen)")
    }
  }

  @Test func `append --each records the same events as one append per line`() throws {
    let (together, apart) = (try ledger(), try ledger())
    let given = (1...40).map {
      #"""
      {"id":"e\#($0)","type":"entry.logged","habit":"meditation","minutes":\#($0),"at":\#
      "2025-11-0\#(1 + $0 % 3)T08:00:00+01:00"}
      """#
    }
    together.run("append --each", input: given.joined(separator: "\n"))
    for line in given { apart.run("append", input: line) }
    #expect(together.run("replay --json").text.contains(#""entries":40"#))
    let states = [together, apart].map { ledger in
      ledger.run("replay --json").text.components(separatedBy: #""recorded""#).last
    }
    #expect(states[0] == states[1])
    #expect(ledger_ids(together) == ledger_ids(apart))
  }

  private func ledger_ids(_ ledger: TemporaryLedger) -> [String?] {
    ledger.stored().dropFirst(3).map { $0["id"] }
  }

  @Test func `append --each begins a new day only once, with the first accepted line`() throws {
    let ledger = try ledger()
    ledger.run("log noalc steady")
    ledger.now = "2025-11-05T12:00:00+01:00"
    let before = ledger.bytes()
    #expect(
      ledger.run("append --each", input: #"{"type":"entry.logged","habit":"nope"}"#).status
        == .badData)
    #expect(ledger.bytes() == before)
    ledger.run(
      "append --each",
      input: """
        {"type":"entry.logged","habit":"nope"}
        {"id":"a1","type":"entry.logged","habit":"meditation","minutes":5}
        {"id":"a2","type":"entry.logged","habit":"meditation","minutes":5}
        """)
    #expect(
      ledger.stored().suffix(3).map { $0["type"] } == [
        "day.changed", "entry.logged", "entry.logged",
      ])
    #expect(ledger.run("verify").screen == "")
  }

  @Test func `append --each checks the condition of --if before every line`() throws {
    let ledger = try ledger()
    let output = ledger.run(
      ["append", "--each", "--if", "meditation.totals.entries < 2"],
      input: String(
        repeating: #"{"type":"entry.logged","habit":"meditation","minutes":5}"# + "\n", count: 4))
    #expect(output.lines.map { $0["status"] } == ["recorded", "recorded", "refused", "refused"])
    #expect(output.status == .conflict)
  }

  @Test func `append --each can start a ledger and records a complete last line without a newline`()
    throws
  {
    let ledger = try TemporaryLedger()
    let output = ledger.run(
      "append --each",
      input: """
        {"type":"ledger.opened"}
        {"type":"habit.defined","habit":"read","rule":{"kind":"any"}}
        {"type":"entry.logged","habit":"read"}
        """)
    #expect(output.lines.map { $0["status"] } == ["recorded", "recorded", "recorded"])
    let cut = ledger.run("append --each", input: #"{"type":"entry.logged","hab"#)
    #expect(cut.status == .badData && cut.lines.map { $0["status"] } == ["refused"])
    let long = ledger.run(
      "append --each",
      input: "{\"type\":\"entry.logged\",\"habit\":\"read\",\"note\":\""
        + String(repeating: "n", count: 200_000)
        + "\"}\n{\"type\":\"entry.logged\",\"habit\":\"read\"}\n")
    #expect(long.lines.map { $0["status"] } == ["refused", "recorded"])
    #expect(long.text.contains("the line is too long"))
  }

  @Test func `append --each stops at the first event if the ledger stays locked`() throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let lock = try LogWriter(folder: ledger.events, writer: "main", wait: 0, makesFolder: false)
    let output = ledger.run(
      "append --each --wait 0",
      input: """
        {"id":"a1","type":"entry.logged","habit":"noalc","level":"steady"}
        no json
        {"id":"a2","type":"entry.logged","habit":"noalc","level":"steady"}
        """)
    withExtendedLifetime(lock) {}
    #expect(output.status == .notWritten)
    #expect(
      output.lines.map { $0["status"] } == ["notWritten"] && output.lines.first?["id"] == "a1")
    #expect(output.lines.map { $0["line"] } == ["1"])
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: [("", 0), (#"{"id":"p4","type":"ent"#, 5)])
  func `append --each answers each line before the next is sent and loses none on SIGTERM`(
    rest: String, status: Int32
  ) throws {
    let ledger = try ledger()
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = [
      "append", "--each", "--events", ledger.events, "--now", "2025-11-03T12:00:00+01:00",
    ]
    process.environment = ["STREAKS_WRITER": "main"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    for number in 1...3 {
      let line =
        #"{"id":"p\#(number)","type":"entry.logged","habit":"noalc","level":"steady"}"# + "\n"
      try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
      let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(answer.contains(#""id":"p\#(number)","line":\#(number)"#))
      #expect(ledger.run("log meditation 5m").status == .done)
    }
    try input.fileHandleForWriting.write(contentsOf: Data(rest.utf8))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == status)
    #expect(ledger.stored().count == 3 + 6)
    #expect(ledger.run("verify").screen == "")
  }

  @Test(arguments: [SIGTERM, SIGINT], [true, false])
  func `a signal ends append --each before its next line, and all recorded lines are answered`(
    signal: Int32, isFile: Bool
  ) throws {
    let ledger = try ledger()
    let before = ledger.stored().count
    let line = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"# + "\n"
    try ledger.write(Array(String(repeating: line, count: 20_000).utf8), to: "../given.jsonl")
    let file = URL(filePath: ledger.folder + "/given.jsonl")
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments =
      ["append", "--each", "--events", ledger.events, "--now", "2025-11-03T12:00:00+01:00"]
      + (isFile ? [file.path] : [])
    process.environment = ["STREAKS_WRITER": "main"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = try FileHandle(forReadingFrom: file)
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    var answers = output.fileHandleForReading.availableData
    kill(process.processIdentifier, signal)
    answers += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()

    #expect(process.terminationReason == .exit && process.terminationStatus == 5)
    let answered = answers.count { $0 == UInt8(ascii: "\n") }
    #expect(answered < 20_000)
    #expect(ledger.stored().count == before + answered)
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("ended by a signal after line \(answered); the rest was not recorded"))
  }

  @Test func `append reads a JSON list, a symbolic link, a pipe and standard input`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-08T12:00:00+01:00"
    let line = #"{"id":"a1","type":"entry.logged","habit":"noalc","level":"steady"}"#
    let list = "[ \(line),\n  \(line.replacing("a1", with: "a2")) ]\n"
    let given = ledger.run("append", input: list)
    #expect(
      given.text.components(separatedBy: "\n").count == 3 && given.status == .done,
      "\(given.screen)")
    #expect(
      ledger.run("append", input: list.replacing("steady", with: "stedy")).errors.contains("-:1:"))
    try ledger.write(Array(line.replacing("a1", with: "a3").utf8), to: "../given.jsonl")
    let script = """
      ln -s given.jsonl link.jsonl; export STREAKS_EVENTS=events
      N="--now 2025-11-08T13:00:00+01:00"
      streaks append link.jsonl $N && streaks append /dev/stdin $N < given.jsonl
      mkfifo pipe; cat given.jsonl > pipe & streaks append pipe $N
      """
    let run = try ShellScript(text: script, folder: ledger.folder).run()
    #expect(run.text.components(separatedBy: "\"exists\"").count == 3, "\(run)")
  }
}

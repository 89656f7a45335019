import CommandFixtures
import EventLog
import StreakCommands
import StreakDomain
import Testing

/// The line on standard error that shows the progress of long work.
struct ProgressLineTests {
  /// A terminal with a progress line, and a clock that the test sets.
  private final class Terminal {
    /// The milliseconds since the command began.
    var milliseconds = 0
    private(set) var written = ""
    private(set) var line: ProgressLine?

    init(columns: Int = 80) {
      line = ProgressLine(
        columns: columns,
        clock: { [unowned self] in Instant(microseconds: Int64(milliseconds) * 1000) },
        write: { [unowned self] in written += $0 })
    }

    /// Returns what is written when `done` MB of `total` MB are read after `milliseconds`.
    func read(_ done: Int, of total: Int, at milliseconds: Int) -> String {
      self.milliseconds = milliseconds
      return writing { line?.update(.reading, done * 1_000_000, of: total * 1_000_000) }
    }

    func erase() -> String { writing { line?.erase() } }

    private func writing(_ body: () -> Void) -> String {
      written = ""
      body()
      return written
    }
  }

  @Test func `the progress line appears after a second and changes at most ten times a second`() {
    let terminal = Terminal()
    #expect(terminal.read(20, of: 240, at: 999) == "")
    #expect(terminal.read(21, of: 240, at: 1000) == "\rreading: 21 of 240 MB")
    #expect(terminal.read(22, of: 240, at: 1099) == "")
    #expect(terminal.read(23, of: 240, at: 1100) == "\rreading: 23 of 240 MB")
    #expect(terminal.read(99, of: 240, at: 5000) == "\rreading: 99 of 240 MB")
  }

  @Test func `a shorter progress line covers a longer line, and erasing leaves nothing`() {
    let terminal = Terminal()
    #expect(terminal.erase() == "")
    #expect(terminal.read(230, of: 240, at: 1000) == "\rreading: 230 of 240 MB")
    #expect(terminal.read(5, of: 240, at: 2000) == "\rreading: 5 of 240 MB  ")
    #expect(terminal.erase() == "\r" + String(repeating: " ", count: 22) + "\r")
    #expect(terminal.erase() == "")
    #expect(terminal.read(6, of: 240, at: 3000) == "\rreading: 6 of 240 MB")
  }

  @Test func `the progress line stops before the last column of the terminal`() {
    let terminal = Terminal(columns: 12)
    #expect(terminal.read(20, of: 240, at: 1000) == "\rreading: 20")
    #expect(terminal.erase() == "\r           \r")
    #expect(Terminal(columns: 1).read(20, of: 240, at: 1000) == "\r")
  }

  @Test func `the progress line shows small amounts in kB and omits an unknown size`() {
    let terminal = Terminal()
    #expect(terminal.read(2, of: 9, at: 1000) == "\rreading: 2000 of 9000 kB")
    #expect(terminal.read(3, of: 0, at: 2000) == "\rreading: 3000 kB        ")
    #expect(terminal.read(30, of: 0, at: 3000) == "\rreading: 30 MB          ")
  }

  @Test func `the progress line never exceeds the size of a file that grows`() {
    #expect(Terminal().read(250, of: 240, at: 1000) == "\rreading: 240 of 240 MB")
  }

  @Test func `the progress line reads the clock only after some work`() {
    var count = 0
    let line = ProgressLine(
      columns: 80,
      clock: {
        count += 1
        return Instant(microseconds: 0)
      }, write: { _ in })
    for byte in 0...1_000_000 { line.update(.reading, byte, of: 1_000_000) }
    #expect(count == 4)
    for row in 0...1000 { line.update(.rows, row, of: 1000) }
    #expect(count == 8)
  }

  // MARK: Commands

  /// Runs a command with a clock that advances by a second at each reading.
  private func run(
    _ line: String, input: String = "", events: String, isErrorTerminal: Bool = true
  ) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(line), input: input, events: events, now: "2025-11-20T21:00:00+01:00",
      seed: 1, isErrorTerminal: isErrorTerminal, secondsPerReading: 1)
  }

  /// Returns what the terminal shows at the end of `errors`: the text after the last `\r` of each
  /// line.
  private func visible(_ errors: String) -> String {
    let lines = errors.parts(at: "\n").map { $0.parts(at: "\r").last.map { String($0) } ?? "" }
    return lines.joined(separator: "\n")
  }

  @Test func `verify shows the progress of its stages and leaves nothing on the terminal`() {
    let output = run("verify", events: Repository.root + "/events")
    #expect(output.status == .done && output.text == "")
    for stage in ["checking seals: ", "reading: ", "folding: ", "checking: "] {
      #expect(output.errors.contains("\r\(stage)"), "\(stage)")
    }
    #expect(output.errors.contains(" of 1249 kB"))
    #expect(visible(output.errors) == "")
  }

  @Test(arguments: ["verify -q", "verify"])
  func `there is no progress line in a pipe or with -q`(command: String) {
    let output = run(
      command, events: Repository.root + "/events", isErrorTerminal: command == "verify -q")
    #expect(output.status == .done && output.errors == "")
  }

  @Test func `an import shows the progress of comparing rows and checking entries`() throws {
    let ledger = try TemporaryLedger(running: "init --zone UTC\ndefine walk --any")
    let table = "date,note\n" + (0..<2000).map { "2024-01-01,\($0)\n" }.joined()
    let output = run("import csv - --habit walk", input: table, events: ledger.events)
    #expect(output.status == .done)
    #expect(output.errors.contains("\rcomparing: 1024 of 2000 rows"))
    #expect(output.errors.contains("\rchecking: 1281 of 2000 entries"))
    #expect(visible(output.errors) == "")
  }

  @Test func `the progress line is erased before an error is printed`() throws {
    let ledger = try TemporaryLedger(running: "init --zone UTC\ndefine walk --any")
    let lines = String(repeating: "x", count: 400_000) + "\n"
    let output = run("fold", input: lines, events: ledger.events)
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix("\rreading: 400 kB\r               \r-:1:1: "))
  }

  @Test func `redact shows the progress of its search`() throws {
    let ledger = try TemporaryLedger(running: "init --zone UTC\ndefine walk --any")
    let entries = (0..<2000).map { number in
      #"{"type":"entry.logged","habit":"walk","id":"e\#(number)"}"# + "\n"
    }
    try #require(ledger.run("append -", input: entries.joined()).status == .done)
    try ledger.run(all: "log walk --id secret --note 'my own business'")

    let output = run("redact secret", events: ledger.events)
    #expect(output.status == .done, "\(output.errors)")
    #expect(output.errors.contains("\rsearching: "))
    #expect(visible(output.errors) == "")
  }
}

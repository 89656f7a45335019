import Foundation

struct BenchError: Error, CustomStringConvertible {
  let description: String
}

/// A benchmark of the commands on sample ledgers.
///
/// The ledgers are in a temporary folder that is removed afterwards.
struct Bench {
  private let events: Int
  private let sample: SampleLedger
  private let runs: Int
  private let folder: String
  private let streaks: String

  init(events: Int, runs: Int) throws {
    (self.events, self.runs) = (events, runs)
    // `streaks init` writes an event for each habit and one for the ledger.
    sample = SampleLedger(count: max(1, events - SampleLedger.habits.count - 1))
    let temporary = FileManager.default.temporaryDirectory
    folder = temporary.appendingPathComponent("streaks-bench-\(UUID().uuidString)").path
    let own = URL(fileURLWithPath: CommandLine.arguments[0])
    streaks = own.deletingLastPathComponent().appendingPathComponent("streaks").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  func report() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let ledger = try write(.asLived)
    let bytes = try FileManager.default.attributesOfItem(atPath: ledger + "/main.jsonl")[.size] as? Int ?? 0
    print("\(events) events, \(bytes / 1_000_000) MB, median of \(runs) runs; times in ms, memory in MiB\n")
    row("", "time", "processor", "memory")
    try measureCommands(ledger)
    for shape in SampleLedger.Shape.allCases where shape != .asLived {
      let shaped = try write(shape)
      try measure("replay, \(shape.rawValue)", [streaks, "replay", "--json", "--events", shaped])
      try FileManager.default.removeItem(atPath: shaped)
    }
  }

  /// Measures the commands, and after them other programs that do a similar task.
  private func measureCommands(_ ledger: String) throws {
    let file = ledger + "/main.jsonl"
    try measure("replay --json", [streaks, "replay", "--json", "--events", ledger])
    try measure("  wc -l", ["wc", "-l", file])
    try measure("  Python: runs of days", ["python3", "-c", Bench.python, file])
    try measure("timeline", [streaks, "timeline", "--events", ledger])
    try measure("show", [streaks, "show", "--events", ledger])
    let (rows, database) = (folder + "/rows.csv", folder + "/rows.db")
    try sample.writeRows(to: rows)
    let count = "select habit, count(*), max(day) from entry group by habit"
    _ = try Child(importing(rows, into: database))
    try measure("  sqlite3: entries of each habit", ["sqlite3", database, count])
    // The first entry of a day also closes the days before it, so it isn't measured.
    let log = [streaks, "log", "noalc", "steady", "--events", ledger, "--writer", "main"]
    _ = try Child(log)
    try measure("log", log)
    let insert = "insert into entry values (hex(randomblob(16)), '2025-01-01', 'noalc', 'steady')"
    try measure("  sqlite3: INSERT", ["sqlite3", database, "pragma synchronous=full", insert])
    try measureAppend()
  }

  /// Measures the append of a batch.
  ///
  /// Each run writes into a new ledger or a new table.
  private func measureAppend() throws {
    let batch = SampleLedger(count: min(sample.count, 100_000))
    let (rows, lines) = (folder + "/batch.csv", folder + "/batch.jsonl")
    try batch.writeRows(to: rows)
    try batch.writeLines(to: lines)
    var number = 0
    try measure("append of \(batch.count) lines") {
      number += 1
      let ledger = "\(folder)/append\(number)"
      _ = try Child([streaks, "init"] + SampleLedger.habits + ["--events", ledger, "--zone", "UTC"])
      return [streaks, "append", lines, "--events", ledger]
    }
    try measure("  sqlite3: .import") {
      number += 1
      return importing(rows, into: "\(folder)/import\(number).db")
    }
  }

  private func importing(_ rows: String, into database: String) -> [String] {
    let settings = ["pragma journal_mode=wal", "pragma synchronous=full"]
    let table = "create table entry (id text primary key, day, habit, value)"
    let commands = settings + [table, ".import --csv \(rows) entry"]
    return ["sqlite3", database] + commands.flatMap { ["-cmd", $0] } + ["select 1"]
  }

  private func write(_ shape: SampleLedger.Shape) throws -> String {
    let ledger = "\(folder)/\(shape)"
    let opened = [
      "--events", ledger, "--zone", "UTC", "--writer", "main", "--now", "2014-12-31T00:00:00Z",
    ]
    guard try Child([streaks, "init"] + SampleLedger.habits + opened)?.status == 0 else {
      throw BenchError(description: "\(streaks) cannot begin a ledger")
    }
    try sample.write(shape, into: ledger)
    return ledger
  }

  private func measure(_ name: String, _ words: [String]) throws { try measure(name) { words } }

  private func measure(_ name: String, _ words: () throws -> [String]) throws {
    var children: [Child] = []
    for _ in 0..<runs {
      let words = try words()
      guard let child = try Child(words) else { return row(name, "\(words[0]) is not installed") }
      guard child.status == 0 else { throw BenchError(description: "\(words.joined(separator: " ")) failed") }
      children.append(child)
    }
    func median(_ value: (Child) -> Double) -> String {
      String(format: "%.1f", children.map(value).sorted()[runs / 2] * 1000)
    }
    // Linux counts the memory of this process as memory of its children, too.
    let (memory, own) = (children.map(\.peakMemory).max() ?? 0, try Child(["true"])?.peakMemory ?? 0)
    let peak = memory > own + 1024 ? "\(memory / 1024)" : "< \(own / 1024 + 1)"
    row(name, median { $0.time }, median { $0.processorTime }, peak)
  }

  private func row(_ name: String, _ cells: String...) {
    let columns = cells.map { String(repeating: " ", count: max(0, 11 - $0.count)) + $0 }
    print(name.padding(toLength: 34, withPad: " ", startingAt: 0) + columns.joined())
  }

  /// A Python script that prints, for each habit, the longest and the last run of days with an entry.
  private static let python = """
    import json, sys
    from datetime import date
    days = {}
    with open(sys.argv[1]) as file:
        for line in file:
            event = json.loads(line)
            if event['type'] == 'entry.logged':
                days.setdefault(event['habit'], set()).add(event['day'])
    for habit in sorted(days):
        longest = run = last = 0
        for day in sorted(date.fromisoformat(day).toordinal() for day in days[habit]):
            run = run + 1 if day == last + 1 else 1
            last = day
            longest = max(longest, run)
        print(habit, longest, run)
    """
}

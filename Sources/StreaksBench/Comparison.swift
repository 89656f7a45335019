import Foundation

/// What StreakLedger and the programs that people would use instead take for one task: in one run, on equal rows, by
/// turns.
struct Comparison {
  private let bench: Bench
  private let decade: Bench
  private let runs: Int
  private let sqlite: String

  init(_ bench: Bench, _ decade: Bench, runs: Int) {
    self.bench = bench
    self.decade = decade
    self.runs = runs
    sqlite = (try? Bench.shell("command -v sqlite3"))?.trimmingCharacters(in: .newlines) ?? ""
  }

  func report(_ row: (String, String) -> Void) throws {
    let rivals = try Rivals(bench)
    defer { try? rivals.remove() }
    func ratio(_ name: String, _ own: Double, _ other: Double) {
      row(name, String(format: "%.2f (%.1f ms / %.1f ms)", own / other, own * 1000, other * 1000))
    }
    try compareReplay(rivals, ratio, row)
    let inOrder = try fold(.backdated)
    ratio("backdated: random / in order", try fold(.shuffled), inOrder)
    guard !sqlite.isEmpty else { return row("sqlite3", "is not installed") }
    try compareShow(rivals, ratio)
    try compareLog(rivals, ratio)
    try compareAppend(rivals, ratio)
  }

  private typealias Ratio = (_ name: String, _ own: Double, _ other: Double) -> Void

  private func compareReplay(
    _ rivals: Rivals, _ ratio: Ratio, _ row: (String, String) -> Void
  ) throws {
    let expected = try bench.plainRuns()
    for (name, module) in [("DuckDB", "duckdb"), ("orjson", "orjson")] {
      guard Rivals.has("python3 -c 'import \(module)'") else {
        row(name, "is not installed")
        continue
      }
      var own: [Double] = []
      var other: [Double] = []
      for _ in 0..<runs {
        own.append(try bench.seconds { try bench.replay() })
        let run = try rivals.run("\(module)_runs.py", on: bench.file)
        guard run.result == expected else {
          throw BenchError("\(name) finds other runs:\n\(run.result)\ninstead of\n\(expected)")
        }
        other.append(run.seconds)
      }
      ratio("replay / \(name), plain runs only", own.median, other.median)
    }
  }

  private func fold(_ order: SampleStream.Order) throws -> Double {
    let ledger = try Bench(events: bench.events, order: order)
    defer { try? ledger.remove() }
    return try ledger.median(runs) { _ = try ledger.fold() }
  }

  /// Two programs in turn, by wall time and by how long they kept a core busy.
  private func compare(
    _ name: String, _ ratio: Ratio, _ words: [String], _ other: () throws -> Child
  ) throws {
    var (owns, others): ([Child], [Child]) = ([], [])
    let pair = try decade.turns(
      max(runs, 5), { owns.append(try decade.process("streaks", words)) },
      { others.append(try other()) })
    ratio(name, pair.own, pair.other)
    ratio("processor", owns.map(\.processorTime).median, others.map(\.processorTime).median)
  }

  /// A year's worth of habits shown, against rows counted.
  private func compareShow(_ rivals: Rivals, _ ratio: Ratio) throws {
    let (database, _) = try rivals.makeTable(of: decade.file, named: "show")
    try compare("show / sqlite3 counting the rows", ratio, ["show", "--events", decade.folder]) {
      try decade.process(sqlite, [database, "select count(*) from entry"])
    }
  }

  /// One more entry, on the disk before the program ends: on the ledger of `show`, and on a new one; each against a
  /// table of the same rows.
  private func compareLog(_ rivals: Rivals, _ ratio: Ratio) throws {
    let copy = "\(rivals.folder)/ledger"
    _ = try Bench.shell("cp -r \(decade.folder) \(copy)")
    let fresh = "\(rivals.folder)/fresh"
    _ = try decade.process("streaks", ["init", "noalc", "--events", fresh, "--writer", "main"])
    for (name, folder) in [
      ("log / sqlite3 INSERT, 36,500 events", copy), ("the same, new ledger, new table", fresh),
    ] {
      // The first of a day closes and seals those before it.
      _ = try decade.process("streaks", ["log", "noalc", "steady", "--events", folder])
      let (database, _) = try rivals.makeTable(
        of: "\(folder)/main.jsonl", named: folder == copy ? "log" : "new")
      try compare(name, ratio, ["log", "noalc", "steady", "--events", folder]) {
        let insert =
          "pragma synchronous=full; insert into entry (id, at, day, habit, level) "
          + "values ('\(UUID())', '2025-11-03T20:15:00+01:00', '2025-11-03', 'noalc', 'steady')"
        return try decade.process(sqlite, [database, insert])
      }
    }
  }

  /// 100,000 events appended as one batch to a ledger that knows the habits, against their rows imported.
  private func compareAppend(_ rivals: Rivals, _ ratio: Ratio) throws {
    let sample = try Bench(events: 100_009)
    defer { try? sample.remove() }
    let (_, rows) = try rivals.makeTable(of: sample.file, named: "append")
    let lines = "\(rivals.folder)/lines.jsonl"
    _ = try Bench.shell("grep entry.logged \(sample.file) > \(lines)")
    let definitions = "\(rivals.folder)/definitions.jsonl"
    _ = try Bench.shell("grep -v entry.logged \(sample.file) > \(definitions)")
    let columns =
      "id text primary key, at, recorded, day, zone, habit, minutes, sets, level, completed, activity, value"
    var number = 0
    let pair = try sample.turns(
      max(runs, 5),
      { try sample.process("streaks", ["append", lines, "--events", "\(rivals.folder)/append\(number)"]) },
      {
        try sample.process(
          sqlite,
          [
            "\(rivals.folder)/import\(number).db", "-cmd", "pragma journal_mode=wal", "-cmd",
            "pragma synchronous=full", "-cmd", "create table entry (\(columns))", "-cmd",
            ".import --csv \(rows) entry", "select 1",
          ])
      },
      preparing: {
        number += 1
        _ = try sample.process(
          "streaks", ["append", definitions, "--events", "\(rivals.folder)/append\(number)"])
      })
    ratio("append of 100,000 / sqlite3 .import", pair.own, pair.other)
  }
}

import EventLog
import Foundation
import StreakDomain

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.compactMap { Int($0) }
let events = numbers.first ?? 20_000
let runs = numbers.dropFirst().first ?? 5

/// What replay costs, against `wc -l` on the same file in the same run: medians, ratios, and a digest of the results so
/// that the work is seen to be done.
let usage = """
  streaks-bench [EVENTS] [RUNS] [--scale] [--rivals] [--shapes]

  Measures what replay costs (default: 20000 events, 5 runs).

    --scale    also a ledger of ten times the events
    --rivals   also what takes longer than a replay, and what people would use instead, where it is
               installed: DuckDB, orjson, sqlite3
    --shapes   also ledgers of unusual form, against the one that all else is measured on
    --write SHAPE FOLDER
               only write such a ledger
    --socket PATH LOGIN CLIENTS REQUESTS
               only measure a `streaks serve` that runs
    --library FOLDER
               only measure an app on a ledger, to which it appends
  """
if arguments.contains("--help") {
  print(usage)
  exit(0)
}
let known = ["--scale", "--rivals", "--shapes", "--write", "--socket", "--library"]
if let word = arguments.first(where: { $0.hasPrefix("--") && !known.contains($0) }) {
  fail("unknown option \"\(word)\"\n\(usage)", status: 2)
}
do {
  if let place = arguments.firstIndex(of: "--write") {
    try writeShape(arguments.dropFirst(place + 1))
  } else if let place = arguments.firstIndex(of: "--socket") {
    try loadSocket(arguments.dropFirst(place + 1))
  } else if let place = arguments.firstIndex(of: "--library") {
    guard arguments.count == place + 2 else { fail("--library takes FOLDER", status: 2) }
    try await LibraryLoad(arguments[place + 1]).report(row)
  } else {
    // First, while this process is small: what it takes counts as its children's, too.
    if arguments.contains("--shapes") { try ShapeComparison(events: events, runs: runs).report(row) }
    try measure(hasScale: arguments.contains("--scale"), hasRivals: arguments.contains("--rivals"))
  }
} catch { fail("\(error)", status: 1) }

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("streaks-bench: \(message)\n".utf8))
  exit(status)
}

extension [Double] {
  /// The value in the middle.
  var median: Double { sorted()[count / 2] }
}

func row(_ name: String, _ value: String) {
  print("  " + name.padding(toLength: 38, withPad: " ", startingAt: 0) + value)
}

func milliseconds(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1000) }

/// How many times one takes as long as the other.
func ratio(_ pair: (own: Double, other: Double)) -> String {
  String(format: "%.2f ", pair.own / pair.other) + "(\(milliseconds(pair.own)) / \(milliseconds(pair.other)))"
}

func rate(_ seconds: Double) -> String {
  String(format: "%.2f million events/s", Double(events) / seconds / 1e6)
}

func writeShape(_ words: ArraySlice<String>) throws {
  guard words.count == 2, let shape = words.first.flatMap(ShapedLedger.init), let folder = words.last else {
    let names = ShapedLedger.all.map(\.name).joined(separator: ", ")
    fail("--write takes SHAPE FOLDER; shapes are \(names)", status: 2)
  }
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  try shape.write(lines: events, into: folder)
}

func loadSocket(_ words: ArraySlice<String>) throws {
  let words = Array(words)
  guard words.count == 4, let clients = Int(words[2]), let requests = Int(words[3]), requests >= clients
  else {
    fail("--socket takes PATH LOGIN CLIENTS REQUESTS", status: 2)
  }
  try SocketLoad(path: words[0], login: words[1], clients: clients, requests: requests).report(row)
}

func measure(hasScale: Bool, hasRivals: Bool) throws {
  let bench = try Bench(events: events)
  print("\(events) events, \(bench.bytes / 1_000_000) MB, median of \(runs) runs")
  // While this process is still small, again.
  let memory = try bench.replay().peakMemory
  let digest = try measureFold(of: bench)
  try measureProcesses(of: bench)
  let decade = try Bench(events: 36_500)
  let show = try decade.median(runs) { try decade.process("streaks", ["show", "--events", decade.folder]) }
  row("show at 36,500 events, whole", milliseconds(show))
  try measureLibrary(of: bench)
  row("peak memory of replay", "\(memory / 1024) MiB")
  row("digest of the state", String(digest.prefix(16)))
  if hasScale {
    let large = try Bench(events: events * 10)
    let folds = try bench.turns(runs, { _ = try large.fold() }, { _ = try bench.fold() })
    let replays = try bench.turns(runs, { try large.replay() }, { try bench.replay() })
    row("10 times the events, fold", ratio(folds))
    row("the same, replay --json", ratio(replays))
    try large.remove()
  }
  if hasRivals {
    try measureSlow(decade)
    try Comparison(bench, decade, runs: runs).report(row)
  }
  for made in [bench, decade] { try made.remove() }
}

/// The fold in this process, on one core and on two, with other ids, and with schedules and sums; returns the digest
/// of its state.
func measureFold(of bench: Bench) throws -> String {
  var digests: Set<String> = []
  let fold = try bench.median(runs) { digests.insert(try bench.fold()) }
  let ahead = try bench.median(runs) { digests.insert(try bench.fold(onTwoCores: true)) }
  guard digests.count == 1, let digest = digests.first else {
    throw BenchError("two cores fold to another state than one")
  }
  let unordered = try Bench(events: events, hasAscendingIDs: false)
  let hashed = try unordered.median(runs) { _ = try unordered.fold() }
  let scheduled = try Bench(events: events, isHalfScheduled: true)
  let scheduledMemory = try scheduled.replay().peakMemory
  let folds = try bench.turns(runs, { _ = try scheduled.fold() }, { _ = try bench.fold() })
  let replays = try bench.turns(runs, { try scheduled.replay() }, { try bench.replay() })
  row("fold on one core, in process", "\(milliseconds(fold)), \(rate(fold))")
  row("decoded on a second core", "\(milliseconds(ahead)), \(rate(ahead))")
  row("the same, ids in random order", "\(milliseconds(hashed)), \(rate(hashed))")
  row("half with schedules and sums, fold", ratio(folds))
  row("the same, replay --json", ratio(replays))
  row("the same, peak memory", "\(scheduledMemory / 1024) MiB")
  for made in [unordered, scheduled] { try made.remove() }
  return digest
}

/// An app on the ledger, against `show` on it.
func measureLibrary(of bench: Bench) throws {
  let show = try (0..<runs).map { _ in try bench.process("streaks", ["show", "--events", bench.folder]) }
  row("show, processor", milliseconds(show.map(\.processorTime).median))
  row("show, peak memory", "\(show[0].peakMemory / 1024) MiB")
  let copy = try Bench.newFolder()
  defer { try? FileManager.default.removeItem(atPath: copy) }
  print(
    try Bench.shell(
      "cp \(bench.folder)/*.jsonl \(copy) && '\(CommandLine.arguments[0])' --library \(copy)"),
    terminator: "")
}

/// In processor time, what takes longer than a replay, against that, and what any command takes to start.
func measureSlow(_ decade: Bench) throws {
  func busy(_ bench: Bench, _ words: [String]) throws -> Double {
    try (0..<runs).map { _ in
      try bench.process("streaks", words + ["--events", bench.folder]).processorTime
    }.median
  }
  row("start, processor", milliseconds(try busy(decade, ["--version"])))
  let page = "\(decade.folder)/report.html"
  let report = try busy(decade, ["report", page, "--force"])
  let size = try Bench.shell("wc -c < \(page)").trimmingCharacters(in: .whitespacesAndNewlines)
  row("report at 36,500 events, processor", "\(milliseconds(report)), \(size) bytes")
  let late = try Bench(events: 100_000, order: .shuffled)
  let words = ["audit", "--interventions", "--json"]
  row(
    "\(words.joined(separator: " ")) / replay",
    ratio((try busy(late, words), try busy(late, ["replay", "--json"]))))
  try late.remove()
}

/// Commands as processes, in turn, so that a machine that slows down meanwhile slows all of them.
func measureProcesses(of bench: Bench) throws {
  var turns: [(replay: Double, wc: Double, when: Double, timeline: Double)] = []
  for _ in 0..<runs {
    let replay = try bench.seconds { try bench.replay() }
    let wc = try bench.seconds { try bench.process("/usr/bin/wc", ["-l", bench.file]) }
    let when = try bench.seconds {
      // Holds after no event, so every event is looked at.
      try bench.process("streaks", ["when", "noalc.current >= 4000", "--events", bench.folder], status: 1)
    }
    let timeline = try bench.seconds { try bench.process("streaks", ["timeline", "--events", bench.folder]) }
    turns.append((replay, wc, when, timeline))
  }
  row("replay --json, whole process", milliseconds(turns.map(\.replay).median))
  row("wc -l", milliseconds(turns.map(\.wc).median))
  row("replay / wc -l", String(format: "%.1f", turns.map { $0.replay / $0.wc }.median))
  row("when / replay", String(format: "%.1f", turns.map { $0.when / $0.replay }.median))
  row("timeline / replay", String(format: "%.1f", turns.map { $0.timeline / $0.replay }.median))
}

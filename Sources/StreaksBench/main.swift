import EventLog
import Foundation
import StreakDomain

/// `streaks-bench [EVENTS] [RUNS] [--scale] [--rivals] [--shapes]`: what replay costs, against `wc -l` on the same file in
/// the same run.
///
/// Prints medians and ratios, and a digest of the results so that the work is seen to be done. `--scale` compares with
/// a ledger of ten times the events. `--rivals` adds what people
/// would use instead, where it is installed: DuckDB and orjson for Python, and `sqlite3`. `--shapes` adds ledgers of
/// unusual form, against the one that all else is measured on. `--write SHAPE FOLDER` only writes such a ledger;
/// `--socket PATH LOGIN CLIENTS REQUESTS` only measures a `streaks serve` that runs.
let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let events = words.first ?? 20_000
let runs = words.dropFirst().first ?? 5

if let place = CommandLine.arguments.firstIndex(of: "--write") {
  let words = CommandLine.arguments.dropFirst(place + 1)
  guard words.count == 2, let shape = words.first.flatMap(ShapedLedger.init), let folder = words.last else {
    throw BenchError("--write SHAPE FOLDER; a shape that --shapes names")
  }
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  try shape.write(lines: events, into: folder)
  exit(0)
}
if let place = CommandLine.arguments.firstIndex(of: "--socket") {
  let words = Array(CommandLine.arguments.dropFirst(place + 1))
  guard words.count == 4, let clients = Int(words[2]), let requests = Int(words[3]), requests >= clients
  else {
    throw BenchError("--socket PATH LOGIN CLIENTS REQUESTS")
  }
  try SocketLoad(path: words[0], login: words[1], clients: clients, requests: requests).report(row)
  exit(0)
}
// First, while this process is small: what it takes counts as its children's, too.
if CommandLine.arguments.contains("--shapes") {
  try ShapeComparison(events: events, runs: runs).report(row)
}
let bench = try Bench(events: events)
print("\(events) events, \(bench.bytes / 1_000_000) MB, median of \(runs) runs")
// While this process is still small, again.
let memory = try bench.replay().peakMemory
var digests: Set<String> = []
let fold = try bench.median(runs) { digests.insert(try bench.fold()) }
let ahead = try bench.median(runs) { digests.insert(try bench.fold(onTwoCores: true)) }
guard digests.count == 1, let digest = digests.first else {
  throw BenchError("two cores fold to another state than one")
}
// Turn and turn about, so that a machine that slows down meanwhile slows both.
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
let decade = try Bench(events: 36_500)
let show = try decade.median(runs) { try decade.process("streaks", ["show", "--events", decade.folder]) }
let scheduled = try Bench(events: events, isHalfScheduled: true)
let scheduledMemory = try scheduled.replay().peakMemory
let scheduledFolds = try bench.turns(runs, { _ = try scheduled.fold() }, { _ = try bench.fold() })
let scheduledReplays = try bench.turns(runs, { try scheduled.replay() }, { try bench.replay() })
let unordered = try Bench(events: events, hasAscendingIDs: false)
let hashed = try unordered.median(runs) { _ = try unordered.fold() }

func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

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

row("fold on one core, in process", "\(milliseconds(fold)), \(rate(fold))")
row("decoded on a second core", "\(milliseconds(ahead)), \(rate(ahead))")
row("the same, ids in random order", "\(milliseconds(hashed)), \(rate(hashed))")
row("half with schedules and sums, fold", ratio(scheduledFolds))
row("the same, replay --json", ratio(scheduledReplays))
row("the same, peak memory", "\(scheduledMemory / 1024) MiB")
row("replay --json, whole process", milliseconds(middle(turns.map(\.replay))))
row("show at 36,500 events, whole", milliseconds(show))
row("wc -l", milliseconds(middle(turns.map(\.wc))))
row("replay / wc -l", String(format: "%.1f", middle(turns.map { $0.replay / $0.wc })))
row("when / replay", String(format: "%.1f", middle(turns.map { $0.when / $0.replay })))
row("timeline / replay", String(format: "%.1f", middle(turns.map { $0.timeline / $0.replay })))
row("peak memory of replay", "\(memory / 1024) MiB")
row("digest of the state", String(digest.prefix(16)))
if CommandLine.arguments.contains("--scale") {
  let large = try Bench(events: events * 10)
  let folds = try bench.turns(runs, { _ = try large.fold() }, { _ = try bench.fold() })
  let replays = try bench.turns(runs, { try large.replay() }, { try bench.replay() })
  row("10 times the events, fold", ratio(folds))
  row("the same, replay --json", ratio(replays))
  try large.remove()
}
if CommandLine.arguments.contains("--rivals") {
  try Comparison(bench, decade, runs: runs).report(row)
}
for made in [bench, decade, scheduled, unordered] { try made.remove() }

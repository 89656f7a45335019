import EventLog
import Foundation
import StreakDomain

/// `streaks-bench [EVENTS] [RUNS]`: what replay costs, against `wc -l` on the same file in the same run.
///
/// Prints medians and ratios, and a digest of the results so that the work is seen to be done.
let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let events = words.first ?? 20_000
let runs = words.dropFirst().first ?? 5

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("streaks-bench-\(events)").path
try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
let file = folder + "/main.jsonl"
_ = FileManager.default.createFile(atPath: file, contents: nil)
guard let handle = FileHandle(forWritingAtPath: file) else { fatalError("cannot write \(file)") }
var sample = SampleStream(seed: 7)
sample.write(events) { handle.write(Data($0)) }
try handle.close()
let bytes = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0

let bench = Bench(folder: folder, file: file, tool: URL(fileURLWithPath: CommandLine.arguments[0]))
print("\(events) events, \(bytes / 1_000_000) MB, median of \(runs) runs")
let (fold, digest) = bench.median(runs) { try bench.fold() }
let replay = bench.median(runs) { try bench.process("streaks", ["replay", "--json", "--events", folder]) }
  .seconds
let memory = bench.peakMemoryOfChildren
let show = bench.median(runs) { try bench.process("streaks", ["show", "--events", folder]) }.seconds
let lines = bench.median(runs) { try bench.process("/usr/bin/wc", ["-l", file]) }.seconds
func row(_ name: String, _ value: String) {
  print("  " + name.padding(toLength: 34, withPad: " ", startingAt: 0) + value)
}
func milliseconds(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1000) }
row(
  "fold, in process",
  "\(milliseconds(fold)), \(String(format: "%.2f", Double(events) / fold / 1e6)) million events/s")
row("replay --json, whole process", milliseconds(replay))
row("show, whole process", milliseconds(show))
row("wc -l", milliseconds(lines))
row("replay / wc -l", String(format: "%.1f", replay / lines))
row("peak memory of replay", "\(memory / 1024) MiB")
row("digest of the state", String(digest.prefix(16)))

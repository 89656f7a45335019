import Foundation

let usage = """
  streaks-bench [EVENTS] [RUNS]

  Times commands of the streaks beside it, and other programs on the same records, on a ledger of EVENTS events over
  ten years (default: 36500). Prints the median of RUNS runs (default: 5) of whole processes: elapsed time, processor
  time, and the largest peak memory.
  """

do {
  let arguments = CommandLine.arguments.dropFirst()
  guard arguments.count <= 2, arguments.allSatisfy({ Int($0).map { $0 > 0 } ?? false }) else {
    print(usage)
    exit(arguments.first == "--help" ? 0 : 2)
  }
  let numbers = arguments.compactMap { Int($0) }
  try Bench(events: numbers.first ?? 36_500, runs: numbers.dropFirst().first ?? 5).report()
} catch {
  FileHandle.standardError.write(Data("streaks-bench: \(error)\n".utf8))
  exit(1)
}

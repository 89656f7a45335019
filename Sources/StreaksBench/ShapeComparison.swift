import Foundation

/// What an event costs in ledgers of unusual form, against one of the sample ledger as the store writes it, in
/// processor time of whole processes.
struct ShapeComparison {
  let events: Int
  let runs: Int

  /// Days of histories end with 2199, and each changes an outcome with nearly every line: fewer of them say as much.
  private var fewer: Int { max(events / 50, 4000) }

  private enum Command: String, CaseIterable {
    case replay, show, log, timeline

    func arguments(_ ledger: ShapedLedger) -> [String] {
      // After the last day of every shape, and after all was recorded.
      let now = ["--now", "2199-12-31T12:00:00Z"]
      return switch self {
      case .replay: ["replay", "--json"]
      case .show: ["show"] + now
      case .log: ["log", ledger.habit, "5m", "--dry-run", "--writer", "bench"] + now
      case .timeline: ["timeline"]
      }
    }
  }

  func report(_ row: (String, String) -> Void) throws {
    print(
      "processor time an event, as times that of as many canonical ones in turn with it, median of \(runs) runs"
    )
    // What a line looks like is the decoder's alone; the other commands read with the same.
    try compare(ShapedLedger.samples, lines: events, [.replay], row)
    try compare(ShapedLedger.histories, lines: fewer, Command.allCases, row)
  }

  private func compare(
    _ shapes: [ShapedLedger], lines: Int, _ commands: [Command], _ row: (String, String) -> Void
  ) throws {
    let canonical = try Bench(shape: .canonical, lines: lines)
    defer { try? canonical.remove() }
    func columns(_ texts: [String]) -> String {
      texts.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }
    func line(_ name: String, _ bench: Bench, _ texts: [String]) throws {
      let peak = try bench.replay().peakMemory
      row(name, columns(["\(bench.events)", "\(peak / 1024) MiB"] + texts))
      // Some rows take long; each is to be seen when it is done.
      fflush(nil)
    }
    row("shape", columns(["events", "memory"] + commands.map(\.rawValue)))
    try line(
      ShapedLedger.canonical.name, canonical,
      commands.map { command in
        let times = try (0..<runs).map { _ in try run(command, .canonical, in: canonical) }
        return String(format: "%.0f ms", times.median * 1000)
      })
    for shape in shapes {
      let shaped = try Bench(shape: shape, lines: lines)
      try line(
        shape.name, shaped,
        commands.map { command in
          if command == .log, shape.outweighsLog { return "–" }
          var ratios: [Double] = []
          var spent = 0.0
          // What takes seconds says enough at once.
          while ratios.count < runs, spent < 2 {
            let own = try run(command, shape, in: shaped)
            let other = try run(command, .canonical, in: canonical)
            ratios.append(own / Double(shaped.events) / (other / Double(canonical.events)))
            spent += own
          }
          return String(format: "%.1f", ratios.median)
        })
      try shaped.remove()
    }
  }

  private func run(_ command: Command, _ ledger: ShapedLedger, in bench: Bench) throws -> Double {
    try bench.process("streaks", command.arguments(ledger) + ["--events", bench.folder]).processorTime
  }
}

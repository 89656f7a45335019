import Foundation
import StreakDomain
import TestSupport

/// What a line costs in ledgers of unusual form, against a line of a plain one, in processor time of whole processes.
struct ShapeComparison {
  let lines: Int
  let runs: Int

  private enum Command: String, CaseIterable {
    case replay, show, log, timeline, audit

    func arguments(_ ledger: ShapedLedger) -> [String] {
      // After the last day of every shape, and after all was recorded.
      let now = ["--now", "2199-12-31T12:00:00Z"]
      switch self {
      case .replay: return ["replay", "--json"]
      case .show: return ["show"] + now
      case .log: return ["log", ledger.habit, "5m", "--dry-run"] + now
      case .timeline: return ["timeline"]
      case .audit: return ["audit", "--history"]
      }
    }

    /// Not where the answer itself is larger than the ledger by far: after each event, every line of the joker book that follows is
    /// told again.
    func isMeasured(_ shape: Shape) -> Bool {
      guard self == .audit else { return true }
      switch shape {
      case .backdated, .backdatedWithGaps, .shuffled, .deletedOldestFirst, .redefined, .centuries,
        .timesAWeekBackdated, .timesAMonthBackdated:
        return false
      case .plain, .nested, .chain, .swapped, .everyOtherDayBackdated, .oneDay, .oneDayDeletedLatestFirst,
        .sparse,
        .weekdays, .timesAWeek, .timesAMonth, .everyThirdDay, .scheduledMembers, .manyHabits, .manyExcuses,
        .excusedForEver, .manyMilestones, .redefinedRule, .strangeTexts:
        return true
      }
    }
  }

  func report(_ row: (String, String) -> Void) throws {
    let plain = try Bench(shape: .plain, lines: lines)
    print("\(plain.events) lines of a plain ledger, median of \(runs) runs, turn and turn about")
    print("processor time a line, as times that of the plain one")
    func columns(_ texts: [String]) -> String {
      texts.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }
    row("shape", columns(["lines"] + Command.allCases.map(\.rawValue) + ["memory"]))
    for ledger in ShapedLedger.all {
      let shaped = try ledger == .plain ? plain : Bench(shape: ledger, lines: lines)
      let peak = try shaped.replay().peakMemory
      let ratios = try Command.allCases.map { command in
        guard command.isMeasured(ledger.shape) else { return "–" }
        var pairs: [(own: Double, plain: Double)] = []
        for _ in 0..<runs {
          pairs.append((try run(command, ledger, in: shaped), try run(command, .plain, in: plain)))
        }
        let (own, other) = (pairs.map(\.own).sorted()[runs / 2], pairs.map(\.plain).sorted()[runs / 2])
        guard ledger != .plain else { return String(format: "%.0f ms", own * 1000) }
        return String(format: "%.1f", own / Double(shaped.events) / other * Double(plain.events))
      }
      row(ledger.name, columns(["\(shaped.events)"] + ratios + ["\(peak / 1024) MiB"]))
      // Some rows take minutes; each is to be seen when it is done.
      fflush(nil)
      if ledger != .plain { try shaped.remove() }
    }
    try plain.remove()
  }

  private func run(_ command: Command, _ ledger: ShapedLedger, in bench: Bench) throws -> Double {
    try bench.process("streaks", command.arguments(ledger) + ["--events", bench.folder]).processorTime
  }
}

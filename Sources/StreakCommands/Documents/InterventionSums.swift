import EventLog
import Inspection
import StreakDomain

/// Interventions by kind: how many, and what they won and lost.
struct InterventionSums {
  private var kinds: [Kind: Sums] = [:]

  /// What an event is to an auditor.
  private enum Kind: String, CaseIterable {
    case late = "late entries"
    case imported = "imports"
    case deletion = "deletions"
    case excuse = "excuses"
    case withdrawal = "withdrawals"
    case redefinition = "redefinitions"
    case retirement = "retirements"
    case correction = "corrections"
    case opening = "openings"

    init(_ item: StreamItem) {
      switch item.type {
      case .entryLogged:
        self = item.event?.by?.string.begins(with: "streaks-import") ?? false ? .imported : .late
      case .entryDeleted: self = .deletion
      case .daysExcused: self = .excuse
      case .excuseWithdrawn: self = .withdrawal
      case .habitDefined: self = .redefinition
      case .habitRetired: self = .retirement
      case .dayCorrected: self = .correction
      default: self = .opening
      }
    }
  }

  private struct Sums {
    var events = 0
    var verdicts = 0
    var won = 0
    var lost = 0
    var xp = Thousandths.zero
  }

  var isEmpty: Bool { kinds.isEmpty }

  /// Counts in what an event changed: jokers by how many more or fewer are held.
  mutating func add(_ difference: Difference, of item: StreamItem) {
    var sums = kinds[Kind(item)] ?? Sums()
    sums.events += 1
    sums.verdicts += difference.verdicts.reduce(0) { $0 + $1.days.count }
    for change in difference.changes {
      guard let more = change.increase else { continue }
      switch change.field {
      case .ledger(.xp): sums.xp = sums.xp + more
      case .habit(_, .held):
        let jokers = Int(more.count / 1000)
        if jokers > 0 { sums.won += jokers } else { sums.lost -= jokers }
      default: break
      }
    }
    kinds[Kind(item)] = sums
  }

  /// The table, a line a kind that occurs.
  var lines: [String] {
    [row("", "events", "verdicts", "jokers won", "lost", "XP")]
      + Kind.allCases.compactMap { kind in
        kinds[kind].map { sums in
          let xp = (sums.xp > .zero ? "+" : "") + "\(sums.xp)"
          return row(
            kind.rawValue, "\(sums.events)", "\(sums.verdicts)", "\(sums.won)", "\(sums.lost)", xp)
        }
      }
  }

  private func row(
    _ kind: String, _ events: String, _ verdicts: String, _ won: String, _ lost: String, _ xp: String
  ) -> String {
    let cells = [(events, 8), (verdicts, 10), (won, 12), (lost, 6), (xp, 7)].map { text, width in
      String(repeating: " ", count: max(1, width - text.utf8.count)) + text
    }
    return Style.padded(kind, 13) + cells.joined()
  }
}

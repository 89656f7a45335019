@testable package import StreakDomain

extension Ledger {
  /// The number of events in the stream so far.
  package var position: Int { stream.index.count }
  package var names: SymbolTable { stream.names }
  package var index: EventIndex { stream.index }
  /// Today, as the events determine it (domain.md, "Time"), but never after the cutoff; `nil` before the first event
  /// that sets it.
  package var today: Day? { clock.today }
  /// The last day that the ledger includes, or `nil` if it includes all days.
  package var cutoff: Day? { clock.cutoff }
  /// Whether the ledger's own today is after the cutoff, so that `today` is the cutoff instead.
  package var isCutOff: Bool { clock.isCutOff }
}

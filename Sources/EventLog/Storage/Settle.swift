import StreakDomain

extension Ledger {
  /// Recomputes the results after the events of a step.
  package mutating func settle() {}
}

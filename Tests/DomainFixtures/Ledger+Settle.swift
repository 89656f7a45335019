package import StreakDomain

extension Ledger {
  /// Does nothing, because `apply(_:)` still recomputes the days.
  package mutating func settle() {}
}

extension Ledger {
  /// Raised with every change of the program that makes another number of the same events.
  package static let foldVersion = 1
}

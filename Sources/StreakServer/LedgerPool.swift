import Synchronization

/// The folded ledgers that stay in memory between requests, keyed by their folders.
final class LedgerPool: Sendable {
  private struct Kept {
    let ledger: ServedLedger
    var users = 0
    var used = ContinuousClock.now
  }

  private let kept = Mutex<[String: Kept]>([:])
  private let memory: Int

  init(memory: Int) { self.memory = memory }

  /// Calls `body` with the ledger of `folder`, which `make` creates if needed and which isn't evicted meanwhile.
  func use<Result, Failure: Error>(
    _ folder: String, _ make: () -> ServedLedger, _ body: (ServedLedger) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let ledger = kept.withLock { kept in
      var own = kept[folder] ?? Kept(ledger: make())
      own.users += 1
      kept[folder] = own
      return own.ledger
    }
    defer { release(folder) }
    return try body(ledger)
  }

  /// Ends a use of the ledger of `folder`, and evicts the least recently used ledgers that don't fit into `memory`.
  private func release(_ folder: String) {
    kept.withLock { kept in
      kept[folder]?.users -= 1
      kept[folder]?.used = .now
      if let own = kept[folder], own.users == 0, own.ledger.memory == 0 { kept[folder] = nil }
      while kept.values.reduce(0, { $0 + $1.ledger.memory }) > memory,
        let oldest = kept.filter({ $0.value.users == 0 }).min(by: { $0.value.used < $1.value.used })
      {
        kept[oldest.key] = nil
      }
    }
  }
}

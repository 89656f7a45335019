import EventLog
import Synchronization

/// The folded ledgers that stay in memory between requests.
final class LedgerPool: Sendable {
  private struct Kept {
    let ledger: ServedLedger
    var users = 0
    var used = ContinuousClock.now
  }

  private let kept = Mutex<[String: Kept]>([:])
  private let memory: Int
  private static let files = 256

  init(memory: Int) { self.memory = memory }

  var load: (ledgers: Int, memory: Int) {
    kept.withLock { kept in (kept.count, kept.values.reduce(0) { $0 + $1.ledger.memory }) }
  }

  /// Calls `body` with the ledger of `folder`, which is not evicted in the meantime.
  func use<Result, Failure: Error>(
    _ folder: String, _ make: () -> ServedLedger, _ body: (ServedLedger) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let ledger = kept.withLock { kept in
      kept[folder, default: Kept(ledger: make())].users += 1
      return kept[folder]?.ledger
    }
    defer { release(folder) }
    return try body(ledger ?? make())
  }

  private func release(_ folder: String) {
    kept.withLock { kept in
      kept[folder]?.users -= 1
      kept[folder]?.used = .now
      if kept[folder]?.users == 0, kept[folder]?.ledger.memory == 0 { kept[folder] = nil }
      while kept.values.reduce(0, { $0 + $1.ledger.memory }) > memory
        || kept.values.reduce(0, { $0 + $1.ledger.openFiles }) > LedgerPool.files
      {
        let idle = kept.filter { $0.value.users == 0 }
        guard let oldest = idle.min(by: { $0.value.used < $1.value.used }) else { return }
        kept[oldest.key] = nil
      }
    }
  }

  /// Whether there is memory for listeners to `folder`, whose ledger then cannot be evicted.
  func hasRoom(toListenTo folder: String) -> Bool {
    kept.withLock { kept in
      kept[folder]?.ledger.changes.memory ?? 0 > 0
        || kept.values.reduce(0) { $0 + $1.ledger.changes.memory } < memory
    }
  }

  func letGo(unusedFor time: Duration) {
    kept.withLock { kept in
      kept = kept.filter { $0.value.users > 0 || $0.value.used.duration(to: .now) < time }
    }
  }
}

import EventLog
import Synchronization

/// The ledgers that are kept folded between requests, as many as the memory has room for.
final class LedgerPool: Sendable {
  private struct Kept {
    let ledger: ServedLedger
    var users = 0
    var bytes = 0
    var files = 0
    var used = ContinuousClock.now
  }

  private let kept = Mutex<[String: Kept]>([:])
  private let memory: Int
  private let files: Int

  /// Keeps ledgers of about so many bytes together, with so many open files.
  init(memory: Int, files: Int = 256) {
    (self.memory, self.files) = (memory, files)
  }

  /// Uses the ledger of a folder, which is not let go meanwhile.
  func use<Result, Failure: Error>(
    _ folder: String, _ make: () -> ServedLedger, _ body: (ServedLedger) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let ledger = kept.withLock { kept in
      kept[folder, default: Kept(ledger: make())].users += 1
      return kept[folder]?.ledger
    }
    defer { if let ledger { release(folder, ledger) } }
    return try body(ledger ?? make())
  }

  private func release(_ folder: String, _ ledger: ServedLedger) {
    let (bytes, files) = (ledger.bytes.load(ordering: .relaxed), ledger.files.load(ordering: .relaxed))
    kept.withLock { kept in
      kept[folder]?.users -= 1
      kept[folder]?.bytes = bytes
      kept[folder]?.files = files
      kept[folder]?.used = .now
      if bytes == 0, kept[folder]?.users == 0 { kept[folder] = nil }
      while kept.values.reduce(0, { $0 + $1.bytes }) > memory
        || kept.values.reduce(0, { $0 + $1.files }) > self.files
      {
        let idle = kept.filter { $0.value.users == 0 }
        guard let oldest = idle.min(by: { $0.value.used < $1.value.used }) else { return }
        kept[oldest.key] = nil
      }
    }
  }

  /// Lets go of the ledgers that nobody used for so long.
  func letGo(unusedFor time: Duration) {
    kept.withLock { kept in
      kept = kept.filter { $0.value.users > 0 || $0.value.used.duration(to: .now) < time }
    }
  }
}

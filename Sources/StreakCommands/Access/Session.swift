import EventLog
import StreakDomain

/// The record of one run of a command: the ledger read, the warnings printed, and whether events
/// were recorded.
///
/// All parts of the run share it, so that they see the same events and print a warning only once.
final class Session {
  /// Whether warnings are printed only after success, because with `--json` an error must be alone
  /// on standard error.
  private let defersWarnings: Bool
  private var printedWarnings: Set<String> = []
  private var deferredWarnings: [String] = []
  private var cache = Cache()

  /// The position of the last event that the output includes, which the service puts into the
  /// `ETag`.
  private(set) var shownPosition = 0
  /// Whether the last append recorded something.
  private(set) var hasRecorded = false

  /// The values that the command computes at most once.
  struct Cache {
    var ledger = ReadLedger()
    /// The ids of the events that were looked up, by the arguments that identify the events, such
    /// as `@4848`.
    var eventIDs: [String: String] = [:]
    /// The instant of a `--now` without UTC offset, such as `21:15`.
    var typedNow: Instant?
  }

  /// The parts of the ledger that the command has read.
  struct ReadLedger {
    var stream: EventStream?
    /// The complete ledger as it is stored.
    var stored: LoadedLedger?
    /// The complete ledger as `--without` and `--guest` change it.
    var supposed: LoadedLedger?
    /// The times of the steps that a wrong clock stamped too late.
    var writtenTimes: WrittenTimes?
    /// Whether an event corrects a wrong clock.
    var hasCorrections: Bool?
  }

  init(defersWarnings: Bool = false) { self.defersWarnings = defersWarnings }

  /// Prints a warning on standard error, or keeps it until `printDeferredWarnings` is called.
  func warn(_ line: String, on context: Context) {
    guard printedWarnings.insert(line).inserted else { return }
    if defersWarnings {
      deferredWarnings.append(line)
    } else {
      context.printError(line)
    }
  }

  func printDeferredWarnings(on context: Context) {
    for warning in deferredWarnings { context.printError(warning) }
    deferredWarnings = []
  }

  /// Returns the value at `path` in the cache, and computes it the first time.
  func cached<Value>(
    _ path: WritableKeyPath<Cache, Value?>, compute: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let value = cache[keyPath: path] { return value }
    let value = try compute()
    cache[keyPath: path] = value
    return value
  }

  /// Returns the complete ledger, or `nil` if it hasn't been read in this run.
  ///
  /// If `isStored` is true, this is the ledger as it is stored. Otherwise it is the ledger as
  /// `--without` and `--guest` change it.
  func loadedLedger(isStored: Bool) -> LoadedLedger? {
    isStored ? cache.ledger.stored : cache.ledger.supposed
  }

  /// Makes `loaded` the complete ledger for the rest of the run.
  func noteLoaded(_ loaded: LoadedLedger, isStored: Bool) {
    if isStored { cache.ledger.stored = loaded } else { cache.ledger.supposed = loaded }
  }

  func noteShown(upTo position: Int) { shownPosition = position }

  /// Removes the ledger from the cache, because it lacks the events that others have appended and
  /// those that are written now.
  func forgetLedger() { cache.ledger = ReadLedger() }

  func beginWrite() { hasRecorded = false }

  func noteRecorded() { hasRecorded = true }
}

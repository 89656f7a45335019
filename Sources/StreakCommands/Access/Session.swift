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

  private var ledger: ReadLedger?
  /// The ids of the events that were looked up, by the arguments that identify the events, such as
  /// `@4848`.
  private var eventIDs: [String: String] = [:]
  /// The instant of a `--now` without UTC offset, such as `21:15`, or `nil` if it hasn't been
  /// computed.
  private var typedNow: Instant?

  /// The position of the last event that the output includes, which the service puts into the
  /// `ETag`.
  private(set) var shownPosition = 0
  /// Whether the last append recorded something.
  private(set) var hasRecorded = false

  /// A ledger of a folder that has been read, or a part of it.
  private struct ReadLedger {
    let folder: String
    var stream: EventStream?
    /// The ledger as it is stored.
    var stored: LoadedLedger?
    /// The ledger as `--without` and `--guest` change it.
    var supposed: LoadedLedger?
    var writtenTimes: WrittenTimes?
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

  /// Returns the stream of the ledger in `folder`, which `open` opens the first time.
  func stream(
    in folder: String, open: () throws(Failure) -> EventStream
  ) throws(Failure) -> EventStream {
    if !hasRead(folder) { ledger = ReadLedger(folder: folder) }
    if let stream = ledger?.stream { return stream }
    let stream = try open()
    ledger?.stream = stream
    return stream
  }

  /// Returns the complete ledger in `folder`, as stored or as supposed, or `nil` if it hasn't been
  /// read.
  func loadedLedger(in folder: String, isStored: Bool) -> LoadedLedger? {
    guard hasRead(folder) else { return nil }
    return isStored ? ledger?.stored : ledger?.supposed
  }

  /// Makes `loaded` the complete ledger in `folder` for the rest of the run.
  func noteLoaded(_ loaded: LoadedLedger, in folder: String, isStored: Bool) {
    if !hasRead(folder) { ledger = ReadLedger(folder: folder) }
    if isStored { ledger?.stored = loaded } else { ledger?.supposed = loaded }
  }

  /// Returns the times of the steps in `folder` that a wrong clock stamped too late, which
  /// `compute` computes the first time.
  func writtenTimes(
    in folder: String, compute: () throws(Failure) -> WrittenTimes
  ) throws(Failure) -> WrittenTimes {
    if hasRead(folder), let times = ledger?.writtenTimes { return times }
    let times = try compute()
    if hasRead(folder) { ledger?.writtenTimes = times }
    return times
  }

  private func hasRead(_ folder: String) -> Bool {
    ledger.map { Text($0.folder) == Text(folder) } ?? false
  }

  /// Returns the id of the event that `word` identifies, which `find` looks up the first time.
  func eventID(
    for word: String, find: () throws(Failure) -> String
  ) throws(Failure) -> String {
    if let id = eventIDs[word] { return id }
    let id = try find()
    eventIDs[word] = id
    return id
  }

  /// Returns the instant of a `--now` without UTC offset, which `compute` computes the first time.
  func typedNow(compute: () throws(Failure) -> Instant) throws(Failure) -> Instant {
    if let typedNow { return typedNow }
    let now = try compute()
    typedNow = now
    return now
  }

  func noteShown(upTo position: Int) { shownPosition = position }

  /// Forgets the ledger that was read, because it contains neither the events that others have
  /// appended nor those that are written now.
  func forgetLedger() { ledger = nil }

  func beginWrite() { hasRecorded = false }

  func noteRecorded() { hasRecorded = true }
}

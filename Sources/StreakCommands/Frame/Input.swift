import EventLog
import StreakDomain

/// What a command keeps while it runs: a pipe gives its bytes only once, and a what-if is looked at many times.
final class InputCache {
  fileprivate var known: [String: [UInt8]] = [:]
  /// The ids that words meant.
  var events: [String: String] = [:]
  /// What `--now` means where it has no offset.
  var now: Instant?
  /// The ledger as the run has read it.
  var ledger: ReadLedger?
  /// How many events the ledger has that was read last to be shown.
  var shownPosition = 0
  /// What is to be said beside the answer, where an error would be a document of its own.
  var notes: [String] = []
  /// What was said on standard error already.
  var said: Set<String> = []
}

extension Context {
  /// The whole of a file that a person named; `-` is standard input.
  func input(_ file: String) throws(Failure) -> [UInt8] {
    if let bytes = inputs.known[file] { return bytes }
    var bytes: [UInt8] = []
    if file == "-" {
      bytes = whole(input)
    } else {
      do throws(SystemError) {
        let opened = try ForeignFile(file)
        bytes = try whole { () throws(SystemError) in try opened.next() }
      } catch {
        guard error.isNotFound else { throw .system(error) }
        throw .usage("there is no file \(quoted(file))")
      }
    }
    inputs.known[file] = bytes
    return bytes
  }

  /// All pieces there are, or what is far too long for a line.
  private func whole<Thrown: Error>(
    _ next: () throws(Thrown) -> [UInt8]
  ) throws(Thrown) -> [UInt8] {
    var bytes: [UInt8] = []
    var unended = 0
    while true {
      let piece = try next()
      if piece.isEmpty { return bytes }
      bytes += piece
      // A line that is far too long is refused; the rest of it need not be held.
      if let newline = piece.lastIndex(of: UInt8(ascii: "\n")) {
        unended = piece.count - newline
      } else {
        unended += piece.count
      }
      if unended > 2 * LineLimits.bytes, !EventDocument.isList(bytes) { return bytes }
    }
  }
}

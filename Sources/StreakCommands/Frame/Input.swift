import EventLog
import StreakDomain

/// The cached inputs of an invocation, because a pipe can be read only once.
final class InputCache {
  fileprivate var known: [String: [UInt8]] = [:]
  /// The event ids of resolved words.
  var events: [String: String] = [:]
  /// The resolved value of `--now` if it has no offset.
  var now: Instant?
  var ledger: ReadLedger?
  /// The position of the ledger on which the output is based.
  ///
  /// The service uses it in the entity tag of the response.
  var shownPosition = 0
  /// Whether the last write of this invocation has recorded its events.
  var hasRecorded = false
  /// With `--json`, the warnings to print once the command has succeeded.
  ///
  /// If the command fails, the error must be the only document.
  var notes: [String] = []
  var said: Set<String> = []
}

extension Context {
  /// Reads the complete file; `-` is standard input.
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

  /// Reads all pieces, but stops within a line that is far too long.
  private func whole<Thrown: Error>(
    _ next: () throws(Thrown) -> [UInt8]
  ) throws(Thrown) -> [UInt8] {
    var bytes: [UInt8] = []
    var unended = 0
    while true {
      let piece = try next()
      if piece.isEmpty { return bytes }
      bytes += piece
      // Such a line will be refused, so the rest isn't needed.
      if let newline = piece.lastIndex(of: UInt8(ascii: "\n")) {
        unended = piece.count - newline
      } else {
        unended += piece.count
      }
      if unended > 2 * LineLimits.bytes, !EventDocument.isList(bytes) { return bytes }
    }
  }
}

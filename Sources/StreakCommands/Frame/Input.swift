import EventLog
import StreakDomain

/// What was read of files and standard input: a pipe gives its bytes only once, and a what-if is looked at many times.
final class InputCache {
  fileprivate var known: [String: [UInt8]] = [:]
}

extension Invocation {
  /// The whole of a file that a person named; `-` is standard input.
  func input(_ file: String) throws(CommandError) -> [UInt8] {
    if let bytes = context.inputs.known[file] { return bytes }
    let bytes: [UInt8]
    if file == "-" {
      bytes = standardInput()
    } else {
      do throws(LogError) { bytes = try JSONLines.bytes(of: file) } catch {
        guard case .system(let failure) = error, failure.isNotFound else { throw .log(error) }
        throw .usage("there is no file \(quoted(file))")
      }
    }
    context.inputs.known[file] = bytes
    return bytes
  }

  private func standardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var unended = 0
    while true {
      let piece = context.input()
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

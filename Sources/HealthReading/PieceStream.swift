import Foundation
import Imports
import StreakDomain

/// A source as the stream for `XMLParser`, so that a large file is never in memory at once.
final class PieceStream: InputStream {
  private let source: ByteSource
  private let onRead: (Int) -> Void
  private var piece: ArraySlice<UInt8> = []
  private var instructions = EmptyInstructions()
  private(set) var failure: Failure?
  /// Whether to stop handing out bytes, because the parser itself would continue after an error.
  var isStopped = false

  private var tail: [UInt8] = []

  /// Whether the source is truncated, so that its last bytes don't contain `end`.
  func isCutOff(before end: String) -> Bool {
    guard piece.isEmpty, source.isAtEnd || (try? source.next().isEmpty) ?? false else { return false }
    return tail.firstRange(of: Array(end.utf8)) == nil
  }

  init(_ source: ByteSource, onRead: @escaping (Int) -> Void) {
    self.source = source
    self.onRead = onRead
    super.init(data: Data())
  }

  override func open() {}

  override func close() {}

  override var streamStatus: Stream.Status { .open }

  override var hasBytesAvailable: Bool { !isStopped }

  // The buffer belongs to the parser, and no more than `maxLength` bytes are copied.
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    guard !isStopped else { return 0 }
    if piece.isEmpty {
      do throws(Failure) {
        while piece.isEmpty {
          let bytes = try source.next()
          piece = instructions.blank(bytes)[...]
          if bytes.isEmpty { break }
        }
      } catch {
        failure = error
        isStopped = true
        return 0
      }
      tail = (tail + piece.suffix(64)).suffix(64)
      onRead(source.count)
    }
    let part = piece.prefix(maxLength)
    let target = unsafe UnsafeMutableBufferPointer(start: buffer, count: maxLength)
    _ = unsafe target.update(fromContentsOf: part)
    piece = piece.dropFirst(part.count)
    return part.count
  }
}

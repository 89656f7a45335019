import Foundation
import Imports
import StreakDomain

/// A source as the stream that `XMLParser` reads from, so that a file of gigabytes is never held as a whole.
final class PieceStream: InputStream {
  private let source: ByteSource
  private let onRead: (Int) -> Void
  private var piece: ArraySlice<UInt8> = []
  private var instructions = EmptyInstructions()
  /// Why reading stopped before the end.
  private(set) var failure: Failure?
  /// Nothing more is handed out; the parser itself would continue after an error.
  var isStopped = false

  /// The last bytes that were handed out.
  private var tail: [UInt8] = []

  /// Whether the source ended without the end of what it began with.
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

  // Unsafe only as the parser's own buffer; it says how much room there is, and no more is copied.
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

package import StreakDomain
import Synchronization

/// A fold as it is stored, and taken up again.
package final class StoredFold: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  /// The events of a stored fold, whose lines are their places here.
  private let shelf = Mutex<[Event]>([])

  package init(_ fold: LedgerFold) {
    var fold = fold
    var coder = unsafe StateCoder(from: 0, form) { bytes in
      self.bytes.withLock { unsafe $0.append(contentsOf: bytes) }
    }
    fold.pass(&coder)
    coder.flush()
  }

  private var form: StateCoder.EventForm {
    StateCoder.EventForm(
      line: { event in
        self.shelf.withLock { shelf in
          shelf.append(event)
          return [UInt8](String(shelf.count - 1).utf8)
        }
      },
      event: { line in
        self.shelf.withLock { shelf in
          Int(String(decoding: line, as: UTF8.self)).flatMap { shelf.indices.contains($0) ? shelf[$0] : nil }
        }
      })
  }

  package var count: Int { bytes.withLock { $0.count } }

  /// The fold of the first so many bytes; nil where they are none.
  package func fold(first count: Int? = nil) -> LedgerFold? {
    var fold = LedgerFold()
    var coder = StateCoder(memory(first: count ?? self.count), from: 0, form)
    fold.pass(&coder)
    return coder.isAtEnd && !coder.isBroken ? fold : nil
  }

  private func memory(first count: Int) -> StoredBytes {
    bytes.withLock { bytes in
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
      unsafe memory.copyBytes(from: bytes[..<count])
      return unsafe StoredBytes(memory) { unsafe $0.deallocate() }
    }
  }
}

import StreakDomain

/// Something that `verify` found wrong, and where.
package struct Finding: Sendable, Equatable {
  package enum Check: String, Sendable {
    /// A line that is no event, or stands in the wrong order.
    case form
    /// A torn tail.
    case torn
    /// A seal that does not match the bytes before it.
    case seal
    /// A repeated or reused id.
    case identity
    /// A reference to something that is not there, or an entry that its rule cannot use.
    case reference
    /// A stated expectation that the replay does not bear out.
    case expectation
    /// A state that contradicts itself.
    case invariant
    /// Bytes that were there before and are not now.
    case history
  }

  package let check: Check
  package let segment: String
  package let line: Int
  package let event: String?
  package let says: String

  package init(check: Check, segment: String, line: Int, event: String?, says: String) {
    self.check = check
    self.segment = segment
    self.line = line
    self.event = event
    self.says = says
  }
}

/// The length of a segment and the seals it carries: what `verify --heads` prints.
package struct SegmentHead: Sendable, Equatable, CustomStringConvertible {
  package let name: String
  package let bytes: Int
  /// The last seal.
  package let seal: String?
  /// SHA-256 of the bytes after the last sealed line's newline.
  package let tail: String

  package var description: String { "\(name) bytes \(bytes) head \(seal ?? "-") tail \(tail)" }
}

/// The seals of one segment, checked over its raw bytes; lines that cannot be read are passed over here.
package enum SealCheck {
  /// Walks through a segment's first `limit` bytes.
  ///
  /// A segment may be walked from one of its sealed lines on (`isWithoutBeginning`): the seal of that line is about bytes
  /// that are not here.
  package static func walk(
    _ bytes: [UInt8], name: String, limit: Int? = nil, isWithoutBeginning: Bool = false
  ) -> (head: SegmentHead, findings: [Finding]) {
    var findings: [Finding] = []
    var span = SHA256()
    var tail = SHA256()
    var last: String?
    var line = 0
    var start = 0
    let end = min(bytes.count, limit ?? bytes.count)
    while start < end {
      let newline = bytes[start..<end].firstIndex(of: UInt8(ascii: "\n"))
      let next = newline.map { $0 + 1 } ?? end
      line += 1
      let text = Array(bytes[start..<(newline ?? end)])
      if isWithoutBeginning, line == 1 {
        tail.update(bytes[start..<next])
      } else if let seal = seal(of: text) {
        let digest = span.digest()
        if digest != seal.digest {
          findings.append(
            Finding(
              check: .seal, segment: name, line: line, event: seal.event,
              says: "the seal does not match: a byte before it was changed, lost or inserted"))
        }
        last = seal.digest
        span = SHA256()
        tail = SHA256()
      } else {
        tail.update(bytes[start..<next])
      }
      span.update(bytes[start..<next])
      start = next
    }
    return (SegmentHead(name: name, bytes: end, seal: last, tail: tail.digest()), findings)
  }

  private static func seal(of line: [UInt8]) -> (digest: String, event: String)? {
    let mark = Array("\"day.changed\"".utf8)
    guard line.count > mark.count, line.contains(UInt8(ascii: "d")),
      (0...line.count - mark.count).contains(where: {
        line[$0] == mark[0] && line[$0..<$0 + mark.count].elementsEqual(mark)
      }),
      let event = try? EventDecoder.event(line), case .dayChanged(_, let digest?) = event.payload
    else { return nil }
    return (digest, event.id)
  }
}

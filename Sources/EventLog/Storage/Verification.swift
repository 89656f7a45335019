package import StreakDomain

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
    /// A segment of which another writer saw more, or that was evicted.
    case seen
    /// A today that lies ahead of the clock.
    case clock
  }

  package let check: Check
  package let segment: String
  package let line: Int
  package let event: String?
  package let says: String
  /// What it speaks of that no segment has.
  package var absent: Absent?

  package enum Absent: Sendable, Equatable {
    /// The habit of an event of some type.
    case habit(EventType)
    case entry
  }

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

/// The seals of one segment, checked over its raw bytes as they come; lines that cannot be read are passed over here.
package struct SealCheck {
  private let name: String
  /// Whether the bytes begin with a sealed line whose own seal is about bytes that are not here.
  private let isWithoutBeginning: Bool
  private var findings: [Finding] = []
  /// Since the start of the last sealed line.
  private var span = SHA256()
  /// Since the end of the last sealed line.
  private var tail = SHA256()
  private var last: String?
  /// The line under way, as far as it may still be one.
  private var line: [UInt8] = []
  private var isLineTooLong = false
  private var number = 1
  private var count = 0

  package init(_ name: String, isWithoutBeginning: Bool = false) {
    self.name = name
    self.isWithoutBeginning = isWithoutBeginning
  }

  /// Walks on through a segment; memory is that of a line.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    var rest = bytes
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[rest.startIndex...newline])
      endLine()
      rest = rest[(newline + 1)...]
    }
    take(rest)
  }

  /// The head of what was walked through, and what is wrong in it.
  package mutating func finish() -> (head: SegmentHead, findings: [Finding]) {
    if !line.isEmpty || isLineTooLong { endLine() }
    return (SegmentHead(name: name, bytes: count, seal: last, tail: tail.digest()), findings)
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    if !isLineTooLong {
      line += bytes
      guard line.count > LineLimits.bytes + 1 else { return }
      isLineTooLong = true
      hash(line[...])
      line.removeAll(keepingCapacity: true)
    } else {
      hash(bytes)
    }
  }

  private mutating func hash(_ bytes: ArraySlice<UInt8>) {
    span.update(bytes)
    tail.update(bytes)
  }

  private mutating func endLine() {
    let isHeld = isWithoutBeginning && number == 1
    if !isLineTooLong, !isHeld, let seal = SealCheck.seal(of: line) {
      if span.digest() != seal.digest {
        findings.append(
          Finding(
            check: .seal, segment: name, line: number, event: seal.event,
            says: "the seal does not match: a byte before it was changed, lost or inserted"))
      }
      last = seal.digest
      span = SHA256()
      tail = SHA256()
      span.update(line[...])
    } else {
      hash(line[...])
    }
    line.removeAll(keepingCapacity: true)
    isLineTooLong = false
    number += 1
  }

  private static func seal(of line: [UInt8]) -> (digest: String, event: String)? {
    let mark = Array("\"day.changed\"".utf8)
    let line = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    guard line.count > mark.count,
      (0...line.count - mark.count).contains(where: {
        line[$0] == mark[0] && line[$0..<$0 + mark.count].elementsEqual(mark)
      }),
      let event = try? EventDecoder.event(Array(line)), case .dayChanged(_, let digest?, _) = event.payload
    else { return nil }
    return (digest, event.id)
  }
}

import EventLog
public import StreakDomain

/// The length and the digests of a segment, as `verify --heads` prints them.
public struct SegmentHead: Codable, Equatable, Sendable, CustomStringConvertible {
  /// The name of the segment.
  public let name: LedgerText
  /// The length of the segment.
  public let bytes: Int
  /// The last seal of the segment, or `nil` if it has none.
  public let seal: String?
  /// The SHA-256 of the digests of the lines from the last `day.changed` with a seal on, or of all
  /// lines if there is none.
  public let tail: String

  private enum CodingKeys: String, CodingKey { case name = "segment", bytes, seal = "head", tail }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(name, forKey: .name)
    try members.encode(bytes, forKey: .bytes)
    try members.encode(seal, forKey: .seal)
    try members.encode(tail, forKey: .tail)
  }

  /// The head as a line of `streaks verify --heads`.
  public var description: String { "\(name) bytes \(bytes) head \(seal ?? "-") tail \(tail)" }

  /// Returns the last line of the output of `verify --heads`.
  package static func end(_ heads: [SegmentHead]) -> String { "segments \(heads.count)" }

  /// Parses the complete output of an earlier `verify --heads`, in which the names are escaped.
  package static func list(_ bytes: [UInt8], of file: String) throws(Failure) -> [SegmentHead] {
    // Windows and mail may end lines with a carriage return, too.
    let carriageReturn = UInt8(ascii: "\r")
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.last == carriageReturn ? line.dropLast() : line, as: UTF8.self)
    }
    guard let end = lines.popLast(), Text(end) == Text("segments \(lines.count)") else {
      throw Failure(
        .usage,
        """
        \(Escaping.visible(file)) is not all that `streaks verify --heads` printed without --json: \
        it must end with 
        """
          + "`segments N` after N heads")
    }

    var heads: [SegmentHead] = []
    for (index, line) in lines.enumerated() {
      guard let head = SegmentHead(line) else {
        throw Failure(
          .badForm, "\"head\" is \(quoted(line)); it must be NAME bytes N head SEAL tail DIGEST",
          at: Place(file: file, line: index + 1, column: 1), text: line)
      }
      heads.append(head)
    }
    return heads
  }
}

extension SegmentHead {
  fileprivate init?(_ line: String) {
    let words = line.parts(at: " ").map(String.init)
    let rest = Array(words.suffix(6))
    guard words.count > 6, rest[0] == "bytes", let bytes = Int(rest[1]), rest[2] == "head",
      rest[4] == "tail"
    else { return nil }
    self.init(
      name: Text(words.dropLast(6).joined(separator: " ")), bytes: bytes,
      seal: rest[3] == "-" ? nil : rest[3], tail: rest[5])
  }
}

import StreakDomain

/// The offsets of a zone according to a file of the time-zone database (RFC 9636, TZif).
package struct ZoneTable: Sendable {
  /// The offsets in seconds east of UTC: first the offset before the first change, then the offset
  /// after each change.
  private let offsets: [Int]
  /// The times of the changes, in seconds since 1970 and in ascending order.
  package let changes: [Int64]
  /// The rule that applies after the last change, or `nil` if the last offset stays in force.
  private let rule: ZoneRule?

  init(offset: Int) {
    offsets = [offset]
    changes = []
    rule = nil
  }

  package func offset(at second: Int64) -> Int {
    let next = changes.partitioningIndex { $0 > second }
    if next == changes.count, let rule { return rule.offset(at: second) }
    return offsets[next]
  }
}

extension ZoneTable {
  /// Creates a table from the bytes of a file.
  ///
  /// The result is `nil` if the file is malformed. It is also `nil` if the file counts leap
  /// seconds: the times in such a file aren't POSIX times.
  package init?(file bytes: [UInt8]) {
    var file = ZoneFile(rest: bytes[...])
    guard let (header, timeSize) = file.newestHeader(), header.leaps == 0, header.types > 0,
      let times = file.take(header.changes * timeSize), let kinds = file.take(header.changes),
      let types = file.take(header.types * 6),
      file.take(header.size(times: timeSize, from: header.types)) != nil
    else { return nil }

    // Each type of 6 bytes begins with its offset.
    let typeOffsets = stride(from: types.startIndex, to: types.endIndex, by: 6).map {
      Int(Int32(truncatingIfNeeded: ZoneFile.number(types[$0..<$0 + 4])))
    }
    changes = stride(from: times.startIndex, to: times.endIndex, by: timeSize).map {
      let number = ZoneFile.number(times[$0..<$0 + timeSize])
      return timeSize == 8 ? number : Int64(Int32(truncatingIfNeeded: number))
    }
    guard kinds.allSatisfy({ Int($0) < typeOffsets.count }),
      zip(changes, changes.dropFirst()).allSatisfy(<),
      typeOffsets.allSatisfy({ abs($0) < 26 * 3600 })
    else { return nil }
    offsets = [typeOffsets[0]] + kinds.map { typeOffsets[Int($0)] }

    guard timeSize == 8 else {
      rule = nil
      return
    }
    guard let footer = file.footer() else { return nil }
    rule = ZoneRule(footer)
    guard rule != nil || footer.isEmpty else { return nil }
  }
}

/// A reader for a file of the database, in which all numbers are big-endian.
private struct ZoneFile {
  var rest: ArraySlice<UInt8>

  /// The version of the file, and the number of items of each kind in a table.
  struct Header {
    let version: Int
    let leaps: Int
    let changes: Int
    let types: Int
    let characters: Int
    let marks: Int

    func size(times: Int) -> Int {
      changes * (times + 1) + types * 6 + size(times: times, from: types)
    }

    func size(times: Int, from types: Int) -> Int { characters + leaps * (times + 4) + marks }
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Returns the header of the newest table in the file, and the size of its times in bytes.
  ///
  /// From version 2 on, a second table has 64-bit times, which extend before 1901 and after 2038.
  mutating func newestHeader() -> (header: Header, timeSize: Int)? {
    guard let first = header() else { return nil }
    if first.version < 2 { return (first, 4) }
    guard take(first.size(times: 4)) != nil, let second = header() else { return nil }
    return (second, 8)
  }

  /// Returns the rule after a 64-bit table, or `nil` if it isn't enclosed in line breaks.
  func footer() -> ArraySlice<UInt8>? {
    guard rest.first == 0x0A, rest.last == 0x0A, rest.count >= 2 else { return nil }
    return rest.dropFirst().dropLast()
  }

  private mutating func header() -> Header? {
    guard let bytes = take(44), bytes.starts(with: "TZif".utf8) else { return nil }
    let counts = (0..<6).map { Int(ZoneFile.number(bytes.dropFirst(20 + 4 * $0).prefix(4))) }
    let version = bytes[bytes.startIndex + 4]
    return Header(
      version: version == 0 ? 1 : Int(version) - 0x30, leaps: counts[2], changes: counts[3],
      types: counts[4],
      characters: counts[5], marks: counts[0] + counts[1])
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}

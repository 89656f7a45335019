import StreakDomain

/// Two states of one segment, appended to by two machines that did not know of each other, brought together.
///
/// Ours stays as it is and theirs becomes a segment beside it, whole, so both chains of seals hold; what both begin
/// with counts once, as it does in any two segments.
package struct SegmentMerge {
  /// What became of the two.
  package enum Outcome: Equatable, Sendable {
    /// All of theirs is here already.
    case ours
    /// Theirs went on where ours ends, and ours has that now, too.
    case theirs
    /// Theirs is written to this file.
    case beside(String)
  }

  /// Which of the two is meant.
  package enum Side: String, Equatable, Sendable {
    case ours, theirs
  }

  /// Why the two cannot be brought together.
  package enum Problem: Error, Equatable, Sendable {
    case noEvent(Side, line: Int, LineProblem)
    /// A line that both had says something else on one side.
    case changed(Side, line: Int, id: String)
    /// The same line follows different ones, so something before it was changed.
    case moved(ours: Int, theirs: Int, id: String)
    case reused(ours: Int, theirs: Int, id: String)
    /// The file that theirs would be written to begins otherwise.
    case taken(String)
  }

  private let disk: SystemDisk
  private let path: String
  private let base: String
  private let ours: Segment
  private let theirs: Segment
  /// How many bytes they share, and where the first line begins that they do not.
  private let common: Int
  private let start: Int

  /// Reads both; `path` is where the segment is, `base` what both had.
  package init(
    base: String, ours: String, theirs: String, path: String, on disk: SystemDisk = SystemDisk()
  ) throws(LogError) {
    self.disk = disk
    self.path = path
    self.base = base
    self.ours = try Segment(ours, on: disk)
    self.theirs = try Segment(theirs, on: disk)
    common = self.theirs.common(with: self.ours.bytes)
    start = self.theirs.end(ofLinesSharedWith: self.ours, from: self.theirs.lineStart(before: common))
  }

  /// Checks both and writes what belongs at `ours` and beside `path`; where it throws, nothing is changed.
  package func write() throws(LogError) -> Outcome {
    if common == theirs.bytes.count { return .ours }
    let isLonger = common == ours.bytes.count
    do throws(Problem) {
      try isLonger ? theirs.lines(from: start, after: shared, .theirs) { _ in } : check()
    } catch { throw .unmerged(path, error) }
    do throws(SystemError) {
      if isLonger {
        try lengthen()
        return .theirs
      }
      // Of theirs there is nothing but what a crash left, or what a merge has kept before.
      let isNothingNew = theirs.end <= start
      if try isNothingNew ? true : isTheirsThere() { return .ours }
    } catch { throw .notWritten(error) }
    return .beside(try writeBeside())
  }

  private func lengthen() throws(SystemError) {
    let file = try File(ours.path, .extend, on: disk)
    do throws(SystemError) { try file.append(theirs.bytes[common...]) } catch {
      try? file.truncate(to: common)
      throw error
    }
  }

  /// How many lines both begin with.
  private var shared: Int { theirs.bytes[..<start].count { $0 == UInt8(ascii: "\n") } }

  /// Whether a segment that is here has all of theirs: where both sides have merged before, git brings what they merged
  /// together first, and nothing must come of that.
  private func isTheirsThere() throws(SystemError) -> Bool {
    let folder = FolderPath.parent(of: path)
    let name = SegmentName.of(path)
    for file in try disk.names(in: folder) where EventStream.isSegment(file) {
      let other = SegmentName.of(file)
      guard other.spelling == name.spelling || SegmentName.isMerged(other, of: name) else { continue }
      if theirs.common(with: try Segment.bytes("\(folder)/\(file)", on: disk)) == theirs.bytes.count {
        return true
      }
    }
    return false
  }

  /// Puts theirs into the file that is named after its first line of its own.
  ///
  /// If that file is there, it is the same machine's and grows, or a third one's, and then the first line that
  /// differs from that names another.
  private func writeBeside() throws(LogError) -> String {
    var start = start
    var isTaken = false
    while true {
      let file = SegmentName.beside(path, theirs.line(at: start))
      do throws(SystemError) {
        let known = try Segment.bytes(file, on: disk)
        let common = theirs.common(with: known)
        if common == theirs.bytes.count { return file }
        if common == known.count {
          try replace(file)
          return file
        }
        let next = theirs.lineStart(before: common)
        isTaken = next <= start
        start = next
      } catch { throw .notWritten(error) }
      if isTaken { throw .unmerged(path, .taken(file)) }
    }
  }

  private func replace(_ file: String) throws(SystemError) {
    let draft = FolderPath.parent(of: file) + "/.merge-file.part"
    // What a merge left that was killed.
    try? disk.remove(draft)
    try WholeFile.write(theirs.bytes, to: file, by: draft, on: disk)
  }

  /// Refuses what is no event, and one id for two things.
  private func check() throws(Problem) {
    let shared = shared
    var known: [Spelling: Line] = [:]
    try ours.lines(from: start, after: shared, .ours) { known[$0.id.spelling] = $0 }
    try theirs.lines(from: start, after: shared, .theirs) { (line) throws(Problem) in
      guard let other = known[line.id.spelling] else { return }
      guard other.bytes != line.bytes else {
        throw .moved(ours: other.number, theirs: line.number, id: line.id)
      }
      if Event.isSameFact(Array(other.bytes), Array(line.bytes)) { return }
      // Where both had it, one of the two is as it was.
      guard let first = baseLine(line.id) else {
        throw .reused(ours: other.number, theirs: line.number, id: line.id)
      }
      throw first == other.bytes
        ? .changed(.theirs, line: line.number, id: line.id)
        : .changed(.ours, line: other.number, id: line.id)
    }
  }

  private func baseLine(_ id: String) -> ArraySlice<UInt8>? {
    let bytes = (try? Segment.bytes(base, on: disk)) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).first {
      EventDecoder.id(of: Array($0))?.spelling == id.spelling
    }
  }
}

/// A line of one side.
private struct Line {
  let number: Int
  let bytes: ArraySlice<UInt8>
  let id: String
}

/// One side as a whole, in memory.
private struct Segment {
  let path: String
  let bytes: [UInt8]
  /// Where its lines end that count; behind that is what a crash left.
  let end: Int

  init(_ path: String, on disk: SystemDisk) throws(LogError) {
    self.path = path
    (bytes, end) = try reading { () throws(SystemError) in
      let file = try File(path, .read, on: disk)
      let size = try file.size()
      return (try file.bytes(0..<size), try SegmentTail(file, size: size).validEnd)
    }
  }

  /// The bytes of a file; none where it is not there.
  static func bytes(_ path: String, on disk: SystemDisk) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      let file = try File(path, .read, on: disk)
      return try file.bytes(0..<(try file.size()))
    } catch {
      guard error.isNotFound else { throw error }
      return []
    }
  }

  /// How many bytes another one begins with, too.
  func common(with other: [UInt8]) -> Int {
    let most = min(bytes.count, other.count)
    return (0..<most).first { bytes[$0] != other[$0] } ?? most
  }

  /// Where the first line from a place on begins that differs by more than texts that were taken out.
  func end(ofLinesSharedWith other: Segment, from place: Int) -> Int {
    var place = place
    while place < min(end, other.end) {
      let (line, its) = (self.line(at: place), other.line(at: place))
      // Nothing moves where a text is taken out.
      guard line.count == its.count, line == its || isRedacted(line, its) else { break }
      place += line.count + 1
    }
    return min(place, bytes.count)
  }

  private func isRedacted(_ line: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    let (one, two) = (Array(line), Array(other))
    return TextPlaces(one).takenOut != TextPlaces(two).takenOut && Event.isSameFact(one, two)
  }

  func lineStart(before place: Int) -> Int {
    bytes[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  /// The line that begins at a place, without its newline.
  func line(at start: Int) -> ArraySlice<UInt8> {
    bytes[start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count)]
  }

  /// Each line from a place on with its number, as far as they count.
  func lines(
    from start: Int, after count: Int, _ side: SegmentMerge.Side,
    _ body: (Line) throws(SegmentMerge.Problem) -> Void
  ) throws(SegmentMerge.Problem) {
    var start = start
    var number = count
    while start < end {
      number += 1
      let text = line(at: start)
      start = text.endIndex + 1
      let id: String
      do throws(LineError) { id = try EventDecoder.event(Array(text)).id } catch {
        guard error.problem.isWrittenByNewer, let written = EventDecoder.id(of: Array(text)) else {
          throw .noEvent(side, line: number, error.problem)
        }
        id = written
      }
      try body(Line(number: number, bytes: text, id: id))
    }
  }
}

extension SegmentName {
  /// The path for another machine's lines of the segment at a path: named after the first of them that is its own,
  /// with its newline.
  fileprivate static func beside(_ path: String, _ line: ArraySlice<UInt8>) -> String {
    var digest = SHA256()
    digest.update(line)
    digest.update([UInt8(ascii: "\n")])
    let name = String(Substring(path.utf8.dropLast(".jsonl".utf8.count)))
    return "\(name)-\(String(Substring(digest.digest().utf8.prefix(8)))).jsonl"
  }

  /// The segment of a path.
  fileprivate static func of(_ path: String) -> String {
    let file = path.parts(at: "/").last.map { String($0) } ?? path
    return String(Substring(file.utf8.dropLast(".jsonl".utf8.count)))
  }

  /// Whether a merge has put another machine's lines of the original into a segment of this name.
  package static func isMerged(_ name: String, of original: String) -> Bool {
    originals(ofMerged: name).contains { $0.spelling == original.spelling }
  }

  /// The names beside which a merge may have put a segment of this name, the shortest first.
  package static func originals(ofMerged name: String) -> [String] {
    var names: [String] = []
    var rest = name.utf8[...]
    while rest.count > 9, rest.suffix(9).first == UInt8(ascii: "-"),
      rest.suffix(8).allSatisfy({ "0123456789abcdef".utf8.contains($0) })
    {
      rest = rest.dropLast(9)
      names.append(String(Substring(rest)))
    }
    return names.reversed()
  }
}

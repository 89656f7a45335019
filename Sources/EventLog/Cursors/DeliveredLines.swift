package import StreakDomain

/// The lines of a stream that a cursor includes, and those delivered since.
package struct DeliveredLines {
  struct Mark {
    var lines = 0
    var last: UInt32 = 0
  }

  private(set) var marks: [Mark]
  private let segments: [UInt64]
  private var cursor = Cursor()
  /// The last delivered line of each segment that `cursor` doesn't include yet, or 0.
  private var newLines: [Int]
  private var newLast: [EventKey]
  private var changed: [Int] = []

  /// Finds each segment of a cursor by its name, or else by the same id at the same line.
  ///
  /// If `checks` is false, only missing names are searched for, and the caller must compare the ids.
  init(_ cursor: Cursor, in stream: EventStream, checks: Bool) throws(Failure) {
    segments = stream.readers.map { Cursor.Mark.segment($0.name) }
    marks = Array(repeating: Mark(), count: segments.count)
    newLines = Array(repeating: 0, count: segments.count)
    newLast = Array(repeating: EventKey(high: 0, low: 0), count: segments.count)
    for mark in cursor.marks {
      let index = try find(mark, in: stream, checks: checks)
      if marks[index].lines < mark.lines { marks[index] = Mark(lines: mark.lines, last: mark.last) }
    }
    for (index, mark) in marks.enumerated() where mark.lines > 0 {
      self.cursor.set(Cursor.Mark(segment: segments[index], lines: mark.lines, last: mark.last))
    }
  }

  /// Begins before the first event; returns `nil` for more segments than a cursor can contain.
  package init?(beginningOf stream: EventStream) {
    guard stream.readers.count(where: { $0.size > 0 }) <= Cursor.mostSegments,
      let lines = try? DeliveredLines(Cursor(), in: stream, checks: false)
    else { return nil }
    self = lines
  }

  private func find(
    _ mark: Cursor.Mark, in stream: EventStream, checks: Bool
  ) throws(Failure) -> Int {
    let own = segments.firstIndex(of: mark.segment)
    if let own {
      guard checks, try !stream.has(mark, in: own) else { return own }
    }
    // A sync conflict renames one of two versions of a segment, possibly the one that was delivered.
    for index in segments.indices where index != own {
      if try stream.has(mark, in: index) { return index }
    }
    throw try stream.changedPast(mark, in: own)
  }

  func has(_ item: StreamItem) -> Bool { item.line <= marks[item.segment].lines }

  /// Marks the line of `item`, and all lines before it in its segment, as delivered.
  package mutating func add(_ item: StreamItem) {
    guard !has(item) else { return }
    if newLines[item.segment] == 0 { changed.append(item.segment) }
    newLines[item.segment] = item.line
    newLast[item.segment] = item.id
  }

  package mutating func cursor(_ names: SymbolTable) -> Cursor {
    for index in changed {
      var id: [UInt8] = []
      newLast[index].write(into: &id, names)
      cursor.set(Cursor.Mark(segment: segments[index], lines: newLines[index], last: Cursor.Mark.id(id)))
      newLines[index] = 0
    }
    changed.removeAll(keepingCapacity: true)
    return cursor
  }
}

extension EventStream {
  fileprivate func has(_ mark: Cursor.Mark, in index: Int) throws(Failure) -> Bool {
    guard let line = try readers[index].line(mark.lines, from: []), let id = EventDecoder.id(of: line)
    else { return false }
    return Cursor.Mark.id(Array(id.utf8)) == mark.last
  }

  fileprivate func changedPast(_ mark: Cursor.Mark, in own: Int?) throws(Failure) -> Failure {
    guard let own else {
      let evicted = leftovers.evicted.first { Cursor.Mark.segment($0) == mark.segment }
      let gone = "a segment of which the cursor has \(counted(mark.lines, "line")) is missing"
      guard let evicted else { return .changedPast(nil, "\(Escaping.visible(folder)): \(gone)") }
      return .changedPast(
        Place(file: "\(folder)/\(evicted).jsonl", line: mark.lines, column: 1),
        "\(gone); a sync program evicted it")
    }
    let lines = try readers[own].lineCount(from: [])
    let place = Place(file: readers[own].path, line: mark.lines, column: 1)
    guard lines < mark.lines else { return .changedPast(place, DeliveredLines.otherEvent) }
    return .changedPast(
      place,
      "the cursor has \(counted(mark.lines, "line")) of this segment, and there \(lines == 1 ? "is" : "are") \(lines)"
    )
  }
}

extension DeliveredLines {
  static let otherEvent: Sentence = "this line is not the event that the cursor has there"
}

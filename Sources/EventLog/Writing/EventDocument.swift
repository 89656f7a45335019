package import StreakDomain

/// The events of a JSON document, which is one object or an array of objects.
package struct EventDocument {
  private let bytes: [UInt8]
  private let file: String
  private let isLenient: Bool

  package init(_ bytes: [UInt8], file: String, isLenient: Bool = false) {
    self.bytes = bytes
    self.file = file
    self.isLenient = isLenient
  }

  /// Whether `bytes` are a JSON array rather than one object, judged by the first byte after white
  /// space.
  package static func isList(_ bytes: [UInt8]) -> Bool {
    bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
  }

  /// Calls `body` with a draft of each event; a failure has the line and column in the whole
  /// document.
  package func each(_ body: (Draft) throws(Failure) -> Void) throws(Failure) {
    let lines = LineStarts(bytes, of: file)
    let value: JSONValue
    do throws(Failure) { value = try JSONValue(parsing: bytes) } catch {
      throw error.at(lines.place(of: error.column - 1), "")
    }

    guard case .list(let items) = value.kind else {
      return try body(draft(of: bytes.indices, lines))
    }
    for (index, item) in items.enumerated() {
      let end = index + 1 < items.count ? items[index + 1].column - 1 : bytes.count
      guard case .object = item.kind,
        let brace = bytes[item.column - 1..<end].lastIndex(of: UInt8(ascii: "}"))
      else {
        throw Failure(
          .notJSON, "not valid JSON: expected an object, an event",
          at: lines.place(of: item.column - 1))
      }

      try body(draft(of: item.column - 1..<brace + 1, lines))
    }
  }

  private func draft(of range: Range<Int>, _ lines: LineStarts) throws(Failure) -> Draft {
    do throws(Failure) {
      var draft = try Draft(
        line: Array(bytes[range]), file: file, number: 1, isLenient: isLenient)
      draft.place = lines.place(
        of: bytes[range].firstIndex(of: UInt8(ascii: "{")) ?? range.lowerBound)
      return draft
    } catch {
      throw error.at(lines.place(of: range.lowerBound + error.column - 1), "")
    }
  }
}

/// The offsets of a document's lines, for turning an offset into a line and a column.
package struct LineStarts {
  private let file: String
  private let starts: [Int]

  package init(_ bytes: [UInt8], of file: String) {
    self.file = file
    starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  package func place(of offset: Int) -> Place {
    let line = starts.partitioningIndex { $0 > offset }
    return Place(file: file, line: line, column: offset - starts[line - 1] + 1)
  }
}

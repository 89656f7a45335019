package import StreakDomain

package struct EventDocument {
  private let bytes: [UInt8]
  private let file: String
  private let keepsRecorded: Bool
  private let isLenient: Bool

  package init(_ bytes: [UInt8], file: String, keepsRecorded: Bool = false, isLenient: Bool = false) {
    self.bytes = bytes
    self.file = file
    self.keepsRecorded = keepsRecorded
    self.isLenient = isLenient
  }

  /// Whether `bytes` begin with `[`, which no line of the log does.
  package static func isList(_ bytes: [UInt8]) -> Bool {
    bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
  }

  /// Calls `body` with each event; source locations refer to the whole document.
  package func each(_ body: (Draft) throws(Failure) -> Void) throws(Failure) {
    let value: JSONValue
    do throws(Failure) { value = try JSONValue(parsing: bytes) } catch {
      throw error.at(LineMark(file).place(of: error.column - 1, in: bytes), "")
    }
    var mark = LineMark(file)
    guard case .array(let items) = value.kind else { return try body(draft(of: bytes.indices, from: mark)) }
    for (index, item) in items.enumerated() {
      mark.advance(to: item.column - 1, in: bytes)
      let end = index + 1 < items.count ? items[index + 1].column - 1 : bytes.count
      guard case .object = item.kind,
        let brace = bytes[item.column - 1..<end].lastIndex(of: UInt8(ascii: "}"))
      else {
        throw Failure(
          .notJSON, "not valid JSON: expected an object, an event",
          at: mark.place(of: item.column - 1, in: bytes))
      }
      try body(draft(of: item.column - 1..<brace + 1, from: mark))
    }
  }

  private func draft(of range: Range<Int>, from mark: LineMark) throws(Failure) -> Draft {
    do throws(Failure) {
      var draft = try Draft(
        line: Array(bytes[range]), file: file, number: 1, keepsRecorded: keepsRecorded, isLenient: isLenient)
      let start = bytes[range].firstIndex(of: UInt8(ascii: "{")) ?? range.lowerBound
      draft.place = mark.place(of: start, in: bytes)
      return draft
    } catch {
      throw error.at(mark.place(of: range.lowerBound + error.column - 1, in: bytes), "")
    }
  }
}

/// An offset in a document with its line number, so that lines are counted only once for all events.
private struct LineMark {
  private let file: String
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(_ file: String) { self.file = file }

  mutating func advance(to next: Int, in bytes: [UInt8]) {
    guard next > offset else { return }
    for index in offset..<next where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    offset = next
  }

  func place(of target: Int, in bytes: [UInt8]) -> Place {
    var mark = self
    mark.advance(to: min(target, bytes.count), in: bytes)
    return Place(file: file, line: mark.line, column: target - mark.lineStart + 1)
  }
}

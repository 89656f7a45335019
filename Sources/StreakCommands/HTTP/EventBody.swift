import EventLog
import StreakDomain

/// The events in the body of a request: one JSON object, a list of them, or one a line.
struct EventBody {
  /// What places in the body are called.
  static let name = "body"

  private let bytes: [UInt8]

  /// The drafts, in their order.
  static func drafts(_ bytes: [UInt8], isLines: Bool) throws(Problem) -> [Draft] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(.badBody, "the body is not valid UTF-8")
    }
    let body = EventBody(bytes: bytes)
    let drafts = isLines ? try body.lines() : try body.document()
    guard !drafts.isEmpty else { throw Problem(.badBody, "the body has no event") }
    return drafts
  }

  /// Whether the body has one event a line, by its Content-Type.
  static func isLines(_ contentType: String?) throws(Problem) -> Bool {
    let parts = (contentType ?? "").asciiLowercased.parts(at: ";").map { part in
      part.rewriting { " \t\"".unicodeScalars.contains($0) ? "" : nil }
    }
    let isUTF8 = parts.dropFirst().allSatisfy { !$0.begins(with: "charset=") || $0 == "charset=utf-8" }
    switch parts.first {
    case "application/json" where isUTF8: return false
    case "application/x-ndjson" where isUTF8, "application/jsonl" where isUTF8: return true
    default:
      var problem = Problem(
        .badContentType,
        "Content-Type is \(contentType.map(quoted) ?? "missing"); it must be application/json, or "
          + "application/x-ndjson with one event a line, in UTF-8")
      problem.headers = [("Accept-Post", "application/json, application/x-ndjson")]
      throw problem
    }
  }

  private func lines() throws(Problem) -> [Draft] {
    var drafts: [Draft] = []
    do throws(LogError) {
      try JSONLines.each(bytes) { (line, number) throws(LogError) in
        drafts.append(try Draft(line: line, file: EventBody.name, number: number))
      }
    } catch { throw Problem(error) }
    return drafts
  }

  private func document() throws(Problem) -> [Draft] {
    let value: JSONValue
    do throws(LineError) { value = try JSONValue(parsing: bytes) } catch {
      throw Problem(
        LogError.badLine(LineMark().place(of: error.column - 1, in: bytes), text: "", error.problem))
    }
    var mark = LineMark()
    guard case .array(let items) = value.kind else { return [try draft(of: bytes.indices, from: mark)] }
    var drafts: [Draft] = []
    for (index, item) in items.enumerated() {
      mark.advance(to: item.column - 1, in: bytes)
      let end = index + 1 < items.count ? items[index + 1].column - 1 : bytes.count
      guard case .object = item.kind,
        let brace = bytes[item.column - 1..<end].lastIndex(of: UInt8(ascii: "}"))
      else {
        throw Problem(
          LogError.badLine(
            mark.place(of: item.column - 1, in: bytes), text: "", .notJSON(expected: "an object, an event")))
      }
      drafts.append(try draft(of: item.column - 1..<brace + 1, from: mark))
    }
    return drafts
  }

  /// One event, whose places are those in the whole body; the mark lies at the event or before it.
  private func draft(of range: Range<Int>, from mark: LineMark) throws(Problem) -> Draft {
    do throws(LogError) {
      var draft = try Draft(line: Array(bytes[range]), file: EventBody.name, number: 1)
      let start = bytes[range].firstIndex(of: UInt8(ascii: "{")) ?? range.lowerBound
      draft.expectsPlace = mark.place(of: range.lowerBound + draft.expectsPlace.column - 1, in: bytes)
      draft.place = mark.place(of: start, in: bytes)
      return draft
    } catch {
      guard case .badLine(let within, _, let problem) = error else { throw Problem(error) }
      throw Problem(
        LogError.badLine(
          mark.place(of: range.lowerBound + within.column - 1, in: bytes), text: "", problem))
    }
  }
}

/// A byte of the body with its line, so that counting lines for the next event begins there and not at byte 0.
private struct LineMark {
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  mutating func advance(to next: Int, in bytes: [UInt8]) {
    guard next > offset else { return }
    for index in offset..<next where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    offset = next
  }

  /// The place of a byte at the mark or after it, which may be the one after the last.
  func place(of target: Int, in bytes: [UInt8]) -> Place {
    var mark = self
    mark.advance(to: min(target, bytes.count), in: bytes)
    return Place(file: EventBody.name, line: mark.line, column: target - mark.lineStart + 1)
  }
}

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
    var drafts: [Draft] = []
    do throws(LogError) {
      try EventDocument(bytes, file: EventBody.name).each { drafts.append($0) }
    } catch { throw Problem(error) }
    return drafts
  }
}

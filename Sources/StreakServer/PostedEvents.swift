package import EventLog
import StreakCommands
import StreakDomain

package struct PostedEvents: Sendable {
  let drafts: [Draft]
  let condition: Condition
  let bytes: Int

  package enum Condition: Sendable {
    case none
    /// The requirement that the ledger has at least one event (`If-Match: *`).
    case begun
    case positions([Int])
  }

  package struct Answer: Sendable {
    package let results: [AppendResult]
    package let position: Int
  }

  package init(_ drafts: [Draft], condition: Condition = .none, bytes: Int = 0) {
    (self.drafts, self.condition, self.bytes) = (drafts, condition, bytes)
  }

  /// Whether the events may create a ledger.
  var opens: Bool { drafts.first?.event.payload.type == .ledgerOpened }

  /// Returns the reason to refuse the events if the ledger has no events yet, but must have some.
  func refusal(at position: Int) -> Problem? {
    guard position == 0 else { return nil }
    if case .begun = condition { return Problem(.moved, "there is no ledger yet") }
    return opens ? nil : Problem(.noLedger(folder: ""))
  }
}

/// The body of a request with events: one JSON object, an array of them, or one per line.
struct EventBody {
  static let name = "body"

  private let bytes: [UInt8]

  static func drafts(_ bytes: [UInt8], isLines: Bool) throws(Problem) -> [Draft] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(.badBody, "the body is not valid UTF-8")
    }
    let body = EventBody(bytes: bytes)
    let drafts = isLines ? try body.lines() : try body.document()
    guard !drafts.isEmpty else { throw Problem(.badBody, "the body has no event") }
    return drafts
  }

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
    do throws(Failure) {
      try JSONLines.each(bytes) { (line, number) throws(Failure) in
        drafts.append(try Draft(line: line, file: EventBody.name, number: number))
      }
    } catch { throw Problem(error) }
    return drafts
  }

  private func document() throws(Problem) -> [Draft] {
    var drafts: [Draft] = []
    do throws(Failure) {
      try EventDocument(bytes, file: EventBody.name).each { drafts.append($0) }
    } catch { throw Problem(error) }
    return drafts
  }
}

package import EventLog
import StreakDomain

/// The events of a request, and the conditions under which they are appended.
package struct PostedEvents: Sendable {
  let drafts: [Draft]
  let condition: Condition

  package enum Condition: Sendable {
    case none
    /// The requirement that the ledger has at least one event (`If-Match: *`).
    case begun
    case positions([Int])
  }

  package init(_ drafts: [Draft], condition: Condition = .none) {
    (self.drafts, self.condition) = (drafts, condition)
  }

  /// Whether the events may create a ledger.
  var opens: Bool { drafts.first?.event.payload.type == .ledgerOpened }

  /// Returns the reason to refuse the events before they are folded, or `nil`.
  func refusal(of ledger: Ledger, now: Instant) -> Problem? {
    if ledger.position == 0 {
      if case .begun = condition { return Problem(.moved, "there is no ledger yet") }
      if !opens { return Problem(.noLedger(folder: "")) }
    }
    var days = HabitDays(of: ledger)
    let today = max(now.dayInUTC, ledger.today ?? Day.first)
    let before = days.count(through: today)
    for draft in drafts {
      days.add(draft.event.payload, on: draft.day ?? draft.at?.localDay ?? now.dayInUTC)
    }
    // In a ledger that has reached the limit by growing older, events without more days are still accepted.
    let after = days.count(through: today)
    return after > before ? HabitDays.refusal(after, .badEvent) : nil
  }
}

/// The body of a request with events: one JSON object, an array of them, or one per line.
enum EventBody {
  static let name = "body"

  static func drafts(_ bytes: [UInt8], isLines: Bool) throws(Problem) -> [Draft] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Problem(.badBody, "the body is not valid UTF-8")
    }
    var drafts: [Draft] = []
    do throws(Failure) {
      if isLines {
        try JSONLines.each(bytes) { (line, number) throws(Failure) in
          drafts.append(try Draft(line: line, file: name, number: number))
        }
      } else {
        try EventDocument(bytes, file: name).each { drafts.append($0) }
      }
    } catch { throw Problem(error) }
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
    case "application/x-ndjson" where isUTF8: return true
    default:
      var problem = Problem(
        .badContentType,
        "Content-Type is \(contentType.map(quoted) ?? "missing"); it must be application/json, or "
          + "application/x-ndjson with one event a line, in UTF-8")
      problem.headers = [("Accept-Post", "application/json, application/x-ndjson")]
      throw problem
    }
  }
}

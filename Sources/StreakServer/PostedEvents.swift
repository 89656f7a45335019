package import EventLog
import StreakCommands
import StreakDomain

/// The events of a request that posts, and what must be true of the ledger for them to be recorded.
package struct PostedEvents: Sendable {
  let drafts: [Draft]
  let condition: Condition
  /// How many bytes the request had for them.
  let bytes: Int

  /// What a request wants of the ledger's position.
  package enum Condition: Sendable {
    case none
    /// Any position but that of an empty ledger.
    case begun
    /// One of these.
    case positions([Int])
  }

  /// What became of them.
  package struct Answer: Sendable {
    package let results: [AppendResult]
    /// The ledger's position behind the last of them.
    package let position: Int
  }

  package init(_ drafts: [Draft], condition: Condition = .none, bytes: Int = 0) {
    (self.drafts, self.condition, self.bytes) = (drafts, condition, bytes)
  }

  /// Whether they may begin a ledger.
  var opens: Bool { drafts.first?.event.payload.type == .ledgerOpened }

  /// Decides them on the ledger as it is.
  func decide(on log: FoldedLog, _ options: AppendOptions) throws(Problem) -> Decision {
    var options = options
    let position = log.fold.position
    switch condition {
    case .none: break
    case .begun:
      guard position > 0 else { throw Problem(.moved, "there is no ledger yet") }
    case .positions(let positions):
      options.expected = positions.first { $0 == position } ?? positions.first
    }
    if position == 0, !opens { throw Problem(.noLedger(folder: "")) }
    do throws(Failure) {
      return try Transaction.decide(
        Drafts(drafts), on: log, options: options, random: SystemRandomNumberGenerator())
    } catch { throw Problem(error) }
  }
}

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

import EventLog
package import StreakDomain

extension Problem {
  /// Creates the problem for `failure`, with parameters instead of options, and file names without folders.
  package init(_ failure: Failure, in route: Route? = nil) {
    let place = failure.place
    let type = failure.kind.row.problem
    let isStored = failure.kind.row.app.isOfLog && place?.file != EventBody.name
    switch type {
    case .badParameter:
      self.init(type, Problem.inParameters(failure, route))
    case .badBody where !isStored, .badEvent where !isStored, .conflict:
      self.init(type, (place.map { "\($0): " } ?? "") + failure.namingFiles.sentenceInAnyProgram)
      self.place = place.map { ($0.line, $0.column) }
    case .noHabit: self.init(type, failure.says.text)
    case .noLedger, .moved:
      self.init(type, Problem.detail(of: type, failure))
      if case .position(let position)? = failure.detail {
        headers = [("ETag", EntityTag(position: position).text)]
      }
    case .badBody, .badEvent:
      self.init(.unreadable, Problem.detail(of: .unreadable, failure))
      forTheLog = failure.message
    default:
      self.init(type, Problem.detail(of: type, failure))
      if type == .busy { headers = [("Retry-After", "1")] }
      forTheLog = failure.message
    }
  }

  private static func inParameters(_ failure: Failure, _ route: Route?) -> String {
    var says = failure.sentence + failure.excerpt
    for parameter in route?.parameters ?? [] {
      says = says.replacingBytes(of: "--" + parameter, with: parameter)
    }
    return says
  }

  /// Returns the text for the client about a problem of the server's files; only the server's log gets the details.
  private static func detail(of type: ProblemType, _ failure: Failure) -> String {
    switch (type, failure.kind) {
    case (.noLedger, _):
      "nothing is recorded for this person yet; post a ledger.opened with a zone, and the definitions of habits"
    case (.moved, _): failure.sentence
    case (.busy, _): "another request has been writing to this ledger too long; send this one again"
    case (.changedPast, _):
      "\(failure.place.map { "\($0.fileName):\($0.line)" } ?? "a segment") is not as it was delivered; begin again with after=start, "
        + "or with what is recorded from now on by leaving the cursor out"
    case (.clockAhead, .noTimeLeft):
      "\(failure.says) in \(failure.fileName); the administrator must check the server's clock"
    case (.clockAhead, _):
      "\(failure.says); some clock was wrong: send a day.corrected with \"to\" the date of now if it was that of an "
        + "earlier event, or have the server's clock set"
    case (.notWritten, _): "the server could not write; nothing of the request is recorded"
    case (.outcomeUnknown, _):
      "whether it is on the disk is unknown; send the same request again, which is safe if its events have ids or it "
        + "has an Idempotency-Key: events that are there answer exists"
    case (.notConfigured, _):
      "the server has no segment to write to in this ledger; the administrator must set STREAKS_WRITER to the name of one"
    case (_, .missingZone):
      "the ledger's time zone is unknown to the server; the administrator must install it"
    default: "the stored events cannot be read; the administrator must check the server's log"
    }
  }
}

extension Failure {
  fileprivate var fileName: String { place.map { $0.fileName } ?? "" }

  fileprivate var namingFiles: Failure {
    guard case .other(let place)? = detail else { return self }
    var failure = self
    failure.detail = .other(Place(file: place.fileName, line: place.line, column: place.column))
    return failure
  }
}

extension Place {
  fileprivate var fileName: String { file.parts(at: "/").last.map(String.init) ?? file }
}

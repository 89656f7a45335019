package import EventLog
import StreakDomain

extension Problem {
  /// What a command has against it, in the words of a request: an option is a parameter here.
  init(_ error: CommandError, in route: Route) {
    switch error {
    case .log(let error): self.init(error)
    case .notFound(let says): self.init(.noHabit, says)
    case .unknownZone:
      self.init(
        .unreadable, "the ledger's time zone is unknown to the server; the administrator must install it")
      forTheLog = error.message
    case .usage, .refused, .notServed, .predicate, .imports:
      var says = String(error.message.parts(at: " ", most: 2).last ?? "")
      for parameter in route.parameters {
        says = says.replacingBytes(of: "--" + parameter.name, with: parameter.name)
      }
      self.init(.badParameter, says)
    }
  }

  /// What the log has against it; of its own files only the names are given.
  package init(_ error: LogError) {
    switch error {
    case .noLedger:
      self.init(
        .noLedger,
        "nothing is recorded for this person yet; post a ledger.opened with a zone, and the definitions of habits"
      )
    case .badLine(let place, _, let problem) where place.file == EventBody.name:
      self.init(problem.isOfTheText ? .badBody : .badEvent, "\(place): \(problem.plainSentence)")
      self.place = (place.line, place.column)
    case .refused(let place, _, let refusal):
      self.init(.badEvent, "\(place): \(refusal.plainSentence)")
      self.place = (place.line, place.column)
    case .objected(let place, let objection):
      self.init(.badEvent, place.map { "\($0): \(objection.says)" } ?? objection.says)
      self.place = place.map { ($0.line, $0.column) }
    case .conflict(let place, _, let id, let first):
      let segment = Place(
        file: first.file.parts(at: "/").last.map(String.init) ?? first.file, line: first.line,
        column: first.column)
      self.init(
        .conflict,
        "\(place): the id \(quoted(id)) is taken by a different event at \(segment); "
          + "give this one another id, or leave the id out")
      self.place = (place.line, place.column)
    case .changedPast(let place, _):
      let segment = place.file.parts(at: "/").last.map(String.init) ?? place.file
      self.init(
        .changedPast,
        "\(segment):\(place.line) is not as it was delivered; begin again with after=start, or with what is recorded from now on by leaving the cursor out"
      )
      forTheLog = error.message
    case .wrongPosition(let expected, let actual):
      self.init(
        .moved, "expected \(expected) events, and the ledger has \(actual); re-read it and decide again")
      headers = [("ETag", EntityTag(position: actual).text)]
    default: self.init(ofTheServer: error)
    }
  }

  /// What the client can do nothing about; the server's own log has the details.
  private init(ofTheServer error: LogError) {
    switch error {
    case .busy:
      self.init(.busy, "another request has been writing to this ledger too long; send this one again")
      headers = [("Retry-After", "1")]
    case .noTimeLeft(_, let recorded):
      self.init(
        .clockAhead,
        "the newest event was recorded at \(recorded), after which there is no time left; the administrator "
          + "must check the server's clock")
    case .clockAhead(let ahead):
      self.init(
        .clockAhead,
        "today is \(ahead.today) and the date of now is \(ahead.date), so some clock was wrong: send a day.corrected "
          + "with \"to\":\"\(ahead.date)\" if it was that of an earlier event, or have the server's clock set"
      )
    case .notWritten, .ownedElsewhere, .shortSegment:
      self.init(.notWritten, "the server could not write; nothing of the request is recorded")
    case .unknownOutcome:
      self.init(
        .outcomeUnknown,
        "whether it is on the disk is unknown; send the same request again, which is safe if its events have ids or it has "
          + "an Idempotency-Key: events that are there answer exists")
    case .badWriter:
      self.init(.notConfigured, "STREAKS_WRITER does not name a segment")
    case .unnamedWriter:
      self.init(
        .notConfigured,
        "the ledger has many segments, and the server would begin one more; the administrator must set STREAKS_WRITER"
      )
    case .tooManySegments(let count):
      self.init(
        .unreadable,
        "the ledger has \(count) segments, and changes can be followed in at most \(Cursor.mostSegments)")
    default:
      self.init(
        .unreadable, "the stored events cannot be read; the administrator must check the server's log")
    }
    forTheLog = error.message
  }
}

extension LineProblem {
  /// Whether the text is no JSON that can be read, whatever event it was to be.
  fileprivate var isOfTheText: Bool {
    switch self {
    case .notUTF8, .notJSON, .conflictMarker, .blankLine, .tooDeep, .duplicateKey: true
    default: false
    }
  }
}

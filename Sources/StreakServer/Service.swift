import EventLog
import Inspection
import StreakCommands
import StreakDomain
import Synchronization

/// The execution of one request, which runs the command of the request's route on the ledger in `folder`.
struct Service {
  let request: Request
  let folder: String
  let context: Context
  let limits: Server.Limits
  let pool: LedgerPool

  /// Returns a document with its entity tag, or only the tag if the client has the document already.
  func document(_ route: Route, _ words: [String]) throws(Problem) -> Response {
    let known = try request["if-none-match"].map { (text) throws(Problem) in
      text == "*" ? [text] : try EntityTag.list(text, in: "If-None-Match")
    }
    let (position, body) = try run(route, words, try route.options(of: request))
    let tag = EntityTag.text(position: position, body: body)
    let headers = [(name: "ETag", value: tag), ("Cache-Control", "private, no-cache")]
    // A proxy that compresses the answer marks its tag as weak.
    if let known, known.contains(where: { [tag, "W/" + tag, "*"].contains($0) }) {
      return Response(.notModified, headers: headers)
    }
    return Response(.ok, headers: [("Content-Type", route.contentType)] + headers, body: body)
  }

  private func run(
    _ route: Route, _ words: [String], _ options: [String: [String]]
  ) throws(Problem) -> (position: Int, body: [UInt8]) {
    guard let command = route.command else { throw Problem(.noPath, "no ledger is read here") }
    let (at, on) = (options["--at"]?.first, options["--on"]?.first)
    let (point, day) = (at.flatMap { Point($0) }, on.flatMap { Day($0) })
    var (body, size, position) = ([UInt8](), 0, 0)
    var context = context
    let limit = OutputLimit(limits.answer)
    context.outputLimit = limit
    context.output = { piece in
      size += piece.count
      if size <= limits.answer { body += piece }
    }
    let values = options.merging(route.fixed.options) { $1 }
    let readsHistory = route.readsHistory || at != nil || on != nil
    try use(command, values, words + route.fixed.words, context) { (ledger, invocation) throws(Problem) in
      var invocation = invocation
      try ledger.use(readsHistory: readsHistory) { () throws(Problem) in
        do throws(Failure) {
          let state = try ledger.begin(&invocation)
          try checkDays(of: state, through: [day, point?.day].compactMap(\.self).max())
          _ = try command(invocation)
          position = invocation.shownPosition
        } catch {
          if limit.isExceeded { throw tooLarge(route) }
          let problem = Problem(error, in: route)
          // The point and the day are well-formed, so the ledger doesn't reach them.
          let isPoint = error.kind == .usage && point != nil && (on == nil || day != nil)
          throw isPoint ? Problem(.noPoint, problem.detail) : problem
        }
      }
    }
    guard size <= limits.answer else { throw tooLarge(route) }
    return (position, body)
  }

  /// Throws if a command that folds `ledger` through `day`, which may be after today, would take too long.
  private func checkDays(of ledger: Ledger, through day: Day?) throws(Failure) {
    let days = ledger.habitDays(through: day)
    guard let day, let today = ledger.today, day > today, days > HabitDays.readingLimit else { return }
    throw Failure(.refused, HabitDays.refusal(of: days, limit: HabitDays.readingLimit))
  }

  /// Returns the problem for an answer that is too large, which suggests a smaller request.
  private func tooLarge(_ route: Route) -> Problem {
    let smaller =
      switch route.pattern {
      case "/v1/streaks/{habit}/calendar": "ask for one year with ?year="
      case "/v1/audit/{habit}": "ask without history"
      case "/", "/v1/report": "ask for /v1/state, or make a page with `streaks report --from`"
      default: "ask for one habit at /v1/streaks/{habit}"
      }
    return Problem(
      status: .contentTooLarge, "the answer would have more than \(limits.answer) bytes; \(smaller)")
  }

  /// Calls `body` with the ledger and an invocation of `command`; throws if the ledger is too large to be folded.
  func use(
    _ command: Command, _ options: [String: [String]] = [:], _ words: [String] = [],
    _ context: Context? = nil,
    _ body: (ServedLedger, Invocation) throws(Problem) -> Void
  ) throws(Problem) {
    let values = options.merging(["--events": [folder]]) { $1 }
    let invocation = Invocation(
      context ?? self.context, command, Arguments(positionals: words, values: values))
    try pool.use(folder) { (ledger) throws(Problem) in
      try ledger.requireFewDays(invocation)
      try body(ledger, invocation)
    }
  }

  /// Records the events in the body that `read` returns.
  func post(_ route: Route, _ read: () throws(Problem) -> [UInt8]) throws(Problem) -> Response {
    _ = try route.options(of: request)
    let drafts = try drafts(read)
    let positions = try positions()
    var (isNew, answer) = (false, (results: [AppendResult](), position: 0))
    try use(.append) { (ledger, invocation) throws(Problem) in
      try ledger.use { () throws(Problem) in
        do throws(Failure) {
          let first = try invocation.writer.firstWrite()
          answer = try ledger.append(drafts, ifPosition: positions, invocation, wait: limits.wait)
          isNew = answer.results.contains { $0.status == .recorded }
          if isNew { first.makeGitFiles() }
        } catch { throw Problem(error) }
      }
    }
    return Response(
      isNew ? .created : .ok,
      headers: [
        ("Content-Type", "application/json"), ("ETag", EntityTag.text(position: answer.position)),
        ("Cache-Control", "no-store"),
      ], body: Array((answer.results.document.line + "\n").utf8))
  }

  private func drafts(_ read: () throws(Problem) -> [UInt8]) throws(Problem) -> [Draft] {
    if let coding = request["content-encoding"], coding.asciiLowercased != "identity" {
      throw Problem(.badContentType, "Content-Encoding is \(quoted(coding)); send the body as it is")
    }
    let isLines = try request.isLines()
    let key = try request.idempotencyKey()
    let body = try read()
    guard String(validating: body, as: UTF8.self) != nil else {
      throw Problem(.badBody, "the body is not valid UTF-8")
    }
    var drafts: [Draft] = []
    do throws(Failure) {
      if isLines {
        try JSONLines.each(body) { (line, number) throws(Failure) in
          drafts.append(try Draft(line: line, file: Problem.body, number: number))
        }
      } else {
        try EventDocument(body, file: Problem.body).each { drafts.append($0) }
      }
    } catch {
      var failure = error
      if error.kind == .notJSON, !isLines, body.contains(0x0A) {
        failure.remedy = "several events, one a line, need Content-Type: application/x-ndjson"
      }
      throw Problem(failure)
    }
    guard !drafts.isEmpty else { throw Problem(.badBody, "the body has no event") }
    for (index, draft) in drafts.enumerated() {
      // The zone of the server may not be that of the person.
      if case .ledgerOpened = draft.event.payload, draft.zone == nil {
        throw Problem(Failure(.missingField, "ledger.opened needs the field \"zone\"", at: draft.place))
      }
      if let key, draft.id == nil { drafts[index].id = "\(key):\(index + 1)" }
    }
    return drafts
  }

  /// Returns the numbers of events that the ledger may have according to `If-Match`; empty if any number is acceptable.
  private func positions() throws(Problem) -> [Int] {
    guard request.fields["if-none-match"] == nil else {
      throw Problem(
        .badHeader, "If-None-Match is for reading; with If-Match: \"0\" there must be no ledger yet")
    }
    guard let text = request.fields["if-match"] else { return [] }
    let positions = try EntityTag.list(text, in: "If-Match").compactMap(EntityTag.position)
    guard !positions.isEmpty else {
      throw Problem(.moved, "no tag of If-Match names a position; a ledger's tag begins with one")
    }
    return positions
  }
}

extension Point {
  /// The day through which the ledger is folded for this point, or `nil` if the point is neither a day nor a time.
  fileprivate var day: Day? {
    switch self {
    case .day(let day): day
    case .time(let time): time.localDay
    case .position, .event, .end: nil
    }
  }
}

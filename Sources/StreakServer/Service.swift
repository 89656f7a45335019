import EventLog
import Inspection
import StreakCommands
import StreakDomain

/// Answers one request by running the command of its route on the login's ledger.
struct Service {
  let request: Request
  let context: Context
  let pool: LedgerPool

  func response() -> Response {
    do throws(Problem) {
      let folder = try folder()
      let (route, words) = try Route.matching(request)
      let options = try route.options(of: request)
      guard let command = route.command else { return route.answer(route.document()) }
      if route.method == "POST" { return try append(to: folder, command) }
      return try document(route, command, words, options, folder)
    } catch { return response(to: error) }
  }

  private func response(to problem: Problem) -> Response {
    if let says = problem.forTheLog { context.errors(says + "\n") }
    return problem.response(to: request.path)
  }

  /// Sends each new event to a connection until it is closed; returns an error response if it cannot begin.
  ///
  /// `caughtUp` is called once the listener shares the fold of the others.
  func listen(_ connection: any Connection, quiet: Duration, caughtUp: () -> Void) -> Response? {
    do throws(Problem) {
      let folder = try folder()
      let options = try Route.changes.options(of: request)
      let cursor = try cursor(options)
      guard pool.hasRoom(toListenTo: folder) else {
        var problem = Problem(
          .busy, "the ledgers that others listen to take all memory there is; come back later")
        problem.headers = [("Retry-After", "10")]
        throw problem
      }
      let invocation = Invocation(
        context, .timeline,
        Arguments(positionals: [], values: ["--json": [""], "--events": [folder]]))
      do throws(Failure) {
        try use(folder, invocation) { (ledger) throws(Failure) in
          let listener = ChangeListener(
            connection: connection, broadcast: ledger.changes,
            make: { (cursor) throws(Failure) in try ChangeFeed(invocation, after: cursor) }, quiet: quiet
          )
          try listener.run(after: cursor, isHead: request.method == "HEAD", caughtUp: caughtUp)
        }
        return nil
      } catch { throw try problem(error, Route.changes) }
    } catch { return response(to: error) }
  }

  /// Returns the cursor from which to continue; a client that reconnects sends it in a header.
  private func cursor(_ options: [String: [String]]) throws(Problem) -> Cursor? {
    let form = "a cursor that came with a change, or start"
    if let text = request.header("Last-Event-ID") {
      guard let cursor = Cursor(text) else {
        throw Problem(.badHeader, "Last-Event-ID is \(quoted(text)); it must be \(form)")
      }
      return cursor
    }
    guard let text = options["--after"]?.first else { return nil }
    guard let cursor = Cursor(text) else {
      throw Problem(.badParameter, "after is \(quoted(text)); it must be \(form)")
    }
    return cursor
  }

  private func folder() throws(Problem) -> String {
    (request.variable("STREAKS_ROOT") ?? "") + "/" + (try request.login())
  }

  private func document(
    _ route: Route, _ command: Command, _ words: [String], _ options: [String: [String]], _ folder: String
  ) throws(Problem) -> Response {
    let (present, known) = (try wanted("If-Match"), try wanted("If-None-Match"))
    let (tag, body) = try run(route, command, words, options, folder)
    if let present, !present.isMet(by: tag) {
      throw Problem(.moved, "the document has another tag now, \(tag.text)")
    }
    let headers = [(name: "ETag", value: tag.text), ("Cache-Control", "private, no-cache")]
    if let known, known.isKnown(tag) {
      return Response(.notModified, headers: headers)
    }
    return Response(.ok, headers: [("Content-Type", route.contentType)] + headers, body: body)
  }

  private func run(
    _ route: Route, _ command: Command, _ words: [String], _ options: [String: [String]], _ folder: String
  ) throws(Problem) -> (EntityTag, [UInt8]) {
    var body: [UInt8] = []
    var context = context
    context.output = { body += $0 }
    let fixed = route.fixed.options.merging(["--events": [folder]]) { $1 }
    var invocation = Invocation(
      context, command,
      Arguments(positionals: words + route.fixed.words, values: options.merging(fixed) { $1 }))
    let requestContext = try requestContext(invocation)
    do throws(Failure) {
      let state = try use(folder, invocation) { (ledger) throws(Failure) in try ledger.state(requestContext) }
      invocation.begin(with: state.ledger, recorded: state.recorded, ends: state.ends)
      _ = try command(invocation)
    } catch {
      if error.kind == .usage, namesPoint(options) {
        throw Problem(.noPoint, Problem(error, in: route).detail)
      }
      throw try problem(error, route)
    }
    return (EntityTag(position: invocation.shownPosition, body: body), body)
  }

  private func use<Result, Failure: Error>(
    _ folder: String, _ invocation: Invocation, _ body: (ServedLedger) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    func make() -> ServedLedger {
      ServedLedger(folder: folder, writer: invocation.writer.segment, reading: ReadingOptions())
    }
    return try pool.use(folder, make, body)
  }

  private func requestContext(_ invocation: Invocation) throws(Problem) -> ServedLedger.RequestContext {
    ServedLedger.RequestContext(
      machineZone: context.machineZone(), wait: .seconds(try request.wait()), clock: context.clock,
      isRead: { (stream) throws(Failure) in try invocation.reader.report(stream) })
  }

  private func namesPoint(_ options: [String: [String]]) -> Bool {
    guard let at = options["--at"]?.first, Point(at) != nil else { return false }
    return options["--on"].map { $0.first.flatMap { Day($0) } != nil } ?? true
  }

  /// Returns the condition in a header, or `nil` if it is missing, or empty in a request that only reads.
  private func wanted(_ header: String) throws(Problem) -> EntityTag.Wanted? {
    guard let text = request.givenHeader(header), request.method == "POST" || !text.isEmpty else {
      return nil
    }
    return try EntityTag.wanted(text, in: header)
  }

  private func append(to folder: String, _ command: Command) throws(Problem) -> Response {
    let (drafts, bytes) = try drafts()
    let events = PostedEvents(drafts, condition: try condition(), bytes: bytes)
    if events.opens { try requireRoot() }
    let invocation = Invocation(
      context, command, Arguments(positionals: [], values: ["--events": [folder]]))
    let requestContext = try requestContext(invocation)
    let first: FirstWrite
    do throws(Failure) { first = try invocation.writer.firstWrite() } catch { throw Problem(error) }
    let answer: PostedEvents.Answer
    do throws(Problem) {
      answer = try use(folder, invocation) { (ledger) throws(Problem) in
        try ledger.append(events, requestContext)
      }
    } catch {
      // If the root folder is missing too, that is the problem to report.
      if error.kind == .noLedger { try requireRoot() }
      throw error
    }
    let isNew = answer.results.contains { $0.status == .recorded }
    if isNew {
      context.recorded()
      first.makeGitFiles()
    }
    return Response(
      isNew ? .created : .ok,
      headers: [
        ("Content-Type", "application/json"), ("ETag", EntityTag(position: answer.position).text),
        ("Cache-Control", "no-store"),
      ], body: Array((answer.results.document.line + "\n").utf8))
  }

  private func drafts() throws(Problem) -> (drafts: [Draft], bytes: Int) {
    if let coding = request.header("Content-Encoding"), coding.asciiLowercased != "identity" {
      throw Problem(.badContentType, "Content-Encoding is \(quoted(coding)); send the body as it is")
    }
    let isLines = try EventBody.isLines(request.contentType)
    let body = try request.body(context.input)
    var drafts = try EventBody.drafts(body, isLines: isLines)
    let key = try request.idempotencyKey()
    for (index, draft) in drafts.enumerated() {
      func refuse(_ says: String) -> Problem {
        var problem = Problem(.badEvent, "\(draft.place): \(says)")
        problem.place = (draft.place.line, draft.place.column)
        return problem
      }
      // The server's own zone may not be that of the person.
      if case .ledgerOpened = draft.event.payload, draft.zone == nil {
        throw refuse("ledger.opened needs the field \"zone\"")
      }
      if let key, draft.id == nil { drafts[index].id = "\(key):\(index + 1)" }
    }
    return (drafts, body.count)
  }

  private func condition() throws(Problem) -> PostedEvents.Condition {
    let absent = try wanted("If-None-Match")
    guard let present = try wanted("If-Match") else {
      guard let absent else { return .none }
      guard case .any = absent else {
        throw Problem(.badHeader, "If-None-Match may only be * here: no ledger yet; a position is If-Match")
      }
      return .positions([0])
    }
    guard absent == nil else { throw Problem(.badHeader, "If-Match and If-None-Match do not go together") }
    switch present {
    case .any: return .begun
    case .tags(let tags):
      let positions = tags.compactMap(\.position)
      guard !positions.isEmpty else {
        throw Problem(.moved, "no tag of If-Match names a position; a ledger's tag begins with one")
      }
      return .positions(positions)
    }
  }

  /// Returns the problem for a command's failure; if the root folder is missing, throws that instead.
  private func problem(_ error: Failure, _ route: Route) throws(Problem) -> Problem {
    if error.kind == .noLedger { try requireRoot() }
    return Problem(error, in: route)
  }

  private func requireRoot() throws(Problem) {
    do throws(SystemError) {
      _ = try SystemDisk().names(in: request.variable("STREAKS_ROOT") ?? "")
    } catch {
      var problem = Problem(
        .notConfigured, "the folder that STREAKS_ROOT names cannot be listed; the server's log says why")
      problem.forTheLog = "streaks: STREAKS_ROOT: \(error)"
      throw problem
    }
  }
}

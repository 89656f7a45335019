import EventLog
import Inspection
import StreakCommands
import StreakDomain

/// The execution of one request, which runs the command of the request's route on the ledger.
struct Service {
  let server: Server
  let request: Request
  let route: Route
  let exchange: Exchange
  let invocation: Invocation

  /// Returns the answer to a request for a document or with events to record.
  func answer() throws(Problem) -> Response {
    let isOfPast = ["--at", "--on"].contains { invocation.arguments.has($0) }
    let readsHistory = route.readsHistory || isOfPast
    return try server.slots.work(on: exchange, readsHistory: readsHistory, refusal: refusal) {
      () throws(Problem) in
      guard route.method == "POST" else { return try document() }
      try checkLedger()
      return try route.pattern == Route.events.pattern ? post() : change()
    }
  }

  /// The answer to a request that takes too much processor time.
  var refusal: Response {
    let problem = Problem(
      .tookTooLong,
      """
      the request took more than \(Int(server.limits.work / .seconds(1))) s of processor time, and \
      the service begins anew; ask for less, or send the same events again if they have ids
      """)
    return problem.response(to: request.path)
  }

  private func document() throws(Problem) -> Response {
    var invocation = invocation
    let ledger = try server.ledger.begin(&invocation)
    let isOfSettings = route.pattern == Route.settings.pattern
    let body =
      isOfSettings ? Service.document(LedgerSettings(of: ledger)) : try output(of: invocation)
    // Settings and a list of entries have no position of their own.
    let hasPosition = !isOfSettings && route.word == nil
    let position = hasPosition ? invocation.shownPosition : ledger.position

    let headers = [("Content-Type", route.contentType), ("Cache-Control", "private, no-cache")]
    return try request.answer(
      body, EntityTag.text(position: position, body: body), headers + identity)
  }

  private static func document(_ value: some Encodable) -> [UInt8] {
    JSONValue.document(.init(of: value)).line
  }

  /// The header with the id of the ledger's first event, by which a client recognises the ledger.
  private var identity: [(String, String)] {
    server.ledger.firstID.map { [("Streaks-Ledger", $0)] } ?? []
  }

  /// Throws if the client means another ledger.
  private func checkLedger() throws(Problem) {
    guard let wanted = request.fields["streaks-ledger"] else { return }
    var invocation = invocation
    _ = try server.ledger.begin(&invocation)
    guard server.ledger.firstID == wanted else {
      throw Problem(.otherLedger, "this is another ledger than \(quoted(wanted)); load it again")
    }
  }

  /// Runs a command, by default that of the route, and returns what it prints.
  private func output(
    of invocation: Invocation, by command: (any Command.Type)? = nil
  ) throws(Problem) -> [UInt8] {
    var body: [UInt8] = []
    var size = 0
    let limit = OutputLimit(server.limits.answer)
    var invocation = invocation
    var steps = 0
    invocation.context.isAbandoned = {
      steps += 1
      return steps % 64 == 1 && exchange.connection.isAbandoned
    }
    invocation.context.outputLimit = limit
    invocation.context.output = { piece in
      size += piece.count
      if size <= server.limits.answer { body += piece }
    }

    do throws(Failure) {
      if exchange.connection.isAbandoned {
        throw Failure(.refused, "the client has disconnected")
      }
      _ = try (command ?? route.command)?.run(invocation)
      try limit.check(size)
      return body
    } catch {
      throw problem(error, isTooLarge: limit.isExceeded)
    }
  }

  /// Returns the problem for a failure of the command.
  private func problem(_ failure: Failure, isTooLarge: Bool) -> Problem {
    let isPage = route.contentType.begins(with: "text/html")
    if isTooLarge || isPage && failure.kind == .refused {
      return Problem(status: .contentTooLarge, "\(failure.says); \(route.smaller)")
    }
    let problem = Problem(failure)
    let isNotUndone = failure.kind == .notFound && route.word == "event"
    return isNotUndone ? Problem(.notUndone, problem.detail) : problem
  }

  /// Records the events in the body.
  private func post() throws(Problem) -> Response {
    let (results, position) = try server.ledger.append(
      drafts(), ifPosition: positions(), invocation, wait: server.limits.wait)
    let isNew = results.contains { $0.status == .recorded }
    let body = Service.document(WriteAnswer(results.map { EventResult($0) }))
    return written(body, at: position, status: isNew ? .created : .ok)
  }

  /// Runs the command with the members of the body as its options, and returns what it prints.
  private func change() throws(Problem) -> Response {
    guard try !request.isLines() else {
      throw Problem(.badContentType, "the body must be one JSON object")
    }
    let positions = try positions()
    guard positions.count < 2 else { throw Problem(.badHeader, "If-Match must be one tag here") }
    var options: [String: [String]] = [:]
    options["--expect"] = positions.first.map { ["\($0)"] }
    options["--id"] = try request.idempotencyKey().map { [$0] }

    var invocation = invocation
    invocation.arguments = try route.arguments(ofBody: request.body)
      .adding(Arguments(positionals: [], values: options)).adding(invocation.arguments)
    let body = try output(of: invocation)
    return written(body, at: try server.ledger.begin(&invocation).position, status: .ok)
  }

  /// Returns the answer to a request that wrote, with the streaks after it if the client prefers
  /// that (RFC 7240, section 4.2).
  private func written(_ body: [UInt8], at position: Int, status: HTTPStatus) -> Response {
    var headers = [
      ("Content-Type", route.contentType), ("ETag", EntityTag.text(position: position)),
      ("Cache-Control", "no-store"),
    ]
    var body = body
    if request.prefersRepresentation, let longer = try? withStreaks(body) {
      body = longer
      headers.append(("Preference-Applied", "return=representation"))
    }
    return Response(status: status, headers: headers + identity, body: body)
  }

  /// Returns the document `body` with another member: what `/v1/streaks` answers now.
  private func withStreaks(_ body: [UInt8]) throws -> [UInt8] {
    guard case .object(let members) = try JSONValue(parsing: body).kind else { return body }
    var invocation = invocation
    let options = ["--json": [""], "--events": [invocation.folder]]
    invocation.arguments = Arguments(positionals: [], values: options)
    _ = try server.ledger.begin(&invocation)
    let streaks = try output(of: invocation, by: CommandList.show)
    return JSONValue.object(inOrder: members + [("streaks", .raw(Array(streaks.dropLast())))]).line
  }

  private func drafts() throws(Problem) -> [Draft] {
    if let coding = request["content-encoding"], coding.asciiLowercased != "identity" {
      throw Problem(
        .badContentType, "Content-Encoding is \(quoted(coding)); send the body as it is")
    }
    let isLines = try request.isLines()
    let key = try request.idempotencyKey()
    let body = request.body
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
    } catch { throw Problem(error) }

    guard !drafts.isEmpty else { throw Problem(.badBody, "the body has no event") }
    for (index, draft) in drafts.enumerated() {
      // The zone of the server may not be that of the person.
      if case .ledgerOpened = draft.event.payload, draft.zone == nil {
        throw Problem(
          Failure(.missingField, "ledger.opened needs the field \"zone\"", at: draft.place))
      }
      if let key, draft.id == nil { drafts[index].id = "\(key):\(index + 1)" }
    }
    return drafts
  }

  /// Returns the numbers of events that the ledger may have according to `If-Match`; empty if any
  /// number is acceptable.
  private func positions() throws(Problem) -> [Int] {
    guard request.fields["if-none-match"] == nil else {
      throw Problem(
        .badHeader, "If-None-Match is for reading; with If-Match: \"0\" there must be no ledger yet"
      )
    }
    guard let text = request.fields["if-match"] else { return [] }
    let positions = try EntityTag.list(text, in: "If-Match").compactMap(EntityTag.position)
    guard !positions.isEmpty else {
      throw Problem(
        .moved,
        """
        If-Match has no strong tag with a position, such as "5147"; remove the W/ that a web \
        server adds when it compresses
        """)
    }
    return positions
  }
}

import EventLog
import Inspection
import StreakCommands
import StreakDomain
import Synchronization

/// The execution of one request: it runs the command of the request's route on a ledger.
struct Service {
  let request: Request
  /// The folder of the ledger; `root` is the folder of all ledgers, or `nil` if there are no logins.
  let folder: String
  let root: String?
  let context: Context
  let limits: Server.Limits
  let pool: LedgerPool

  func response(_ route: Route, _ words: [String], body: () throws(Problem) -> [UInt8]) throws(Problem)
    -> Response
  {
    let options = try route.options(of: request)
    do throws(Problem) {
      if route.method == "POST" { return try append(body) }
      return try document(route, words, options)
    } catch {
      // If the folder of all ledgers is missing, too, then report that problem instead.
      if error.kind == .noLedger { try requireRoot() }
      throw error
    }
  }

  private func document(
    _ route: Route, _ words: [String], _ options: [String: [String]]
  ) throws(Problem) -> Response {
    let (present, known) = (try wanted("If-Match"), try wanted("If-None-Match"))
    let (tag, body) = try run(route, words, options)
    if let present, !present.contains(tag, takesWeak: false) {
      throw Problem(.moved, "the document has another tag now, \(tag.text)")
    }
    let headers = [(name: "ETag", value: tag.text), ("Cache-Control", "private, no-cache")]
    if let known, known.contains(tag, takesWeak: true) { return Response(.notModified, headers: headers) }
    return Response(.ok, headers: [("Content-Type", route.contentType)] + headers, body: body)
  }

  private func run(
    _ route: Route, _ words: [String], _ options: [String: [String]]
  ) throws(Problem) -> (EntityTag, [UInt8]) {
    guard let command = route.command else { throw Problem(.noPath, "no ledger is read here") }
    var (body, size) = ([UInt8](), 0)
    var context = context
    context.outputLimit = OutputLimit(limits.answer)
    context.output = { piece in
      size += piece.count
      if size <= limits.answer { body += piece }
    }
    var invocation = Invocation(
      context, command,
      Arguments(
        positionals: words + route.fixed.words,
        values: options.merging(route.fixed.options) { $1 }.merging(["--events": [folder]]) { $1 }))
    let readsHistory = route.readsHistory || options["--at"] != nil || options["--on"] != nil
    try use(invocation) { (ledger, requestContext) throws(Problem) in
      let state = try ledger.state(requestContext)
      if let day = asked(options), day > state.ledger.today ?? Day.last,
        let refusal = HabitDays.refusal(
          HabitDays.count(in: state.ledger, through: day), .badParameter, limit: HabitDays.readingLimit)
      {
        throw refusal
      }
      invocation.begin(with: state.ledger, recorded: state.recorded, ends: state.ends)
      do throws(Failure) {
        if readsHistory {
          try ledger.history.withLock { _ throws(Failure) in _ = try command(invocation) }
        } else {
          _ = try command(invocation)
        }
      } catch {
        if context.outputLimit?.isExceeded == true { return size = limits.answer + 1 }
        if error.kind == .usage, namesPoint(options) {
          throw Problem(.noPoint, Problem(error, in: route).detail)
        }
        throw Problem(error, in: route)
      }
    }
    guard size <= limits.answer else { throw tooLarge(route) }
    return (EntityTag(position: invocation.shownPosition, body: body), body)
  }

  /// Returns the problem that an answer is too large, with a smaller request as the remedy.
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

  func use(
    _ invocation: Invocation, _ body: (ServedLedger, ServedLedger.RequestContext) throws(Problem) -> Void
  ) throws(Problem) {
    let requestContext = ServedLedger.RequestContext(
      machineZone: context.machineZone(), wait: limits.wait, clock: context.clock,
      isRead: { (stream) throws(Failure) in try invocation.reader.report(stream) })
    func make() -> ServedLedger {
      ServedLedger(
        folder: folder, writer: invocation.writer.segment, reading: ReadingOptions(),
        messageLimit: limits.answer)
    }
    try pool.use(folder, make) { (ledger) throws(Problem) in try body(ledger, requestContext) }
  }

  /// Returns the latest day that `on` or `at` names, up to which the ledger is folded.
  private func asked(_ options: [String: [String]]) -> Day? {
    var days = options["--on"]?.compactMap { Day($0) } ?? []
    switch options["--at"]?.first.flatMap({ Point($0) }) {
    case .day(let day)?: days.append(day)
    case .time(let time)?: days.append(time.localDay)
    default: break
    }
    return days.max()
  }

  private func namesPoint(_ options: [String: [String]]) -> Bool {
    guard let at = options["--at"]?.first, Point(at) != nil else { return false }
    return options["--on"].map { $0.first.flatMap { Day($0) } != nil } ?? true
  }

  /// Returns the entity tags in `header`, or `nil` if it is missing or, in a request that only reads, empty.
  private func wanted(_ header: String) throws(Problem) -> EntityTag.Wanted? {
    guard let text = request.fields[header.asciiLowercased], request.method == "POST" || !text.isEmpty else {
      return nil
    }
    return try EntityTag.wanted(text, in: header)
  }

  private func append(_ body: () throws(Problem) -> [UInt8]) throws(Problem) -> Response {
    let events = PostedEvents(try drafts(body), condition: try condition())
    if events.opens { try requireRoot() }
    let invocation = Invocation(context, .append, Arguments(positionals: [], values: ["--events": [folder]]))
    let first: FirstWrite
    do throws(Failure) { first = try invocation.writer.firstWrite() } catch { throw Problem(error) }
    var (results, position) = ([AppendResult](), 0)
    try use(invocation) { (ledger, requestContext) throws(Problem) in
      (results, position) = try ledger.append(events, requestContext)
    }
    let isNew = results.contains { $0.status == .recorded }
    if isNew {
      context.recorded()
      first.makeGitFiles()
    }
    return Response(
      isNew ? .created : .ok,
      headers: [
        ("Content-Type", "application/json"), ("ETag", EntityTag(position: position).text),
        ("Cache-Control", "no-store"),
      ], body: Array((results.document.line + "\n").utf8))
  }

  private func drafts(_ body: () throws(Problem) -> [UInt8]) throws(Problem) -> [Draft] {
    if let coding = request["content-encoding"], coding.asciiLowercased != "identity" {
      throw Problem(.badContentType, "Content-Encoding is \(quoted(coding)); send the body as it is")
    }
    let isLines = try EventBody.isLines(request["content-type"])
    let key = try request.idempotencyKey()
    var drafts = try EventBody.drafts(try body(), isLines: isLines)
    for (index, draft) in drafts.enumerated() {
      // The zone of the server may not be that of the person.
      if case .ledgerOpened = draft.event.payload, draft.zone == nil {
        var problem = Problem(.badEvent, "\(draft.place): ledger.opened needs the field \"zone\"")
        problem.place = (draft.place.line, draft.place.column)
        throw problem
      }
      if let key, draft.id == nil { drafts[index].id = "\(key):\(index + 1)" }
    }
    return drafts
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
    guard case .tags(let tags) = present else { return .begun }
    let positions = tags.compactMap(\.position)
    guard !positions.isEmpty else {
      throw Problem(.moved, "no tag of If-Match names a position; a ledger's tag begins with one")
    }
    return .positions(positions)
  }

  private func requireRoot() throws(Problem) {
    guard let root else { return }
    do throws(SystemError) { _ = try SystemDisk().names(in: root) } catch {
      var problem = Problem(
        .notConfigured, "the folder of the ledgers cannot be listed; the server's log says why")
      problem.forTheLog = "streaks: --root: \(error)"
      throw problem
    }
  }
}

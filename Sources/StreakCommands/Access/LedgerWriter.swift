package import EventLog
import Inspection
package import StreakDomain

/// The settings of an append that the command itself chooses, unlike options such as `--expect`.
struct WriteOptions {
  /// Whether a missing folder is created.
  var makesFolder = false
  /// Whether a segment that a sync program evicted is an error.
  ///
  /// The folder may then already contain a ledger.
  var requiresAllSegments = false
  /// Whether the first definition of a habit is an error while lines of the log are missing.
  ///
  /// These lines may already define the habit.
  var requiresDefinitions = false
  /// The log if the command has read it already.
  var log: FoldedLog?
  /// The number of events that the ledger must have, or `nil` for any number.
  ///
  /// `--expect` takes precedence.
  var expectedCount: Int?
  /// Whether the batch moves the ledger's today back after a wrong clock moved it ahead.
  var correctsDay = false
  /// Whether the batch may be large, so that its results aren't used.
  ///
  /// To save memory, a dry run then keeps no lines, and an append drops the earlier ledger.
  var isLarge = false
  /// Whether a dry run prints the changes; then the command itself prints nothing.
  var printsImpact = true
  /// Whether a dry run prints a line for each event instead of a summary.
  var listsRows = true
}

/// The access of a command to the log for appending.
package struct LedgerWriter {
  let invocation: Invocation

  /// Appends the drafts that `drafts` returns for the ledger.
  func write(
    _ options: WriteOptions = WriteOptions(), making drafts: (Ledger) throws(Failure) -> [Draft]
  ) throws(Failure) -> Decision? {
    try write(options) { (log) throws(Failure) in Drafts(try drafts(log.ledger)) }
  }

  /// Appends the drafts that `drafts` returns for the log as one batch.
  ///
  /// The log is locked meanwhile, and warnings about damaged files are printed. With `--dry-run`,
  /// nothing is written. The result is `nil` if a dry run has printed the changes.
  func write(
    _ options: WriteOptions = WriteOptions(),
    makingOf drafts: (FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision? {
    let conditions = try appendOptions(options)
    invocation.session.beginWrite()
    let first = invocation.isGuest ? nil : try firstWrite()
    if invocation.isGuest || isDryRun {
      return try simulate(options, conditions, drafts)
    }

    let decision = try append(options, conditions, drafts)
    if let decision, !decision.batch.isEmpty {
      invocation.session.noteRecorded()
      invocation.context.recorded(
        "recorded, and only the answer could not be printed; do not send it again", .done)
      if let first { announce(first) }
    }
    return decision
  }

  private var isDryRun: Bool { invocation.arguments.has("--dry-run") }

  /// Decides what would be written, or returns `nil` after printing the changes.
  private func simulate(
    _ options: WriteOptions, _ conditions: AppendOptions,
    _ drafts: (FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision? {
    if !isDryRun { invocation.warn("guest: nothing is written") }
    var cache = options.log
    let decision = try FoldedLog.reading(
      &cache, in: invocation.folder, writer: segment, conditions.reading,
      mayBegin: options.makesFolder
    ) { (log) throws(Failure) in
      try Transaction.decide(
        makeDrafts(of: log, options, conditions, drafts), on: log, options: conditions,
        random: invocation.context.random)
    }
    guard isDryRun, options.printsImpact else { return decision }
    try print(impact: decision, listsRows: options.listsRows)
    return nil
  }

  private func append(
    _ options: WriteOptions, _ conditions: AppendOptions,
    _ drafts: (FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision? {
    let log = try LogWriter(
      folder: invocation.folder, writer: segment, wait: wait, makesFolder: options.makesFolder,
      on: invocation.context.reading.disk)
    defer { invocation.session.forgetLedger() }
    invocation.session.forgetLedger()

    var cache = options.log
    return try log.append(to: &cache, if: conditions, random: invocation.context.random) {
      (log) throws(Failure) in
      try makeDrafts(of: log, options, conditions, drafts)
    }
  }

  /// Returns the command's drafts, after the checks that `options` ask for.
  private func makeDrafts(
    of log: FoldedLog, _ options: WriteOptions, _ conditions: AppendOptions,
    _ drafts: (FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Drafts {
    if options.requiresAllSegments {
      try log.stream.requireNoEvictedSegments(isForced: conditions.isForced)
    }
    try invocation.reader.report(log.stream)

    do throws(Failure) {
      let made = try drafts(log)
      if options.requiresDefinitions, !conditions.isForced { try requireDefinitions(made, log) }
      return made
    } catch {
      guard error.kind == .unknownHabit, let missing = try log.stream.shortSegments().first else {
        throw error
      }
      var failure = error
      failure.remedy = "\(missing.path) may define it; bring the missing lines back first"
      throw failure
    }
  }

  /// Throws if `drafts` define a new habit while lines that may already define it are missing.
  private func requireDefinitions(_ drafts: Drafts, _ log: FoldedLog) throws(Failure) {
    guard let missing = try log.stream.shortSegments().first else { return }
    try drafts.each { (draft) throws(Failure) in
      guard case .habitDefined(let habit) = draft.event.payload,
        log.ledger.facts.handle(of: habit.id) == nil
      else { return }
      throw Failure(
        .refused,
        """
        no habit \(quoted(habit.id)) is defined here, but \(missing.says), and the missing lines \
        may define it
        """,
        remedy: .program("restore them first, or add --force to define a new habit"))
    }
  }

  /// The maximum number of seconds to wait while another program is writing.
  var wait: Double { invocation.arguments.value("--wait").flatMap(LedgerWriter.wait) ?? 5 }

  static func wait(_ text: String) -> Double? {
    Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
  }

  /// The name of the segment to write, from `--writer` or `STREAKS_WRITER`, or else the name of
  /// this machine's segment.
  package var segment: String {
    named ?? invocation.context.machine().segment(in: invocation.folder)
  }

  /// Returns the conditions of an append, according to the command's options and `options`.
  func appendOptions(_ options: WriteOptions = WriteOptions()) throws(Failure) -> AppendOptions {
    let now = try invocation.now()
    try requireMeant(now)
    let context = invocation.context
    let machineZone = Result { () throws(Failure) in try context.machineZone() }
    var conditions = AppendOptions(now: now, machineZone: machineZone)
    conditions.zone = try zone()
    let expected = invocation.arguments.count("--expect") ?? options.expectedCount
    conditions.expected = expected.map { [$0] } ?? []
    conditions.condition = try invocation.reader.condition()
    conditions.reading = try invocation.reader.options()
    conditions.isForced = invocation.arguments.has("--force")
    conditions.correctsDay = options.correctsDay
    conditions.isRehearsal = isDryRun && options.isLarge
    conditions.isOneOfMany = !isDryRun && options.isLarge
    return conditions
  }

  /// Throws if `--now` is more than a day ahead of the clock, unless nothing is written or
  /// `--ahead` is given.
  ///
  /// An event with a wrong date in the future moves today there, and every run ends.
  private func requireMeant(_ now: Instant) throws(Failure) {
    let arguments = invocation.arguments
    let day: Int64 = 86_400_000_000
    let clock = invocation.context.now
    guard let text = arguments.value("--now"), now > clock + day, !arguments.has("--ahead"),
      !invocation.isGuest, !isDryRun
    else { return }
    throw .usage(
      """
      --now is \(quoted(text)), more than a day after this machine's clock, \(clock); the days \
      until then would end, and runs with them: add --ahead if that is meant
      """)
  }

  func zone() throws(Failure) -> String? {
    guard let zone = invocation.arguments.value("--zone") else { return nil }
    // The library may have opened a ledger in an offset such as `GMT+0200`, but a person who moves
    // with summer time means a place.
    guard Zones.isKnown(zone), !Zones.isOffset(zone) else {
      let near = Zones.name(ofOffset: zone).map { Nearest.meant($0) } ?? Zones.nearest(to: zone)
      throw .usage(
        """
        --zone is \(quoted(zone)), which is not a known time zone\(near); it must be \
        \(Syntax.zone)
        """)
    }
    return zone
  }

  /// Prints what a dry run would write and change.
  private func print(impact decision: Decision, listsRows: Bool) throws(Failure) {
    let context = invocation.context
    if invocation.isJSON {
      return context.printJSON(JSONValue.Members(of: LedgerDifference(of: decision)))
    }

    let count = decision.batch.count
    context.print(
      count == 0 ? "nothing would be written" : "would write \(counted(count, "event"))")
    try print(batchOf: decision, listsRows: listsRows)
    for result in decision.results where result.status == .exists {
      context.print(
        "  \(Escaping.visible(result.id)) is recorded already, at position \(result.position)")
    }

    let after = decision.ledgerAfter
    let difference = Difference.between(decision.ledgerBefore, after)
    let lines = DifferenceText.lines(difference, after, invocation.style)
    for line in lines { context.print(line) }
    if lines.isEmpty, count > 0 {
      context.print("and no streak, joker or achievement would change")
    }
  }

  /// Prints the events of the batch, or the numbers of events.
  private func print(batchOf decision: Decision, listsRows: Bool) throws(Failure) {
    let context = invocation.context
    let words = EventText(ledger: decision.ledgerAfter)
    var events: [Event] = []
    try decision.batch.each { event in
      guard listsRows else { return events.append(event) }
      context.print("  \(event.day)  \(Escaping.visible(words.text(of: event)))")
    }
    guard !events.isEmpty else { return }
    context.print("  " + Escaping.visible(StepCounts(events, decision.ledgerAfter).text))
    context.print("  " + invocation.style.paint(StepCounts.hint, .grey))
  }

  func draft(_ payload: Payload) -> Draft {
    var draft = Draft(payload, command: invocation.command.name)
    draft.id = invocation.arguments.value("--id")
    return draft
  }

  private var named: String? {
    invocation.arguments.value("--writer") ?? invocation.variable("STREAKS_WRITER")
  }

  /// Returns the state of the folder before a write.
  package func firstWrite() throws(Failure) -> FirstWrite {
    try FirstWrite(
      of: segment, isNamed: named != nil, in: invocation.folder,
      on: invocation.context.reading.disk)
  }

  /// For a new segment, prints its name unless the user chose it, and creates `.gitignore` and
  /// `.gitattributes`.
  func announce(_ first: FirstWrite) {
    guard first.createsSegment else { return }
    if named == nil { invocation.warn("this machine writes \(segment).jsonl") }
    first.makeGitFiles()
  }
}

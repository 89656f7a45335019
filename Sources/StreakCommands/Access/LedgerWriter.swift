package import EventLog
import Inspection
package import StreakDomain
import TimeZones

package struct LedgerWriter {
  let invocation: Invocation

  /// Appends the drafts that `drafts` returns for the ledger, and first prints warnings about
  /// damaged files.
  func write(
    making drafts: (Ledger) throws(Failure) -> [Draft]
  ) throws(Failure) -> Decision? {
    try write { (log) throws(Failure) in
      try invocation.reader.report(log.stream)
      return Drafts(try drafts(log.ledger))
    }
  }

  /// Locks the log, calls `drafts` with it, and appends the returned drafts as one batch.
  ///
  /// If `makesFolder` is true, a missing folder is created. `position` is the number of events that
  /// the ledger must have, or `nil` for any number; `--expect` overrides it. `known` is the log if
  /// the caller has read it. `correctsDay` is true if the batch moves the ledger's today back after
  /// a wrong clock moved it ahead.
  ///
  /// With `--dry-run`, nothing is written; if `printsImpact` is also true, prints the changes and
  /// returns `nil`. It prints a line for each event if `listsRows` is true, or else a summary.
  func write(
    makesFolder: Bool = false, asRead position: Int? = nil, on known: FoldedLog? = nil,
    printsImpact: Bool = true, listsRows: Bool = true, correctsDay: Bool = false,
    makingOf drafts: (FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision? {
    let context = invocation.context
    var options = try appendOptions()
    // Without `--expect`, the ledger must not have changed since the caller read it.
    if let position, options.expected.isEmpty { options.expected = [position] }
    options.correctsDay = correctsDay
    context.inputs.hasRecorded = false
    let segment = segment
    let first = invocation.isGuest ? nil : try firstWrite()
    var cache = known
    func made(of log: FoldedLog) throws(Failure) -> Drafts {
      if invocation.command == "init" {
        try log.stream.requireNoEvictedSegments(isForced: options.isForced)
      }
      // All other commands have already printed these warnings.
      if ["append", "init"].contains(invocation.command) {
        try invocation.reader.report(log.stream)
      }
      do throws(Failure) {
        let made = try drafts(log)
        if invocation.command == "define", !options.isForced { try requireDefinitions(made, log) }
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
    let isDry = invocation.arguments.has("--dry-run")
    if isDry || invocation.isGuest {
      if !isDry { invocation.warn("guest: nothing is written") }
      let decision = try FoldedLog.reading(
        &cache, in: invocation.folder, writer: segment, options.reading, mayBegin: makesFolder
      ) { (log) throws(Failure) in
        try Transaction.decide(made(of: log), on: log, options: options, random: context.random)
      }
      guard isDry, printsImpact else { return decision }
      try print(impact: decision, listsRows: listsRows)
      return nil
    }
    let log = try LogWriter(
      folder: invocation.folder, writer: segment, wait: wait, makesFolder: makesFolder,
      on: context.reading.disk)
    // The cached ledger contains neither the events that others have appended nor those that are
    // written now.
    defer { context.inputs.ledger = nil }
    context.inputs.ledger = nil
    let decision = try log.append(to: &cache, if: options, random: context.random, made)
    if let decision, !decision.batch.isEmpty {
      context.inputs.hasRecorded = true
      context.recorded(
        "recorded, and only the answer could not be printed; do not send it again", .done)
      if let first { announce(first) }
    }
    return decision
  }

  /// Throws if `drafts` define a habit for the first time while lines that may define it are
  /// missing.
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
  ///
  /// A new name is converted to lowercase, because some file systems ignore case.
  package var segment: String {
    guard let name = named else {
      return invocation.context.machine().segment(in: invocation.folder)
    }
    let isNew = FileStamp("\(invocation.folder)/\(name).jsonl", followsLinks: false) == nil
    return isNew && Syntax.isWriter(name) ? name.asciiLowercased : name
  }

  func appendOptions() throws(Failure) -> AppendOptions {
    var options = AppendOptions(
      now: try invocation.now(), machineZone: invocation.context.machineZone())
    options.zone = try zone()
    if let expected = invocation.arguments.count("--expect") { options.expected = [expected] }
    options.condition = try invocation.reader.condition()
    options.reading = try invocation.reader.options()
    options.isForced = invocation.arguments.has("--force")
    return options
  }

  func zone() throws(Failure) -> String? {
    guard let zone = invocation.arguments.value("--zone") else { return nil }
    guard Zones.isKnown(zone) else {
      throw .usage(
        """
        --zone is \(quoted(zone)), which is not a known time zone\(Zones.nearest(to: zone)); it \
        must be \(Syntax.zone)
        """
      )
    }
    return zone
  }

  private func print(impact decision: Decision, listsRows: Bool) throws(Failure) {
    if invocation.isJSON { return invocation.printJSON(of: LedgerDifference(of: decision)) }
    let after = decision.ledgerAfter
    let difference = Difference.between(decision.ledgerBefore, after)
    let words = EventText(ledger: after)
    let count = decision.batch.count
    invocation.print(
      count == 0 ? "nothing would be written" : "would write \(counted(count, "event"))")
    var events: [Event] = []
    try decision.batch.each { event in
      guard listsRows else { return events.append(event) }
      invocation.print("  \(event.day)  \(Escaping.visible(words.text(of: event)))")
    }
    if !events.isEmpty {
      invocation.print("  " + Escaping.visible(StepCounts(events, after).text))
      invocation.print("  " + invocation.style.paint(StepCounts.hint, .grey))
    }
    for known in decision.results where known.status == .exists {
      invocation.print(
        "  \(Escaping.visible(known.id)) is recorded already, at position \(known.position)")
    }
    let lines = DifferenceText.lines(difference, after, invocation.style)
    for line in lines { invocation.print(line) }
    if lines.isEmpty, count > 0 {
      invocation.print("and no streak, joker or achievement would change")
    }
  }

  func draft(_ payload: Payload) throws(Failure) -> Draft {
    var draft = Draft(payload, command: invocation.command)
    draft.id = invocation.arguments.value("--id")
    return draft
  }

  private var named: String? {
    invocation.arguments.value("--writer") ?? invocation.variable("STREAKS_WRITER")
  }

  package func firstWrite() throws(Failure) -> FirstWrite {
    try FirstWrite(
      of: segment, isNamed: named != nil, in: invocation.folder, on: invocation.context.reading.disk
    )
  }

  /// For a new segment, prints its name unless the user chose it, and creates `.gitignore` and
  /// `.gitattributes`.
  func announce(_ first: FirstWrite) {
    guard first.createsSegment else { return }
    if named == nil { invocation.warn("this machine writes \(segment).jsonl") }
    first.makeGitFiles()
  }
}

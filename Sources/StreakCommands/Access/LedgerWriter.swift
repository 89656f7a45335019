package import EventLog
import Inspection
package import StreakDomain

extension AppendResult {
  /// Adds the result as a line of JSON; of a line that stays in a stream with its number.
  func write(into bytes: inout [UInt8], line: Int? = nil) {
    bytes += "{\"id\":".utf8
    if id.isEmpty { bytes += "null".utf8 } else { Escaping.writeJSON(id, into: &bytes) }
    if let line {
      bytes += ",\"line\":".utf8
      bytes.append(decimal: line)
    }
    bytes += ",\"position\":".utf8
    if position > 0 { bytes.append(decimal: position) } else { bytes += "null".utf8 }
    bytes += ",\"status\":\"\(status.rawValue)\"}\n".utf8
  }

  var json: JSON {
    .object([
      "id": id.isEmpty ? .null : .text(id), "position": position > 0 ? .whole(position) : .null,
      "status": .text(status.rawValue),
    ])
  }
}

extension Collection<AppendResult> {
  /// All of them as one document.
  package var document: JSON { .object(["format": .whole(1), "results": .list(map(\.json))]) }
}

/// Looks at what was decided under the lock, before any of it is written; throws where it must not be.
typealias Judge = (Decision) throws(Failure) -> Void

/// Writes what was decided.
typealias Commit = (borrowing LogWriter, Decision) throws(Failure) -> Void

/// Writes events as an invocation's options say, under the lock.
package struct LedgerWriter {
  let invocation: Invocation

  /// Appends drafts as one batch under the lock, or prints what that would change; nil then.
  ///
  /// `asRead` is how many events the drafts were made from, where one more would make them wrong; `ifEmpty` writes
  /// only into a ledger that has no event yet. Both are judged under the lock. `printsImpact` false leaves telling of a
  /// `--dry-run` to the caller, who is given what would be written.
  func write(
    _ drafts: [Draft], makesFolder: Bool = false, ifEmpty: Bool = false, asRead position: Int? = nil
  ) throws(Failure) -> Decision? {
    try write(Drafts(drafts), makesFolder: makesFolder, ifEmpty: ifEmpty, asRead: position)
  }

  /// Writes drafts that are never held at once.
  ///
  /// `judge` may refuse what was decided before it is written or printed. Of a `log` that was read before, only what is
  /// new is read.
  func write(
    _ drafts: Drafts, makesFolder: Bool = false, ifEmpty: Bool = false, asRead position: Int? = nil,
    on log: FoldedLog? = nil, printsImpact: Bool = true, correctsDay: Bool = false,
    judge: Judge = { _ in }
  ) throws(Failure) -> Decision? {
    var options = try appendOptions()
    if ifEmpty { options.expected = 0 }
    // What was decided on what was read must not meet another ledger under the lock.
    options.expected = options.expected ?? position
    options.correctsDay = correctsDay
    return try write(
      options, makesFolder: makesFolder, on: log, printsImpact: printsImpact, judge
    ) { _ in drafts }
  }

  /// Writes drafts made from the ledger as it is under the lock, so that the log is read only once.
  func write(
    making drafts: (Ledger) throws(Failure) -> [Draft]
  ) throws(Failure) -> Decision? {
    try write(makingOf: { (log) throws(Failure) in
      try invocation.reader.report(log.stream)
      return try drafts(log.ledger)
    })
  }

  /// Writes drafts made of the log as it was read under the lock.
  func write(
    makingOf drafts: (inout FoldedLog) throws(Failure) -> [Draft], printsImpact: Bool = true,
    commit: Commit = { (log, decision) throws(Failure) in try log.write(decision) }
  ) throws(Failure) -> Decision? {
    try write(
      try appendOptions(), makesFolder: false, printsImpact: printsImpact, { _ in },
      commit: commit
    ) { (log) throws(Failure) in Drafts(try drafts(&log)) }
  }

  private func write(
    _ options: AppendOptions, makesFolder: Bool, on known: FoldedLog? = nil,
    printsImpact: Bool, _ judge: Judge,
    commit: Commit = { (log, decision) throws(Failure) in try log.write(decision) },
    _ drafts: (inout FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision? {
    let segment = segment
    let first = invocation.isGuest ? nil : try firstWrite()
    let wait = wait
    func decided() throws(Failure) -> Decision {
      try decide(segment, options, mayBegin: makesFolder, on: known, judge, drafts)
    }
    guard !invocation.arguments.has("--dry-run") else {
      let decision = try decided()
      guard printsImpact else { return decision }
      try print(impact: decision)
      return nil
    }
    guard !invocation.isGuest else {
      invocation.warn("guest: nothing is written")
      return try decided()
    }
    return try locked(segment, wait: wait, makesFolder: makesFolder) { (log) throws(Failure) in
      let decision = try decided()
      try commit(log, decision)
      if !decision.batch.isEmpty {
        invocation.context.recorded()
        if let first { announce(first) }
      }
      return decision
    }
  }

  /// Does something under the ledger's lock.
  private func locked<Result>(
    _ segment: String, wait: Double, makesFolder: Bool,
    _ body: (borrowing LogWriter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let log = try LogWriter(
      folder: invocation.folder, writer: segment, wait: wait, makesFolder: makesFolder,
      on: invocation.context.reading.disk)
    // What others appended meanwhile counts, and what is written now.
    defer { invocation.context.inputs.ledger = nil }
    invocation.context.inputs.ledger = nil
    do throws(Failure) { return try body(log) } catch {
      log.discardFolder()
      throw error
    }
  }

  /// How many seconds to wait for another writer.
  var wait: Double { invocation.arguments.value("--wait").flatMap(LedgerWriter.wait) ?? 5 }

  static func wait(_ text: String) -> Double? {
    Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
  }

  /// The segment to write: the one that somebody named, else this machine's own.
  ///
  /// A new one is in small letters, because two names that differ in case alone are one file on some disks.
  package var segment: String {
    guard let name = named else { return invocation.context.machine().segment(in: invocation.folder) }
    return FileStamp("\(invocation.folder)/\(name).jsonl", followsLinks: false) == nil
      ? name.asciiLowercased : name
  }

  /// What the options that every writing command has say.
  func appendOptions() throws(Failure) -> AppendOptions {
    var options = AppendOptions(now: try invocation.now(), machineZone: invocation.context.machineZone())
    options.zone = try zone()
    options.expected = invocation.arguments.count("--expect")
    options.condition = try invocation.reader.condition()
    options.reading = try invocation.reader.options()
    options.isForced = invocation.arguments.has("--force")
    return options
  }

  /// The zone that the words name.
  func zone() throws(Failure) -> String? {
    guard let zone = invocation.arguments.value("--zone") else { return nil }
    guard Zones.isKnown(zone) else {
      throw .usage(
        "--zone is \(quoted(zone)), which is no known time zone\(Zones.nearest(to: zone)); it must be \(Forms.zone)"
      )
    }
    return zone
  }

  private func decide(
    _ writer: String, _ options: AppendOptions, mayBegin: Bool, on known: FoldedLog?,
    _ judge: Judge, _ drafts: (inout FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision {
    var log = try FoldedLog.current(
      known, in: invocation.folder, writer: writer, options.reading, mayBegin: mayBegin)
    if invocation.command == "init" { try log.stream.requireNothingAway(isForced: options.isForced) }
    // Other commands read the log before, and report it there.
    if invocation.command == "append" { try invocation.reader.report(log.stream) }
    let made = try drafts(&log)
    let decision = try Transaction.decide(made, on: log, options: options, random: invocation.context.random)
    try judge(decision)
    return decision
  }

  /// Tells what a batch would change, in the form of `diff`.
  private func print(impact decision: Decision) throws(Failure) {
    if invocation.isJSON { return invocation.print(impactDocument(of: decision).line) }
    let after = decision.ledgerAfter
    let difference = Difference.between(decision.ledgerBefore, after)
    let words = EventText(ledger: after)
    let count = decision.batch.count
    invocation.print(
      count == 0 ? "nothing would be written" : "would write \(counted(count, "event"))")
    try decision.batch.each { event in
      invocation.print("  \(event.day)  \(Escaping.visible(words.text(of: event)))")
    }
    for line in DifferenceText.lines(difference, after, invocation.style) { invocation.print(line) }
    if difference.isEmpty, count > 0 { invocation.print("and no streak, joker or achievement would change") }
  }

  /// What would be written and what it would change, as one JSON document.
  func impactDocument(of decision: Decision) -> JSON {
    let ids = decision.ids
    let after = PlacedEvent(position: decision.position + ids.count, event: ids.last ?? decision.event)
    let before = PlacedEvent(position: decision.position, event: decision.event)
    return Difference.between(decision.ledgerBefore, decision.ledgerAfter)
      .document(from: before, to: after, events: ids)
  }

  /// A draft of one payload with the options that every writing command has.
  func draft(_ payload: Payload) throws(Failure) -> Draft {
    var draft = Draft(payload, command: invocation.command)
    draft.id = invocation.arguments.value("--id")
    return draft
  }

  /// Prints one JSON document with all results.
  func printDocument(_ results: AppendResults) {
    invocation.print(results.document.line)
  }
}

extension LedgerWriter {
  private var named: String? {
    invocation.arguments.value("--writer") ?? invocation.variable("STREAKS_WRITER")
  }

  /// What is to be done if this begins the segment.
  package func firstWrite() throws(Failure) -> FirstWrite {
    try FirstWrite(
      of: segment, isNamed: named != nil, in: invocation.folder, on: invocation.context.reading.disk)
  }

  /// Names a new segment that the user did not name, and makes git's files.
  func announce(_ first: FirstWrite) {
    guard first.isOne else { return }
    if named == nil { invocation.warn("this machine writes \(segment).jsonl") }
    first.makeGitFiles()
  }
}

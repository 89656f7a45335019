package import EventLog
import Inspection
package import StreakDomain

extension AppendResult {
  func write(into bytes: inout [UInt8], line: Int? = nil) {
    bytes += isDeleted ? "{\"deleted\":true,\"id\":".utf8 : "{\"id\":".utf8
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
    var members: JSON.Members = [
      "id": id.isEmpty ? .null : .text(id), "position": position > 0 ? .whole(position) : .null,
      "status": .text(status.rawValue),
    ]
    if isDeleted { members["deleted"] = .bool(true) }
    return .object(members)
  }
}

extension Collection<AppendResult> {
  package var document: JSON { .object(["format": .whole(1), "results": .list(map(\.json))]) }
}

typealias Commit = (borrowing LogWriter, Decision) throws(Failure) -> Void

package struct LedgerWriter {
  let invocation: Invocation

  /// Appends `drafts` as one batch, or prints what it would change (`--dry-run`) and returns `nil`.
  ///
  /// `asRead` is the position of the ledger from which the drafts were made; it throws if the ledger has
  /// changed since. `ifEmpty` requires an empty ledger. Both are checked under the lock.
  func write(
    _ drafts: [Draft], makesFolder: Bool = false, ifEmpty: Bool = false, asRead position: Int? = nil
  ) throws(Failure) -> Decision? {
    try write(Drafts(drafts), makesFolder: makesFolder, ifEmpty: ifEmpty, asRead: position)
  }

  /// Appends drafts that are created one by one, to save memory.
  ///
  /// If `log` was read earlier, only newer events are read. Without `printsImpact`, a `--dry-run` returns the
  /// decision instead of printing it.
  func write(
    _ drafts: Drafts, makesFolder: Bool = false, ifEmpty: Bool = false, asRead position: Int? = nil,
    on log: FoldedLog? = nil, printsImpact: Bool = true, correctsDay: Bool = false
  ) throws(Failure) -> Decision? {
    var options = try appendOptions()
    if ifEmpty { options.expected = 0 }
    // The ledger must not have changed since the caller read it.
    options.expected = options.expected ?? position
    options.correctsDay = correctsDay
    return try write(
      options, makesFolder: makesFolder, on: log, printsImpact: printsImpact
    ) { _ in drafts }
  }

  /// Appends drafts that `drafts` makes from the ledger under the lock, so that the log is read only once.
  func write(
    making drafts: (Ledger) throws(Failure) -> [Draft]
  ) throws(Failure) -> Decision? {
    try write(makingOf: { (log) throws(Failure) in
      try invocation.reader.report(log.stream)
      return try drafts(log.ledger)
    })
  }

  func write(
    makingOf drafts: (inout FoldedLog) throws(Failure) -> [Draft], printsImpact: Bool = true,
    commit: Commit = { (log, decision) throws(Failure) in try log.write(decision) }
  ) throws(Failure) -> Decision? {
    try write(
      try appendOptions(), makesFolder: false, printsImpact: printsImpact,
      commit: commit
    ) { (log) throws(Failure) in Drafts(try drafts(&log)) }
  }

  private func write(
    _ options: AppendOptions, makesFolder: Bool, on known: FoldedLog? = nil,
    printsImpact: Bool,
    commit: Commit = { (log, decision) throws(Failure) in try log.write(decision) },
    _ drafts: (inout FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision? {
    invocation.context.inputs.hasRecorded = false
    let segment = segment
    let first = invocation.isGuest ? nil : try firstWrite()
    let wait = wait
    func decided() throws(Failure) -> Decision {
      try decide(segment, options, mayBegin: makesFolder, on: known, drafts)
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
        invocation.context.inputs.hasRecorded = true
        invocation.context.recorded()
        if let first { announce(first) }
      }
      return decision
    }
  }

  private func locked<Result>(
    _ segment: String, wait: Double, makesFolder: Bool,
    _ body: (borrowing LogWriter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let log = try LogWriter(
      folder: invocation.folder, writer: segment, wait: wait, makesFolder: makesFolder,
      on: invocation.context.reading.disk)
    // The cached ledger doesn't contain what others have appended, nor what is written now.
    defer { invocation.context.inputs.ledger = nil }
    invocation.context.inputs.ledger = nil
    do throws(Failure) { return try body(log) } catch {
      log.discardFolder()
      throw error
    }
  }

  /// The seconds to wait for another writer.
  var wait: Double { invocation.arguments.value("--wait").flatMap(LedgerWriter.wait) ?? 5 }

  static func wait(_ text: String) -> Double? {
    Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
  }

  /// The segment to write: the named one, by default this machine's own.
  ///
  /// A new name is lowercased, because some disks don't distinguish case.
  package var segment: String {
    guard let name = named else { return invocation.context.machine().segment(in: invocation.folder) }
    return FileStamp("\(invocation.folder)/\(name).jsonl", followsLinks: false) == nil
      ? name.asciiLowercased : name
  }

  func appendOptions() throws(Failure) -> AppendOptions {
    var options = AppendOptions(now: try invocation.now(), machineZone: invocation.context.machineZone())
    options.zone = try zone()
    options.expected = invocation.arguments.count("--expect")
    options.condition = try invocation.reader.condition()
    options.reading = try invocation.reader.options()
    options.isForced = invocation.arguments.has("--force")
    return options
  }

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
    _ drafts: (inout FoldedLog) throws(Failure) -> Drafts
  ) throws(Failure) -> Decision {
    var log = try FoldedLog.current(
      known, in: invocation.folder, writer: writer, options.reading, mayBegin: mayBegin)
    if invocation.command == "init" { try log.stream.requireNothingAway(isForced: options.isForced) }
    // Other commands have already reported it.
    if invocation.command == "append" { try invocation.reader.report(log.stream) }
    let made = try drafts(&log)
    let decision = try Transaction.decide(made, on: log, options: options, random: invocation.context.random)
    return decision
  }

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

  func impactDocument(of decision: Decision) -> JSON {
    let ids = decision.ids
    let after = PlacedEvent(position: decision.position + ids.count, event: ids.last ?? decision.event)
    let before = PlacedEvent(position: decision.position, event: decision.event)
    return Difference.between(decision.ledgerBefore, decision.ledgerAfter)
      .document(from: before, to: after, events: ids)
  }

  func draft(_ payload: Payload) throws(Failure) -> Draft {
    var draft = Draft(payload, command: invocation.command)
    draft.id = invocation.arguments.value("--id")
    return draft
  }

  func printDocument(_ results: AppendResults) {
    invocation.print(results.document.line)
  }
}

extension LedgerWriter {
  private var named: String? {
    invocation.arguments.value("--writer") ?? invocation.variable("STREAKS_WRITER")
  }

  package func firstWrite() throws(Failure) -> FirstWrite {
    try FirstWrite(
      of: segment, isNamed: named != nil, in: invocation.folder, on: invocation.context.reading.disk)
  }

  /// Reports the name of a new segment that the user didn't choose, and creates git's files.
  func announce(_ first: FirstWrite) {
    guard first.isOne else { return }
    if named == nil { invocation.warn("this machine writes \(segment).jsonl") }
    first.makeGitFiles()
  }
}

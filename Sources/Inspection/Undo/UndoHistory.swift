import EventLog
package import StreakDomain

/// The commands of a ledger as `undo` sees them: which it took back, and which it may take back next (time-travel.md,
/// "What if, and take it back").
package struct UndoHistory {
  /// What is to be undone.
  package struct Chosen {
    /// What is left of it: the command itself, or what the last `undo --redo` of it wrote.
    package let batch: [Event]
    /// All that comes to nothing by it, undone commands and what undid them included.
    let cancelled: Set<String>
    /// The ids of all its events, those included that the store put first.
    var all: [String] = []
    /// An event of the newest command before it that can be undone for sure, for where this one cannot.
    var before: Event?
  }

  let log: UndoLog
  /// Batches of `undo` and `undo --redo` by the last event of the command they are about, in the order of the stream.
  private var links: [Int: [UndoBatch]] = [:]
  private var undone: [Int: UndoBatch] = [:]
  private let writer: String
  /// By the id of an event of `undo` or `undo --redo`, the event that its batch makes up for.
  private var causes: [String: String] = [:]

  /// Finds what was undone and redone in the commands of a ledger.
  package init(in log: UndoLog) throws(Failure) {
    (self.log, writer) = (log, log.folded.writer)
    var labelled: [UndoBatch] = []
    var seen: Set<Int> = []
    for position in log.labelled where !seen.contains(position) {
      let batch = try log.batch(around: position)
      seen.formUnion(batch.all)
      guard batch.isLabelled else { continue }
      labelled.append(batch)
      if let cause = batch.cause {
        for member in batch.members { causes[log.id(at: member)] = cause }
      }
    }
    var commands: [Int: UndoBatch] = [:]
    for batch in labelled {
      guard let command = try command(of: log.id(at: batch.members[0])) else { continue }
      commands[command.last] = command
      links[command.last, default: []].append(batch)
    }
    for (last, command) in commands {
      links[last]?.sort { $0.last < $1.last }
      if links[last]?.last?.isUndo ?? false { undone[last] = command }
    }
  }

  /// The command that an event is of, or that what `undo` wrote is about in the end; nil where that is none.
  private func command(of id: String) throws(Failure) -> UndoBatch? {
    var (id, steps) = (id, 0)
    // No honest chain is longer than there are such events, and a circle never ends.
    while let cause = causes[id], steps < causes.count { (id, steps) = (cause, steps + 1) }
    guard let position = log.position(of: id) else { return nil }
    let batch = try log.batch(around: position)
    return batch.isLabelled || !batch.members.contains(position) ? nil : batch
  }

  /// The writer's commands that are no undoing, the newest first, until `body` returns false.
  private func eachCommand(_ body: (UndoBatch) throws(Failure) -> Bool) throws(Failure) {
    let stream = log.folded.stream
    guard let own = stream.segments.firstIndex(where: { $0 == Text(writer) }) else { return }
    var end = log.position
    while let position = stream.position(in: own, upTo: end) {
      let batch = try log.batch(around: position)
      if !batch.members.isEmpty, !batch.isLabelled, try !body(batch) { return }
      end = batch.all[0] - 1
    }
  }

  /// What the writer has, where nothing is undone; of one without a segment the nearest name that has one.
  private func writerHas(_ nothing: String) -> Sentence {
    let segments = log.folded.stream.segments
    if segments.contains(where: { $0 == Text(writer) }) {
      return "\(quoted(writer)) has \(nothing)"
    }
    return "\(quoted(writer)) has no segment here\(Nearest.hint(writer, among: segments.strings))"
  }

  /// The writer's newest command that is not undone.
  package func last() throws(Failure) -> Chosen {
    var newest: UndoBatch?
    var before: UndoBatch?
    try eachCommand { batch in
      if undone[batch.last] != nil { return true }
      if newest == nil { newest = batch } else if batch.canBeUndone { before = batch }
      return before == nil
    }
    guard let newest else {
      throw Failure(
        .notFound,
        "there is nothing to undo: \(writerHas("no command left to undo"))",
        remedy: "--writer names another writer, and `streaks undo EVENT` undoes the command of an event")
    }
    var chosen = try undoing(newest)
    if let before { chosen.before = try events(of: before).first }
    return chosen
  }

  /// The command of the event that was asked for.
  package func asked(_ id: String) throws(Failure) -> Chosen {
    guard let wanted = try command(of: id) else {
      throw Failure(
        .notFound, "there is no command with an event \(quoted(id)) to undo")
    }
    guard undone[wanted.last] == nil else {
      throw Failure(
        .notFound,
        "the command of \(quoted(id)) is undone already", remedy: "`streaks undo --redo` takes an undo back")
    }
    return try undoing(wanted)
  }

  /// What an event of this id makes up for, where it undid, or redid, what is asked for now; nil where it did not.
  package func cause(of id: String, _ asked: String?, isRedo: Bool) throws(Failure) -> String? {
    guard let position = log.position(of: id) else { return nil }
    let batch = try log.batch(around: position)
    guard let cause = batch.cause, batch.isUndo != isRedo else { return nil }
    guard let asked else { return cause }
    return try command(of: asked)?.last == command(of: id)?.last ? cause : nil
  }

  /// The command that the writer undid last, to be brought back.
  package func lastUndone() throws(Failure) -> Chosen {
    let segments = log.folded.stream.segments
    let standing = undone.keys.compactMap { last in links[last]?.last.map { (last, $0) } }
      .filter { $0.1.segment < segments.count && segments[$0.1.segment] == Text(writer) }
    guard let (last, undo) = standing.max(by: { $0.1.last < $1.1.last }) else {
      throw Failure(
        .notFound, "there is nothing to redo: \(writerHas("no undo to redo"))")
    }
    var newest = 0
    try eachCommand { batch in
      newest = batch.last
      return false
    }
    guard undo.last > newest else {
      throw Failure(
        .notFound,
        "there is nothing to redo: another command has followed the last undo that still holds")
    }
    return Chosen(batch: try events(of: undo), cancelled: cancelled(but: last))
  }

  /// The command that gives entries back which the last one took; nil where none does.
  package func wayBack(of ids: Set<String>) -> String? {
    func takes(_ chosen: Chosen?) -> Bool {
      ids.isSubset(of: (chosen?.batch ?? []).compactMap { $0.payload.removed })
    }
    if takes(try? lastUndone()) { return "undo --redo" }
    return takes(try? last()) ? "undo" : nil
  }

  private func undoing(_ command: UndoBatch) throws(Failure) -> Chosen {
    let last = links[command.last]?.last ?? command
    return Chosen(
      batch: try events(of: last), cancelled: cancelled(but: nil).union(ids(of: command)),
      all: Set(command.all + last.all).sorted().map { log.id(at: $0) })
  }

  private func events(of batch: UndoBatch) throws(Failure) -> [Event] {
    var events: [Event] = []
    try log.eachEvent(at: batch.members) { events.append($1) }
    return events
  }

  private func ids(of batch: UndoBatch) -> [String] { batch.members.map { log.id(at: $0) } }

  /// Commands that are undone, but for one, and all that undoing and redoing wrote: together they come to nothing.
  private func cancelled(but last: Int?) -> Set<String> {
    let undoing = links.values.flatMap { $0 }
    return Set((undoing + undone.filter { $0.key != last }.values).flatMap(ids))
  }
}

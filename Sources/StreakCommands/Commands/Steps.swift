import EventLog
import StreakDomain

/// What `undo` writes its events by, so that it never takes one of its own for a command.
enum UndoLabel {
  static let undo = Event.undoLabel
  static let redo = "streaks-redo"

  /// Whether an event makes up for another one, or takes that back.
  static func isOn(_ event: Event) -> Bool {
    event.by.spelling == undo.spelling || event.by.spelling == redo.spelling
  }
}

/// A log read to its end for `undo`, which looks up the events that matter by their positions.
struct ReadLog {
  var folded: FoldedLog
  let ledger: Ledger
  /// The positions of all events but entries, and of entries that `undo` gave again; ascending.
  let others: [Int]
  /// The positions of what `undo` wrote, ascending.
  fileprivate let labelled: [Int]

  /// Reads the log that an invocation names, without its lock; O(bytes).
  init(_ invocation: Invocation) throws(Failure) {
    let options = try invocation.reader.options()
    var others: [Int] = []
    var labelled: [Int] = []
    folded = try FoldedLog(
      EventStream(folder: invocation.folder, options: options), of: [invocation.subject],
      writer: invocation.writer.segment
    ) { event, position in
      let isLabelled = UndoLabel.isOn(event)
      if isLabelled { labelled.append(position) }
      if isLabelled || event.payload.type != .entryLogged { others.append(position) }
    }
    ledger = folded.ledger(of: invocation.subject)
    (self.others, self.labelled) = (others, labelled)
  }

  /// How many events the stream has, of any subject.
  var position: Int { folded.ledgers.position }
  func position(of id: String) -> Int? { folded.ledgers.position(of: id) }
  func id(at position: Int) -> String { folded.ledgers.id(at: position) }

  /// Calls `body` with the ledger's own events at some positions, ascending.
  func eachEvent(at positions: [Int], _ body: (Int, Event) -> Void) throws(Failure) {
    try folded.stream.eachEvent(at: positions) { position, event in
      if ledger.folds(event.subject) { body(position, event) }
    }
  }

  /// The command that an event is of, with those of its events that are the ledger's.
  fileprivate func batch(around position: Int) throws(Failure) -> Batch {
    let all: [Int]
    all = try folded.stream.batch(around: position)
    var batch = Batch(all: all, segment: folded.stream.segment(at: position))
    try eachEvent(at: all) { batch.add($1, at: $0) }
    return batch
  }
}

/// The events of a ledger in one batch, without what the store put there by itself.
private struct Batch {
  /// The positions of those that are the ledger's, ascending.
  private(set) var members: [Int] = []
  /// The positions of the whole batch.
  let all: [Int]
  let segment: Int
  /// What its first event was written by, and what that makes up for.
  private(set) var label: Spelling?
  private(set) var cause: String?
  /// Whether all of it has a counterpart for sure; a definition may be the first of its habit.
  private(set) var canBeUndone = true

  /// Batches come one after the other by their last events.
  var last: Int { all[all.count - 1] }
  var isUndo: Bool { label == UndoLabel.undo.spelling }
  var isLabelled: Bool { label != nil }

  init(all: [Int], segment: Int) { (self.all, self.segment) = (all, segment) }

  mutating func add(_ event: Event, at position: Int) {
    if event.payload.staysTrue, event.payload.type != .dayCorrected || UndoLabel.isOn(event) { return }
    if members.isEmpty, UndoLabel.isOn(event) { (label, cause) = (event.by.spelling, event.cause) }
    members.append(position)
    if !event.payload.hasCounterpart { canBeUndone = false }
  }
}

/// The commands of a ledger as `undo` sees them: which it took back, and which it may take back next (time-travel.md,
/// "What if, and take it back").
struct Steps {
  /// What is to be undone.
  struct Chosen {
    /// What is left of it: the command itself, or what the last `undo --redo` of it wrote.
    let batch: [Event]
    /// All that comes to nothing by it, undone commands and what undid them included.
    let settled: Set<Spelling>
    /// The ids of all its events, those included that the store put first.
    var all: [String] = []
    /// An event of the command before it that is not undone, for where this one cannot be undone.
    var before: String?
  }

  let log: ReadLog
  /// Batches of `undo` and `undo --redo` by the last event of the command they are about, in the order of the stream.
  private var links: [Int: [Batch]] = [:]
  private var undone: [Int: Batch] = [:]
  private let writer: String
  /// By the id of an event of `undo` or `undo --redo`, the event that its batch makes up for.
  private var causes: [Spelling: String] = [:]

  /// Finds what was undone and redone in the commands of a ledger.
  init(in log: ReadLog, writer: String) throws(Failure) {
    (self.log, self.writer) = (log, writer)
    var labelled: [Batch] = []
    var seen: Set<Int> = []
    for position in log.labelled where !seen.contains(position) {
      let batch = try log.batch(around: position)
      seen.formUnion(batch.all)
      guard batch.isLabelled else { continue }
      labelled.append(batch)
      if let cause = batch.cause {
        for member in batch.members { causes[log.id(at: member).spelling] = cause }
      }
    }
    var commands: [Int: Batch] = [:]
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
  private func command(of id: String) throws(Failure) -> Batch? {
    var (id, steps) = (id, 0)
    // No honest chain is longer than there are such events, and a circle never ends.
    while let cause = causes[id.spelling], steps < causes.count { (id, steps) = (cause, steps + 1) }
    guard let position = log.position(of: id) else { return nil }
    let batch = try log.batch(around: position)
    return batch.isLabelled || !batch.members.contains(position) ? nil : batch
  }

  /// The writer's commands that are no undoing, the newest first, until `body` returns false.
  private func eachCommand(_ body: (Batch) throws(Failure) -> Bool) throws(Failure) {
    let stream = log.folded.stream
    guard let own = stream.segments.firstIndex(where: { $0.spelling == writer.spelling }) else { return }
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
    if segments.contains(where: { $0.spelling == writer.spelling }) {
      return "\(quoted(writer)) has \(nothing)"
    }
    return "\(quoted(writer)) has no segment here\(Nearest.hint(writer, among: segments))"
  }

  /// The writer's newest command that is not undone.
  func last() throws(Failure) -> Chosen {
    var newest: Batch?
    var before: Batch?
    try eachCommand { batch in
      if undone[batch.last] != nil { return true }
      if newest == nil { newest = batch } else if batch.canBeUndone { before = batch }
      return before == nil
    }
    guard let newest else {
      let whose = log.ledger.subject.map { " of \(quoted($0))" } ?? ""
      throw .notFound(
        "there is nothing to undo: \(writerHas("no command\(whose) left to undo")); --writer names another writer, and `streaks undo EVENT` undoes the command "
          + "of an event")
    }
    var chosen = try undoing(newest)
    chosen.before = before.map { log.id(at: $0.members[0]) }
    return chosen
  }

  /// The command of the event that was asked for.
  func asked(_ id: String) throws(Failure) -> Chosen {
    guard let wanted = try command(of: id) else {
      throw .notFound("there is no command with an event \(quoted(id)) to undo")
    }
    guard undone[wanted.last] == nil else {
      throw .notFound(
        "the command of \(quoted(id)) is undone already; `streaks undo --redo` takes an undo back")
    }
    return try undoing(wanted)
  }

  /// What an event of this id makes up for, where it undid, or redid, what is asked for now; nil where it did not.
  func cause(of id: String, _ asked: String?, isRedo: Bool) throws(Failure) -> String? {
    guard let position = log.position(of: id) else { return nil }
    let batch = try log.batch(around: position)
    guard let cause = batch.cause, batch.isUndo != isRedo else { return nil }
    guard let asked else { return cause }
    return try command(of: asked)?.last == command(of: id)?.last ? cause : nil
  }

  /// The command that the writer undid last, to be brought back.
  func lastUndone() throws(Failure) -> Chosen {
    let segments = log.folded.stream.segments
    let standing = undone.keys.compactMap { last in links[last]?.last.map { (last, $0) } }
      .filter { $0.1.segment < segments.count && segments[$0.1.segment].spelling == writer.spelling }
    guard let (last, undo) = standing.max(by: { $0.1.last < $1.1.last }) else {
      throw .notFound("there is nothing to redo: \(writerHas("no undo to redo"))")
    }
    var newest = 0
    try eachCommand { batch in
      newest = batch.last
      return false
    }
    guard undo.last > newest else {
      throw .notFound(
        "there is nothing to redo: another command has followed the last undo; `streaks undo` undoes that one"
      )
    }
    return Chosen(batch: try events(of: undo), settled: settled(but: last))
  }

  /// The command that gives entries back which the last one took; nil where none does.
  func wayBack(of ids: Set<Spelling>) -> String? {
    func takes(_ chosen: Chosen?) -> Bool {
      ids.isSubset(of: (chosen?.batch ?? []).compactMap { $0.payload.removed?.spelling })
    }
    if takes(try? lastUndone()) { return "undo --redo" }
    return takes(try? last()) ? "undo" : nil
  }

  private func undoing(_ command: Batch) throws(Failure) -> Chosen {
    let last = links[command.last]?.last ?? command
    return Chosen(
      batch: try events(of: last), settled: settled(but: nil).union(ids(of: command)),
      all: Set(command.all + last.all).sorted().map { log.id(at: $0) })
  }

  private func events(of batch: Batch) throws(Failure) -> [Event] {
    var events: [Event] = []
    try log.eachEvent(at: batch.members) { events.append($1) }
    return events
  }

  private func ids(of batch: Batch) -> [Spelling] { batch.members.map { log.id(at: $0).spelling } }

  /// Commands that are undone, but for one, and all that undoing and redoing wrote: together they come to nothing.
  private func settled(but last: Int?) -> Set<Spelling> {
    let undoing = links.values.flatMap { $0 }
    return Set((undoing + undone.filter { $0.key != last }.values).flatMap(ids))
  }
}

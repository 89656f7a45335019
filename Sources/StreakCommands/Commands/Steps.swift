import EventLog
import StreakDomain

/// What `undo` writes its events by, so that it never takes one of its own for a command.
enum UndoLabel {
  static let undo = "streaks-undo"
  static let redo = "streaks-redo"

  /// Whether an event makes up for another one, or takes that back.
  static func isOn(_ event: Event) -> Bool {
    event.by.spelling == undo.spelling || event.by.spelling == redo.spelling
  }
}

/// The events of a subject in one batch, without what the store put there by itself.
struct Batch {
  struct Member {
    let id: EventKey
    /// Nil for an entry with nothing beside it, of which no label and no cause need be known.
    let event: Event?
  }

  let members: [Member]
  let segment: String
  /// Its place among the batches that `Batches` has given, from 1.
  let number: Int

  var isUndo: Bool { members[0].event?.by.spelling == UndoLabel.undo.spelling }
  /// An event by `undo` is never an entry with nothing beside it, so a labelled batch has all of its events.
  var isLabelled: Bool { members[0].event.map(UndoLabel.isOn) ?? false }
  var events: [Event] { members.compactMap(\.event) }

  /// Whether all of it has a counterpart for sure; a definition may be the first of its habit.
  var canBeUndone: Bool {
    events.allSatisfy { event in
      switch event.payload {
      case .entryLogged, .entryDeleted, .daysExcused, .excuseWithdrawn, .reminderSet: true
      default: event.payload.staysTrue
      }
    }
  }
}

/// Puts the events of a stream together to batches again.
private struct Batches {
  private let ledger: Ledger
  private var ongoing: [Int: [Batch.Member]] = [:]
  private var count = 0

  init(of ledger: Ledger) { self.ledger = ledger }

  /// Takes the next event; returns the command that it ends, where that has anything of the subject.
  mutating func take(
    _ item: StreamItem, isCopy: Bool, isFollowed: Bool, of segments: [String]
  ) -> Batch? {
    if !isCopy, ledger.folds(item.subject), !(item.event?.payload.staysTrue ?? false) {
      ongoing[item.segment, default: []].append(Batch.Member(id: item.id, event: item.event))
    }
    guard !isFollowed, let members = ongoing.removeValue(forKey: item.segment) else { return nil }
    count += 1
    let name = item.segment < segments.count ? segments[item.segment] : ""
    return Batch(members: members, segment: name, number: count)
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
    /// An event of the command before it that is not undone, for where this one cannot be undone.
    var before: String?
  }

  /// Batches of `undo` and `undo --redo` by the command they are about, in the order of the stream.
  private var links: [Int: [Batch]] = [:]
  private var undone: [Int: Batch] = [:]
  /// The writer's newest command that is not undone, its newest one, and the one that an event was asked for.
  private var newest: Batch?
  private var beforeNewest: Batch?
  private var lastNumber = 0
  private var wanted: Batch?
  private let writer: String
  private let invocation: Invocation
  private var names = Names()

  /// Reads the commands of a ledger's subject; `id` is an event whose command is asked for.
  init(of ledger: Ledger, writer: String, asking id: String?, _ invocation: Invocation) throws(CommandError) {
    (self.writer, self.invocation) = (writer, invocation)
    var labelled: [Batch] = []
    var names = Names()
    let key = id.map { EventKey($0, names: &names) }
    try Steps.each(of: ledger, &names, invocation) { batch in
      if batch.isLabelled { labelled.append(batch) } else if labelled.isEmpty { note(batch, [:], asked: key) }
    }
    defer { self.names = names }
    // Where nothing was ever undone, that is all.
    if labelled.isEmpty { return }
    (newest, beforeNewest, lastNumber, wanted) = (nil, nil, 0, nil)
    let places = Dictionary(
      labelled.enumerated().flatMap { place, batch in batch.members.map { ($0.id, place) } },
      uniquingKeysWith: { a, _ in a })
    /// The event of a command that an event makes up for, in the end; the first of a batch speaks for all of it.
    func root(_ id: EventKey) -> EventKey {
      var (id, steps) = (id, 0)
      // No honest chain is longer than there are such batches, and a circle never ends.
      while let place = places[id], let cause = labelled[place].events[0].cause, steps < labelled.count {
        (id, steps) = (EventKey(cause, names: &names), steps + 1)
      }
      return id
    }
    let roots = Dictionary(grouping: labelled) { root($0.members[0].id) }
    let asked = key.map { root($0) }
    try Steps.each(of: ledger, &names, invocation) { batch in
      if !batch.isLabelled { note(batch, roots, asked: asked) }
    }
  }

  /// Takes the next command in; `roots` are the batches that are about it, by its events.
  private mutating func note(_ batch: Batch, _ roots: [EventKey: [Batch]], asked: EventKey?) {
    let own =
      roots.isEmpty ? [] : batch.members.flatMap { roots[$0.id] ?? [] }.sorted { $0.number < $1.number }
    if !own.isEmpty { links[batch.number] = own }
    if own.last?.isUndo ?? false { undone[batch.number] = batch }
    if let asked, batch.members.contains(where: { $0.id == asked }) { wanted = batch }
    guard batch.segment.spelling == writer.spelling else { return }
    lastNumber = batch.number
    guard undone[batch.number] == nil else { return }
    if let newest, newest.canBeUndone { beforeNewest = newest }
    newest = batch
  }

  private static func each(
    of ledger: Ledger, _ names: inout Names, _ invocation: Invocation, _ body: (Batch) -> Void
  ) throws(CommandError) {
    var stream = try invocation.stream(.lookedUp)
    var batches = Batches(of: ledger)
    do throws(LogError) {
      var item = StreamItem()
      let segments = stream.segments
      let isMerged = segments.count > 1
      var known: Set<EventKey> = []
      while try stream.next(&item, names: &names) {
        // What is in another segment, too, is no command of that one.
        let isCopy = isMerged && !known.insert(item.id).inserted
        let isFollowed = try stream.more(of: item, names) == .command
        if let batch = batches.take(item, isCopy: isCopy, isFollowed: isFollowed, of: segments) {
          body(batch)
        }
      }
    } catch { throw .log(error) }
  }

  /// The writer's newest command that is not undone.
  func last() throws(CommandError) -> Chosen {
    guard let newest else {
      throw .notFound(
        "there is nothing to undo: \(quoted(writer)) has no command left to undo; --writer names another writer, "
          + "and `streaks undo EVENT` undoes the command of an event")
    }
    var chosen = try undoing(newest)
    chosen.before = beforeNewest?.members[0].id.text(names)
    return chosen
  }

  /// The command of the event that was asked for.
  func asked(_ id: String) throws(CommandError) -> Chosen {
    guard let wanted else { throw .notFound("there is no command with an event \(quoted(id)) to undo") }
    guard undone[wanted.number] == nil else {
      throw .notFound(
        "the command of \(quoted(id)) is undone already; `streaks undo --redo` takes an undo back")
    }
    return try undoing(wanted)
  }

  /// The command that the writer undid last, to be brought back.
  func lastUndone() throws(CommandError) -> Chosen {
    let standing = undone.keys.compactMap { number in links[number]?.last.map { (number, $0) } }
      .filter { $0.1.segment.spelling == writer.spelling }
    guard let (number, undo) = standing.max(by: { $0.1.number < $1.1.number }) else {
      throw .notFound("there is nothing to redo: \(quoted(writer)) has no undo to redo")
    }
    guard undo.number > lastNumber else {
      throw .notFound(
        "there is nothing to redo: another command has followed the last undo; `streaks undo` undoes that one"
      )
    }
    return Chosen(batch: undo.events, settled: settled(but: number))
  }

  /// The command that gives entries back which the last one took; nil where none does.
  func wayBack(of ids: Set<Spelling>) -> String? {
    func takes(_ chosen: Chosen?) -> Bool {
      ids.isSubset(of: (chosen?.batch ?? []).compactMap { $0.payload.removed?.spelling })
    }
    if takes(try? lastUndone()) { return "undo --redo" }
    return takes(try? last()) ? "undo" : nil
  }

  private func undoing(_ step: Batch) throws(CommandError) -> Chosen {
    let own = ids(of: step)
    let settled = settled(but: nil).union(own)
    if let redone = links[step.number]?.last { return Chosen(batch: redone.events, settled: settled) }
    return Chosen(batch: try invocation.events(of: own).map(\.event), settled: settled)
  }

  private func ids(of batch: Batch) -> Set<Spelling> {
    Set(batch.members.map { $0.id.text(names).spelling })
  }

  /// Commands that are undone, but for one, and all that undoing and redoing wrote: together they come to nothing.
  private func settled(but number: Int?) -> Set<Spelling> {
    var ids = Set(links.values.flatMap { $0 }.flatMap(\.events).map(\.id.spelling))
    for (other, batch) in undone where other != number { ids.formUnion(self.ids(of: batch)) }
    return ids
  }
}

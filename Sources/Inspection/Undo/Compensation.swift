package import EventLog
package import StreakDomain

/// The compensating events of a batch.
package struct Compensation {
  package let batch: [Event]
  private let cancelled: Set<String>
  /// The ids of the events of the commands that are undone.
  private let all: [String]
  let label: Text
  let log: UndoLog
  /// The position of the first event of the batch.
  private let first: Int
  /// The ledger without what is cancelled: undoing has to lead to it.
  private(set) var wanted = Ledger()
  /// By habit the reminder that was set last and is not cancelled.
  private(set) var reminders: [String: Event] = [:]
  /// The entries and excuses that the batch took back, as they were given.
  private(set) var originals: [String: Event] = [:]
  /// Those entries and what followed them at the same moment, in the order of the stream.
  private(set) var moments: [Moment: [Event]] = [:]
  /// By entry or excuse, what took it back beside the batch.
  private(set) var removals: [String: [String]] = [:]
  /// The entry or excuse for which an undo gave one again, by the id of that one.
  private var restored: [String: String] = [:]
  /// By the event that takes something back, what it takes.
  private var taken: [String: String] = [:]
  /// An event as a person knows it.
  let named: (Event) -> String
  /// An event of an earlier command, to be named where this one cannot be undone.
  let before: Event?
  /// Whether what is said of it names commands that help.
  let namesCommands: Bool
  /// By an entry or excuse that the batch took back, the event that did so.
  let causes: [String: String]
  /// By an event that took something back, the reason it gave; for those that a redo brings back.
  private(set) var reasons: [String: Text] = [:]
  /// What an undo gave again, by the event that it makes up for.
  private(set) var again: [String: [String]] = [:]

  /// Of two entries that agree in this the order in the stream decides which is the later one.
  struct Moment: Hashable {
    let habit: String
    let day: Day
    let at: Instant

    init?(_ event: Event) {
      guard case .entryLogged(let entry) = event.payload else { return nil }
      (habit, day, at) = (entry.habit, event.day, event.at.instant)
    }
  }

  /// Looks up what was before a batch and behind it; `label` is what its events are written by.
  ///
  /// `named` has the words for an event in what is said of it, which `namesCommands` on a command line alone.
  package init(
    of chosen: UndoHistory.Chosen, by label: Text, in log: UndoLog, namesCommands: Bool = true,
    named: @escaping (Event) -> String
  ) throws(Failure) {
    (before, self.namesCommands) = (chosen.before, namesCommands)
    batch = chosen.batch
    cancelled = chosen.cancelled
    all = chosen.all
    self.label = label
    self.log = log
    self.named = named
    let own = batch.compactMap { log.position(of: $0.id) }
    taken = Dictionary(
      batch.compactMap { event in event.payload.removed.map { (event.id, $0) } },
      uniquingKeysWith: { _, b in b })
    causes = Dictionary(taken.map { ($0.value, $0.key) }, uniquingKeysWith: { _, b in b })
    let originals = Set(taken.values.compactMap { log.position(of: $0) })
    // Of other entries only those matter that are at the moment of one that is taken back.
    let days = Set(taken.values.compactMap { log.ledger.entry(of: $0)?.day })
    let entries = days.isEmpty ? [] : log.ledger.ids(ofEntriesOn: days).compactMap { log.position(of: $0) }
    first = own.min() ?? .max
    try log.eachEvent(at: originals.union(log.others).union(entries).subtracting(own).sorted()) {
      position, event in
      note(event, isTaken: originals.contains(position))
    }
    wanted = try wantedLedger()
    guard label == UndoLabel.redo else { return }
    let undone = Set(batch.compactMap(\.cause).compactMap { log.position(of: $0) })
    try log.eachEvent(at: undone.sorted()) { reasons[$1.id] = $1.payload.reason }
  }

  private mutating func note(_ event: Event, isTaken: Bool) {
    switch event.payload {
    case .reminderSet(let habit, _, _) where !cancelled.contains(event.id): reminders[habit] = event
    case .entryDeleted(let id, _), .excuseWithdrawn(let id, _):
      removals[id, default: []].append(event.id)
      taken[event.id] = id
    case .daysExcused: noteGiven(event, isTaken: isTaken)
    case .entryLogged where originals[event.id] == nil:
      noteGiven(event, isTaken: isTaken)
      guard let moment = Moment(event) else { return }
      if originals[event.id] != nil || moments[moment] != nil {
        moments[moment, default: []].append(event)
      }
    default: break
    }
  }

  /// Notes an entry or excuse, and what it was given again for.
  private mutating func noteGiven(_ event: Event, isTaken: Bool) {
    if isTaken { originals[event.id] = event }
    guard UndoLabel.isOn(event), let cause = event.cause else { return }
    again[cause, default: []].append(event.id)
    restored[event.id] = taken[cause] ?? cause
  }

  /// What takes the day back to the date of now, where events of the command moved it beyond, by a wrong clock.
  package func corrections(to date: Day) -> [Draft] {
    let fold = log.folded.fold
    guard label == UndoLabel.undo, let today = fold.today, today > date else { return [] }
    let movers = Set(fold.movers(beyond: date))
    return all.filter { movers.contains($0) }.lines.map { moved in
      var draft = Draft(.dayCorrected(to: date, moved: moved, reason: nil), command: "undo")
      (draft.event.by, draft.event.cause) = (label, moved[0])
      return draft
    }
  }

  /// The ledger of the commands that are to stay, each as it was given, except the days that others began.
  private func wantedLedger() throws(Failure) -> Ledger {
    var fold = LedgerFold()
    var stream = try log.stream()
    var item = StreamItem()
    let cancelled = Set(cancelled.map { EventKey($0, names: &fold.names) })
    while try stream.next(&item, names: &fold.names) {
      if cancelled.contains(item.id) { continue }
      if let event = item.event {
        _ = fold.apply(originally(event))
      } else {
        _ = fold.apply(item)
      }
    }
    return fold.settled
  }

  /// What an event says where what an undo gave again goes by its first name.
  private func originally(_ event: Event) -> Event {
    guard var id = event.payload.removed, restored[id] != nil else { return event }
    var steps = 0
    while let first = restored[id], steps < restored.count { (id, steps) = (first, steps + 1) }
    var event = event
    switch event.payload {
    case .excuseWithdrawn(_, let reason): event.payload = .excuseWithdrawn(excuse: id, reason: reason)
    default: event.payload = .entryDeleted(entry: id, reason: nil)
    }
    return event
  }

  /// The event behind the batch that decides what one of the batch decided, and would be undone, too; nil where none
  /// does.
  func successor(of event: Event) -> String? {
    let last: String?
    switch event.payload {
    case .habitDefined(let definition):
      last = wanted.base(of: definition.id, on: event.day).flatMap { $0.day == event.day ? $0.event : nil }
    case .reminderSet(let habit, _, _): last = reminders[habit]?.id
    default: last = nil
    }
    return last.flatMap { id in log.position(of: id).flatMap { $0 > first ? id : nil } }
  }

  /// The event of the log with an id.
  func event(_ id: String) throws(Failure) -> Event? {
    var found: Event?
    try log.eachEvent(at: log.position(of: id).map { [$0] } ?? []) { found = $1 }
    return found
  }

  /// In what the state that was decided differs from the one that is wanted; `longest` remembers what was undone, and
  /// entries that are logged again have other ids.
  package func difference(to decision: Decision) throws(Failure) -> Difference {
    var wanted = LedgerFold(wanted)
    try decision.batch.each { if $0.payload.staysTrue { _ = wanted.apply($0) } }
    var after = decision.after
    let made = after.settled
    // A day that an entry began stays begun.
    if let today = made.today { wanted.settled.advance(to: today) }
    var difference = Difference.between(wanted.settled, made)
    difference.changes.removeAll { change in
      if case .habit(_, .longest) = change.field { true } else { false }
    }
    difference.books.removeAll { $0.removed.map(\.withoutCause) == $0.added.map(\.withoutCause) }
    return difference
  }

  /// That nothing was written, and for what.
  package func refused(_ says: String, _ lines: [String]) -> Failure {
    let shown = lines.prefix(20) + (lines.count > 20 ? ["and \(lines.count - 20) more"] : [])
    return Failure(
      .notRestored,
      "\(label == UndoLabel.undo ? "undoing that" : "taking that undo back") \(says), so nothing was written:\n  \(shown.joined(separator: "\n  "))\(way)"
    )
  }

  /// How to reach an earlier command where this one cannot be undone.
  var way: String {
    guard let before else { return "" }
    let call =
      namesCommands ? "`streaks undo \(Event.shortID(before.id))`" : "undo(\(quoted(before.id)))"
    return "\n\(call) undoes an earlier command, \(named(before))"
  }
}

extension JokerLine {
  /// The line without the entries that it comes from.
  fileprivate var withoutCause: [String] {
    ["\(day)", action.rawValue, lot?.description ?? "", "\(held)"]
  }
}

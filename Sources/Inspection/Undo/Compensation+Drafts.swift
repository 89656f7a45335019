package import EventLog
package import StreakDomain

extension Compensation {
  /// One event for each of the batch, the last first, or more where an order is to be kept; or an error that names
  /// what has no counterpart, or has another one than the batch left.
  package func drafts(keepsOrder: Bool) throws(Failure) -> [Draft] {
    var drafts: [Draft] = []
    var lost: [String] = []
    var others: [String] = []
    var done: Set<Moment> = []
    let own = Set(batch.map(\.id))
    let taken = Set(batch.compactMap(\.payload.removed))
    for event in batch.reversed() {
      // Given and taken back in one batch, it leaves nothing to undo.
      if taken.contains(event.id) || event.payload.removed.map(own.contains) ?? false { continue }
      let name = named(event)
      if let id = event.payload.removed, let other = removals[id]?.first {
        others.append(
          "\(name): \(Event.shortID(other)) takes it back, too\(namesCommands && event.payload.type == .entryDeleted ? "; log it again" : "")"
        )
        continue
      }
      if event.payload.isRemovable, standing(event.id) == nil {
        let other = lastRemoval(of: event.id).map(Event.shortID)
        let way = namesCommands ? other.map { "; `streaks undo \($0)` brings it back" } ?? "" : ""
        others.append("\(name): \(other ?? "another event") took it back since\(way)")
        continue
      }
      if let later = successor(of: event) {
        others.append("\(name): \(Event.shortID(later)) says otherwise since")
        continue
      }
      var made: [Draft]
      switch event.payload {
      case .entryDeleted(let id, _):
        guard let moment = originals[id].flatMap({ Moment($0) }) else {
          made = []
          break
        }
        guard done.insert(moment).inserted else { continue }
        made = again(moments[moment] ?? [], taken, keepsOrder: keepsOrder)
      default: made = try compensations(of: event)
      }
      if made.isEmpty { lost.append("\(name): \(reason(event))") }
      for var draft in made {
        draft.event.by = label
        draft.event.cause = draft.event.cause ?? event.id
        drafts.append(draft)
      }
    }
    guard others.isEmpty else { throw refused("would change what was done since", others) }
    guard lost.isEmpty else {
      throw Failure(
        .notFound,
        Sentence("cannot be undone, so nothing was written:\n  " + lost.joined(separator: "\n  ") + way))
    }
    return drafts
  }

  /// What is in force for an entry or excuse: itself, or what an undo gave again for it; nil where nothing does.
  private func standing(_ id: String) -> String? {
    var pending = [id]
    var seen: Set<String> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard let removals = removals[next] else { return next }
      pending += (again[next] ?? []) + removals.flatMap { again[$0] ?? [] }
    }
    return nil
  }

  /// What took back an entry or excuse, or what an undo gave again for it, last.
  private func lastRemoval(of id: String) -> String? {
    var last: String?
    var pending = [id]
    var seen: Set<String> = []
    while let next = pending.popLast() {
      guard seen.insert(next).inserted, let removals = removals[next] else { continue }
      last = removals.last
      pending += (again[next] ?? []) + removals.flatMap { again[$0] ?? [] }
    }
    return last
  }

  /// The events that undo one; none where it has no counterpart.
  private func compensations(of event: Event) throws(Failure) -> [Draft] {
    switch event.payload.counterpart {
    case .deletion:
      return [
        Draft(
          .entryDeleted(entry: standing(event.id) ?? event.id, reason: reason(of: event)), command: "undo")
      ]
    case .withdrawal:
      return [
        Draft(
          .excuseWithdrawn(excuse: standing(event.id) ?? event.id, reason: reason(of: event)), command: "undo"
        )
      ]
    case .excuse(let excuse): return originals[excuse].map { [given($0)] } ?? []
    case .formerDefinition(let habit, let instead):
      // An undo of a later day's definition repeats what held before it, which goes, too.
      let own = batch.filter { $0.defined?.id == habit }.map(\.day)
      let repeats = log.ledger.repeats(of: instead, habit, after: event.day).map(\.day)
        .filter { day in !own.contains(day) && wanted.base(of: habit, on: day)?.definition != instead }
      if let day = repeats.first(where: { wanted.retirement(of: habit, on: $0.next) != nil }) {
        throw refused("would leave \(habit) retired", ["it is defined again from \(day) on; retire it then"])
      }
      var drafts: [Draft] = []
      for day in [event.day] + repeats { drafts += try restored(habit, on: day, instead: instead) }
      return drafts
    case .formerReminder(let habit, let time):
      let off = Payload.reminderSet(habit: habit, time: time, enabled: false)
      return [reminders[habit].map(given) ?? Draft(off, command: "undo")]
    case .entry, nil: return []
    }
  }

  /// What an event says, once more, with the fields that the caller put into it.
  private func given(_ event: Event) -> Draft {
    var draft = Draft(event.payload, command: "undo")
    draft.event.unknown = event.unknown
    return draft
  }

  /// Why an entry or excuse is taken back: of a redo, the reason that was given first.
  private func reason(of event: Event) -> Text? {
    label == UndoLabel.redo ? event.cause.flatMap { reasons[$0] } : "undone"
  }

  /// Logs the entries of one moment again that the batch deleted, in their order; with `keepsOrder` those that
  /// followed, too, and deletes them where they are.
  private func again(_ entries: [Event], _ deleted: Set<String>, keepsOrder: Bool) -> [Draft] {
    var drafts: [Draft] = []
    for entry in entries where removals[entry.id] == nil {
      let isOriginal = deleted.contains(entry.id)
      guard isOriginal || keepsOrder else { continue }
      if !isOriginal {
        let reason: Text = "logged again in its order"
        drafts.append(Draft(.entryDeleted(entry: entry.id, reason: reason), command: "undo"))
      }
      var draft = given(entry)
      (draft.at, draft.day, draft.zone) = (entry.at, entry.day, entry.zone)
      // One that only follows is given again for itself.
      draft.event.cause = causes[entry.id] ?? entry.id
      drafts.append(draft)
    }
    return drafts
  }

  /// What brings back how a habit was on a day without the batch: its definition, and its retirement if it was
  /// retired; `instead` is the definition that is taken back.
  private func restored(
    _ habit: String, on day: Day, instead: Habit?
  ) throws(Failure) -> [Draft] {
    guard let base = wanted.base(of: habit, on: day), let given = try event(base.event) else { return [] }
    let rule = base.definition.rule
    // A first definition says when days without an entry begin to count, so an earlier one cannot be undone.
    if base.day > day, rule.isLimit || rule.isComposite { return [] }
    let retirement = wanted.retirement(of: habit, on: day) ?? wanted.retirement(of: habit, on: day.next)
    var drafts: [Draft] = []
    func add(_ draft: Draft, on day: Day) {
      var draft = draft
      draft.day = day
      drafts.append(draft)
    }
    if base.definition != instead || retirement == nil { add(self.given(given), on: day) }
    guard let retirement else { return drafts }
    // It stands, and ends again where the habit is defined on its day.
    if retirement < day, let base = wanted.base(of: habit, on: retirement), let given = try event(base.event)
    {
      add(self.given(given), on: retirement)
    }
    add(Draft(.habitRetired(habit: habit), command: "undo"), on: retirement)
    // A definition of a later day ends the retirement only where it comes behind it.
    var next = wanted.definition(of: habit, after: day)
    while let later = next {
      if wanted.retirement(of: habit, on: later.day) == nil, let given = try event(later.event) {
        add(self.given(given), on: later.day)
      }
      next = wanted.definition(of: habit, after: later.day)
    }
    return drafts
  }

  /// Why an event has no counterpart, and what there is instead.
  private func reason(_ event: Event) -> String {
    switch event.payload {
    case .celebrationSeen: "a celebration that was shown stays shown"
    case .dayCorrected: "a day that was corrected stays so"
    case .eventRedacted: "what was removed is gone"
    case .ledgerOpened(_?) where namesCommands: "`streaks day --starts HH:MM` sets another hour"
    case .ledgerOpened where namesCommands && log.position(of: event.id) != 1,
      .dayChanged where namesCommands:
      "`streaks day --zone ZONE` moves the ledger back"
    case .ledgerOpened: "a ledger begins once"
    case .habitDefined(let definition):
      "there is no definition before it; "
        + (namesCommands
          ? "`streaks define \(definition.id) --retire` ends the habit" : "retire the habit")
    default: "it has no counterpart"
    }
  }
}

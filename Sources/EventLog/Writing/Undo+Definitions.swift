import StreakDomain

/// The undo of definitions and retirements.
///
/// A habit gets the definition that it had before. If the command to undo defined the habit first,
/// the habit is withdrawn: retired on the day before, so that no day asks for it.
extension Undo {
  /// Returns drafts that revert `event`, which defined a habit as `definition`.
  ///
  /// `others` are the events in force once the command of `batch` is undone, and `withdrawn` has
  /// the ids of the entries that the undo removes.
  func opposite(
    ofDefining definition: Habit, _ event: Event, in batch: Batch, _ others: [Event],
    without withdrawn: Set<String>
  ) throws(Failure) -> [Draft] {
    let wanted = definitions(in: others)
    let drafts = try formerDefinition(
      of: definition.id, replaced: definition, event, in: batch, wanted)
    guard drafts.isEmpty else { return drafts }
    return try withdrawal(of: definition.id, event, in: batch, wanted, without: withdrawn)
  }

  /// Returns drafts that revert `event`, which retired `habit`.
  func opposite(
    ofRetiring habit: String, _ event: Event, in batch: Batch, _ others: [Event]
  ) throws(Failure) -> [Draft] {
    let drafts = try formerDefinition(
      of: habit, replaced: nil, event, in: batch, definitions(in: others))
    guard !drafts.isEmpty else {
      throw Failure(
        .notFound,
        "the definition of \(habit) is undone already, so there is none to bring back")
    }
    return drafts
  }

  /// Returns the failure for an undo that would make `base` the habit's first definition, although
  /// `base` can't move to an earlier day.
  private func fixedBeginning(of habit: String, _ base: DatedDefinition) -> Failure {
    let kind = base.source.rule.isComposite ? "a composite" : "a limit"
    return Failure(
      .notFound,
      """
      without it \(habit) begins on \(base.day), and \(kind) counts days without an entry from its \
      first definition on, so that day cannot move; define \(habit) as you want it, or retire it
      """)
  }

  /// Returns drafts that restore what `habit` had before `event`.
  ///
  /// `event` defined the habit as `replaced`, or retired it if `replaced` is `nil`. The result is
  /// empty if `wanted` has no definition to restore.
  private func formerDefinition(
    of habit: String, replaced: Habit?, _ event: Event, in batch: Batch, _ wanted: Facts
  ) throws(Failure) -> [Draft] {
    if replaced != nil, let base = wanted.base(of: habit, on: event.day), base.day == event.day {
      try check(wanted.id(at: base.position), isBefore: batch)
    }
    // An undo of a later definition repeats the definition before. The repeated definitions must be
    // replaced, too.
    let batchDays = batch.events.filter { $0.defined?.id == habit }.map(\.day)
    let repeats = ledger.facts.repeats(of: replaced, habit, after: event.day).map(\.day)
      .filter { !batchDays.contains($0) && wanted.base(of: habit, on: $0)?.source != replaced }
    if let day = repeats.first(where: { wanted.retirement(of: habit, on: $0.next) != nil }) {
      throw Failure(.notRestored, "\(habit) is defined again from \(day) on; retire it then")
    }
    return ([day(toRestore: habit, for: event, replaced, wanted)] + repeats).flatMap {
      restored(habit, on: $0, replaced: replaced, wanted)
    }
  }

  /// Returns the day of `event`, or of the first definition of `habit` if `event` withdrew it by
  /// retiring the habit on the day before.
  private func day(
    toRestore habit: String, for event: Event, _ replaced: Habit?, _ wanted: Facts
  ) -> Day {
    guard replaced == nil, let first = wanted.base(of: habit, on: event.day)?.day,
      event.day < Day.last, first == event.day.next
    else { return event.day }
    return first
  }

  /// Returns the facts of `events`, among them the definitions and retirements.
  private func definitions(in events: [Event]) -> Facts {
    var ledger = Ledger()
    for event in events { ledger.apply(event) }
    return ledger.facts
  }

  /// Returns a draft that withdraws `habit`, which `event` in `batch` defined.
  ///
  /// It retires the habit on the day before its first definition, so that no day asks for it.
  /// Throws if `wanted` has a definition of the habit, or if the habit has other entries than
  /// `withdrawn`.
  private func withdrawal(
    of habit: String, _ event: Event, in batch: Batch, _ wanted: Facts,
    without withdrawn: Set<String>
  ) throws(Failure) -> [Draft] {
    if let base = wanted.base(of: habit, on: event.day) {
      throw fixedBeginning(of: habit, base)
    }
    let entries = ledger.facts.standingEntries(of: habit).filter { !withdrawn.contains($0.id) }
    if let entry = entries.first {
      let which =
        entries.count == 1
        ? "another entry, of" : "\(counted(entries.count, "other entry")), the first of"
      throw Failure(
        .notRestored,
        "\(habit) has \(which) \(entry.day) (\(Event.shortID(entry.id))); delete it first, or "
          + "retire \(habit) instead")
    }

    // One retirement withdraws all definitions of the command.
    let definitions = batch.events.filter { $0.defined?.id == habit }
    let first = definitions.min { $0.day < $1.day }
    guard let first, first.id == event.id else { return [] }
    let last = event.day > Day.first ? event.day.previous : event.day
    return [draft(.habitRetired(habit: habit), on: last)]
  }

  /// Returns drafts that bring back the definition and the retirement that `habit` has on `day`
  /// according to `wanted`.
  ///
  /// `replaced` is the definition that the drafts replace, or `nil` if they replace a retirement.
  private func restored(_ habit: String, on day: Day, replaced: Habit?, _ wanted: Facts) -> [Draft]
  {
    guard let base = wanted.base(of: habit, on: day) else { return [] }
    let rule = base.source.rule
    // The first definition decides when days without an entry begin to count, so an earlier one
    // can't be undone.
    if base.day > day, rule.isLimit || rule.isComposite { return [] }

    func copies(of defined: DatedDefinition?, on day: Day) -> [Draft] {
      defined.flatMap { eventsByID[wanted.id(at: $0.position)] }.map { [copy(of: $0, on: day)] }
        ?? []
    }

    let retirement =
      wanted.retirement(of: habit, on: day) ?? wanted.retirement(of: habit, on: day.next)
    var drafts = base.source != replaced || retirement == nil ? copies(of: base, on: day) : []
    guard let retirement else { return drafts }

    // The old retirement is still in force on the days before. A definition of its day ends it.
    if retirement < day {
      drafts += copies(of: wanted.base(of: habit, on: retirement), on: retirement)
    }
    drafts.append(draft(.habitRetired(habit: habit), on: retirement))
    // A definition of a later day ends a retirement only if it comes later in the log than the
    // retirement.
    for later in wanted.definitions(of: habit)
    where later.day > day && wanted.retirement(of: habit, on: later.day) == nil {
      drafts += copies(of: later, on: later.day)
    }
    return drafts
  }
}

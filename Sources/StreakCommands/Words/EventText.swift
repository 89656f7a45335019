import EventLog
import Imports
import Inspection
import StreakDomain

/// The texts for events, such as `noalc steady, “at a wedding”`; the caller must escape them with
/// `Escaping.visible`.
struct EventText {
  let ledger: Ledger
  /// Whether habits are shown by name instead of id, for output whose readers need no ids.
  var showsNames = false
  var showsRules = false

  func text(of event: Event) -> String {
    // The reason of a deletion or a withdrawal may already tell that it is an undo.
    says(event) + (event.isUndo && event.payload.reason != "undone" ? " (undo)" : "")
  }

  private func says(_ event: Event) -> String {
    switch event.payload {
    case .ledgerOpened(let dayStart, let weekStart):
      let isFirst = ledger.facts.position(of: event.id) ?? 1 == 1
      let settings = [
        dayStart.map { "days begin at \($0)" }, weekStart.map { "weeks begin on \($0.name)" },
      ].compactMap(\.self)
      if isFirst { return (["ledger opened"] + settings).joined(separator: ", ") }
      return settings.isEmpty
        ? "the ledger is in \(event.zone)" : settings.joined(separator: ", ")
    case .habitDefined(let definition):
      let verb = showsNames && former(event) != nil ? "changed" : "defined"
      return "\(verb) \(called(definition.id))" + (showsRules ? ": \(definition.summary)" : "")
    case .habitRetired(let habit): return "retired \(called(habit))"
    case .entryLogged(let entry):
      return (event.isClearing ? "took back " : "") + words(of: entry, on: event.day)
    case .entryDeleted(let id, let reason): return "deleted " + entry(id) + because(reason)

    case .dayChanged: return "a new day"
    case .dayCorrected(let to, _, let reason): return "corrected the day to \(to)" + because(reason)
    case .daysExcused(let from, let to, let habits, let reason):
      return "excused \(DayText.span(from...max(from, to ?? Day.last)))"
        + (habits.map { " for " + $0.map(called).joined(separator: ", ") } ?? "") + because(reason)
    case .excuseWithdrawn(let id, let reason):
      let span =
        ledger.facts.excusedSpan(of: id).map { "of \(DayText.span($0))" } ?? Event.shortID(id)
      return "withdrew the excuse \(span)" + because(reason)

    case .segmentDropped(let dropped, let reason):
      return "accepted the segment \(dropped.segment) up to line \(dropped.lines)" + because(reason)
    case .eventRedacted(let event, let fields, let reason):
      let names = fields.map(\.rawValue).joined(separator: ", ")
      return "redacted \(names) of \(Event.shortID(event))" + because(reason)
    case .reminderSet(let habit, let time, let isEnabled):
      return isEnabled
        ? "reminder of \(called(habit)) at \(time)" : "no reminder of \(called(habit))"
    case .celebrationSeen(let key):
      return "celebrated: " + AchievementText.celebration(key.string, ledger)
    }
  }

  /// Returns what a definition changes, such as `rule at least 2 l → at least 1.5 l`; `nil` if
  /// `event` isn't a definition or is the first one of its habit.
  func changes(by event: Event) -> String? {
    guard let new = event.defined, let old = former(event) else { return nil }
    let changes = DefinitionText.words(from: old, to: new)
    return changes.isEmpty ? "the same again" : changes.joined(separator: ", ")
  }

  /// Returns the definition before that of `event`, in the order of the days from which they apply.
  private func former(_ event: Event) -> Habit? {
    guard let id = event.defined?.id else { return nil }
    let all = HabitDefinition.all(of: id, in: ledger)
    return all.prefix { $0.event != event.id }.last { $0.habit != nil }?.habit
  }

  /// The verbs with which texts of one event begin, and the nouns that can replace them.
  static let nouns = [
    ("defined ", "the definition of "), ("changed ", "the change of "),
    ("retired ", "the retirement of "),
    ("deleted ", "the deletion of "), ("excused ", "the excuse of "),
    ("withdrew the excuse ", "the withdrawal of the excuse "),
  ]

  func text(of item: StreamItem) -> String {
    if let event = item.event { return text(of: event) }
    return EventText.entry(of: item, in: ledger).map { words(of: $0, on: item.day) } ?? ""
  }

  /// Returns the entry that `item` logs, with its texts if they were read, or `nil` if `item` logs
  /// none.
  static func entry(of item: StreamItem, in ledger: Ledger) -> Entry? {
    if let event = item.event { return event.payload.entry }
    var entry = Entry(item.fact, names: ledger.names)
    if !item.value.isEmpty { entry.value = item.value }
    if !item.note.isEmpty { entry.note = item.note }
    return entry
  }

  /// Returns the description of the entry `id` with its day, such as `noalc steady of 2025-11-02`.
  func entry(_ id: String) -> String {
    guard let (entry, day) = ledger.facts.entry(of: id) else { return Event.shortID(id) }
    return "\(words(of: entry, on: day)) of \(day)"
  }

  /// Returns the entry `id` as text, such as `steady …3ce955`.
  ///
  /// The text names the entry's habit unless that is `habit`.
  func cause(_ id: String, of habit: String) -> String {
    let shown = Event.shortID(id)
    guard let (entry, day) = ledger.facts.entry(of: id) else { return shown }
    let words =
      entry.habit == habit
      ? entry.measureWords(unit: ledger.facts.unit(of: entry, on: day))
      : self.words(of: entry, on: day)
    return words.isEmpty ? shown : words + " " + shown
  }

  func words(of entry: Entry, on day: Day) -> String {
    [called(entry.habit), noted(entry, on: day)].filter { !$0.isEmpty }.joined(separator: " ")
  }

  func noted(_ entry: Entry, on day: Day) -> String {
    entry.notedWords(unit: ledger.facts.unit(of: entry, on: day))
  }

  /// Returns the habit's id, or its name if names are shown.
  ///
  /// If two habits have the same name, the id follows it.
  func called(_ habit: String) -> String {
    let facts = ledger.facts
    guard showsNames, let name = facts.definition(of: habit)?.name else { return habit }
    let isShared = facts.definedHabits.contains {
      $0 != habit && facts.definition(of: $0)?.name == name
    }
    return isShared ? "\(name.string) (\(habit))" : name.string
  }

  private func because(_ reason: Text?) -> String {
    reason.map { $0.isEmpty ? ", reason redacted" : ", “\($0)”" } ?? ""
  }
}

extension EventType {
  /// The noun for an event of this type in a summary.
  var noun: String {
    switch self {
    case .ledgerOpened: "change of zone"
    case .habitDefined: "definition"
    case .habitRetired: "retirement"
    case .entryLogged: "entry"
    case .entryDeleted: "deleted entry"
    case .dayChanged: "new day"
    case .dayCorrected: "corrected day"
    case .daysExcused: "excuse"
    case .excuseWithdrawn: "withdrawn excuse"
    case .segmentDropped: "accepted segment"
    case .eventRedacted: "redaction"
    case .reminderSet: "reminder"
    case .celebrationSeen: "celebration"
    }
  }
}

extension Facts {
  fileprivate func unit(of entry: Entry, on day: Day) -> Text? {
    entry.amount.flatMap { _ in definition(of: entry.habit, on: day)?.rule.sum?.unit }
  }
}

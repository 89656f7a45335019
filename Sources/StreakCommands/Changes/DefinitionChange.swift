import EventLog
import Imports
import Inspection
import StreakDomain
import TimeZones

/// A new definition of a habit that `define` records, and its text.
struct DefinitionChange {
  let habit: String
  private let base: DatedDefinition?
  private let definition: Habit
  private let day: Day
  /// The current date or the ledger's today, whichever is later.
  private let today: Day
  /// The next definition for a later day, which will replace `definition` on that day, or `nil` if
  /// there is none.
  private let until: DatedDefinition?
  private let resumes: Day?
  /// The notice about a converted bound or a changed unit, or `nil`.
  private let unitNotice: String?
  /// Whether the habit has this definition already, so that there is nothing to append.
  let isThere: Bool
  /// The definitions to append: the new definition, and copies of it that replace later copies of
  /// the old definition.
  private(set) var drafts: [Draft]

  /// Creates the change that the options specify; `name` is used if the habit is new and `--name`
  /// is missing.
  init(
    of habit: String, named name: Text? = nil, in ledger: Ledger, _ invocation: Invocation
  ) throws(Failure) {
    self.habit = habit
    let arguments = invocation.arguments
    let id = arguments.value("--id")
    today = try invocation.words.wordClock(ledger).today
    day = try invocation.words.day("--on", .near(isFuture: false), in: ledger) ?? today

    // A retry with the same id has the same base as the first try.
    let firstTry = id.flatMap { ledger.facts.definition(of: habit, by: $0) }
    if let firstTry {
      let cause = try invocation.reader.event(ledger.facts.id(at: firstTry.position))?.cause
      base = cause.flatMap { ledger.facts.definition(of: habit, by: $0) }
    } else {
      base = ledger.facts.base(of: habit, on: day)
    }
    if base == nil, firstTry == nil, day > today {
      throw .usage(
        """
        \(option: "--on") is \(day), and \(habit) is new: define it from today on, then say what \
        changes on that day
        """)
    }

    // A retirement takes effect on the day after its event.
    resumes = ledger.facts.retirement(of: habit, on: day.next)
    let defined = DefinedHabit(
      id: habit, base: base?.source, ledger: ledger, invocation: invocation)
    var definition = try defined.definition()
    if base == nil { definition.name = definition.name ?? name }
    let amounts = ledger.facts.amounts(of: habit, before: firstTry?.position)
    unitNotice = try definition.convertBounds(toUnitOf: base?.source, for: amounts, from: day)
    self.definition = definition

    // The first definition of a limit doesn't apply to earlier days, so these need another one.
    let first = ledger.facts.definitions(of: habit).map(\.day).min()
    let beginsEarlier = definition.rule.isLimit && day < first ?? day
    let isSame = base.map { definition.saysTheSame(as: $0.source) } ?? false
    isThere = isSame && firstTry == nil && resumes == nil && !beginsEarlier
    guard !isThere else {
      drafts = []
      until = nil
      return
    }

    drafts = ledger.facts.drafts(
      of: definition, replacing: base, from: day, command: invocation.command.name)
    if firstTry != nil { drafts.removeSubrange(1...) }
    drafts[0].id = id
    if arguments.has("--on") { drafts[0].day = day }
    until = ledger.facts.definition(of: habit, after: drafts.last?.day ?? day)
    if arguments.has("--counts-from"), let until, base != nil {
      throw .usage(
        """
        \(option: "--counts-from") is the latest definition's, which takes effect from \
        \(until.day) on; change that one with \(option: "--on") \(until.day)
        """)
    }
  }

  var changes: [DefinitionFieldChange] {
    DefinitionText.changes(from: base?.source, to: definition)
  }

  var lines: [String] {
    if isThere { return ["\(habit) already has this definition"] }
    let fields = changes
    // The first definition applies to earlier days, too, and so does the day from which a habit
    // counts.
    let isFirst = base == nil && day <= today
    let changesPast =
      base != nil && !fields.isEmpty && fields.allSatisfy { $0.field == "countsFrom" }
    let start = isFirst ? "" : changesPast ? " on all days" : " from \(day) on"
    let end = until.map { ", until \($0.day), when another definition applies" } ?? ""

    let isUnchanged = base != nil && fields.isEmpty && resumes == nil
    if isUnchanged { return ["\(habit) has this definition from \(day) on"] }

    var lines = ["\(habit) \(base == nil ? "is defined" : "changes")\(start)\(end):"]
    let width = fields.map(\.field.utf8.count).max() ?? 0
    for change in fields {
      let words =
        base == nil ? change.after ?? "" : "\(change.before ?? "–") → \(change.after ?? "–")"
      lines.append(TableRow.text(indent: 2, (change.field, width), (Escaping.visible(words), 0)))
    }
    if case .grace? = definition.forgiveness, definition.rule.isLimit {
      lines.append("  nothing is forgiven: grace covers missed days only, and a limit has none")
    }
    if let unitNotice { lines.append("  " + Escaping.visible(unitNotice)) }
    if let resumes { lines.append("  it had been retired after \(resumes) and resumes") }
    return lines
  }
}

extension Facts {
  /// Returns the entries of `habit` with an amount, before the event at `position` if it isn't
  /// `nil`; also deleted ones, because an undo can bring these back.
  fileprivate func amounts(of habit: String, before position: Int?) -> [EntryFact] {
    entries(of: habit, in: Day.first...Day.last).filter {
      $0.values.amount >= 0 && $0.position < position ?? .max
    }
  }
}

extension Habit {
  /// Converts the bounds into the unit of `base`, because logged amounts are numbers without a unit
  /// of their own, and returns a notice about that.
  ///
  /// If the units don't fit together, the notice is about the amounts since `day`, which get the
  /// new unit.
  fileprivate mutating func convertBounds(
    toUnitOf base: Habit?, for amounts: [EntryFact], from day: Day
  ) throws(Failure) -> String? {
    guard let former = base?.rule.sum, let new = rule.sum, former.of == .amount, new.of == .amount,
      let unit = former.unit, let newUnit = new.unit, unit != newUnit, !amounts.isEmpty
    else { return nil }

    if MeasureUnit.fit(newUnit.string, unit.string) {
      let asked = rule.words
      let kept = new.converted(to: unit)
      let most = Thousandths(Limits.amount)
      guard kept != new, kept.atLeast ?? .zero <= most, kept.atMost ?? .zero <= most else {
        throw .usage("\(asked) is no bound in \(unit), in which the amounts so far are logged")
      }
      rule.kind = .sum(kept)
      return "\(asked) is \(rule.words), because the amounts logged so far are \(unit)"
    }

    let renamed = amounts.filter { $0.day >= day }.map(\.day)
    guard let first = renamed.min(), let last = renamed.max() else { return nil }
    let days = first == last ? "\(first)" : "\(first) to \(last)"
    return "\(counted(renamed.count, "entry")) of \(days) logged in \(unit) now "
      + "\(renamed.count == 1 ? "counts" : "count") as \(newUnit)"
  }
}

import EventLog
import Imports
import Inspection
import StreakDomain

/// A new definition of a habit that `define` records, and its text.
struct DefinitionChange {
  let habit: String
  private let base: DatedDefinition?
  private let definition: Habit
  private let day: Day
  /// The current date or the ledger's today, whichever is later.
  private let today: Day
  /// The next definition, which replaces this one on a later day, or `nil` if there is none.
  private let until: DatedDefinition?
  private let resumes: Day?
  /// The notices about a converted bound, and about entries in another measure or unit.
  private let notices: [String]
  /// Whether the habit has this definition already, so that there is nothing to append.
  let isThere: Bool
  /// The definitions to append.
  ///
  /// First comes the new one. Copies of it replace copies of the old definition on later days.
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
    let logged = ledger.facts.loggedSum(
      of: habit, fitting: definition.rule.bounds, base?.source, before: firstTry?.position)
    let conversion = try definition.convertBounds(to: logged, base?.source)
    notices =
      (conversion.map { [$0] } ?? []) + ledger.notices(from: base?.source, to: definition, on: day)
    self.definition = definition

    // The first definition of a limit doesn't apply to earlier days, so these need another one.
    let first = ledger.facts.definitions(of: habit).first?.day
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
    if arguments.has("--counts-from") { try requireLast() }
  }

  /// Throws if another definition will replace this one.
  ///
  /// The day from which a habit counts is always that of the latest definition.
  private func requireLast() throws(Failure) {
    guard let until, base != nil else { return }
    throw .usage(
      """
      \(option: "--counts-from") is the latest definition's, which takes effect from \
      \(until.day) on; change that one with \(option: "--on") \(until.day)
      """)
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
    lines += notices.map { "  " + Escaping.visible($0) }
    if let resumes { lines.append("  it had been retired after \(resumes) and resumes") }
    return lines
  }
}

extension Facts {
  /// Returns a measure and unit in which entries of `habit` are logged, and that fit `sum`.
  ///
  /// The bounds of `sum` can be converted to them. The result is `nil` if there are no such
  /// entries. Those of `base` are tried first. If `position` isn't `nil`, entries from that event
  /// on are ignored. Deleted entries count, because an undo can bring them back.
  fileprivate func loggedSum(
    of habit: String, fitting sum: Sum?, _ base: Habit?, before position: Int?
  ) -> Sum? {
    guard let sum else { return nil }
    let end = position ?? .max
    let entries = entries(of: habit, in: Day.first...Day.last).filter { $0.position < end }
    let amounts = definitions(of: habit).filter { $0.position < end }.compactMap(\.source.rule.sum)
      .last { $0.of == .amount }

    let candidates = [base?.rule.bounds, amounts, Sum(of: .km), Sum(of: .minutes)]
    return candidates.lazy.compactMap(\.self).first { candidate in
      sum.fits(candidate) && entries.contains { $0.values[candidate.of] >= 0 }
    }
  }
}

extension Habit {
  /// Converts the bounds into the measure and unit `logged`, in which the entries so far are
  /// logged.
  ///
  /// Returns a notice about that, or `nil` if nothing was converted.
  fileprivate mutating func convertBounds(
    to logged: Sum?, _ base: Habit?
  ) throws(Failure) -> String? {
    guard let logged, let new = rule.bounds, (logged.of, logged.unit) != (new.of, new.unit) else {
      return nil
    }

    let asked = rule.words
    let unit = logged.unitOfNumbers
    let kept = new.converted(to: logged)
    let most = Thousandths(Limits.amount)
    guard kept != new, kept.atLeast ?? .zero <= most, kept.atMost ?? .zero <= most else {
      throw .usage(
        """
        \(asked) is no bound in \(unit), in which it is logged so far; bounds go from \
        \(Thousandths(count: 1)) to \(most) \(unit)
        """)
    }
    rule.kind = base?.rule.bounded(by: kept) ?? .sum(kept)
    return "\(asked) is \(rule.words), because it is logged in \(unit) so far"
  }
}

extension Ledger {
  /// Returns notices about entries in another measure or unit than that of the definition `new`.
  ///
  /// One is about entries that now count in the new unit, and one about those that no longer count.
  /// The definition changes from `old` to `new` on `day`.
  fileprivate func notices(from old: Habit?, to new: Habit, on day: Day) -> [String] {
    let sum = new.rule.bounds
    // A rule without bounds may have come between.
    let formerBounds = facts.definitions(of: new.id).filter { $0.day <= day }
      .compactMap(\.source.rule.bounds).last
    guard let old, let former = old.rule.bounds ?? formerBounds, former.counted != sum?.counted
    else {
      return []
    }
    // The first definition applies to earlier days, too.
    let first = facts.definitions(of: old.id).first?.day ?? day
    let day = day <= first ? Day.first : day
    let start = firstUndecidedDay(of: old.id, former.per, until: day)
    let entries = facts.entries(of: old.id, in: start...Day.last).filter {
      $0.isStanding && $0.values[former.of] >= 0
    }

    let isCounted = { (entry: EntryFact) in
      entry.day >= day && new.rule.missing(in: Entry(entry, names: names)) == nil
    }
    func notice(_ entries: [EntryFact], _ adverb: String, _ newUnit: String = "") -> String? {
      let days = entries.map(\.day)
      guard let first = days.min(), let last = days.max() else { return nil }
      let unit = former.unitOfNumbers
      return "\(counted(entries.count, "entry")) of \(DayText.span(first...last))"
        + (unit.isEmpty ? "" : " logged in \(unit)")
        + " \(adverb) \(entries.count == 1 ? "counts" : "count")\(newUnit)"
    }

    var notices = [notice(entries.filter { !isCounted($0) }, "no longer")]
    if former.of == .amount, sum?.of == .amount, let unit = sum?.unit, former.unit ?? unit != unit {
      notices.insert(notice(entries.filter(isCounted), "now", " as \(unit)"), at: 0)
    }
    return notices.compactMap(\.self)
  }

  /// Returns the first day of the week or month of `day`, if no earlier day of it has decided its
  /// sum.
  ///
  /// Otherwise, or if `period` is `nil`, returns `day`.
  private func firstUndecidedDay(
    of habit: String, _ period: Schedule.Period?, until day: Day
  ) -> Day {
    guard let period, day > Day.first else { return day }
    let start = period.days(around: day, from: facts.weekStart).lowerBound
    guard start < day else { return day }
    let verdicts = self[habit]?.calendar(in: start...day.previous).map(\.verdict) ?? []
    return verdicts.allSatisfy { [.rest, .excused, .open].contains($0) } ? start : day
  }
}

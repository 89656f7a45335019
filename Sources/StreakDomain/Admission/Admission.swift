/// The check of an event before it is appended (event-format.md, "What is refused").
///
/// It reads facts only, so the events of a batch can be checked one after another before any day is
/// folded. The check of a celebration is the exception: it reads the days to confirm that the
/// celebration exists.
package struct Admission {
  private let facts: Facts
  /// The ledger to which the event is appended, which may have events that aren't settled.
  private let ledger: Ledger

  package init(to ledger: Ledger) {
    facts = ledger.facts
    self.ledger = ledger
  }

  /// Returns the reason why `append` refuses `event` (event-format.md, "What is refused"), or `nil`
  /// if it is accepted.
  package func refusal(of event: Event) -> Failure? {
    switch event.payload {
    case .entryLogged(let entry): return refusal(of: entry, on: event.day)
    case .entryDeleted(let entry, _): return refusal(ofDeleting: entry)

    case .habitDefined(let definition): return refusal(ofDefining: definition)
    case .habitRetired(let habit):
      return refusal(of: habit)
        ?? facts.retirement(of: habit, on: event.day.next).map {
          Failure(.untimely, "\(quoted(habit)) is retired already, after \($0)")
        }

    case .daysExcused(let from, let to, let habits, _):
      for habit in habits ?? [] {
        if let refusal = refusal(of: habit) { return refusal }
        if let after = facts.retirement(of: habit, on: to ?? Day.last) {
          return .retired(habit, after: after, day: max(from, after.next))
        }
      }
      return refusal(ofExcusing: habits ?? [])
    case .excuseWithdrawn(let excuse, _): return refusal(ofWithdrawing: excuse)

    case .reminderSet(let habit, _, _):
      return refusal(of: habit)
        ?? facts.retirement(of: habit, on: event.day).map {
          .retired(habit, after: $0, day: event.day)
        }

    case .dayChanged(let to, _, _):
      if event.day != to { return .day(event.day, isNotTo: to) }
      guard let today = facts.today, to <= today else { return nil }
      return Failure(
        .untimely, "\"to\" is \(to), not after today, \(today)",
        remedy: "that day has begun already")
    case .dayCorrected(let to, let moved, _):
      return event.day != to ? .day(event.day, isNotTo: to) : refusal(ofCorrecting: moved, to: to)

    case .celebrationSeen(let celebration): return refusal(ofSeeing: celebration)
    case .ledgerOpened, .segmentDropped, .eventRedacted: return nil
    }
  }

  private func refusal(ofSeeing celebration: Text) -> Failure? {
    var settled = ledger
    settled.settle()
    let celebrations = Celebrations(of: settled)
    if let key = CelebrationKey(celebration.string), celebrations.hasGround(for: key) {
      return nil
    }

    let pending = celebrations.unseen().map(\.key)
    let near = Nearest.hint(celebration.string, among: pending)
    return Failure(
      .untimely,
      "\"celebration\" is \(quoted(celebration)), and no celebration has or had that key\(near)",
      remedy: pending.isEmpty ? nil : "pending are \(pending.prefix(5).joined(separator: ", "))")
  }

  private func refusal(of habit: String) -> Failure? {
    facts.handle(of: habit) == nil ? .unknownHabit(habit, among: facts.currentHabits) : nil
  }

  private func refusal(of entry: Entry, on day: Day) -> Failure? {
    if let refusal = refusal(of: entry.habit) { return refusal }
    if entry.asOf != nil, entry.key == nil {
      return Failure(
        .doesNotFit, "\"asOf\" is there without a \"key\"",
        remedy: "name the \"key\" whose entry it is, or leave \"asOf\" out")
    }
    if let after = facts.retirement(of: entry.habit, on: day) {
      return .retired(entry.habit, after: after, day: day)
    }
    return facts.definition(of: entry.habit, on: day)?.rule.refusal(of: entry)
  }

  private func refusal(ofDeleting entry: String) -> Failure? {
    guard facts.entry(of: entry) != nil else {
      return Failure(
        .unknownEntry, "there is no entry with the id \(quoted(entry)) to delete",
        remedy: .findEntry)
    }
    switch facts.fate(of: entry) {
    case .absent, .standing: return nil
    case .deleted: return Failure(.untimely, "the entry \(quoted(entry)) is deleted already")
    case .replaced(let successor):
      return Failure(
        .untimely, "the entry \(quoted(entry)) is replaced already, by \(quoted(successor))",
        remedy: facts.fate(of: successor) == .standing
          ? "delete \(quoted(successor)) instead" : nil)
    }
  }

  private func refusal(ofDefining definition: Habit) -> Failure? {
    if facts.handle(of: definition.id) == nil, facts.mentionedHabits >= Limit.habits.maximum {
      return Failure(
        .overLimit,
        "\(quoted(definition.id)) would exceed \(Limit.habits.maximum) habits, the most of a ledger"
      )
    }

    if let over = Limit.exceeded(by: definition) {
      return Failure(
        .overLimit,
        """
        \(quoted(definition.id)) has \(over.count) \(over.limit.rawValue), and \
        \(over.limit.maximum) are the most
        """
      )
    }

    for member in definition.rule.members
    where facts.handle(of: member) == nil && member != definition.id {
      return Failure(
        .unknownMember,
        """
        \"rule.of\" of \(quoted(definition.id)) names \(quoted(member)), which is not \
        defined\(Nearest.hint(member, among: facts.definedHabits))
        """,
        remedy: "define \(quoted(member)) first")
    }

    let nesting = Nesting(of: definition, in: facts)
    if let member = nesting.circularMember { return .circular(member, of: definition.id) }
    if definition.rule.isComposite, nesting.depth > Limit.depth.maximum {
      return Failure(
        .overLimit,
        "\(quoted(definition.id)) would be nested more than \(Limit.depth.maximum) composites deep")
    }
    if nesting.ancestorCount > Limit.above.maximum {
      return Failure(
        .overLimit,
        "\(quoted(definition.id)) would exceed \(Limit.above.maximum) composites above one habit")
    }

    return refusalOfOutcomes(definition)
      ?? Limit.repetition(in: definition).map { list, item in
        .repetition(of: item, in: list, ofHabit: definition.id)
      }
  }

  private func refusal(ofExcusing habits: [String]) -> Failure? {
    let most = Limit.excused.maximum
    guard habits.count <= most else {
      return Failure(
        .overLimit, "\"habits\" has \(habits.count) habits, and \(most) are the most of an excuse",
        remedy: "leave \"habits\" out to excuse all, or append several excuses")
    }
    return Limit.repetition(in: habits).map { .repetition(of: $0, in: "habits") }
  }

  private func refusal(ofWithdrawing id: String) -> Failure? {
    guard let excuse = facts.excuse(of: id) else {
      return Failure(
        .unknownExcuse, "there is no excuse with the id \(quoted(id)) to withdraw",
        remedy: .findExcuse)
    }
    if excuse.isOfZone {
      return Failure(
        .doesNotFit,
        """
        \(quoted(id)) excuses \(excuse.span.lowerBound) as a date that never was; that cannot be \
        withdrawn
        """
      )
    }
    guard excuse.isWithdrawn else { return nil }
    return Failure(.untimely, "the excuse \(quoted(id)) is withdrawn already")
  }

  private func refusal(ofCorrecting moved: [String], to day: Day) -> Failure? {
    let remedy: Remedy = "leave \"moved\" out: the store finds the events"
    if let id = Limit.repetition(in: moved) { return .repetition(of: id, in: "moved") }
    let movers = Set(facts.movers(beyond: day))
    for id in moved where !movers.contains(id) {
      return Failure(
        .untimely,
        facts.dayReached(by: id) == nil
          ? "\"moved\" names \(quoted(id)), which is not an event that moves today"
          : "\"moved\" names \(quoted(id)), which does not move today beyond \(day)",
        remedy: remedy)
    }
    return nil
  }

  private func refusalOfOutcomes(_ definition: Habit) -> Failure? {
    guard case .joker(let rule)? = definition.forgiveness else { return nil }
    var outcomes = Level.reserved.filter { $0 != Text(Verdict.rest.rawValue) }
    outcomes += definition.rule.levels.names
    for outcome in rule.heals ?? [] where !outcomes.contains(outcome) {
      return .unknownOutcome(outcome, in: "forgiveness.heals", among: outcomes)
    }
    for penalty in rule.penalty where !outcomes.contains(penalty.outcome) {
      return .unknownOutcome(penalty.outcome, in: "forgiveness.penalty", among: outcomes)
    }
    return nil
  }
}

extension Failure {
  package static func unknownHabit(_ habit: String, among habits: [String]) -> Failure {
    Failure(
      .unknownHabit, "no habit \(quoted(habit)) is defined\(Nearest.habit(habit, among: habits))",
      remedy: .define(habit: habit))
  }

  fileprivate static func retired(_ habit: String, after: Day, day: Day) -> Failure {
    Failure(
      .untimely, "\(quoted(habit)) is retired after \(after), so \(day) takes no entry",
      remedy: .resume(habit: habit))
  }

  fileprivate static func day(_ day: Day, isNotTo to: Day) -> Failure {
    Failure(
      .doesNotFit,
      """
      \"day\" is \(day) and \"to\" is \(to); of day.changed and day.corrected both are the new day
      """,
      remedy: "give both the same")
  }

  package static func circular(_ member: String, of habit: String) -> Failure {
    Failure(
      .doesNotFit,
      "\"rule.of\" of \(quoted(habit)) names \(quoted(member)), which leads back to it",
      remedy: "leave it out")
  }

  fileprivate static func repetition(
    of item: String, in list: String, ofHabit habit: String? = nil
  ) -> Failure {
    let owner = habit.map { " of \(quoted($0))" } ?? ""
    return Failure(
      .overLimit, "\(quoted(list))\(owner) names \(quoted(item)) twice",
      remedy: "leave one of them out")
  }

  fileprivate static func unknownOutcome(
    _ outcome: Text, in field: String, among outcomes: [Text]
  ) -> Failure {
    Failure(
      .doesNotFit,
      """
      \"\(field)\" names \(quoted(outcome)), which is not an \
      outcome\(Nearest.hint(outcome.string, among: outcomes.strings))
      """,
      remedy: "use one of \(outcomes.strings.joined(separator: ", "))")
  }
}

extension Rule {
  private func lack(in entry: Entry) -> (needs: String, says: String)? {
    switch kind {
    case .minutes:
      entry.minutes == nil ? ("minutes", "counts minutes; say how many, such as 12m") : nil
    case .level(let levels):
      entry.level == nil && entry.drinks == nil
        ? (
          "level or drinks",
          """
          needs a level (\(levels.names.strings.joined(separator: ", "))) or drinks, such as 2drinks
          """
        ) : nil
    case .completed:
      entry.completed == nil ? ("completed", "is either completed or failed; say which") : nil
    case .sum(let sum): entry.has(sum.of) ? nil : (sum.of.rawValue, sum.question)
    case .activity(let thresholds): entry.lack(under: thresholds)
    case .any, .never, .all, .either: nil
    }
  }

  package func missing(in entry: Entry) -> String? { lack(in: entry)?.says }

  func refusal(of entry: Entry) -> Failure? {
    if isComposite {
      return Failure(
        .doesNotFit, "\(quoted(entry.habit)) follows from \(members.joined(separator: ", "))",
        remedy: "log one of those instead")
    }
    if let lack = lack(in: entry) {
      let measures = Measure.allCases.filter { $0 != .entries && entry.has($0) }.map(\.rawValue)
      return Failure(
        traits.looksAtActivities ? .nothingToCount : .missingMeasure,
        """
        an entry of \(quoted(entry.habit)), whose rule is \(quoted(name.rawValue)), needs \
        \(lack.needs)
        """
          + (measures.isEmpty ? "" : ", not \(measures.joined(separator: ", "))"))
    }
    return levels.names.isEmpty ? nil : levels.refusal(of: entry)
  }
}

extension Levels {
  fileprivate func refusal(of entry: Entry) -> Failure? {
    if let level = entry.level, !names.contains(level) {
      return Failure(
        .doesNotFit,
        """
        \"level\" is \(quoted(level)), which \(quoted(entry.habit)) does not \
        have\(Nearest.hint(level.string, among: names.strings))
        """,
        remedy: "it knows \(names.strings.map(Escaping.visible).joined(separator: ", "))")
    }

    guard let drinks = entry.drinks else { return nil }
    guard let band = band(of: drinks) else {
      return Failure(
        .doesNotFit, "\(drinks) drinks are in no level of \(quoted(entry.habit))",
        remedy: "define its levels again, the last one open")
    }
    guard let level = entry.level, level != band.name else { return nil }
    return Failure(
      .doesNotFit, "\"level\" is \(quoted(level)), but \(drinks) drinks are \(quoted(band.name))",
      remedy: "leave one out")
  }
}

extension Sum {
  fileprivate var question: String {
    let unit = of == .minutes ? "m" : self.unit?.string ?? (of == .amount ? "" : of.rawValue)
    let bound = atLeast ?? atMost ?? Thousandths(20)
    let example = "\(bound)" + Unit.name(unit, isOne: bound == 1)
    return "counts \(self.unit?.string ?? of.rawValue); say how many, such as \(example)"
  }
}

extension Entry {
  /// Returns the measures that the entry lacks, and words that ask for one of them.
  ///
  /// The entry's activity decides which measures can count. The result is `nil` if the entry has
  /// one, or if the activity requires none. It is also `nil` if any threshold is empty, because
  /// such a habit also serves as a diary.
  fileprivate func lack(under thresholds: [ActivityThreshold]) -> (needs: String, says: String)? {
    guard minutes == nil, km == nil, sets == nil,
      !thresholds.contains(where: { $0.measures == Measures() })
    else {
      return nil
    }
    let threshold =
      thresholds.first { $0.activity == activity } ?? thresholds.first { $0.activity == "*" }
    let required: [(measure: Measure, least: Thousandths)] = [
      (.sets, threshold?.measures.sets), (.minutes, threshold?.measures.minutes),
      (.km, threshold?.measures.km),
    ].compactMap { measure, least in least.map { (measure, $0) } }
    guard let first = required.first else { return nil }
    let names = required.map(\.measure.rawValue).joined(separator: " or ")
    let example = "\(first.least)\(first.measure.bareUnit ?? "")"
    return (names, "counts \(names); say how many, such as \(example)")
  }
}

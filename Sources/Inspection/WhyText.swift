import EventLog
import StreakDomain

/// The explanation of a day's verdict in sentences.
struct WhyText {
  let account: DayAccount
  let habit: HabitView
  /// The stored events that the sentences need, in stream order.
  ///
  /// Facts don't contain when and why something was recorded.
  let causes: [(position: Int, event: Event)]

  /// Reads from `stream` the definitions of the habit, and the events that deleted or replaced the
  /// day's entries.
  init(of account: DayAccount, _ habit: HabitView, _ stream: EventStream?) throws(Failure) {
    self.account = account
    self.habit = habit
    let facts = habit.facts
    let entries = Set(account.entries.compactMap { facts.position(of: $0.id) })
    let positions =
      habit.definitions.map(\.position)
      + facts.deletions(ofEntriesAt: entries).map(\.deletion)
      + entries.compactMap { facts.replacement(ofEntryAt: $0) }

    var causes: [(position: Int, event: Event)] = []
    try stream?.eachEvent(at: Set(positions).sorted()) { causes.append(($0, $1)) }
    self.causes = causes
  }

  var reasons: [Reason] {
    var reasons: [Reason] = []
    func add(
      _ kind: Reason.Kind, _ sentence: String?, of habit: String? = nil, on day: Day? = nil,
      joker: Joker? = nil, event: String? = nil
    ) {
      guard let sentence = sentence.map(Escaping.visible) else { return }
      reasons.append(
        Reason(
          kind: kind, habit: habit ?? account.habit, day: day ?? account.day, joker: joker,
          event: event, sentence: sentence))
    }

    add(.day, title)
    add(.rule, rule, on: account.rule.defined.on, event: account.rule.defined.event)
    add(.forgiveness, forgiveness)
    if account.members.isEmpty, account.entries.isEmpty {
      add(.entry, "Nothing was logged for that day.")
    }
    for entry in account.entries where account.members.isEmpty {
      add(.entry, sentence(for: entry), event: entry.id)
    }
    add(.sum, account.sum.map { "Up to it, its \(unit) comes to \($0.rule.progress($0.soFar))." })

    for member in account.members { add(.member, sentence(for: member), of: member.habit) }
    add(.rest, usedUp)
    add(.verdict, excuse)
    add(.verdict, judgement)

    for line in account.jokers.lines { add(.joker, sentence(for: line), joker: line.lot) }
    add(.run, run)
    add(.today, today, on: habit.today)
    return reasons
  }

  private func shown(_ id: String) -> String { Event.shortID(id) }

  private func shown(_ ids: [String]) -> String { ids.map(shown).joined(separator: ", ") }

  private var definition: Habit { account.rule.definition }

  private var unit: String { definition.rule.sum?.per?.rawValue ?? "day" }

  private var title: String {
    // An open day has no outcome yet, and a rest day's outcome doesn't matter.
    let isPlain =
      [.open, .rest].contains(account.verdict) || account.outcome == Text(account.verdict.rawValue)
      || account.verdict == .excused && account.outcome == "missed"
    return "\(definition.title) on \(account.day): \(account.verdict.rawValue)"
      + (isPlain ? "" : " (outcome: \(account.outcome))")
  }

  private var rule: String {
    let (event, day) = account.rule.defined
    let since =
      day > account.day
      ? "The rule of \(day) (\(shown(event))), the first,"
      : "Since \(day) (\(shown(event))) the rule"
    // A rule can be defined after the days to which it applies.
    let lateness = lateDefinition.map { dayOfWriting($0) - account.day } ?? 0
    return
      "\(since) is: \(definition.rule.words)\(definition.schedule.map { "; \($0.words)" } ?? "")."
      + (lateness > 0
        ? """
         It was defined on \(account.day + lateness), \(counted(lateness, "day")) after this day.
        """
        : "")
  }

  /// The event that gave the day its rule and schedule, if it was written after the day.
  ///
  /// It is `nil` if the rule and the schedule were known on the day.
  private var lateDefinition: Event? {
    func isSame(_ event: Event) -> Bool {
      event.defined.map { ($0.rule, $0.schedule) == (definition.rule, definition.schedule) }
        ?? false
    }
    let day = account.day
    let all = causes.map(\.event).filter { $0.defined != nil }
    let inForce = all.filter { dayOfWriting($0) <= day && $0.day <= day }.sorted { $0.day < $1.day }
      .last
    return inForce.map(isSame) ?? false ? nil : all.first { dayOfWriting($0) > day && isSame($0) }
  }

  /// Returns the day on which `event` was written; an import dates its definitions back.
  private func dayOfWriting(_ event: Event) -> Day {
    let recorded = Timestamp(instant: event.recorded, offset: Int(event.at.offset)).localDay
    // The clock of another device, a day ahead at most, can stamp an event too late.
    return recorded - event.at.localDay > 1 ? recorded : event.at.localDay
  }

  private var forgiveness: String {
    let since = account.rule.forgiven.map { " (since \($0.on), \(shown($0.event)))" }
    return forgivenessClause + (since ?? "") + "."
  }

  private var forgivenessClause: String {
    if definition.streak == false { return "Its days make no run" }
    let isLimit = definition.rule.isLimit
    let hasRests = if case .times? = definition.schedule { true } else { false }
    let missed = hasRests ? "\(unit) missed beyond the rest days" : "missed \(unit)"
    let ends = "One \(isLimit ? "\(unit) beyond the limit" : missed) ends the run: "
    switch definition.forgiveness ?? .nothing {
    case .nothing: return ends + "it has no jokers and no grace"
    case .grace where isLimit: return ends + "grace covers missed days only"
    case .grace(let days):
      let missed = days == 1 ? "A missed \(unit)" : "Up to \(days) missed \(unit)s in a row"
      return "\(missed) may pass without ending a run"
    case .joker(let rule):
      return
        """
        Every \(counted(rule.every, unit)) of a run earn a joker, at most \(rule.cap) \
        \(rule.cap == 1 ? "is" : "are") held, 
        """
          + "and one is spent to save a \(unit)" + exceptions(to: rule)
    }
  }

  /// Returns the outcomes that jokers don't save and their costs, such as ` unless it is wild; wild
  /// costs 1 joker`.
  private func exceptions(to rule: JokerRule) -> String {
    let bad = definition.rule.outcomes.filter { $0 != "good" && $0 != "restarted" }
    let fatal = bad.filter { outcome in !(rule.heals?.contains(outcome) ?? (outcome != "failed")) }
    let costs = rule.penalty.filter { fatal.contains($0.outcome) }
      .map { "; \($0.outcome) costs \(counted($0.jokers, "joker"))" }
    let unsaved = fatal.isEmpty ? "" : " unless it is " + fatal.strings.joined(separator: " or ")
    return unsaved + costs.joined()
  }

  private func sentence(for entry: DayAccount.EntryAccount) -> String {
    let measures = entry.entry.measureWords(unit: entry.unit)
    var words = ["Logged: \(measures.isEmpty ? "" : measures + ", ")\(shown(entry.id))"]
    if entry.lateness > 0 { words.append("\(counted(entry.lateness, "day")) after the day") }
    if let replacement = entry.replacement {
      words.append(replaced(by: replacement))
    } else if entry.isDeleted {
      let deletion = causes.first { $0.event.payload.removed == entry.id }?.event
      let reason =
        deletion?.payload.reason.map { $0.isEmpty ? " (reason redacted)" : " (\($0))" } ?? ""
      words.append("deleted" + (deletion.map { " by \(shown($0.id))" } ?? "") + reason)
    } else if entry.isTooLate {
      words.append("too late for the rule")
    } else if !entry.isConsidered {
      words.append("which the rule does not count")
    }
    return words.joined(separator: ", ") + "."
  }

  /// Returns a clause such as `replaced on 2025-11-04 by @12`.
  private func replaced(by id: String) -> String {
    let position = habit.facts.position(of: id) ?? 0
    let event = causes.first { $0.position == position }?.event
    let recorded = event?.payload.entry?.key == nil ? nil : event?.recorded
    let day = recorded.flatMap { habit.facts.clock?.local($0).localDay }
    return "replaced\(day.map { " on \($0)" } ?? "") by @\(position)"
  }

  private func sentence(for member: DayAccount.Member) -> String {
    let had = "\(member.habit) had the outcome \(member.outcome)"
    if let leftOut = member.leftOut {
      let reason = leftOut == .rest ? "rested" : "was excused"
      return "\(had), but \(reason), which is passed over here."
    }
    if let verdict = member.verdict, [.healed, .graced, .restarted].contains(verdict) {
      let verdict = verdict == .healed ? "healed by a joker" : verdict.rawValue
      return "\(had), \(verdict), which does not count here."
    }
    let isPending = account.verdict == .open && member.outcome == "missed"
    return isPending ? "\(member.habit) is not done yet." : had + "."
  }

  private var excuse: String? {
    guard account.verdict != .excused else { return nil }
    return habit.facts.excuse(of: account.habit, on: account.day).map {
      "The day is excused (\(shown($0.id))), but what was logged counts."
    }
  }

  private var judgement: String {
    switch account.verdict {
    case .good: return "So the day is good."
    case .restarted: return "A failed try and then a completed one: a new run begins that day."
    case .open:
      let mayRest = habit.state.ifMissed == .rests && habit.today == account.day
      return
        """
        The day is not over, so nothing is decided \
        yet\(mayRest ? "; it may become a rest day" : "").
        """
    case .healed: return "The \(unit) was saved by a joker."
    case .graced: return "The day was tolerated: it neither counts nor ends the run."
    case .excused: return excusal
    case .rest: return rest + ", so the day is a rest day and is passed over."
    case .missed, .bad:
      if definition.streak == false { return "The habit has no streak, so nothing else changes." }
      if account.before.days == 0 { return "There was no run to lose." }
      return denial
    }
  }

  private var excusal: String {
    if account.rule.isRetired {
      let retired = habit.facts.definitionHistory(of: account.habit).last {
        $0.definition == nil && $0.day < account.day
      }
      return "The habit was retired\(retired.map { " after \($0.day) (\(shown($0.event)))" } ?? "")"
        + ", so the day is passed over."
    }
    guard let excuse = habit.facts.excuse(of: account.habit, on: account.day) else {
      return "All its members were excused, so the day is passed over."
    }
    let end = excuse.isOpen ? "onwards" : "to \(excuse.days.upperBound)"
    let days = "\(excuse.days.lowerBound) \(end)"
    return "The day is passed over: \(shown(excuse.id)) excuses \(days)"
      + (excuse.reason.map { " (\($0))" } ?? "") + "."
  }

  /// The sentence that explains why neither a joker nor grace saved the day.
  private var denial: String {
    switch definition.forgiveness ?? .nothing {
    case .nothing: return "That ended the run."
    case .grace where account.verdict == .bad:
      return
        "Grace covers missed days only, and the outcome is \(account.outcome). That ended the run."
    case .grace(let days):
      return
        """
        Grace covers \(counted(days, "missed \(unit)")) in a row, and more were missed. That ended \
        the run.
        """
    case .joker(let rule):
      if account.before.jokers == 0, !account.jokers.lines.contains(where: { $0.action == .earned })
      {
        let last = habit.jokerBook
          .last { $0.day < account.day && [.spent, .penalised].contains($0.action) }
        let lost = last.map { " (the last was \($0.action.rawValue) on \($0.day))" } ?? ""
        return "No joker was held\(lost), which ended the run."
      }
      let heals =
        rule.heals.map { $0.strings.joined(separator: ", ") } ?? "missed days and bad levels"
      return "No joker covers that (they cover \(heals)), which ended the run."
    }
  }

  /// The clause that explains why nothing was required on a rest day.
  private var rest: String {
    if let sum = account.sum {
      return sum.decidedOn.map { "That \(unit) was decided on \($0)" }
        ?? "It does not decide that \(unit)"
    }
    if let rest = account.rest {
      return "It is rest day \(rest.used) of \(rest.of) that the schedule leaves"
    }
    let wasAsked = account.members.contains { $0.leftOut == nil }
    if wasAsked, let resting = account.members.first(where: { $0.leftOut == .rest }) {
      return "\(resting.habit) rested and no member was good"
    }
    let isAsked = definition.schedule?.names(account.day) ?? !account.members.isEmpty
    return isAsked ? "No member was asked for" : "\(account.day.weekdayName) is not asked for"
  }

  private var usedUp: String? {
    guard [.missed, .bad, .healed, .graced].contains(account.verdict), account.before.days > 0,
      let rest = account.rest, rest.of > 0, rest.used >= rest.of
    else { return nil }
    return
      "All of the \(counted(rest.of, "rest day")) that the schedule leaves were used up before."
  }

  private func sentence(for line: JokerLine) -> String {
    let lot = line.lot?.description ?? "a joker"
    let entries = line.because.isEmpty ? "" : " (\(shown(line.because)))"

    switch line.action {
    case .earned: return "That day earned \(lot)\(entries); \(line.held) held."
    case .forfeited:
      let held = "\(counted(line.held, "joker")) \(line.held == 1 ? "was" : "were") held already"
      return "It would have earned a joker, but \(held)."
    case .penalised: return "It took \(lot) away; \(line.held) held."
    case .spent:
      var origin = ""
      if let earned = account.jokers.earned {
        let entries = earned.because.isEmpty ? "" : " by \(shown(earned.because))"
        origin =
          earned.day == account.day
          ? ", which it had earned itself: a day earns before it spends"
          : ", which was earned on \(earned.day)\(entries)"
      }
      return "It spent \(lot)\(origin); \(line.held) held."
    }
  }

  private var run: String? {
    let unit = habit.runUnit(since: account.before.start, on: account.day)
    let before = counted(account.before.days, unit)
    let after = counted(account.after.days, unit)
    guard let start = account.before.start else {
      if account.after.days > 0 { return "A run began with it: \(after)." }
      // For a missed or bad day, the judgement already reports that there was no run.
      return [.missed, .bad].contains(account.verdict) ? nil : "No run was under way."
    }
    if account.verdict == .open { return "The run is \(before), begun on \(start)." }
    return "The run before it was \(before), begun on \(start); after it, \(after)."
  }

  private var today: String? {
    guard let today = habit.today, today != account.day else { return nil }
    let state = habit.state
    let since = state.start.map { ", since \($0)" } ?? ""
    return "On \(today) the run is \(habit.runWords(of: state))\(since)."
  }
}

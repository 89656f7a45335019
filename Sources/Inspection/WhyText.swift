import EventLog
public import StreakDomain

/// The explanation of a day's verdict in sentences.
///
/// Names and texts from the log aren't escaped.
package struct WhyText {
  private let account: DayAccount
  private let ledger: Ledger
  private let causes: Causes
  private let showsWholeIDs: Bool

  package init(account: DayAccount, ledger: Ledger, causes: Causes, showsWholeIDs: Bool = true) {
    self.account = account
    self.ledger = ledger
    self.causes = causes
    self.showsWholeIDs = showsWholeIDs
  }

  private func shown(_ id: String) -> String { showsWholeIDs ? id : Event.shortID(id) }

  private var habit: String { account.habit }

  package var reasons: [Reason] {
    let day = account.day
    func about(_ kind: Reason.Kind, _ sentences: [String], on other: Day? = nil) -> [Reason] {
      sentences.map { Reason(kind: kind, habit: habit, day: other ?? day, sentence: $0) }
    }
    var reasons = about(.day, [title])
    let (defined, ids) = (account.rule.defined, account.entries.map(\.id))
    reasons.append(Reason(kind: .rule, habit: habit, day: defined.on, event: defined.event, sentence: rule))
    reasons += about(.forgiveness, forgiveness)
    reasons += entries.enumerated().map { place, sentence in
      let event = place < ids.count ? ids[place] : nil
      return Reason(kind: .entry, habit: habit, day: day, event: event, sentence: sentence)
    }
    reasons += about(.sum, sum)
    reasons += zip(account.members, members).map {
      Reason(kind: .member, habit: $0.habit, day: day, sentence: $1)
    }
    reasons += about(.rest, usedUp) + about(.verdict, excuse + [judgement])
    reasons += zip(account.jokers.lines, jokers).map {
      Reason(kind: .joker, habit: habit, day: day, joker: $0.lot, sentence: $1)
    }
    return reasons + about(.run, run) + about(.today, today, on: ledger.today)
  }

  private var title: String {
    // An open day has no outcome yet, and a rest day's outcome doesn't matter.
    let isPlain =
      [.open, .rest].contains(account.verdict) || account.outcome == Text(account.verdict.rawValue)
    return "\(account.rule.definition.title) on \(account.day): \(account.verdict.rawValue)"
      + (isPlain ? "" : " (outcome: \(account.outcome))")
  }

  private var rule: String {
    let (event, day) = account.rule.defined
    let since =
      day > account.day
      ? "The rule of \(day) (\(shown(event))), the first, is" : "Since \(day) (\(shown(event))) the rule is"
    // A rule can be defined after the days to which it applies.
    let made = causes.definitionDays[event].flatMap { $0 > account.day ? $0 : nil }
    return "\(since): \(account.rule.definition.rule.words)"
      + "\(account.rule.definition.schedule.map { "; \($0.words)" } ?? "")."
      + (made.map { " It was defined \(counted($0 - account.day, "day")) later, on \($0)." } ?? "")
  }

  private var forgiveness: [String] {
    if account.rule.definition.streak == false { return ["Its days make no run."] }
    let isLimit = account.rule.definition.rule.isLimit
    let ends = "One \(isLimit ? "\(unit) beyond the limit" : "missed \(unit)") ends the run: "
    switch account.rule.definition.forgiveness ?? .nothing {
    case .nothing: return [ends + "it has no jokers and no grace."]
    case .grace where isLimit: return [ends + "grace covers missed days only."]
    case .grace(let days):
      return [
        "\(days == 1 ? "A missed \(unit)" : "Up to \(days) missed \(unit)s in a row") may pass without ending a run."
      ]
    case .joker(let rule):
      return [
        "Every \(counted(rule.every, unit)) of a run earn a joker, at most \(rule.cap) \(rule.cap == 1 ? "is" : "are") held, and one is spent to save a \(unit)."
      ]
    }
  }

  private var unit: String { account.rule.definition.rule.sum?.per?.rawValue ?? "day" }

  private var entries: [String] {
    if !account.members.isEmpty { return [] }
    if account.entries.isEmpty { return ["Nothing was logged for that day."] }
    return account.entries.map { entry in
      var words = ["Logged: \(entry.measures.isEmpty ? "" : entry.measures + ", ")\(shown(entry.id))"]
      if entry.lateness > 0 {
        words.append("\(counted(entry.lateness, "day")) after the day")
      }
      if let deletion = causes.deletions[entry.id], entry.isDeleted {
        words.append(
          "deleted by \(shown(deletion.event))"
            + (deletion.reason.map { $0.isEmpty ? " (reason redacted)" : " (\($0))" } ?? ""))
      } else if entry.isDeleted {
        words.append("deleted")
      } else if entry.isTooLate {
        words.append("too late for the rule")
      } else if !entry.isConsidered {
        let isContradictory = entry.entry.level != nil && entry.entry.drinks != nil
        words.append(
          isContradictory ? "whose level is not that of its drinks" : "without what the rule asks for")
      }
      return words.joined(separator: ", ") + "."
    }
  }

  private var sum: [String] {
    account.sum.map { sum in
      ["Up to it, its \(sum.rule.per?.rawValue ?? "day") comes to \(sum.rule.progress(sum.soFar))."]
    } ?? []
  }

  private var members: [String] {
    account.members.map { member in
      let isRetired = ledger.retirement(of: member.habit, on: account.day) != nil
      let leftOut = member.leftOut.map { verdict in
        verdict == .rest ? ", and rested" : isRetired ? ", and was retired" : ", and was excused"
      }
      if account.verdict == .open, leftOut == nil, member.outcome == "missed" {
        return "\(member.habit) is not done yet."
      }
      return "\(member.habit) had the outcome \(member.outcome)\(leftOut ?? "")."
    }
  }

  private var excuse: [String] {
    guard account.verdict != .excused, let excuse = causes.excuse(of: habit, on: account.day) else {
      return []
    }
    return ["The day is excused (\(shown(excuse.event))), but what was logged counts."]
  }

  private var judgement: String {
    switch account.verdict {
    case .good: return "So the day is good."
    case .restarted: return "A failed try and then a completed one: a new run begins that day."
    case .open: return "The day is not over, so nothing is decided yet."
    case .healed: return "The \(unit) was saved by a joker."
    case .graced: return "The day was tolerated: it neither counts nor ends the run."
    case .excused:
      if account.rule.isRetired {
        let retired = causes.retirement(of: habit, before: account.day)
        return "The habit was retired\(retired.map { " after \($0.after) (\(shown($0.event)))" } ?? "")"
          + ", so the day is passed over."
      }
      guard let excuse = causes.excuse(of: habit, on: account.day) else {
        return "All its members were excused, so the day is passed over."
      }
      let reason = excuse.reason.map { " (\($0))" } ?? ""
      return "The day is passed over: \(shown(excuse.event)) excuses "
        + "\(excuse.span.lowerBound) to \(excuse.span.upperBound)\(reason)."
    case .rest: return rest
    case .missed, .bad:
      if account.rule.definition.streak == false {
        return "The habit has no streak, so nothing else changes."
      }
      if account.before.days == 0 { return "There was no run to lose." }
      guard case .joker(let rule)? = account.rule.definition.forgiveness else {
        return grace + "That ended the run."
      }
      if account.before.jokers > 0 || account.jokers.lines.contains(where: { $0.action == .earned }) {
        let heals = rule.heals.map { $0.strings.joined(separator: ", ") } ?? "missed days and bad levels"
        return "No joker covers that (they cover \(heals)), which ended the run."
      }
      return "No joker was held, which ended the run."
    }
  }

  /// The sentence that explains why grace didn't cover the day; empty if the habit has no grace.
  private var grace: String {
    guard case .grace(let days)? = account.rule.definition.forgiveness else { return "" }
    if account.verdict == .bad {
      return "Grace covers missed days only, and the outcome is \(account.outcome). "
    }
    return "Grace covers \(counted(days, "missed day")) in a row, and more were missed. "
  }

  private var rest: String {
    let passedOver = "so the day is a rest day and is passed over."
    if let sum = account.sum, let per = sum.rule.per {
      guard let day = sum.decidedOn else {
        return "It does not decide that \(per.rawValue), \(passedOver)"
      }
      return "That \(per.rawValue) was decided on \(day), \(passedOver)"
    }
    guard let rest = account.rest, let schedule = account.rule.definition.schedule else {
      if !account.members.isEmpty, account.rule.definition.schedule?.names(account.day) ?? true {
        return "No other member was asked for, \(passedOver)"
      }
      return "\(account.day.weekdayName) is not asked for, \(passedOver)"
    }
    let ends = account.after.days > 0 ? "would have ended the run unless forgiven" : "would have been missed"
    let left = rest.of - rest.taken
    switch schedule {
    case .weekdays, .every:
      let row = rest.taken == 1 ? "the first rest day" : "rest day \(rest.taken) in a row"
      return "It is \(row) of \(rest.of) that one good day in \(rest.of + 1) leaves, \(passedOver)"
        + (left == 0 ? " One more \(ends)." : "")
    case .times(let times, let period):
      return
        "It is rest day \(rest.taken) of the \(rest.of) that \(often(times)) a \(period.rawValue) leaves, \(passedOver)"
        + (left == 0 ? " One more in that \(period.rawValue) \(ends)." : "")
    }
  }

  private var usedUp: [String] {
    guard [.missed, .bad, .healed, .graced].contains(account.verdict), let rest = account.rest, rest.of > 0,
      rest.taken >= rest.of, account.before.days > 0, let schedule = account.rule.definition.schedule
    else { return [] }
    let days = rest.of == 1 ? "The rest day" : "All \(rest.of) rest days"
    switch schedule {
    case .weekdays: return []
    case .every(let every): return ["\(days) that one good day in \(every) leaves had passed."]
    case .times(let times, let period):
      return ["\(days) that \(often(times)) a \(period.rawValue) leaves had passed."]
    }
  }

  private var jokers: [String] {
    account.jokers.lines.map { line in
      let lot = line.lot?.description ?? "a joker"
      let by = line.because.isEmpty ? "" : " (\(line.because.map(shown).joined(separator: ", ")))"
      switch line.action {
      case .earned: return "That day earned \(lot)\(by); \(line.held) held."
      case .forfeited: return "It would have earned a joker, but \(line.held) were held already."
      case .penalised: return "It took \(lot) away; \(line.held) held."
      case .spent:
        guard let earned = account.jokers.earned else { return "It spent \(lot); \(line.held) held." }
        if earned.day == account.day {
          return
            "It spent \(lot), which it had earned itself: a day earns before it spends; \(line.held) held."
        }
        let entries = earned.because.isEmpty ? "" : " by \(earned.because.map(shown).joined(separator: ", "))"
        return "It spent \(lot), which was earned on \(earned.day)\(entries); \(line.held) held."
      }
    }
  }

  private var run: [String] {
    let unit = ledger.runUnit(of: habit, since: account.before.start, on: account.day)
    let after = counted(account.after.days, unit)
    guard let start = account.before.start else {
      if account.after.days > 0 { return ["A run began with it: \(after)."] }
      // For a missed or bad day, the judgement already reports that there was no run.
      return [.missed, .bad].contains(account.verdict) ? [] : ["No run was under way."]
    }
    let before = counted(account.before.days, unit)
    if account.verdict == .open { return ["The run is \(before), begun on \(start)."] }
    return ["The run before it was \(before), begun on \(start); after it, \(after)."]
  }

  private var today: [String] {
    guard let state = ledger.state(of: habit), let today = ledger.today else { return [] }
    var lines: [String] = []
    if today != account.day {
      lines.append(
        "On \(today) the run is \(ledger.runWords(of: state))"
          + (state.start.map { ", since \($0)." } ?? "."))
    }
    if let last = ledger.lastBreak(of: habit), last != account.day,
      let outcome = ledger.account(of: habit, on: last)
    {
      let reason = outcome.verdict == .restarted ? "restarted" : outcome.outcome
      lines.append("A run last ended on \(last) (outcome: \(reason)).")
    }
    return lines
  }
}

extension DayAccount {
  /// The ids of the day's entries that aren't deleted; for a composite, the entries of its members.
  package var standing: [String] {
    members.isEmpty ? entries.filter { !$0.isDeleted }.map(\.id) : because
  }
}

/// One sentence of the explanation of a day's verdict.
public struct Reason: Hashable, Sendable {
  /// The topic of the sentence.
  public let kind: Kind
  /// The habit that the sentence is about: the explained habit or one of its members.
  public let habit: Habit.ID
  /// The day that the sentence is about, usually the explained day.
  ///
  /// For `Kind.rule` it is the day from which the definition applies, and for `Kind.today` it is today.
  public let day: Day
  /// The joker that was earned, spent, forfeited or taken, or `nil` if the sentence is about none.
  public var joker: Joker?
  /// The id of the entry or definition that the sentence is about, or `nil` if there is none.
  public var event: String?
  public package(set) var sentence: String

  /// The topic of a reason.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// The day and its verdict; always the first reason.
    case day
    /// The rule and the schedule in force.
    case rule
    /// The forgiveness in force.
    case forgiveness
    /// An entry of the day, or the absence of entries.
    case entry
    /// The sum of the day, week or month.
    case sum
    /// The outcome of a member of a composite.
    case member
    /// The rest days, if all of them were used up.
    case rest
    /// The reason for the verdict, such as a joker or an excuse.
    case verdict
    /// A joker that was earned, spent, forfeited or taken.
    case joker
    /// The run before and after the day.
    case run
    /// The state of the habit today.
    case today
  }
}

extension Reason {
  /// A copy of the reason whose sentence has escaped control characters.
  package var escaped: Reason {
    var reason = self
    reason.sentence = Escaping.visible(sentence)
    return reason
  }
}

/// The events that explain deletions, excuses, definitions and retirements; a ledger's state doesn't contain them.
package struct Causes: Sendable {
  package private(set) var deletions: [String: (event: String, reason: Text?)] = [:]
  /// The retirements of each habit in stream order; `after` is the last day before the retirement takes effect.
  package private(set) var retirements: [String: [(event: String, after: Day)]] = [:]
  /// The local date on which each definition was made, by the id of its event.
  package private(set) var definitionDays: [String: Day] = [:]
  package private(set) var excuses: [Excuse] = []
  private var withdrawn: Set<String> = []

  package struct Excuse: Sendable {
    package let event: String
    package let span: ClosedRange<Day>
    /// The excused habits, or `nil` if all habits are excused.
    package let habits: [String]?
    package let reason: Text?
  }

  package init() {}

  package mutating func note(_ event: Event) {
    switch event.payload {
    case .entryDeleted(let entry, let reason):
      if deletions[entry] == nil { deletions[entry] = (event.id, reason) }
    case .daysExcused(let from, let to, let habits, let reason) where from <= to:
      excuses.append(Excuse(event: event.id, span: from...to, habits: habits, reason: reason))
    case .excuseWithdrawn(let excuse, _): withdrawn.insert(excuse)
    case .habitDefined: definitionDays[event.id] = event.at.localDay
    case .habitRetired(let habit): retirements[habit, default: []].append((event.id, event.day))
    default: break
    }
  }

  package func retirement(of habit: String, before day: Day) -> (event: String, after: Day)? {
    retirements[habit]?.last { $0.after < day }
  }

  package func excuse(of habit: String, on day: Day) -> Excuse? {
    excuses.last { excuse in
      excuse.span.contains(day) && (excuse.habits?.contains(habit) ?? true)
        && (excuse.reason == "zone" || !withdrawn.contains(excuse.event))
    }
  }
}

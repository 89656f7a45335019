package import EventLog
public import StreakDomain

/// The reasons for the verdict of a habit's day.
public struct Explanation: Equatable, Sendable {
  /// The day that is explained.
  public let day: Day
  /// The day's verdict, including forgiveness.
  public let verdict: Verdict
  /// The outcome of the day according to its rule, before forgiveness, as in `CalendarDay.outcome`.
  public let outcome: LedgerText
  /// The habit's definition that was in force on the day.
  public let habit: Habit
  /// The ids of the day's entries that aren't deleted.
  ///
  /// For a composite, these are entries of its members.
  public let entries: [String]
  /// The length of the run before the day.
  ///
  /// It is a number of days, or of weeks or months if the habit's rule adds up weeks or months.
  public let runBefore: Int
  /// The length of the run after the day, in the same unit as `runBefore`.
  public let runAfter: Int
  /// The joker that was spent on the day, or `nil` if none was spent.
  public let lot: Joker?
  /// The reasons, in the order of the cases of `Reason.Kind`; empty in a decoded explanation.
  public let reasons: [Reason]
  /// The changes of the verdict by events, in stream order; empty if the verdict is the first that
  /// the day had.
  public package(set) var changes: [ValueChange] = []
  /// The last change of the verdict by an event, or `nil` if the verdict is the first that the day
  /// had.
  public var change: ValueChange? { changes.last }
  /// The sentences of `reasons`, in the same order.
  public var sentences: [String] { reasons.map(\.sentence) }

  /// Creates the explanation of a day of `view`, whose events are read from `stream`.
  package init(
    of account: DayAccount, _ view: HabitView, _ stream: EventStream?
  ) throws(Failure) {
    day = account.day
    verdict = account.verdict
    outcome = account.outcome
    habit = account.rule.definition
    entries =
      account.members.isEmpty ? account.entries.filter(\.isStanding).map(\.id) : account.because
    runBefore = account.before.days
    runAfter = account.after.days
    lot = account.jokers.lines.first { $0.action == .spent }?.lot
    reasons = try WhyText(of: account, view, stream).reasons
  }
}

extension Explanation: Codable {
  private enum CodingKeys: CodingKey {
    case habit, day, verdict, outcome, rule, forgiveness, entries, change, changes, run, lot
  }

  /// Decodes an explanation, which has no `reasons`, and of the `habit` only the rule and the
  /// forgiveness.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    habit = try Habit(from: decoder)
    day = try members.decode(Day.self, forKey: .day)
    verdict = try members.decode(Verdict.self, forKey: .verdict)
    outcome = try members.decode(LedgerText.self, forKey: .outcome)
    entries = try members.decode([String].self, forKey: .entries)
    changes = try members.decode([ValueChange].self, forKey: .changes)
    let run = try members.decode([String: Int].self, forKey: .run)
    runBefore = run["before"] ?? 0
    runAfter = run["after"] ?? 0
    lot = try members.decodeIfPresent(Joker.self, forKey: .lot)
    reasons = []
  }

  /// Encodes the verdict with its rule, entries, run and joker, without the sentences.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(habit.id, forKey: .habit)
    try members.encode(day, forKey: .day)
    try members.encode(verdict, forKey: .verdict)
    try members.encode(outcome, forKey: .outcome)
    try members.encode(EventEncoder.rule(habit.rule), forKey: .rule)
    let forgiveness = EventEncoder.forgiveness(habit.forgiveness ?? .nothing)
    try members.encode(forgiveness, forKey: .forgiveness)
    try members.encode(entries, forKey: .entries)
    try members.encode(change, forKey: .change)
    try members.encode(changes, forKey: .changes)
    try members.encode(["before": runBefore, "after": runAfter], forKey: .run)
    if let lot { try members.encode(lot, forKey: .lot) }
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
  /// For `Kind.rule` it is the day from which the definition applies, and for `Kind.today` it is
  /// today.
  public let day: Day
  /// The joker that the sentence is about, or `nil` if there is none.
  public let joker: Joker?
  /// The id of the entry or definition that the sentence is about, or `nil` if there is none.
  public let event: String?
  public let sentence: String

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

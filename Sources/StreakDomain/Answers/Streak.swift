/// The state of a habit (domain.md, "A habit's state"); `HabitField` names its fields.
///
/// ```swift
/// if let streak = ledger.streak(of: "noalc"), streak.ifMissed == .breaks {
///   print("\(streak.current) days are at stake")
/// }
/// ```
public struct Streak: Codable, Hashable, Sendable, Identifiable {
  public let habit: Habit.ID
  public var id: Habit.ID { habit }
  /// The habit's display name, or its id if the definition has no name.
  public let name: LedgerText
  /// The icon to show before the name, or `nil` if the definition has none.
  public let icon: LedgerText?
  /// The length of the run after today, or 0 if there is no run.
  ///
  /// The length is in days, or in weeks or months if the rule sums a week or month.
  public let current: Int
  /// The first day of the run, or `nil` if there is no run.
  public let start: Day?
  /// The length of the longest run in the days as they are now, in the unit of ``current``.
  public let best: Int
  /// The largest value of ``best`` after any step so far; a step is what one command wrote.
  ///
  /// A deletion of entries doesn't reduce this length. Only an undo or a corrected day can reduce
  /// it.
  public package(set) var longest: Int
  /// The latest good or restarted day, or `nil` if there is none.
  public let lastGood: Day?
  /// The state of the habit today.
  public let status: Status
  /// The effect of today on the run if nothing more is logged.
  public let ifMissed: IfMissed
  /// The last day that the run survives if nothing more is logged.
  ///
  /// On the next day, an entry can still save the run.
  ///
  /// The value is `nil` if the run survives the next 366 days. It is also `nil` if there is no run,
  /// if the habit counts no streak, or if the habit is retired.
  public let safeThrough: Day?
  /// The numbers of jokers held, earned and lost.
  public let jokers: JokerCounts
  /// The progress in the current week or month.
  ///
  /// The value is `nil` if the schedule doesn't require a number of days per week or month, or if
  /// the habit is retired.
  public let quota: Quota?
  /// The sum of today, or of the current week or month so far, and its bounds.
  ///
  /// The value is `nil` if the rule isn't a sum or the habit is retired.
  public package(set) var progress: SumProgress?
  /// The number of days with each verdict, including today.
  public let days: VerdictCounts
  /// Sums over all entries from `countsFrom` on that are neither deleted nor replaced, even if the
  /// rule ignores them.
  public package(set) var totals: Totals

  /// The icon and the name, not escaped.
  package var title: String { [icon, name].compactMap { $0?.string }.joined(separator: " ") }

  /// The state of the habit today: the first of these cases that applies.
  public enum Status: String, CaseIterable, Codable, Sendable {
    /// The habit counts no streak.
    case off
    /// The habit is retired.
    case retired
    /// The habit has no good day so far.
    case new
    /// There is a run, and today isn't required.
    case rest
    /// There is a run, and its latest days were missed but graced. Today is still open.
    case grace
    /// There is a run, and today is still open.
    case due
    /// There is a run, and today is decided.
    case done
    /// There is no run.
    case broken
  }

  /// The effect of today on the run if nothing more is logged.
  public enum IfMissed: String, CaseIterable, Codable, Sendable {
    /// There is no run to lose.
    case nothing = "none"
    /// The run continues.
    case safe
    /// The run continues because today becomes a rest day.
    case rests
    /// The run continues because a joker is spent.
    case heals
    /// The run continues because of the days of grace.
    case graced
    /// The run ends.
    case breaks
  }
}

/// The progress of a habit whose schedule requires a number of days per week or month.
public struct Quota: Codable, Hashable, Sendable {
  /// The number of days required in the current week or month.
  public let times: Int
  /// The number of good, healed and restarted days in the week or month so far.
  public let good: Int
  /// The number of rest days left in the week or month.
  public let rests: Int
  /// The last day of the week or month.
  public let through: Day
}

/// The sum of a day, or of a week or month so far, and its bounds.
public struct SumProgress: Codable, Hashable, Sendable {
  /// The sum so far.
  public let total: Thousandths
  /// The lower bound of a good sum, or `nil` if there is none.
  public let atLeast: Thousandths?
  /// The upper bound of a good sum, or `nil` if there is none.
  public let atMost: Thousandths?
  /// The period of the sum as in JSON: `day`, `week` or `month`.
  package let per: String
  /// The last day of the week or month, or today if the rule sums each day alone.
  public let through: Day

  /// The period that the rule sums, or `nil` if it sums each day alone.
  public var period: Schedule.Period? { Schedule.Period(rawValue: per) }
}

/// The numbers of jokers of a habit.
public struct JokerCounts: Codable, Hashable, Sendable {
  /// The number of jokers that can be spent now.
  public package(set) var held: Int
  /// The number of jokers that runs have earned, not counting forfeited jokers.
  public package(set) var earned: Int
  /// The number of jokers that healed a day.
  public package(set) var spent: Int
  /// The number of jokers that weren't earned, because the maximum number was already held.
  public package(set) var forfeited: Int
  /// The number of jokers that bad days took as a penalty.
  public package(set) var penalised: Int

  package init(
    held: Int = 0, earned: Int = 0, spent: Int = 0, forfeited: Int = 0, penalised: Int = 0
  ) {
    self.held = held
    self.earned = earned
    self.spent = spent
    self.forfeited = forfeited
    self.penalised = penalised
  }
}

/// Sums over the entries of a habit that count and weren't deleted.
public struct Totals: BitwiseCopyable, Codable, Hashable, Sendable {
  public package(set) var entries = 0
  /// The exact sum of all minutes, rounded to a thousandth.
  public package(set) var minutes = Thousandths.zero
  /// The exact sum of all kilometres, rounded to a thousandth.
  public package(set) var km = Thousandths.zero
  public package(set) var sets = 0
  public package(set) var drinks = 0
  /// The exact sum of all amounts regardless of their units, rounded to a thousandth.
  public package(set) var amount = Thousandths.zero
  /// The number of entries that are either completed or failed.
  public package(set) var played = 0
  /// The number of completed entries.
  public package(set) var completed = 0
}

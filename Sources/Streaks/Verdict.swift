import StreakDomain

/// What a habit's day came out as, once its entries, its schedule and its forgiveness were weighed.
///
/// ```swift
/// ledger.calendar(of: "noalc", in: month).count { $0.verdict == .healed }
/// ```
public enum Verdict: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
  /// What the rule asks for was done.
  case good
  /// It was not, and a joker was spent: the run goes on.
  case healed
  /// It was not, within the days of grace: the run goes on.
  case graced
  /// Nothing was done, and the run ended, if there was one.
  case missed
  /// Something was done that ends a run.
  case bad
  /// The run ended and a new one began on the same day.
  case restarted
  /// The day is not over.
  case open
  /// The day was excused: it neither counts nor ends anything.
  case excused
  /// The schedule does not ask for the day.
  case rest

  init(_ verdict: StreakDomain.Verdict) {
    switch verdict {
    case .good: self = .good
    case .healed: self = .healed
    case .graced: self = .graced
    case .missed: self = .missed
    case .bad: self = .bad
    case .restarted: self = .restarted
    case .open: self = .open
    case .excused: self = .excused
    case .rest: self = .rest
    }
  }
}

/// A habit's day in a calendar.
public struct CalendarDay: Codable, Hashable, Sendable {
  /// The habit's day.
  public let day: Day
  /// What it came out as, with forgiveness.
  public let verdict: Verdict
  /// What the entries came to, before forgiveness: `good`, `missed`, `restarted`, `failed`, `slip`, `over`, or the name
  /// of one of the rule's levels.
  public let outcome: String
  /// The joker that was spent on a healed day.
  public let lot: Joker?
  /// Ids of the day's standing entries, in order; none of a composite, whose members have them.
  public let entries: [String]

  init(_ day: DayVerdict, of habit: String) {
    self.day = Day(day.day)
    verdict = Verdict(day.verdict)
    outcome = day.outcome.string
    lot = day.lot.map { Joker(habit: habit, number: $0) }
    entries = day.entries
  }
}

public import StreakDomain

/// One claim of why a day came out as it did: what it is about, and how a person is told.
public struct Reason: Hashable, Sendable {
  /// What it is about.
  public let kind: Kind
  /// The habit that it is about: the day's own, or a member of it.
  public let habit: Habit.ID
  /// The day: that of the definition for a rule, the ledger's today for what is so today, else the explained one.
  public let day: Day
  /// The joker that came or went.
  public var joker: Joker?
  /// The entry or the definition that it rests on.
  public var event: String?
  /// The claim, for a person.
  public package(set) var sentence: String

  /// What a reason is about.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    /// The day and its verdict: the first of all.
    case day
    /// The rule and the schedule in force.
    case rule
    /// What would save a run.
    case forgiveness
    /// An entry of the day, or that there was none.
    case entry
    /// What the day, week or month adds up to.
    case sum
    /// What became of a member of a composite.
    case member
    /// Rest days that were used up.
    case rest
    /// Why it came out as it did.
    case verdict
    /// A joker that was earned, spent, forfeited or taken.
    case joker
    /// The run before and after the day.
    case run
    /// How the habit stands today.
    case today
  }
}

extension Reason {
  /// With what text of the log would do to a screen shown by number.
  package var escaped: Reason {
    var reason = self
    reason.sentence = Escaping.visible(sentence)
    return reason
  }
}

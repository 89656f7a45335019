public import StreakDomain

/// One sentence of the explanation of a day's verdict.
public struct Reason: Hashable, Sendable {
  /// The topic of the sentence.
  public let kind: Kind
  /// The habit that the sentence is about: the explained one or a member of it.
  public let habit: Habit.ID
  /// The day that the sentence is about: the definition's day for a rule, the ledger's today for
  /// `Kind.today`, otherwise the explained day.
  public let day: Day
  /// The joker that was earned, spent, forfeited or taken.
  public var joker: Joker?
  /// The id of the entry or definition that the sentence refers to.
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
    /// The grounds of the verdict.
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
  /// The reason with control characters from the log escaped.
  package var escaped: Reason {
    var reason = self
    reason.sentence = Escaping.visible(sentence)
    return reason
  }
}

extension Rule {
  /// So many minutes over the day.
  public static func minutes(atLeast minutes: Thousandths) -> Rule { Rule(.minutes(atLeast: minutes)) }

  /// The sum of the entries is within bounds, of which there is at least one.
  ///
  /// It is the sum of a day, or of an ISO week or a calendar month with `per`. Such a habit has no schedule: each week
  /// or month counts once, on the day that decides it.
  public static func sum(
    of measure: Measure, unit: LedgerText? = nil, atLeast: Thousandths? = nil, atMost: Thousandths? = nil,
    per period: Schedule.Period? = nil
  ) -> Rule {
    Rule(.sum(Sum(of: measure, unit: unit, atLeast: atLeast, atMost: atMost, per: period)))
  }

  /// Any entry.
  public static let any = Rule(.any)

  /// No entry at all: each is a slip.
  public static let never = Rule(.never)

  /// The day's last entry says completed.
  public static let completed = Rule(.completed)

  /// The level of the day's last entry is one of the good ones.
  public static func level(_ bands: [Level], good: [LedgerText]) -> Rule {
    Rule(.level(Levels(bands, good: good)))
  }

  /// An entry reaches what its activity asks for.
  public static func activity(_ thresholds: [ActivityThreshold]) -> Rule { Rule(.activity(thresholds)) }

  /// All of other habits are good.
  public static func all(of habits: [String]) -> Rule { Rule(.all(of: habits)) }

  /// One of other habits is good.
  public static func either(of habits: [String]) -> Rule { Rule(.either(of: habits)) }
}

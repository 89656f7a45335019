/// The part of the achievements that depends on the order of days, and the latest activity.
///
/// The state contains only what later days need, so after a late entry it soon equals a stored one, and
/// `DailyHistory` can stop recomputing.
struct DailyGrounds: DayValue, Equatable {
  private var triThreat = TriThreat()
  private var cardioKing = CardioKing()
  private(set) var balancedWarrior = BalancedWarrior()
  private var devotee = Devotee()
  private(set) var lastActivity: Activity.Kind?

  mutating func pass(_ day: Day, _ brought: DailyActivity) {
    triThreat.pass(day, brought)
    cardioKing.pass(day, brought)
    balancedWarrior.pass(day, brought)
    devotee.pass(day, brought)
    guard brought.isQualifying else { return }
    lastActivity = brought.strength == 0 ? .cardio : brought.cardio == 0 ? .strength : .both
  }

  /// Returns 1 for each reached element of `Achievement.single`, followed by the numbers of reached tiers of
  /// `collector`, `marathon`, `devotee` and `variety`; `sums` covers the days passed.
  func counts(_ sums: DailySums, on today: Day) -> SIMD8<UInt8> {
    SIMD8(
      triThreat.isReached ? 1 : 0, cardioKing.isReached ? 1 : 0, balancedWarrior.isReached(on: today) ? 1 : 0,
      sums.ultra > 0 ? 1 : 0, Tier.reached(Tier.collector, by: sums.entries),
      Tier.reached(Tier.marathon, by: sums.days), Tier.reached(Tier.devotee, by: devotee.longest),
      Tier.reached(Tier.variety, by: sums.habits))
  }

  static let balancedPlace = 2
}

/// The achievement `tri-threat`: strength, yoga and another cardio activity in one ISO week.
///
///     strength  s......
///     cardio    y.r....     from a Monday on: reached on the third day
struct TriThreat: Sendable, Equatable {
  private(set) var isReached = false
  private var monday = Day.first
  private var hasStrength = false
  private var hasYoga = false
  private var hasOther = false

  mutating func pass(_ day: Day, _ brought: DailyActivity) {
    guard !isReached else { return }
    if day - monday >= 7 { self = TriThreat(monday: day.monday) }
    hasStrength = hasStrength || brought.strength > 0
    hasYoga = hasYoga || brought.yoga > 0
    hasOther = hasOther || brought.cardio > brought.yoga
    if hasStrength, hasYoga, hasOther { self = TriThreat(isReached: true) }
  }
}

/// The achievement `cardio-king`: ten qualifying cardio entries within thirty consecutive days.
///
///     cardio  rrrrrrrrr....................r      reached on the thirtieth day
///     cardio  rrrrrrrrr.....................r     not reached
struct CardioKing: Sendable, Equatable {
  private(set) var isReached = false
  /// The day of each qualifying cardio entry in the last thirty days.
  ///
  /// A day with several entries occurs several times. There are never more than nine elements.
  private var recent: [Day] = []

  mutating func pass(_ day: Day, _ brought: DailyActivity) {
    guard !isReached else { return }
    while let first = recent.first, day - first >= 30 { recent.removeFirst() }
    guard brought.cardio > 0 else { return }
    isReached = recent.count + Int(brought.cardio) >= 10
    recent = isReached ? [] : recent + repeatElement(day, count: Int(brought.cardio))
  }
}

/// The achievement `balanced-warrior`: a closed month with as many strength days as cardio days.
///
///     strength  s.s..
///     cardio    .r.r.     reached for the last day of the month, once the month is over
struct BalancedWarrior: Sendable, Equatable {
  private var isFound = false
  private var month = Day.first...Day.first
  private var strengthDays: Int32 = 0
  private var cardioDays: Int32 = 0

  mutating func pass(_ day: Day, _ brought: DailyActivity) {
    if isReached(on: day) { self = BalancedWarrior(isFound: true) }
    guard !isFound else { return }
    if day > month.upperBound { self = BalancedWarrior(month: day.wholeMonth) }
    strengthDays += brought.strength > 0 ? 1 : 0
    cardioDays += brought.cardio > 0 ? 1 : 0
  }

  func isReached(on today: Day) -> Bool {
    isFound || strengthDays > 0 && strengthDays == cardioDays && month.upperBound < today
  }

  var lastDay: Day { month.upperBound }
}

/// The achievement `devotee`: consecutive days with an entry.
///
///     meditation  xx.x.
///     mood        ..x..     four days, bronze on the third
struct Devotee: Sendable, Equatable {
  private(set) var longest = 0
  private var chain = 0
  private var previous = Day.first

  mutating func pass(_ day: Day, _ brought: DailyActivity) {
    guard brought.entries > 0 else { return }
    chain = day - previous == 1 ? min(chain + 1, Tier.devotee[Tier.devotee.count - 1]) : 1
    previous = day
    longest = max(longest, chain)
  }
}

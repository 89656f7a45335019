/// The activity of each day, and the progress towards achievements after each day with activity.
///
/// Nothing is computed before it is asked for. `update` counts the activity of the stale days
/// again, and makes a pass over the days from the first of them on, so requests after every step
/// make short passes.
struct ActivityHistory: Sendable {
  private var days = DayRow(DailyActivity())
  /// The range of days whose activity must be counted again, or `nil` if there is none.
  private var staleDays: ClosedRange<Day>?
  /// The progress and the achievements after each day with activity before the first stale one, in
  /// ascending order.
  private var steps: [(day: Day, reached: ReachedAchievements)] = []
  /// The weekday on which the weeks of the ledger begin; whoever changes it marks all days as
  /// stale.
  var weekStart = Weekday.monday

  /// Notes that entries of `days` were counted, subtracted or counted again.
  @inline(__always)
  mutating func markStale(_ days: ClosedRange<Day>) {
    if let stale = staleDays {
      if stale.lowerBound <= days.lowerBound, days.upperBound <= stale.upperBound { return }
      staleDays = stale.joined(days)
    } else {
      staleDays = days
    }
  }

  /// Adds up the activity of the stale days, and stores the progress after each day.
  mutating func update(_ habits: [HabitFold]) {
    guard let stale = staleDays else { return }
    staleDays = nil
    days.removeAll(in: stale)
    for habit in habits.indices {
      // The row and the definitions are read in place, because a copy of them for each request
      // would take longer than the sum.
      var day = max(stale.lowerBound, habits[habit].cells.start)
      let end = min(stale.upperBound.next, habits[habit].cells.end)
      while day < end {
        let cell = habits[habit].cells[day]
        if cell.entries > 0 { days[day].add(habits[habit].definition(on: day).activity(of: cell)) }
        day = day.next
      }
    }

    while let last = steps.last, last.day >= stale.lowerBound { steps.removeLast() }
    var reached = steps.last?.reached ?? ReachedAchievements(weekStart: weekStart)
    let firstActiveDays = habits.indices.map { habits[$0].firstActiveDay ?? Day.last.next }
    let rest = days.slice(stale.lowerBound...Day.last)
    for index in rest.indices where rest[index] != DailyActivity() {
      let day = days.start + index
      reached.add(rest[index], on: day, habits: firstActiveDays.count { $0 <= day })
      steps.append((day, reached))
    }
  }

  /// Returns this history without stale days.
  func updated(_ habits: [HabitFold]) -> ActivityHistory {
    guard staleDays != nil else { return self }
    var history = self
    history.update(habits)
    return history
  }

  /// The progress after all days; no day may be stale.
  var progress: ActivityProgress { steps.last?.reached.progress ?? ActivityProgress() }

  /// Returns the achievements that depend on the daily activity, in ascending order of days; no day
  /// may be stale.
  func achievements(on today: Day) -> [ReachedAchievement] {
    var reached = steps.last?.reached ?? ReachedAchievements(weekStart: weekStart)
    reached.addNew(on: today)
    return reached.achievements
  }
}

/// The progress after a day, and the achievements that depend on the daily activity and were
/// reached by then.
struct ReachedAchievements: Sendable {
  private(set) var achievements: [ReachedAchievement] = []
  private(set) var progress: ActivityProgress
  private var counts: SIMD8<UInt8>

  init(weekStart: Weekday) {
    progress = ActivityProgress(weekStart: weekStart)
    counts = progress.counts(on: Day.first)
  }

  /// Adds the activity of `day`; `habits` is the number of habits that have had an entry up to that
  /// day.
  mutating func add(_ activity: DailyActivity, on day: Day, habits: Int) {
    progress.add(activity, on: day, habits: habits)
    addNew(on: day)
  }

  mutating func addNew(on day: Day) {
    let newCounts = progress.counts(on: day)
    guard newCounts != counts else { return }
    for index in newCounts.indices where newCounts[index] > counts[index] {
      for tier in Int(counts[index])..<Int(newCounts[index]) {
        let key = ActivityProgress.key(of: index, tier: tier)
        // The month of `balanced-warrior` is complete on its last day, even if that day has no
        // activity.
        let reachedDay = key == .single(.balancedWarrior) ? progress.balancedWarrior.lastDay : day
        achievements.append(ReachedAchievement(key: key, day: reachedDay))
      }
    }
    counts = newCounts
  }
}

/// The progress towards achievements after a day; days with activity must be added in ascending
/// order.
struct ActivityProgress: Sendable {
  private(set) var activity = Activity()
  /// The XP of qualifying entries (see `DailyActivity`).
  private(set) var entryXP = 0
  /// The number of entries of habits that aren't limits.
  private var entries = 0
  /// The number of days with an entry of a habit that isn't a limit.
  private var days = 0
  /// The number of habits that have had an entry while they weren't limits.
  private var habits = 0
  /// Whether there has been a qualifying cardio entry of at least 120 minutes.
  private var hasUltra = false
  private var triThreat: TriThreat
  private var cardioKing = CardioKing()
  private(set) var balancedWarrior = BalancedWarrior()
  private var devotee = Devotee()

  init(weekStart: Weekday = .monday) {
    triThreat = TriThreat(weekStart: weekStart)
  }

  /// Adds the activity of `day`; `habits` is the number of habits that have had an entry up to that
  /// day.
  mutating func add(_ activity: DailyActivity, on day: Day, habits: Int) {
    self.activity.add(activity)
    entryXP += Int(activity.xp)
    entries += Int(activity.entries)
    days += activity.entries > 0 ? 1 : 0
    self.habits = habits
    hasUltra = hasUltra || activity.ultra > 0
    triThreat.add(activity, on: day)
    cardioKing.add(activity, on: day)
    balancedWarrior.add(activity, on: day)
    devotee.add(activity, on: day)
  }

  /// Returns a count for each achievement that depends on the daily activity.
  ///
  /// The first counts are 0 or 1 for each `SingleAchievement`. The others are the numbers of tiers
  /// reached, for each of `TieredAchievement.daily`.
  func counts(on today: Day) -> SIMD8<UInt8> {
    func tiers(of achievement: TieredAchievement, reachedBy number: Int) -> UInt8 {
      UInt8(achievement.tiers(reachedBy: number))
    }
    return SIMD8(
      triThreat.isReached ? 1 : 0, cardioKing.isReached ? 1 : 0,
      balancedWarrior.isReached(on: today) ? 1 : 0,
      hasUltra ? 1 : 0, tiers(of: .collector, reachedBy: entries),
      tiers(of: .marathon, reachedBy: days),
      tiers(of: .devotee, reachedBy: devotee.longest),
      tiers(of: .variety, reachedBy: habits))
  }

  /// Returns the achievement with the index `index` in `counts(on:)`; `tier` is 0 for bronze.
  static func key(of index: Int, tier: Int) -> AchievementKey {
    let singles = SingleAchievement.allCases
    return index < singles.count
      ? .single(singles[index])
      : .tiered(TieredAchievement.daily[index - singles.count], tier: tier)
  }
}

/// The achievement `tri-threat`: strength, yoga and another cardio activity in one week of the
/// ledger.
///
/// Strength is written as `s`, yoga as `y`, running as `r`.
///
///     strength  s......
///     cardio    y.r....     the first day is a Monday; reached on the third day
struct TriThreat: Sendable, Equatable {
  let weekStart: Weekday
  private(set) var isReached = false
  private var week: Week?
  /// The activity of `week` so far.
  private var total = DailyActivity()

  init(weekStart: Weekday) {
    self.weekStart = weekStart
  }

  mutating func add(_ activity: DailyActivity, on day: Day) {
    guard !isReached else { return }
    let week = Week(of: day, from: weekStart)
    if week != self.week { total = DailyActivity() }
    self.week = week
    total.add(activity)
    isReached = total.strength > 0 && total.yoga > 0 && total.cardio > total.yoga
  }
}

/// The achievement `cardio-king`: ten qualifying entries of cardio habits within thirty days (see
/// `DailyActivity`).
///
/// Each `r` is a qualifying entry.
///
///     cardio  rrrrrrrrr....................r      reached on the thirtieth day
///     cardio  rrrrrrrrr.....................r     not reached
struct CardioKing: Sendable, Equatable {
  private(set) var isReached = false
  /// The days of the qualifying entries of the last thirty days, one element per entry; empty again
  /// after ten entries.
  private var recent: [Day] = []

  mutating func add(_ activity: DailyActivity, on day: Day) {
    guard !isReached else { return }
    while let first = recent.first, day - first >= 30 { recent.removeFirst() }
    guard activity.cardio > 0 else { return }
    isReached = recent.count + Int(activity.cardio) >= 10
    recent = isReached ? [] : recent + repeatElement(day, count: Int(activity.cardio))
  }
}

/// The achievement `balanced-warrior`: a past month with as many strength days as cardio days, at
/// least one of each.
///
///     strength  s.s..
///     cardio    .r.r.     reached on the last day of the month, once it is past
struct BalancedWarrior: Sendable, Equatable {
  /// Whether `month` is balanced and past.
  private var hasBalancedMonth = false
  /// The first balanced month, or the month of the latest day that was added if there is none yet.
  private var month = Day.first...Day.first
  private var strengthDays: Int32 = 0
  private var cardioDays: Int32 = 0

  mutating func add(_ activity: DailyActivity, on day: Day) {
    hasBalancedMonth = isReached(on: day)
    guard !hasBalancedMonth else { return }
    if day > month.upperBound { self = BalancedWarrior(month: day.wholeMonth) }
    strengthDays += activity.strength > 0 ? 1 : 0
    cardioDays += activity.cardio > 0 ? 1 : 0
  }

  func isReached(on today: Day) -> Bool {
    hasBalancedMonth || strengthDays > 0 && strengthDays == cardioDays && month.upperBound < today
  }

  var lastDay: Day { month.upperBound }
}

/// The achievement `devotee`: days in a row with an entry of any habit that isn't a limit.
///
///     meditation  xx.x.
///     mood        ..x..     four days in a row; bronze on the third
struct Devotee: Sendable, Equatable {
  /// The largest number of days in a row so far, at most the number that the last tier requires.
  private(set) var longest = 0
  /// The number of days in a row up to `previous`, at most the number that the last tier requires.
  private var current = 0
  /// The latest day with an entry.
  private var previous = Day.first
  private static let limit = TieredAchievement.devotee.required.max() ?? 0

  mutating func add(_ activity: DailyActivity, on day: Day) {
    guard activity.entries > 0 else { return }
    current = day - previous == 1 ? min(current + 1, Devotee.limit) : 1
    previous = day
    longest = max(longest, current)
  }
}

/// The numbers of days with strength entries, cardio entries and both, counting entries that reach
/// their thresholds.
///
///     strength  ss.
///     cardio    .r.     two strength days, one cardio day, one mixed day; `lastActivity` is `both`
public struct Activity: Codable, Hashable, Sendable {
  /// The number of days with strength, with or without cardio.
  public private(set) var strengthDays = 0
  /// The number of days with cardio, with or without strength.
  public private(set) var cardioDays = 0
  /// The number of days with both strength and cardio.
  public private(set) var mixedDays = 0
  /// The kind of the latest day with strength or cardio, or `nil` if there is none.
  public private(set) var lastActivity: Kind?

  /// The kind of a day with activity.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case strength, cardio, both
  }

  package init() {}

  fileprivate mutating func add(_ activity: DailyActivity) {
    let hasStrength = activity.strength > 0
    let hasCardio = activity.cardio > 0
    guard hasStrength || hasCardio else { return }
    strengthDays += hasStrength ? 1 : 0
    cardioDays += hasCardio ? 1 : 0
    mixedDays += hasStrength && hasCardio ? 1 : 0
    lastActivity = !hasStrength ? .cardio : !hasCardio ? .strength : .both
  }
}

/// The days on which what all habits together brought first amounted to something, found in one pass; O(days with
/// entries).
struct DailyGrounds: Sendable {
  private(set) var triThreat = TriThreat()
  private(set) var cardioKing = CardioKing()
  private(set) var balancedWarrior = BalancedWarrior()
  private(set) var ultraEndurance = UltraEndurance()
  private(set) var entryTiers = EntryTiers()

  init(_ daily: DayMap<DailyActivity>, through last: Day) {
    for slot in daily.slots(in: Day.first...last) {
      triThreat.pass(slot.day, slot.value)
      cardioKing.pass(slot.day, slot.value)
      balancedWarrior.pass(slot.day, slot.value)
      ultraEndurance.pass(slot.day, slot.value)
      entryTiers.pass(slot.day, slot.value)
    }
  }
}

/// `collector`, `marathon` and `devotee`: entries, days and chains of days with any entry.
struct EntryTiers: Sendable {
  static let collector = [10, 25, 50, 100, DailyTotals.mostEntries]
  static let marathon = [7, 30, 60, 120, 365]
  static let devotee = [3, 7, 14, 30, 60]

  /// Each tier on the day it was first reached, in that order.
  private(set) var reached: [Reached] = []
  private var entries = 0
  private var days = 0
  private var chain = 0
  private var longestChain = 0
  private var previous: Day?

  struct Reached: Sendable, Equatable {
    let name: GroundName
    let on: Day
  }

  mutating func pass(_ day: Day, _ activity: DailyActivity) {
    guard activity.entries > 0 else { return }
    enter(.collector, EntryTiers.collector, above: entries, through: entries + Int(activity.entries), day)
    entries += Int(activity.entries)
    enter(.marathon, EntryTiers.marathon, above: days, through: days + 1, day)
    days += 1
    chain = previous?.next == day ? chain + 1 : 1
    previous = day
    guard chain > longestChain else { return }
    enter(.devotee, EntryTiers.devotee, above: longestChain, through: chain, day)
    longestChain = chain
  }

  private mutating func enter(
    _ kind: GroundName.Kind, _ tiers: [Int], above: Int, through: Int, _ day: Day
  ) {
    guard above < tiers[tiers.count - 1] else { return }
    for (tier, least) in tiers.enumerated() where least > above && least <= through {
      reached.append(Reached(name: .tiered(kind, tier), on: day))
    }
  }
}

/// The five steps of an achievement that grows (domain.md, "Achievements").
enum Tier {
  static let names = ["bronze", "silver", "gold", "diamond", "legendary"]
}

/// `tri-threat`: strength, yoga and another cardio activity in one ISO week.
struct TriThreat: Sendable {
  private(set) var on: Day?
  private var week = Day.first
  private var hasStrength = false
  private var hasYoga = false
  private var hasOther = false

  mutating func pass(_ day: Day, _ activity: DailyActivity) {
    guard on == nil else { return }
    if day.monday != week {
      week = day.monday
      (hasStrength, hasYoga, hasOther) = (false, false, false)
    }
    hasStrength = hasStrength || activity.strength > 0
    hasYoga = hasYoga || activity.yoga > 0
    hasOther = hasOther || activity.cardio > activity.yoga
    if hasStrength, hasYoga, hasOther { on = day }
  }
}

/// `cardio-king`: ten qualifying cardio entries within thirty consecutive days.
struct CardioKing: Sendable {
  private(set) var on: Day?
  /// Of the last thirty days, those with any.
  private var recent: [(day: Day, cardio: Int32)] = []

  mutating func pass(_ day: Day, _ activity: DailyActivity) {
    guard on == nil, activity.cardio > 0 else { return }
    recent.removeAll { $0.day <= day + -DailyTotals.kingDays }
    recent.append((day, activity.cardio))
    if recent.reduce(0, { $0 + $1.cardio }) >= DailyTotals.kingEntries { on = day }
  }
}

/// `balanced-warrior`: a closed month with as many strength days as cardio days.
struct BalancedWarrior: Sendable {
  private var found: Day?
  private var month = Day.first
  private var strengthDays = 0
  private var cardioDays = 0

  mutating func pass(_ day: Day, _ activity: DailyActivity) {
    guard found == nil else { return }
    if day.startOfMonth != month {
      found = balanced
      month = day.startOfMonth
      (strengthDays, cardioDays) = (0, 0)
    }
    strengthDays += activity.strength > 0 ? 1 : 0
    cardioDays += activity.cardio > 0 ? 1 : 0
  }

  /// The last day of the first such month that is over.
  func on(today: Day) -> Day? {
    found ?? balanced.flatMap { $0 < today ? $0 : nil }
  }

  private var balanced: Day? { strengthDays > 0 && strengthDays == cardioDays ? month.endOfMonth : nil }
}

/// `ultra-endurance`: one qualifying cardio entry of 120 minutes or more.
struct UltraEndurance: Sendable {
  private(set) var on: Day?

  mutating func pass(_ day: Day, _ activity: DailyActivity) {
    if on == nil, activity.ultra > 0 { on = day }
  }
}

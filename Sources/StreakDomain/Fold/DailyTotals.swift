/// What all habits together brought on one day: the ground of achievements and of the activity state.
struct DailyActivity: DayValue, Equatable {
  /// Standing entries of any habit that is no limit.
  var entries: Int32 = 0
  /// Qualifying entries of `strength` habits.
  var strength: Int32 = 0
  /// Qualifying entries of `cardio` habits, yoga included.
  var cardio: Int32 = 0
  var yoga: Int32 = 0
  /// Qualifying cardio entries of 120 minutes or more.
  var ultra: Int32 = 0

  /// Whether two days have the same kinds of qualifying entries, however many.
  func isAlike(_ other: DailyActivity) -> Bool {
    (strength > 0) == (other.strength > 0) && (cardio > 0) == (other.cardio > 0)
      && (yoga > 0) == (other.yoga > 0) && (cardio > yoga) == (other.cardio > other.yoga)
      && (ultra > 0) == (other.ultra > 0)
  }
}

extension CompiledDefinition {
  /// Adds what one counting entry brings to its day, and returns its XP; `sign` -1 takes it out again.
  func contribute(_ entry: EntryFact, to day: inout DailyActivity, yoga: NameIndex, sign: Int32 = 1) -> Int {
    if !isLimit { day.entries += sign }
    guard group != .other || definition.xp != nil, test.qualifies(entry) else { return 0 }
    switch group {
    case .strength: day.strength += sign
    case .cardio:
      day.cardio += sign
      if entry.activity == yoga.value + 1 { day.yoga += sign }
      if entry.minutes >= 120_000 { day.ultra += sign }
    case .other: break
    }
    return (definition.xp?.points(for: entry.measures) ?? 0) * Int(sign)
  }
}

/// What the days of all habits together amount to, kept up with every fact: a late one costs what one of today does.
///
/// It knows which achievements of days and entries are in force. On which day each did first is found when somebody
/// asks, by `DailyGrounds`.
struct DailyTotals: Sendable {
  /// So many qualifying cardio entries within so many days are a cardio king's.
  static let kingEntries: Int32 = 10
  static let kingDays = 30
  /// With more entries than these one more brings no achievement for entries.
  static let mostEntries = 250

  private(set) var activity = Activity()
  private(set) var entries = 0
  /// Days with any entry.
  private(set) var days = 0
  /// Days in a row with any entry, by the first of them.
  private var chains = DayMap<Chain>()
  private var weeks: [Day: Week] = [:]
  private var months: [Day: Month] = [:]
  private var threats = 0
  private var balanced = 0
  /// Days that end thirty with ten qualifying cardio entries or more.
  private var kings = 0
  private var ultras = 0

  private struct Chain: DayValue {
    var days: Int32
    var weight: Int32 { days }
  }

  /// Qualifying entries of an ISO week.
  private struct Week: Sendable {
    var strength: Int32 = 0
    var yoga: Int32 = 0
    var other: Int32 = 0
    var isThreat: Bool { strength > 0 && yoga > 0 && other > 0 }
  }

  private struct Month: Sendable {
    var strengthDays = 0
    var cardioDays = 0
    var isBalanced: Bool { strengthDays > 0 && strengthDays == cardioDays }
  }

  init(_ daily: DayMap<DailyActivity>) {
    for slot in daily.slots(in: Day.first...Day.last) {
      change(slot.day, from: DailyActivity(), to: slot.value, in: daily)
    }
  }

  var hasTriThreat: Bool { threats > 0 }
  var hasCardioKing: Bool { kings > 0 }
  var hasUltraEndurance: Bool { ultras > 0 }
  var longestChain: Int { Int(chains.heaviest) }

  /// Whether a month that is over had as many strength days as cardio days.
  func hasBalancedWarrior(on today: Day) -> Bool {
    balanced > (months[today.startOfMonth]?.isBalanced ?? false ? 1 : 0)
  }

  /// Takes note of a day that is no longer what it was; `daily` has it as it is now.
  mutating func change(
    _ day: Day, from before: DailyActivity, to after: DailyActivity, in daily: DayMap<DailyActivity>
  ) {
    entries += Int(after.entries - before.entries)
    if before.entries == 0, after.entries > 0 { join(day) }
    if before.entries > 0, after.entries == 0 { part(day) }
    activity.count(before, -1)
    activity.count(after, 1)
    activity.findLast(day, after, in: daily)
    guard before.hasQualifying || after.hasQualifying else { return }
    ultras += (after.ultra > 0 ? 1 : 0) - (before.ultra > 0 ? 1 : 0)
    changeWeek(day, before, after)
    changeMonth(day, before, after)
    if before.cardio != after.cardio { kings += crowned(day, by: after.cardio - before.cardio, in: daily) }
  }

  private mutating func join(_ day: Day) {
    days += 1
    var (start, length) = (day, Int32(1))
    if let next = chains[day.next] {
      length += next.days
      chains[day.next] = nil
    }
    if let place = chains.position(through: day), chains[place].day + Int(chains[place].value.days) == day {
      (start, length) = (chains[place].day, length + chains[place].value.days)
    }
    chains[start] = Chain(days: length)
  }

  private mutating func part(_ day: Day) {
    days -= 1
    guard let place = chains.position(through: day) else { return }
    let chain = chains[place]
    let rest = chain.day + Int(chain.value.days) - day - 1
    chains[chain.day] = day == chain.day ? nil : Chain(days: Int32(day - chain.day))
    if rest > 0 { chains[day.next] = Chain(days: Int32(rest)) }
  }

  private mutating func changeWeek(_ day: Day, _ before: DailyActivity, _ after: DailyActivity) {
    var week = weeks[day.monday] ?? Week()
    let was = week.isThreat
    week.strength += after.strength - before.strength
    week.yoga += after.yoga - before.yoga
    week.other += (after.cardio - after.yoga) - (before.cardio - before.yoga)
    weeks[day.monday] = week
    threats += (week.isThreat ? 1 : 0) - (was ? 1 : 0)
  }

  private mutating func changeMonth(_ day: Day, _ before: DailyActivity, _ after: DailyActivity) {
    var month = months[day.startOfMonth] ?? Month()
    let was = month.isBalanced
    month.strengthDays += (after.strength > 0 ? 1 : 0) - (before.strength > 0 ? 1 : 0)
    month.cardioDays += (after.cardio > 0 ? 1 : 0) - (before.cardio > 0 ? 1 : 0)
    months[day.startOfMonth] = month
    balanced += (month.isBalanced ? 1 : 0) - (was ? 1 : 0)
  }

  /// How many days more, or fewer, end thirty with enough entries now that a day has so many more; O(60 days).
  private func crowned(_ day: Day, by more: Int32, in daily: DayMap<DailyActivity>) -> Int {
    let length = DailyTotals.kingDays
    var cardio = [Int32](repeating: 0, count: 2 * length - 1)
    for slot in daily.slots(in: day + (1 - length)...day + (length - 1)) {
      cardio[slot.day - day + length - 1] = slot.value.cardio
    }
    var now = cardio[..<length].reduce(0, +)
    var crowned = 0
    for place in 0..<length {
      if place > 0 { now += cardio[place + length - 1] - cardio[place - 1] }
      crowned += (now >= DailyTotals.kingEntries ? 1 : 0) - (now - more >= DailyTotals.kingEntries ? 1 : 0)
    }
    return crowned
  }
}

extension DailyActivity {
  fileprivate var hasQualifying: Bool { strength > 0 || cardio > 0 }
}

/// The unified activity state: days with qualifying strength and cardio entries.
package struct Activity: Sendable, Equatable {
  package private(set) var strengthDays = 0
  package private(set) var cardioDays = 0
  /// Days with both.
  package private(set) var mixedDays = 0
  /// `strength`, `cardio` or `both` on the latest such day.
  package private(set) var lastActivity: String?
  private var last: Day?

  package init() {}

  /// Counts a day in; `sign` -1 takes it out again.
  mutating func count(_ activity: DailyActivity, _ sign: Int) {
    strengthDays += activity.strength > 0 ? sign : 0
    cardioDays += activity.cardio > 0 ? sign : 0
    mixedDays += activity.strength > 0 && activity.cardio > 0 ? sign : 0
  }

  /// Finds the latest such day again after one changed.
  mutating func findLast(_ day: Day, _ activity: DailyActivity, in daily: DayMap<DailyActivity>) {
    if activity.strength > 0 || activity.cardio > 0 {
      guard last.map({ $0 <= day }) ?? true else { return }
      last = day
      lastActivity = activity.cardio == 0 ? "strength" : activity.strength == 0 ? "cardio" : "both"
    } else if last == day {
      (last, lastActivity) = (nil, nil)
      var place = daily.position(through: day)
      while let known = place {
        let slot = daily[known]
        if slot.value.strength > 0 || slot.value.cardio > 0 {
          return findLast(slot.day, slot.value, in: daily)
        }
        place = known == daily.start ? nil : daily.position(before: known)
      }
    }
  }
}

extension Ledger {
  package var activity: Activity { dailyTotals.activity }

  /// What all days amount to; O(1) once they were counted.
  var dailyTotals: DailyTotals { totals ?? DailyTotals(daily) }

  /// Counts all days, from when on every fact keeps the count.
  mutating func countDays() {
    if totals == nil { totals = DailyTotals(daily) }
  }
}

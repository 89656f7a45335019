/// What the days of all habits together amount to, kept up with every fact: a late one costs what one of today does.
///
/// It knows which achievements of days and entries are in force. On which day each did first is found when somebody asks, by
/// `DailyGrounds`.
struct DailyTotals: Sendable {
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
    let length = CardioKing.days
    var cardio = [Int32](repeating: 0, count: 2 * length - 1)
    for slot in daily.slots(in: day + (1 - length)...day + (length - 1)) {
      cardio[slot.day - day + length - 1] = slot.value.cardio
    }
    var now = cardio[..<length].reduce(0, +)
    var crowned = 0
    for place in 0..<length {
      if place > 0 { now += cardio[place + length - 1] - cardio[place - 1] }
      crowned += (now >= CardioKing.entries ? 1 : 0) - (now - more >= CardioKing.entries ? 1 : 0)
    }
    return crowned
  }
}

extension DailyActivity {
  fileprivate var hasQualifying: Bool { strength > 0 || cardio > 0 }
}

/// The first days on which the four achievements that follow from activity were complete.
///
/// A fact changes none that was complete before its day, so each is looked for again only from the first changed
/// day on, and an entry for today costs a look at a month at most.
struct ActivityGrounds: Sendable {
  fileprivate var triThreat: Day?
  fileprivate var cardioKing: Day?
  fileprivate var balancedWarrior: Day?
  fileprivate var ultraEndurance: Day?
  /// The earliest day whose activity changed since they were looked for.
  private var doubtful: Day?
  private var today = Day.first

  mutating func doubt(_ day: Day) { doubtful = min(doubtful ?? day, day) }

  /// Where to begin looking, nil where nothing changed; a new today may have closed a month, so it counts too.
  fileprivate mutating func begin(on newToday: Day) -> Day? {
    if newToday != today { doubt(today) }
    today = newToday
    defer { doubtful = nil }
    return doubtful
  }
}

extension Ledger {
  /// `tri-threat`, `cardio-king`, `balanced-warrior` and `ultra-endurance`.
  func activityGrounds() -> [Achievement] {
    activityFound.map { key, day, xp in
      let about = defined.filter { habits[$0].terms(on: day).group != .other }
      return Achievement(key: key.description, on: day, because: entries(of: about, on: day), xp: xp)
    }
  }

  /// XP of qualifying entries and of achievements, without listing the achievements.
  package var xp: Int { activityFound.reduce(earnedXP) { $0 + $1.xp } }

  private var activityFound: [(key: AchievementKey, on: Day, xp: Int)] {
    let all: [(key: AchievementKey, on: Day?, xp: Int)] = [
      (.triThreat, grounds.triThreat, 100), (.cardioKing, grounds.cardioKing, 150),
      (.balancedWarrior, grounds.balancedWarrior, 200), (.ultraEndurance, grounds.ultraEndurance, 300),
    ]
    return all.compactMap { key, on, xp in on.map { (key, $0, xp) } }
  }

  /// The first day on which the ground of one of those four was complete; nil for every other key.
  func activityDay(of key: AchievementKey) -> Day? { activityFound.first { $0.key == key }?.on }

  /// Brings the four up to date.
  package mutating func settleGrounds() {
    guard let today, let from = grounds.begin(on: today) else { return }
    func isKept(_ day: Day?) -> Bool { day.map { $0 < from } ?? false }
    if !isKept(grounds.triThreat) { grounds.triThreat = triThreat(from: from.monday) }
    if !isKept(grounds.cardioKing) { grounds.cardioKing = cardioKing(from: from) }
    if !isKept(grounds.balancedWarrior) {
      grounds.balancedWarrior = balancedWarrior(from: from.startOfMonth, today: today)
    }
    if !isKept(grounds.ultraEndurance) {
      grounds.ultraEndurance = activeDays(from: from).first { daily[$0].ultra > 0 }
    }
  }

  private func activeDays(from day: Day) -> some BidirectionalCollection<Day> {
    daily.days(in: day...Day.last)
  }

  /// Strength, yoga and another cardio activity in one ISO week.
  private func triThreat(from monday: Day) -> Day? {
    var week = Day.first
    var strength = false
    var yoga = false
    var other = false
    return activeDays(from: monday).first { day in
      if day.monday != week {
        week = day.monday
        (strength, yoga, other) = (false, false, false)
      }
      let ground = daily[day]
      strength = strength || ground.strength > 0
      yoga = yoga || ground.yoga > 0
      other = other || ground.cardio > ground.yoga
      return strength && yoga && other
    }
  }

  /// Ten cardio entries within thirty consecutive days.
  private func cardioKing(from start: Day) -> Day? {
    var within = (1...30).reduce(Int32(0)) { $0 + daily[start + -$1].cardio }
    return activeDays(from: start).first { day in
      within += daily[day].cardio - daily[day + -30].cardio
      return within >= 10
    }
  }

  /// A closed month with as many strength days as cardio days.
  private func balancedWarrior(from start: Day, today: Day) -> Day? {
    var month = Day.first
    var strength = 0
    var cardio = 0
    for day in activeDays(from: start) {
      if day.startOfMonth != month {
        if strength > 0, strength == cardio { return month.endOfMonth }
        month = day.startOfMonth
        (strength, cardio) = (0, 0)
      }
      strength += daily[day].strength > 0 ? 1 : 0
      cardio += daily[day].cardio > 0 ? 1 : 0
    }
    return strength > 0 && strength == cardio && today > month.endOfMonth ? month.endOfMonth : nil
  }
}

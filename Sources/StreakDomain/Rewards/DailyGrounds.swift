/// What is derived from what all habits together brought day by day; each closed day is passed once.
///
/// A fact of today is read when somebody asks; one of a day passed already has all days passed again, O(days).
struct DailyGrounds: Sendable {
  private(set) var activity = Activity()
  private(set) var triThreat = TriThreat()
  private(set) var cardioKing = CardioKing()
  private(set) var balancedWarrior = BalancedWarrior()
  private(set) var ultraEndurance = UltraEndurance()
  private(set) var entryTiers = EntryTiers()
  private var through: Day?

  mutating func advance(through last: Day, _ daily: DayTable<DailyActivity>) {
    let start = through?.next ?? Day.first
    guard start <= last else { return }
    for day in daily.days(in: start...last) {
      let ground = daily[day]
      activity.pass(ground)
      triThreat.pass(day, ground)
      cardioKing.pass(day, daily)
      balancedWarrior.pass(day, ground)
      ultraEndurance.pass(day, ground)
      entryTiers.pass(day, ground)
    }
    through = last
  }

  /// Takes note that a day is no longer what it was.
  @inline(__always)
  mutating func forget(_ day: Day) {
    if let through, day <= through { self = DailyGrounds() }
  }
}

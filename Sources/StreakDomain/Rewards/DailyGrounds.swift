/// The days on which what all habits together brought first amounted to something, found in one pass; O(days with entries).
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

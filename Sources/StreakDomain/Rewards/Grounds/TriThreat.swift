/// `tri-threat`: strength, yoga and another cardio activity in one ISO week.
struct TriThreat: Sendable {
  private(set) var on: Day?
  private var week = Day.first
  private var hasStrength = false
  private var hasYoga = false
  private var hasOther = false

  mutating func pass(_ day: Day, _ ground: DailyActivity) {
    guard on == nil else { return }
    if day.monday != week {
      week = day.monday
      (hasStrength, hasYoga, hasOther) = (false, false, false)
    }
    hasStrength = hasStrength || ground.strength > 0
    hasYoga = hasYoga || ground.yoga > 0
    hasOther = hasOther || ground.cardio > ground.yoga
    if hasStrength, hasYoga, hasOther { on = day }
  }
}

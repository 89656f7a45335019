/// `ultra-endurance`: one qualifying cardio entry of 120 minutes or more.
struct UltraEndurance: Sendable {
  private(set) var on: Day?

  mutating func pass(_ day: Day, _ ground: DailyActivity) {
    if on == nil, ground.ultra > 0 { on = day }
  }
}

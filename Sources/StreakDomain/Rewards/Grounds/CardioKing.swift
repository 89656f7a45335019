/// `cardio-king`: ten qualifying cardio entries within thirty consecutive days.
struct CardioKing: Sendable {
  private(set) var on: Day?
  private var withinThirtyDays: Int32 = 0

  mutating func pass(_ day: Day, _ daily: DayTable<DailyActivity>) {
    guard on == nil else { return }
    withinThirtyDays += daily[day].cardio - daily[day + -30].cardio
    if withinThirtyDays >= 10 { on = day }
  }
}

/// `cardio-king`: ten qualifying cardio entries within thirty consecutive days.
struct CardioKing: Sendable {
  static let entries: Int32 = 10
  static let days = 30

  private(set) var on: Day?
  /// Of the last thirty days, those with any.
  private var recent: [(day: Day, cardio: Int32)] = []

  mutating func pass(_ day: Day, _ ground: DailyActivity) {
    guard on == nil, ground.cardio > 0 else { return }
    recent.removeAll { $0.day <= day + -CardioKing.days }
    recent.append((day, ground.cardio))
    if recent.reduce(0, { $0 + $1.cardio }) >= CardioKing.entries { on = day }
  }
}

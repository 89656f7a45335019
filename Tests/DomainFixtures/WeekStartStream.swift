import StreakDomain

extension [Event] {
  /// Returns the stream with other week starts in two of three streams: in its first event, and in
  /// events inserted later, some of which set the same one again.
  func withWeekStarts(seed: UInt64) -> [Event] {
    var random = SeededRandom(seed: seed &* 6151)
    guard random.below(3) > 0 else { return self }

    var events = self
    let starts = (0...random.below(4)).map { _ in Weekday.allCases[random.below(7)] }
    for (index, weekStart) in starts.enumerated() {
      let place = index == 0 ? 0 : 1 + random.below(events.count)
      let before = events[Swift.max(0, place - 1)]
      let opened = Event(
        id: "week-\(index)", at: before.at, recorded: before.recorded, day: before.day, zone: "UTC",
        payload: .ledgerOpened(weekStart: weekStart))
      if place == 0 {
        events[0].payload = opened.payload
      } else {
        events.insert(opened, at: place)
      }
    }
    return events
  }
}

import StreakDomain

extension [Event] {
  /// Returns the stream without the ends of some excuses, in one of three streams.
  func withOpenExcuses(seed: UInt64) -> [Event] {
    var random = SeededRandom(seed: seed &* 3571)
    guard random.below(3) == 0 else { return self }

    return map { event in
      guard case .daysExcused(let from, _, let habits, let reason) = event.payload,
        reason != "zone", random.chance(40)
      else { return event }
      var event = event
      event.payload = .daysExcused(from: from, to: nil, habits: habits, reason: reason)
      return event
    }
  }
}

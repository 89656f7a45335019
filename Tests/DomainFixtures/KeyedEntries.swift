package import StreakDomain

extension [Event] {
  /// Returns the stream with keys in many of its entries, and instants as of which they are known.
  ///
  /// Keys are few, so that they are often used again, also by other habits; some are ids of earlier
  /// or later entries. Some entries get the time of an earlier one, so that their order counts.
  package func withKeys(seed: UInt64) -> [Event] {
    var random = SeededRandom(seed: seed &* 15_485_863)
    let share = [25, 60, 90][random.below(3)]
    let keyCount = 1 + random.below(6)
    let ids = filter { $0.payload.type == .entryLogged }.map(\.id)
    let instants = map(\.recorded)
    var events = self

    for index in events.indices {
      guard var entry = events[index].payload.entry else { continue }
      if random.chance(20) { events[index].at = events[random.below(index + 1)].at }
      guard random.chance(share) else { continue }

      let nearby = ids[random.below(ids.count)]
      entry.key = random.chance(35) ? nearby : "k\(random.below(keyCount))"
      if random.chance(50) {
        let instant = instants[random.below(instants.count)]
        entry.asOf = instant + Int64(random.below(3) - 1)
      }
      events[index].payload = .entryLogged(entry)
    }
    return events
  }
}

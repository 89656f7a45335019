package import StreakDomain

extension [Event] {
  /// Returns the stream with measures of up to six decimals, most of them near a bound.
  ///
  /// Bounds are multiples of a half, and a sum reaches one from half a thousandth below it on. So
  /// some measures are one millionth from there, and others are thirds, whose sum decides.
  package func withDecimals(seed: UInt64) -> [Event] {
    var random = SeededRandom(seed: seed &* 32_452_843)
    let share = [30, 70, 100][random.below(3)]
    return map { event in
      guard var entry = event.payload.entry else { return event }
      for measure in [Measure.minutes, .km, .amount] where random.chance(share) {
        guard let number = entry[measure] else { continue }
        entry[measure] = number.moved(&random)
      }
      var event = event
      event.payload = .entryLogged(entry)
      return event
    }
  }
}

extension Millionths {
  /// Returns a number near a multiple of a half, a third of this number, or any number up to 4.
  fileprivate func moved(_ random: inout SeededRandom) -> Millionths {
    switch random.below(6) {
    case 0: return Millionths(count: Int64(random.below(4_000_000)))
    case 1: return Millionths(count: count / 3)
    case 2: return Millionths(count: (count + 500_000) / 1_000_000 * 333_333)
    default:
      let distances: [Int64] = [-501, -500, -499, -1, 0, 1, 499, 500, 501, -500_000]
      let near = Int64(random.below(11)) * 500_000 + distances[random.below(distances.count)]
      return Millionths(count: Swift.max(0, near))
    }
  }
}

import StreakDomain

/// The head of the entry read last, up to its habit, with which the next one's is compared at once.
///
/// Neighbouring lines have their dates, offset and zone in common, so all that moves between them are the id and
/// the two times of day. Everything else, the literals included, either is what it was or is read anew, piece by piece.
struct HeadMemo {
  /// What the pieces of a head say.
  struct Reading {
    var at: Int32 = 0
    var recorded: Int32 = 0
    var day: Int32 = 0
    var offsetMinutes = 0
  }

  /// Where the pieces that move stand: the id is in the same place in every line, as is `at` where the id is a UUID.
  struct Places: Equatable {
    static let id = 7
    static let atTime = 84
    var recordedTime = 0
    /// The length of the head.
    var end = 0
  }

  private typealias Bytes = (SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>)

  private(set) var reading = Reading()
  /// No head is as short as this, so nothing matches before the first is learnt.
  private(set) var places = Places()
  private var bytes: Bytes = (.zero, .zero, .zero)
  private var mask: Bytes = (.zero, .zero, .zero)

  /// A head longer than this is never learnt.
  static let limit = 192

  /// Whether a line has the head that was learnt.
  @inline(__always)
  func matches(_ window: ByteWindow) -> Bool {
    guard places.end > 0 else { return false }
    let differing =
      (window.words(0) & mask.0 ^ bytes.0) | (window.words(64) & mask.1 ^ bytes.1)
      | (window.words(128) & mask.2 ^ bytes.2)
    // Comparing vectors goes lane by lane; halves do not.
    let four = differing.lowHalf | differing.highHalf
    let two = four.lowHalf | four.highHalf
    return two.x | two.y == 0
  }

  /// Remembers the head of a line whose id is a UUID and whose `at` has no fraction.
  mutating func learn(_ window: ByteWindow, _ places: Places, _ reading: Reading) {
    guard places.end <= HeadMemo.limit else { return }
    if places != self.places {
      self.places = places
      let still = (0..<HeadMemo.limit).map { place -> UInt8 in
        let moves =
          (Places.id..<Places.id + 36).contains(place) || (Places.atTime..<Places.atTime + 8).contains(place)
          || (places.recordedTime..<places.recordedTime + 16).contains(place)
        return moves || place >= places.end ? 0 : 0xFF
      }
      let masks = LineBuffer(still)
      mask = (masks.window(at: 0).words(0), masks.window(at: 0).words(64), masks.window(at: 0).words(128))
    }
    self.reading = reading
    bytes = (window.words(0) & mask.0, window.words(64) & mask.1, window.words(128) & mask.2)
  }
}

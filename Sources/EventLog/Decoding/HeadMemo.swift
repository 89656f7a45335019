import StreakDomain

/// The head of the entry read last, up to the first field of its payload, with which the next one's is compared at
/// once.
///
/// Neighbouring lines of one producer begin with the id and have their layout, dates, offset and zone in common, so
/// all that moves between their heads are the id and the two times of day. Everything else is what it was, or the
/// line is read field by field.
struct HeadMemo {
  /// What the pieces of a head say.
  struct Reading {
    var at: Int32 = 0
    var recorded: Int32 = 0
    var day: Int32 = 0
    var offsetMinutes = 0
  }

  /// Where the pieces are, those but the id counted from its end.
  struct Places: Equatable {
    var id = 0
    var atTime = 0
    var recordedTime = 0
    /// The length of what follows the id.
    var end = 0
  }

  private typealias Bytes = (SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>)

  private(set) var reading = Reading()
  /// No head is as short as this, so nothing matches before the first is learnt.
  private(set) var places = Places()
  /// The fields that it has.
  private(set) var fields = FieldSet([])
  /// Where the pieces were in a head that is learnt if the next one has them there, too.
  private var candidate = Places()
  /// What is before the id.
  private var start: UInt64 = 0
  private var startMask: UInt64 = 0
  private var bytes: Bytes = (.zero, .zero, .zero)
  private var mask: Bytes = (.zero, .zero, .zero)

  /// A head is learnt if no more than this is before and after its id.
  private static let limits = (start: 8, rest: 192)

  /// Whether a line has what was before the id.
  @inline(__always)
  func begins(_ window: ByteWindow) -> Bool {
    places.end > 0 && window.word(0) & startMask == start
  }

  /// Whether it has what was after the id, which ends at a place.
  @inline(__always)
  func goesOn(_ window: ByteWindow, behind id: Int) -> Bool {
    let differing =
      (window.words(id) & mask.0 ^ bytes.0) | (window.words(id + 64) & mask.1 ^ bytes.1)
      | (window.words(id + 128) & mask.2 ^ bytes.2)
    // Comparing vectors goes lane by lane; halves do not.
    let four = differing.lowHalf | differing.highHalf
    let two = four.lowHalf | four.highHalf
    return two.x | two.y == 0
  }

  /// Remembers the head of a line whose id ends at a place, and whose `at` has no fraction.
  mutating func learn(
    _ window: ByteWindow, behind id: Int, _ places: Places, _ fields: FieldSet, _ reading: Reading
  ) {
    guard places.id <= HeadMemo.limits.start, places.atTime > 0, places.recordedTime > 0,
      places.end <= HeadMemo.limits.rest
    else { return }
    if places != self.places {
      // Lines that are all laid out otherwise would only cost the masks.
      guard places == candidate else { return candidate = places }
      makeMasks(places)
    }
    self.reading = reading
    self.fields = fields
    start = window.word(0) & startMask
    bytes = (window.words(id) & mask.0, window.words(id + 64) & mask.1, window.words(id + 128) & mask.2)
  }

  private mutating func makeMasks(_ places: Places) {
    self.places = places
    startMask = places.id == 8 ? .max : 1 << UInt64(places.id * 8) &- 1
    let still = (0..<HeadMemo.limits.rest).map { place -> UInt8 in
      let moves =
        (places.atTime..<places.atTime + 8).contains(place)
        || (places.recordedTime..<places.recordedTime + 16).contains(place)
      return moves || place >= places.end ? 0 : 0xFF
    }
    let masks = LineBuffer(still)
    mask = withExtendedLifetime(masks) {
      let window = masks.window(at: 0)
      return (window.words(0), window.words(64), window.words(128))
    }
  }
}

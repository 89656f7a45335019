import StreakDomain

/// The head of the last entry, up to its first payload field, for comparison with the next entry.
///
/// Consecutive lines of one producer usually differ only in the id and the two times of day. If another byte
/// of the head differs, the line is read field by field.
struct HeadMemo {
  struct Reading {
    var at: Int32 = 0
    var recorded: Int32 = 0
    var day: Int32 = 0
    var offsetMinutes = 0
  }

  /// The offsets of the parts; all except `id` are relative to the end of the id.
  struct Places: Equatable {
    var id = 0
    var atTime = 0
    var recordedTime = 0
    var end = 0
  }

  private typealias Bytes = (SIMD8<UInt64>, SIMD8<UInt64>, SIMD8<UInt64>)

  private(set) var reading = Reading()
  private(set) var places = Places()
  private(set) var fields = FieldSet([])
  /// The offsets in the last head with another layout, which is adopted if the next head has the same layout.
  private var candidate = Places()
  private var start: UInt64 = 0
  private var startMask: UInt64 = 0
  private var bytes: Bytes = (.zero, .zero, .zero)
  private var mask: Bytes = (.zero, .zero, .zero)

  private static let limits = (start: 8, rest: 192)

  @inline(__always)
  func begins(_ window: ByteWindow) -> Bool {
    places.end > 0 && window.word(0) & startMask == start
  }

  /// Whether the bytes after the id, which ends at `id`, equal those of the stored head.
  @inline(__always)
  func goesOn(_ window: ByteWindow, behind id: Int) -> Bool {
    let differing =
      (window.words(id) & mask.0 ^ bytes.0) | (window.words(id + 64) & mask.1 ^ bytes.1)
      | (window.words(id + 128) & mask.2 ^ bytes.2)
    // Vectors would be compared lane by lane, halves aren't.
    let four = differing.lowHalf | differing.highHalf
    let two = four.lowHalf | four.highHalf
    return two.x | two.y == 0
  }

  /// Stores the head of a line whose id ends at `id`; its `at` must not have a fraction.
  mutating func learn(
    _ window: ByteWindow, behind id: Int, _ places: Places, _ fields: FieldSet, _ reading: Reading
  ) {
    guard places.id <= HeadMemo.limits.start, places.atTime > 0, places.recordedTime > 0,
      places.end <= HeadMemo.limits.rest
    else { return }
    if places != self.places {
      // If the layout changed with every line, making the masks would cost more than they save.
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

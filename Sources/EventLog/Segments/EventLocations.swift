import StreakDomain

/// The location of each event that counts, in the order of the stream.
///
/// The first element is that of the event at position 1.
struct EventLocations {
  private var locations: [EventLocation] = []
  /// Whether a step has begun of which no event has been added yet.
  private var isStepNew = false
  /// Whether locations are stored even if there is one segment, which needs none to compare
  /// repeated events.
  var isRequested = false

  var count: Int { locations.count }

  subscript(position: Int) -> EventLocation { locations[position - 1] }

  mutating func reserveCapacity(_ count: Int) { locations.reserveCapacity(count) }

  @inline(__always)
  mutating func append(_ item: StreamItem) {
    let beginsStep = isStepNew || item.beginsStep
    isStepNew = false
    locations.append(EventLocation(of: item, beginsStep: beginsStep))
  }

  /// Skips an event that doesn't count; if it begins a step, the next event begins that step.
  mutating func skip(_ item: StreamItem) { if item.beginsStep { isStepNew = true } }
}

/// The segment and the offset of an event, and whether the event begins its step.
///
/// The event that begins a step is the first of its events that counts. The values are packed,
/// because there is one location for each event.
struct EventLocation: BitwiseCopyable, Sendable {
  private static let stepFlag: UInt64 = 1 << 63
  private static let offsetBits: UInt64 = 40

  private let packed: UInt64

  init(of item: StreamItem, beginsStep: Bool) {
    let flag = beginsStep ? EventLocation.stepFlag : 0
    packed = flag | UInt64(item.segment) << EventLocation.offsetBits | UInt64(item.offset)
  }

  var beginsStep: Bool { packed & EventLocation.stepFlag != 0 }

  var segment: Int { Int((packed & ~EventLocation.stepFlag) >> EventLocation.offsetBits) }

  var offset: Int { Int(packed & (1 << EventLocation.offsetBits - 1)) }
}

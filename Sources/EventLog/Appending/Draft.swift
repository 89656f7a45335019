package import StreakDomain

package struct Draft: Sendable {
  /// The id given by the caller; if it is `nil`, the store sets it, as with `at`, `day` and `zone`.
  package var id: String?
  package var at: Timestamp?
  package var day: Day?
  package var zone: String?
  /// The `recorded` of the given line, if requested; `append` always stamps a new one.
  package var recorded: Instant?
  package var event: Event
  /// The source location for errors, for example `-:3:1` on standard input or `log` for a command.
  package var place: Place
  package var text: String {
    get { String(decoding: line, as: UTF8.self) }
    set { line = Array(newValue.utf8) }
  }
  private var line: [UInt8]
  /// Whether the caller gave the event as a line, rather than through a command.
  private var isGiven = false

  /// Creates a draft from a JSON line, ignoring `recorded`, `more`, `seal` and `seen`.
  ///
  /// A field that the type doesn't have is refused, unless `isLenient` is true.
  package init(
    line: [UInt8], file: String, number: Int, keepsRecorded: Bool = false, isLenient: Bool = false
  ) throws(Failure) {
    do throws(Failure) {
      let fields = try LineFields(line)
      event = try EventDecoder.given(fields, isLenient: isLenient)
      id = try fields.optional(.id, .id)
      at = try fields.optional(.at, .at)
      day = try fields.optional(.day, .day)
      zone = try fields.optional(.zone, .zone)
      recorded = keepsRecorded ? try fields.optional(.recorded, .recorded) : nil
      place = Place(file: file, line: number, column: 1)
      self.line = line
      isGiven = true
    } catch {
      throw error.inLine(number, of: file, line)
    }
  }

  package init(_ payload: Payload, command: String) {
    event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    place = Place(file: command, line: 0, column: 0)
    line = []
  }

  package init(_ payload: Payload, zone: String?) {
    self.init(payload, command: "event")
    self.zone = zone
  }

  func fails(_ failure: Failure) -> Failure { failure.at(place, text) }

  /// Whether the event is skipped: lines copied from another ledger may contain segments dropped or events
  /// redacted there, which has no meaning here.
  var isDropped: Bool { isGiven && [.segmentDropped, .eventRedacted].contains(event.payload.type) }

  /// Returns the given fields that `stored` doesn't contain equally, except the `redacted` texts.
  func differences(
    from stored: Event, without redacted: Set<TextField>
  ) -> [(field: Text, stored: Text?, given: Text)] {
    var given = event
    given.id = id ?? stored.id
    given.at = at ?? stored.at
    given.day = day ?? stored.day
    given.zone = zone ?? stored.zone
    given.recorded = stored.recorded
    let own = EventEncoder.fields(stored)
    return EventEncoder.fields(given).compactMap { field, json in
      let found = own.first { $0.key == field }?.json
      let isEqual = found == json || redacted.contains { Text($0.rawValue) == field }
      return isEqual ? nil : (field, found, json)
    }
  }
}

/// The drafts of one batch, created again in each pass so that a large batch is never in memory at once.
package struct Drafts {
  private let pass: ((Draft) throws(Failure) -> Void) throws(Failure) -> Void

  package init(_ pass: @escaping ((Draft) throws(Failure) -> Void) throws(Failure) -> Void) {
    self.pass = pass
  }

  package init(_ drafts: [Draft]) {
    pass = { body throws(Failure) in for draft in drafts { try body(draft) } }
  }

  package func each(_ body: (Draft) throws(Failure) -> Void) throws(Failure) { try pass(body) }

  /// Returns batches of at most `BatchLines.limit` drafts; a single empty batch if there are no drafts.
  package func batches() throws(Failure) -> [Drafts] {
    var count = 0
    try each { _ in count += 1 }
    return stride(from: 0, to: max(1, count), by: BatchLines.limit).map { start in
      Drafts { (body) throws(Failure) in
        var index = 0
        try each { draft throws(Failure) in
          if (start..<start + BatchLines.limit).contains(index) { try body(draft) }
          index += 1
        }
      }
    }
  }

  /// Returns the first matching draft; this goes through all drafts, so use it only to report an error.
  func first(where holds: (Draft) -> Bool) throws(Failure) -> Draft? {
    var found: Draft?
    try each { draft in if found == nil, holds(draft) { found = draft } }
    return found
  }
}

package struct AppendOptions: Sendable {
  package var now: Instant
  /// The furthest that `at` may lie after `now`, in microseconds, because two clocks never agree exactly.
  package static let mostAhead: Int64 = 5 * 60_000_000
  /// The zone of events that specify none, or `nil` for the zone of the ledger.
  package var zone: String?
  package var machineZone: String
  /// The number of events that the stream must contain, or `nil` for any number.
  package var expected: Int?
  /// Returns the reason to refuse the whole append, given the ledger at the end of the stream.
  package var condition: (@Sendable (Ledger) -> Failure?)?
  /// Whether to continue despite a today after `now`, or missing lines in the writer's segment.
  package var isForced = false
  /// Whether the batch corrects a today that a wrong clock set; such a batch is allowed despite that today.
  package var correctsDay = false

  package var reading = ReadingOptions()

  package init(now: Instant, machineZone: String) {
    self.now = now
    self.machineZone = machineZone
  }
}

/// A generator of version 7 UUIDs (RFC 9562): milliseconds, 12 bits of fraction, then random bits.
package enum UUIDv7 {
  /// Returns an id for an event recorded at `instant`; a later instant gives a greater id.
  package static func make(at instant: Instant, random: inout some RandomNumberGenerator) -> String {
    let milliseconds = UInt64(max(0, instant.microseconds / 1000)) & 0xFFFF_FFFF_FFFF
    let fraction = UInt64(max(0, instant.microseconds % 1000)) * 4096 / 1000
    let high = milliseconds << 16 | 0x7000 | fraction
    let low = 0x8000_0000_0000_0000 | random.next() >> 2
    return EventKey.uuidText(high, low)
  }
}

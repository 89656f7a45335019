package import StreakDomain

/// An event to append: what the caller gave, and where it was.
package struct Draft: Sendable {
  /// The id, `at`, `day` and `zone` the caller gave; the store fills in the rest.
  package var id: String?
  package var at: Timestamp?
  package var day: Day?
  package var zone: String?
  /// Kept only where an event is supposed to have been recorded; `append` stamps its own.
  package var recorded: Instant?
  package var event: Event
  /// For errors: `-:3:1` on standard input, `log` for a command.
  package var place: Place
  package var text: String {
    get { String(decoding: line, as: UTF8.self) }
    set { line = Array(newValue.utf8) }
  }
  private var line: [UInt8]
  /// Whether somebody gave it as a line, and no command of the program made it.
  private var isGiven = false

  /// Reads one JSON line; `recorded`, `more`, `seal` and `seen` are dropped and stamped again.
  ///
  /// A field that its type does not have is refused, unless `isLenient`: then it is kept.
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

  /// A draft that a command made.
  package init(_ payload: Payload, command: String) {
    event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    place = Place(file: command, line: 0, column: 0)
    line = []
  }

  /// A draft of a payload for a ledger that no command serves; without a zone the ledger's is taken.
  package init(_ payload: Payload, zone: String?) {
    self.init(payload, command: "event")
    self.zone = zone
  }

  /// A failure at its place, with its line.
  func fails(_ failure: Failure) -> Failure { failure.at(place, text) }

  /// Whether it is left out of a batch: lines of another ledger may be fed in, and what was given up or redacted
  /// there was not here.
  var isDropped: Bool { isGiven && [.segmentDropped, .eventRedacted].contains(event.payload.type) }

  /// Whether a stored event says all that the caller gave, but for texts that were taken out of it.
  func isHeld(by stored: Event, without texts: [RedactedText]) -> Bool {
    var given = event
    given.id = id ?? stored.id
    given.at = at ?? stored.at
    given.day = day ?? stored.day
    given.zone = zone ?? stored.zone
    given.recorded = stored.recorded
    return stored.holds(
      EventEncoder.fields(given).filter { field in
        !texts.contains { Text($0.field.rawValue) == field.key }
      })
  }
}

/// The drafts of one batch in their order, made again each time they are gone through, so that many are never held at
/// once.
package struct Drafts {
  private let pass: ((Draft) throws(Failure) -> Void) throws(Failure) -> Void

  /// Drafts that `pass` hands on one after the other, the same ones in every pass.
  package init(_ pass: @escaping ((Draft) throws(Failure) -> Void) throws(Failure) -> Void) {
    self.pass = pass
  }

  package init(_ drafts: [Draft]) {
    pass = { body throws(Failure) in for draft in drafts { try body(draft) } }
  }

  /// Goes through all of them, from the first.
  package func each(_ body: (Draft) throws(Failure) -> Void) throws(Failure) { try pass(body) }

  /// The drafts divided into batches of the largest allowed size; one empty batch if there are none.
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

  /// The first that holds to a condition; all after it are made in vain, so this is for what ends in an error.
  func first(where holds: (Draft) -> Bool) throws(Failure) -> Draft? {
    var found: Draft?
    try each { draft in if found == nil, holds(draft) { found = draft } }
    return found
  }
}

package import StreakDomain

/// An event to append, before the store completes the fields that the caller didn't specify.
package struct Draft: Sendable {
  /// The id that the caller specified, or `nil` if the store sets the id.
  ///
  /// The fields `at`, `day` and `zone` are optional in the same way.
  package var id: String?
  package var at: Timestamp?
  package var day: Day?
  package var zone: String?
  package var event: Event
  /// Whether the draft comes from an imported record that has a day but no time.
  ///
  /// Its `at` is then noon, even if that is in the future.
  package var isOfDay = false
  /// The source location for errors, for example `-:3:1` on standard input or `log` for a command.
  package var place: Place
  package var line: [UInt8]
  /// Whether the draft was created from a line of JSON, rather than by a command.
  private(set) var isGiven = false

  /// Creates a draft from a line of JSON, ignoring the fields that only the store sets, such as
  /// `recorded` and `more`.
  ///
  /// Unknown fields are refused unless their names begin with `x_`. If `isLenient` is true, only
  /// the unknown fields of a definition are refused.
  package init(
    line: [UInt8], file: String, number: Int, isLenient: Bool = false
  ) throws(Failure) {
    do throws(Failure) {
      let fields = try LineFields(line)
      event = try EventDecoder.draftEvent(fields, isLenient: isLenient)
      id = try fields.optional(.id, .id)
      at = try fields.optional(.at, .at)
      day = try fields.optional(.day, .day)
      zone = try fields.optional(.zone, .zone)
      place = Place(file: file, line: number, column: 1)
      self.line = line
      isGiven = true
    } catch {
      throw error.inLine(number, of: file, line)
    }
  }

  /// Creates a draft of `payload`; failures in the draft are reported with `command` as their
  /// source location.
  package init(_ payload: Payload, zone: String? = nil, command: String = "event") {
    self.zone = zone
    event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    place = Place(file: command, line: 0, column: 0)
    line = []
  }

  /// Returns `failure` with the source location and the line of the draft.
  func fails(_ failure: Failure) -> Failure {
    failure.at(place, String(decoding: line, as: UTF8.self))
  }

  /// Whether `append` skips the draft, because only the store writes its type.
  var isDropped: Bool { isGiven && [.segmentDropped, .eventRedacted].contains(event.payload.type) }

  /// Returns the fields that the caller specified and whose values differ in `stored`, except texts
  /// in `redacted`.
  func differences(
    from stored: Event, without redacted: Set<TextField>
  ) -> [(field: Text, stored: Text?, drafted: Text)] {
    var drafted = event
    drafted.id = id ?? stored.id
    // The same instant with another offset is the same time.
    drafted.at = at.flatMap { $0.instant == stored.at.instant ? nil : $0 } ?? stored.at
    drafted.day = day ?? stored.day
    drafted.zone = zone ?? stored.zone
    drafted.recorded = stored.recorded

    let storedMembers = EventEncoder.members(of: stored)
    return EventEncoder.members(of: drafted).compactMap { field, value in
      let stored = storedMembers.first { $0.key == field }?.value
      let isEqual = stored.map { Text($0.canonical.json) == Text(value.canonical.json) } ?? false
      guard !isEqual, !redacted.contains(where: { Text($0.rawValue) == field }) else { return nil }

      let name = Escaping.json(field.string).utf8.dropFirst().dropLast()
      return (Text(Substring(name)), stored.map { Text($0.json) }, Text(value.json))
    }
  }
}

/// The drafts of one batch.
///
/// They are created again for each iteration, so that the drafts of a large batch are never in
/// memory together.
package struct Drafts {
  private let pass: ((Draft) throws(Failure) -> Void) throws(Failure) -> Void
  /// The byte ranges of the texts that `redact` removes from the writer's segment; `nil` for other
  /// commands.
  let removedTexts: [Range<Int>]?

  package init(_ pass: @escaping ((Draft) throws(Failure) -> Void) throws(Failure) -> Void) {
    self.pass = pass
    removedTexts = nil
  }

  package init(_ drafts: [Draft], removing texts: [Range<Int>]? = nil) {
    removedTexts = texts
    pass = { body throws(Failure) in for draft in drafts { try body(draft) } }
  }

  package func each(_ body: (Draft) throws(Failure) -> Void) throws(Failure) { try pass(body) }

  /// Returns the first draft for which `holds` is true; creates all drafts again, so it is only for
  /// error messages.
  func first(where holds: (Draft) -> Bool) throws(Failure) -> Draft? {
    var first: Draft?
    try each { draft in if first == nil, holds(draft) { first = draft } }
    return first
  }
}

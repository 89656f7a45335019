package import EventLog
public import StreakDomain

/// The changes made by one event; as JSON, they are a line of `streaks timeline --json`.
public struct StreakChange: Hashable, Sendable {
  /// The event's position in the stream, from 1; events of a segment that arrives later can shift
  /// the position.
  public let position: Int
  /// The event's id, which never changes.
  public let event: String
  /// The event's type.
  public let type: EventType
  /// The time at which the event was recorded.
  public let recorded: Instant
  /// The day that the event counts for.
  public let day: Day
  /// The habit that the event is about, or `nil` if the event isn't about exactly one habit.
  public let habit: Habit.ID?
  /// The segment that contains the event, such as `phone`, or `nil` for an event that was appended
  /// only in memory.
  public let writer: String?
  /// The changes of the state, or an empty difference if nothing changed.
  public package(set) var difference: Difference
  /// Whether the event precedes an event that was delivered earlier, because the event's segment
  /// arrived late.
  public var isLate = false
  /// The cursor after the event, or `nil` if the stream has no cursors, such as in
  /// `StreakLedger.timeline()`.
  public var cursor: StreakCursor?

  // An initializer would copy its arguments if they weren't borrowed.
  package init(
    _ item: borrowing StreamItem, at position: Int, of stream: borrowing EventStream,
    _ ledger: borrowing Ledger, _ changes: Difference, cursor: Cursor? = nil
  ) {
    (self.position, event, type) = (position, item.id.text(ledger.names), item.type)
    (recorded, day, habit) = (item.recorded, item.day, item.habit(in: ledger))
    (writer, difference) = (stream.writer(of: item)?.string, changes)
    self.cursor = cursor.map { StreakCursor($0) }
  }
}

extension StreakChange: Encodable {
  private enum CodingKeys: CodingKey {
    case position, event, type, recorded, day, habit, cursor, late, writer
  }

  /// Encodes the change as one flat object, with the members of `difference` beside the other
  /// members.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(position, forKey: .position)
    try members.encode(event, forKey: .event)
    try members.encode(type, forKey: .type)
    try members.encode(recorded, forKey: .recorded)
    try members.encode(day, forKey: .day)
    if let habit { try members.encode(habit, forKey: .habit) }
    try members.encodeIfPresent(writer, forKey: .writer)
    if let cursor { try members.encode(cursor.rawValue, forKey: .cursor) }
    if isLate { try members.encode(true, forKey: .late) }
    try difference.encode(to: encoder)
  }
}

/// A consumer's progress through a ledger's events, from which `StreakFolder.changes(after:)`
/// continues.
///
/// The cursor is a short string, the same as in `streaks timeline --json`. Store the cursor of a
/// change together with the result of handling the change. Then each event is handled exactly once,
/// even if the app is terminated.
///
/// ```swift
/// let cursor = defaults.string(forKey: "cursor").flatMap(StreakCursor.init(rawValue:)) ?? .start
/// for await reading in folder.changes(after: cursor) {
///   guard case .success(let change) = reading else { continue }
///   show(change)
///   if let cursor = change.cursor { defaults.set(cursor.rawValue, forKey: "cursor") }
/// }
/// ```
public struct StreakCursor: RawRepresentable, Hashable, Codable, Sendable {
  /// The string to store.
  public let rawValue: String

  /// Creates a cursor from its stored string, or returns `nil` if the string isn't a cursor.
  public init?(rawValue: String) {
    guard Cursor(rawValue) != nil else { return nil }
    self.rawValue = rawValue
  }

  package init(_ cursor: Cursor) { rawValue = cursor.description }

  /// The cursor before the first event.
  public static let start = StreakCursor(Cursor())

  package var cursor: Cursor { Cursor(rawValue) ?? Cursor() }
}

/// The changes made by the events of a folder that a consumer hasn't received yet.
package struct ChangeFeed {
  /// The steps, and the ledger after the last one.
  package var deliveries: Deliveries
  /// The event of the change that `next` returned last.
  package private(set) var item = StreamItem()
  /// The cursor after the change that `next` returned last; it advances at the end of a step.
  package var cursor: Cursor {
    isInsideStep ? deliveries.stepStartCursor ?? deliveries.cursor : deliveries.cursor
  }
  /// Whether `next` has returned some, but not all events of a step.
  package var isInsideStep: Bool { returned < deliveries.lines.count }
  private var timeline = Timeline()
  /// The changes that the current step made, attributed to its last event.
  private var difference = Difference()
  /// The number of events of the current step that `next` has returned.
  private var returned = 0

  package init(folder: String, after cursor: Cursor, options: ReadingOptions) throws(Failure) {
    deliveries = try Deliveries(folder: folder, after: cursor, options: options)
    timeline.start(with: &deliveries.ledger)
  }

  /// Returns the changes made by the next event, or `nil` after the last event.
  package mutating func next() throws(Failure) -> StreakChange? {
    if !isInsideStep {
      returned = 0
      guard try deliveries.nextStep() else { return nil }
      difference = timeline.note(&deliveries.ledger, replacing: deliveries.replacedLedger)
    }

    let line = deliveries.lines[deliveries.lines.startIndex + returned]
    item = line.item
    returned += 1
    let isLast = !isInsideStep

    var change = StreakChange(
      item, at: line.position, of: deliveries.stream, deliveries.ledger,
      isLast ? difference : Difference(), cursor: cursor)
    change.isLate = deliveries.isLate
    return change
  }

  /// Returns the cursor after the last event of `folder`.
  package static func end(of folder: String, options: ReadingOptions) throws(Failure) -> Cursor {
    var feed = try ChangeFeed(folder: folder, after: Cursor(), options: options)
    try feed.passAll()
    return feed.deliveries.cursor
  }

  /// Receives all events without computing their changes.
  package mutating func passAll() throws(Failure) {
    while try deliveries.nextStep() {}
    returned = 0
    timeline.start(with: &deliveries.ledger)
  }
}

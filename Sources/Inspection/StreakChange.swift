package import EventLog
public import StreakDomain

/// One event of a step, and the changes that the step made; as JSON, a line of `streaks timeline
/// --json`.
///
/// A step is what one command wrote. The changes of a step are the net effect of all its events,
/// and belong to its last event.
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
  /// The time at which the event was written: `recorded`, unless a wrong clock stamped it later.
  package var time: Instant
  /// The day that the event counts for.
  public let day: Day
  /// The habit that the event is about, or `nil` if the event isn't about exactly one habit.
  public let habit: Habit.ID?
  /// The segment that contains the event, such as `phone`, or `nil` for an event that was appended
  /// only in memory.
  public let writer: String?
  /// The event as it is stored, or `nil` if it isn't needed.
  package private(set) var line: EventLine?
  /// Whether the step goes on with the next event; if so, there are no changes and no cursor yet.
  public private(set) var isContinued = true
  /// The changes of the state by the step, or an empty difference if nothing changed.
  public package(set) var difference = Difference()
  /// Whether the step precedes a step that was delivered earlier, because its segment arrived late.
  public package(set) var isLate = false
  /// The cursor after the step, or `nil` if the step goes on, or if the stream has no cursors, such
  /// as in `StreakLedger.timeline()`.
  public private(set) var cursor: StreakCursor?

  // An initializer would copy its arguments if they weren't borrowed.
  package init(
    _ item: borrowing StreamItem, at position: Int, of stream: borrowing EventStream,
    _ facts: borrowing Facts, line: EventLine? = nil
  ) {
    self.position = position
    event = item.id.text(facts.names)
    type = item.type
    recorded = item.recorded
    time = item.recorded
    day = item.day
    habit = item.habit(in: facts)
    writer = stream.writer(of: item)?.string
    self.line = line
  }

  /// Returns the events of the step `lines`, with their stored lines, and with the changes that the
  /// step made.
  package static func all(
    of lines: [StepLine], in stream: borrowing EventStream, _ facts: borrowing Facts,
    _ difference: Difference, cursor: Cursor? = nil
  ) throws(Failure) -> [StreakChange] {
    var changes: [StreakChange] = []
    for line in lines {
      let stored = try stream.line(of: line.item)
      changes.append(StreakChange(line.item, at: line.position, of: stream, facts, line: stored))
    }
    changes[changes.count - 1].end(difference, cursor: cursor)
    return changes
  }

  /// Makes this the last event of its step, with the changes that the step made.
  package mutating func end(_ difference: Difference, cursor: Cursor? = nil) {
    isContinued = false
    self.difference = difference
    self.cursor = cursor.map { StreakCursor($0) }
  }
}

extension StreakChange: Codable {
  private enum CodingKeys: CodingKey {
    case position, event, type, recorded, day, habit, cursor, late, line, more, writer
  }

  /// Decodes a change.
  ///
  /// Its `line` gets the program's order of fields, and is `nil` if it isn't an event.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    position = try members.decode(Int.self, forKey: .position)
    event = try members.decode(String.self, forKey: .event)
    type = try members.decode(EventType.self, forKey: .type)
    recorded = try members.decode(Instant.self, forKey: .recorded)
    time = recorded
    day = try members.decode(Day.self, forKey: .day)
    habit = try members.decodeIfPresent(String.self, forKey: .habit)
    let json = try members.decodeIfPresent(JSONValue.self, forKey: .line)
    line = json.flatMap { try? EventDecoder.event($0.line) }.map {
      EventLine(EventEncoder.line($0))
    }
    writer = try members.decodeIfPresent(String.self, forKey: .writer)
    isContinued = try members.decodeIfPresent(Bool.self, forKey: .more) ?? false
    isLate = try members.decodeIfPresent(Bool.self, forKey: .late) ?? false
    cursor = try members.decodeIfPresent(StreakCursor.self, forKey: .cursor)
    difference = isContinued ? Difference() : try Difference(from: decoder)
  }

  /// Encodes the change as one flat object, with the members of `difference` beside the other
  /// members.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    // The keys are nearly in alphabetical order, so that the encoder has little to sort.
    if !isContinued {
      try difference.encode(to: encoder)
      if let cursor { try members.encode(cursor.rawValue, forKey: .cursor) }
    }

    try members.encode(day, forKey: .day)
    try members.encode(event, forKey: .event)
    if let habit { try members.encode(habit, forKey: .habit) }
    if isLate { try members.encode(true, forKey: .late) }
    if let line { try members.encode(line, forKey: .line) }
    if isContinued { try members.encode(true, forKey: .more) }
    try members.encode(position, forKey: .position)
    try members.encode(recorded, forKey: .recorded)
    try members.encode(type, forKey: .type)
    try members.encodeIfPresent(writer, forKey: .writer)
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

/// The changes made by the steps of a folder that a consumer hasn't received yet.
package struct ChangeFeed {
  /// The steps, and the ledger after the last one.
  package var deliveries: Deliveries
  private var timeline = Timeline()
  /// The changes that the current step made.
  private var difference = Difference()
  /// The habits whose changes are returned, or an empty set for all steps and changes.
  package var habits: Set<String> = []
  /// The number of events of the current step that were returned.
  private var returned = 0
  /// Whether the changes have the stored lines of their events.
  private let wantsLines: Bool

  package init(
    folder: String, after cursor: Cursor, options: ReadingOptions, wantsLines: Bool = false
  ) throws(Failure) {
    self.wantsLines = wantsLines
    var options = options
    options.wantsLines = wantsLines
    deliveries = try Deliveries(folder: folder, after: cursor, options: options)
    timeline.start(with: &deliveries.ledger)
  }

  /// The cursor after the last step of which all events were returned.
  package var cursor: Cursor {
    isInsideStep ? deliveries.stepStartCursor ?? deliveries.cursor : deliveries.cursor
  }

  /// Whether some events of the current step haven't been returned.
  package var isInsideStep: Bool { returned < deliveries.lines.count }

  /// Folds steps until one changed `habits`, and makes it the current step.
  ///
  /// `nextOfStep` then returns the events of this step. Returns false if there is no further step.
  package mutating func nextStep() throws(Failure) -> Bool {
    returned = 0
    while try deliveries.nextStep() {
      difference = timeline.note(&deliveries.ledger, replacing: deliveries.replacedLedger)
      difference.keepOnly(habits)
      if habits.isEmpty || !difference.isEmpty { return true }
    }
    return false
  }

  /// Returns the next event of the current step, or `nil` after its last event.
  package mutating func nextOfStep() throws(Failure) -> StreakChange? {
    guard isInsideStep else { return nil }
    let line = deliveries.lines[deliveries.lines.startIndex + returned]
    returned += 1

    var change = StreakChange(
      line.item, at: line.position, of: deliveries.stream, deliveries.ledger.facts,
      line: wantsLines ? try deliveries.stream.line(of: line.item) : nil)
    change.isLate = deliveries.isLate
    if !isInsideStep { change.end(difference, cursor: deliveries.cursor) }
    return change
  }

  /// Returns the next event of the current step, or after its last event, the first of the next
  /// step.
  ///
  /// Returns `nil` after the last event of all.
  package mutating func next() throws(Failure) -> StreakChange? {
    if !isInsideStep, try !nextStep() { return nil }
    return try nextOfStep()
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
    returned = deliveries.lines.count
    timeline.start(with: &deliveries.ledger)
  }
}

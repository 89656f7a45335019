public import StreakDomain

// The documents of `audit --json`.

/// The joker book of a habit.
public struct HabitBook: Codable, Hashable, Sendable {
  public let habit: Habit.ID
  public let jokers: JokerCounts
  /// The lines of the book, or those of `period`.
  public let book: [JokerLine]
  /// The period of `--from`, or `nil` for the whole book.
  public let period: BookPeriod?
  /// The steps that changed the book, from `--history`, or `nil` without that option.
  public let changes: [BookStep]?

  /// Creates the book of `habit`, or the part of it on `days`.
  package init(of habit: HabitView, in days: ClosedRange<Day>?, changes: [BookStep]?) {
    let lines = habit.jokerBook
    self.habit = habit.id
    jokers = habit.state.jokers
    book = days.map { days in lines.filter { days.contains($0.day) } } ?? lines
    period = days.map { BookPeriod($0, of: lines) }
    self.changes = changes
  }

  /// Whether there is nothing to print of the book.
  package var isEmpty: Bool { period == nil && book.isEmpty && changes?.isEmpty ?? true }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(habit, forKey: .habit)
    try members.encode(jokers, forKey: .jokers)
    try members.encode(book, forKey: .book)
    if let period { try members.encode(period, forKey: .period) }
    if let changes { try members.encode(changes, forKey: .changes) }
  }
}

/// The change of a joker book by one step.
public struct BookStep: Codable, Hashable, Sendable {
  /// The position of the step's last event in the stream, from 1.
  public let position: Int
  /// The id of the step's last event.
  public let event: String
  public let removed: [JokerLine]
  public let added: [JokerLine]
  /// The row of the step, for the output without `--json`.
  package private(set) var row = ""

  private enum CodingKeys: CodingKey { case position, event, removed, added }

  package init(_ change: StreakChange, _ book: BookChange, row: String) {
    position = change.position
    event = change.event
    removed = book.removed
    added = book.added
    self.row = row
  }
}

/// The interventions and the late files, as `streaks audit --interventions --json` prints them.
public struct InterventionList: Codable, Sendable {
  /// The steps that changed days which were over.
  public let interventions: [Intervention]
  /// The parts of segments that arrived late.
  public let late: [LateFile]

  package init(_ interventions: [Intervention], late: [LateFile]) {
    self.interventions = interventions
    self.late = late
  }
}

/// A step that changed days which were over before it.
public struct Intervention: Codable, Sendable {
  public let change: StreakChange
  /// The changed days, from the first to the last.
  public let days: ClosedRange<Day>
  /// The number of days from the first changed day to the day of the step.
  public let lateDays: Int

  private enum CodingKeys: CodingKey { case days, lateDays }

  package init(_ change: StreakChange, days: ClosedRange<Day>, lateDays: Int) {
    self.change = change
    self.days = days
    self.lateDays = lateDays
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    change = try StreakChange(from: decoder)
    days = try members.decode(ClosedRange<Day>.self, forKey: .days)
    lateDays = try members.decode(Int.self, forKey: .lateDays)
  }

  public func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(days, forKey: .days)
    try members.encode(lateDays, forKey: .lateDays)
  }
}

/// A part of a segment that arrived late, and the difference that it makes to the ledger.
public struct LateFile: Codable, Sendable {
  public let part: LatePart
  public let difference: Difference

  package init(_ part: LatePart, difference: Difference) {
    self.part = part
    self.difference = difference
  }

  public init(from decoder: any Decoder) throws {
    part = try LatePart(from: decoder)
    difference = try Difference(from: decoder)
  }

  public func encode(to encoder: any Encoder) throws {
    try part.encode(to: encoder)
    try difference.encode(to: encoder)
  }
}

import EventLog
import Inspection
import StreakDomain

/// What one event changed: what a line of `streaks timeline --json` says.
public struct StreakChange: Codable, Hashable, Sendable {
  /// The event's place in the stream, from 1; a segment that arrives later may move it.
  public let position: Int
  /// The event's id, which lasts.
  public let event: String
  /// What the event is about.
  public let type: EventType
  /// When it was written down.
  public let recorded: Moment
  /// The day it counts for.
  public let day: Day
  /// The fields that it changed, in the order of the state; empty where nothing changed.
  public let changes: [FieldChange]
  /// The days whose verdicts it changed, habit by habit.
  public let verdicts: [VerdictChange]
  /// The joker books that it changed.
  public let books: [BookChange]
  /// Achievements that it unlocked or revoked.
  public let achievements: AchievementChange
  /// Whether it comes before one that was given earlier, because its segment arrived late.
  public var isLate: Bool { late ?? false }
  private let late: Bool?
  /// Where to go on after it; nil of a ledger in memory, and where the next change was delivered together with it.
  public let cursor: StreakCursor?

  private enum CodingKeys: String, CodingKey {
    case position, event, type, recorded, day, changes, verdicts, books, achievements, cursor, late
  }

  init(
    _ difference: Difference, event: String, type: StreakDomain.EventType, recorded: Instant,
    day: StreakDomain.Day, at position: Int, isLate: Bool = false, cursor: StreakCursor? = nil
  ) {
    self.position = position
    self.event = event
    self.type = EventType(type)
    self.recorded = Moment(recorded)
    self.day = Day(day)
    late = isLate ? true : nil
    self.cursor = cursor
    changes = difference.changes.map { FieldChange($0) }
    verdicts = VerdictChange.all(in: difference)
    books = difference.books.map { BookChange($0) }
    achievements = AchievementChange(unlocked: difference.unlocked, revoked: difference.revoked)
  }
}

/// What an event is about, by the name it has in the log.
///
/// Later versions know more of them, so this is no closed list.
public struct EventType: RawRepresentable, Codable, Hashable, Sendable {
  /// The name in the log, such as `entry.logged`.
  public let rawValue: String

  /// A type by its name in the log, known to this version or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  init(_ type: StreakDomain.EventType) {
    rawValue = type.rawValue
  }

  /// A ledger began, or was opened again with another zone or day start.
  public static let ledgerOpened = EventType(.ledgerOpened)
  /// A habit was defined, or its definition changed.
  public static let habitDefined = EventType(.habitDefined)
  /// A habit was given up.
  public static let habitRetired = EventType(.habitRetired)
  /// Something was done.
  public static let entryLogged = EventType(.entryLogged)
  /// An entry was taken back.
  public static let entryDeleted = EventType(.entryDeleted)
  /// Another day began.
  public static let dayChanged = EventType(.dayChanged)
  /// A day that a wrong clock had moved was corrected.
  public static let dayCorrected = EventType(.dayCorrected)
  /// Texts of an event were removed.
  public static let eventRedacted = EventType(.eventRedacted)
  /// Days were excused.
  public static let daysExcused = EventType(.daysExcused)
  /// An excuse was taken back.
  public static let excuseWithdrawn = EventType(.excuseWithdrawn)
  /// The loss of a segment was accepted.
  public static let segmentDropped = EventType(.segmentDropped)
  /// A reminder was set, changed or stopped.
  public static let reminderSet = EventType(.reminderSet)
  /// A celebration was shown.
  public static let celebrationSeen = EventType(.celebrationSeen)
  /// A condition was stated that held at its place in the stream.
  public static let expectationStated = EventType(.expectationStated)
}

/// What a consumer has had of a ledger's events: keep it, and ``StreakFolder/changes(after:)`` goes on from there.
///
/// It is a short word, the same as `streaks timeline --json` prints. Store it together with what you made of the change
/// that it came with, and each event is handled once, whenever the app is ended.
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
  /// The word to store.
  public let rawValue: String

  /// A stored cursor; nil where the text is none.
  public init?(rawValue: String) {
    guard Cursor(rawValue) != nil else { return nil }
    self.rawValue = rawValue
  }

  init(_ cursor: Cursor) {
    rawValue = cursor.description
  }

  /// Before the first event.
  public static let start = StreakCursor(Cursor())

  var cursor: Cursor { Cursor(rawValue) ?? Cursor() }
}

import EventLog
public import Foundation
import StreakDomain

/// One thing that somebody did, or did not.
///
/// What an entry needs depends on the habit's rule: `minutes`, a `level`, an `amount`, or nothing at all. Numbers are
/// kept with three decimals.
///
/// ```swift
/// var entry = Entry("running")
/// entry.minutes = 31
/// entry.km = 5.2
/// try await folder.append(.entry(entry), now: .now)
/// ```
///
/// ## Topics
/// ### Measures
/// - ``minutes``
/// - ``km``
/// - ``sets``
/// - ``drinks``
/// - ``amount``
/// ### Answers
/// - ``level``
/// - ``completed``
/// - ``activity``
/// ### Text
/// - ``value``
/// - ``note``
public struct Entry: Equatable, Sendable {
  var entry: StreakDomain.Entry

  init(_ entry: StreakDomain.Entry) {
    self.entry = entry
  }

  /// An entry of a habit, by the habit's id.
  public init(_ habit: String) {
    entry = StreakDomain.Entry(habit: habit)
  }

  /// The habit's id.
  public var habit: String {
    get { entry.habit }
    set { entry.habit = newValue }
  }

  /// From 0 to 1440.
  public var minutes: Double? {
    get { entry.minutes.map { Double($0) } }
    set { entry.minutes = newValue.map { Thousandths($0) } }
  }

  /// From 0 to 1000.
  public var km: Double? {
    get { entry.km.map { Double($0) } }
    set { entry.km = newValue.map { Thousandths($0) } }
  }

  /// From 0 to 1000.
  public var sets: Int? {
    get { entry.sets }
    set { entry.sets = newValue }
  }

  /// From 0 to 100.
  public var drinks: Int? {
    get { entry.drinks }
    set { entry.drinks = newValue }
  }

  /// From 0 to 1,000,000, of what the habit's rule counts, such as pages.
  public var amount: Double? {
    get { entry.amount.map { Double($0) } }
    set { entry.amount = newValue.map { Thousandths($0) } }
  }

  /// The name of one of the rule's levels.
  public var level: String? {
    get { entry.level?.string }
    set { entry.level = newValue.map { Text($0) } }
  }

  /// Whether it was completed, for a habit that is either completed or failed.
  public var completed: Bool? {
    get { entry.completed }
    set { entry.completed = newValue }
  }

  /// What was done, such as `running`.
  public var activity: String? {
    get { entry.activity?.string }
    set { entry.activity = newValue.map { Text($0) } }
  }

  /// A text of the app's own.
  public var value: String? {
    get { entry.value?.string }
    set { entry.value = newValue.map { Text($0) } }
  }

  /// A text for people, in one line of at most 1,024 bytes.
  public var note: String? {
    get { entry.note?.string }
    set { entry.note = newValue.map { Text($0) } }
  }
}

extension Entry: Codable {
  /// Reads the fields of an `entry.logged` event that are the entry's own.
  public init(from decoder: any Decoder) throws {
    let payload = try Payload(JSONTree(from: decoder), of: .entryLogged, from: decoder)
    guard case .entryLogged(let entry) = payload else { throw decoder.corrupted("this is no entry") }
    self.init(entry)
  }

  /// With the fields of an `entry.logged` event that are the entry's own.
  public func encode(to encoder: any Encoder) throws {
    try Payload.entryLogged(entry).fields.encode(to: encoder)
  }
}

/// An entry as it is in the log.
public struct LoggedEntry: Equatable, Sendable, Identifiable {
  private let event: Event
  /// What was logged.
  public let entry: Entry
  /// Whether it was deleted since.
  public let isDeleted: Bool

  init(_ event: Event, _ entry: StreakDomain.Entry, isDeleted: Bool) {
    self.event = event
    self.entry = Entry(entry)
    self.isDeleted = isDeleted
  }

  /// The event's id, by which the entry can be deleted.
  public var id: String { event.id }
  /// The day it counts for.
  public var day: Day { Day(event.day) }
  /// When it happened.
  public var at: Date { Date(event.at.instant) }
  /// When it was written down.
  public var recorded: Date { Date(event.recorded) }
  /// The identifier of the time zone it was logged in.
  public var zone: String { event.zone }
}

extension LoggedEntry: Encodable {
  /// The whole event, as `streaks entries --json` prints it.
  public func encode(to encoder: any Encoder) throws {
    try JSONTree(parsing: Array(EventEncoder.line(event).dropLast())).encode(to: encoder)
  }
}

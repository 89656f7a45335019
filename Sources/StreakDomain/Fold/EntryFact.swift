/// An `entry.logged` as the fold needs it: 48 bytes, names as indexes, a million fit in memory.
package struct EntryFact: Sendable {
  /// `at` in microseconds since 1970.
  package var at: Int64 = 0
  /// The place of the event in the stream, from 1.
  package var position: UInt32 = 0
  /// 1 + the index of the entry of the same habit and day that arrived before; 0 ends the chain.
  var next: UInt32 = 0
  package var day = Day(unchecked: 0)
  /// Days from `day` to the local day of `at`; more than any `lateBy` allows are as good as all that can be.
  package var lateness: UInt16 = 0
  /// -1 is absent, here and below.
  package var sets: Int16 = -1
  /// Thousandths.
  package var minutes: Int32 = -1
  /// Thousandths.
  package var km: Int32 = -1
  package var habit = NameIndex(0)
  /// `NameIndex` + 1; 0 is absent.
  package var level: UInt32 = 0
  package var activity: UInt32 = 0
  package var drinks: Int8 = -1
  /// 1 completed, 0 failed.
  package var completed: Int8 = -1
  var isDeleted = false

  package init() {}

  /// The fact of an event's entry, its names kept in `names`.
  package init(_ entry: Entry, of event: Event, names: inout Names) {
    at = event.at.instant.microseconds
    day = event.day
    lateness = EntryFact.lateness(of: event.at.localDay, for: event.day)
    habit = names.intern(entry.habit)
    minutes = entry.minutes.map { Int32($0.count) } ?? -1
    km = entry.km.map { Int32($0.count) } ?? -1
    sets = entry.sets.map { Int16($0) } ?? -1
    drinks = entry.drinks.map { Int8($0) } ?? -1
    completed = entry.completed.map { $0 ? 1 : 0 } ?? -1
    level = entry.level.map { names.intern($0).value + 1 } ?? 0
    activity = entry.activity.map { names.intern($0).value + 1 } ?? 0
  }

  /// Renames habit, level and activity where names have other indexes.
  package mutating func translate(by translation: [NameIndex]) {
    habit = translation[Int(habit.value)]
    if level != 0 { level = translation[Int(level) - 1].value + 1 }
    if activity != 0 { activity = translation[Int(activity) - 1].value + 1 }
  }

  package static func lateness(of localDay: Day, for day: Day) -> UInt16 {
    UInt16(clamping: localDay - day)
  }

  /// Order within a day: by `at`, then by place in the stream.
  func precedes(_ other: EntryFact) -> Bool {
    at != other.at ? at < other.at : position < other.position
  }

  /// Whether two say the same of what a person did; where they stand in the stream aside.
  package func isEqual(_ other: EntryFact) -> Bool {
    at == other.at && day == other.day && lateness == other.lateness && habit == other.habit
      && measures == other.measures && drinks == other.drinks && completed == other.completed
      && level == other.level && activity == other.activity
  }

  var measures: Measures {
    Measures(
      minutes: minutes < 0 ? nil : Thousandths(count: Int64(minutes)),
      km: km < 0 ? nil : Thousandths(count: Int64(km)),
      sets: sets < 0 ? nil : Thousandths(Int(sets)))
  }
}

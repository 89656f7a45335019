/// An `entry.logged` as the fold needs it: 48 bytes, names as indexes, a million fit in memory.
package struct EntryFact: BitwiseCopyable, Sendable {
  /// `at` in microseconds since 1970.
  package var at: Int64 = 0
  /// The place of the event in the stream, from 1.
  package var position: UInt32 = 0
  /// The entry of the same habit and day that arrived before.
  var next = EntryPlace.end
  package var day = Day(unchecked: 0)
  /// Days from `day` to the local day of `at`, as it was when the entry was logged; more than any `lateBy` allows are
  /// as good as all that can be.
  package var lateness: UInt16 = 0
  /// -1 is absent, here and below.
  package var drinks: Int8 = -1
  /// 1 for a deleted one; above it 1 for failed, 2 for completed.
  private var status: UInt8 = 0
  /// 1 + minutes in thousandths, and above those 21 bits 1 + sets.
  private var minutesAndSets: UInt32 = 0
  /// Thousandths.
  package var km: Int32 = -1
  /// Thousandths.
  package var amount: Int32 = -1
  package var habit = Symbol(0)
  /// `Symbol` + 1; 0 is absent.
  package var level: UInt32 = 0
  package var activity: UInt32 = 0

  package init() {}

  /// The fact of an event's entry, its names kept in `names`.
  ///
  /// `dayStart` is when days began for those who logged it.
  package init(_ entry: Entry, of event: Event, dayStart: ClockTime, names: inout SymbolTable) {
    at = event.at.instant.microseconds
    day = event.day
    lateness = UInt16(clamping: event.at.localDay(from: dayStart) - event.day)
    habit = names.intern(entry.habit)
    minutes = entry.minutes.map { Int32($0.count) } ?? -1
    km = entry.km.map { Int32($0.count) } ?? -1
    sets = entry.sets.map { Int16($0) } ?? -1
    drinks = entry.drinks.map { Int8($0) } ?? -1
    amount = entry.amount.map { Int32($0.count) } ?? -1
    completed = entry.completed.map { $0 ? 1 : 0 } ?? -1
    level = entry.level.map { names.intern($0.string).value + 1 } ?? 0
    activity = entry.activity.map { names.intern($0.string).value + 1 } ?? 0
  }

  /// Takes out all that an entry may leave away.
  @inline(__always)
  package mutating func clear() {
    (drinks, status, minutesAndSets, km, amount, level, activity) = (-1, 0, 0, -1, -1, 0, 0)
  }

  /// Renames habit, level and activity where names have other indexes.
  package mutating func translate(by translation: [Symbol]) {
    habit = translation[Int(habit.value)]
    if level != 0 { level = translation[Int(level) - 1].value + 1 }
    if activity != 0 { activity = translation[Int(activity) - 1].value + 1 }
  }

  /// Order within a day: by `at`, then by place in the stream.
  func precedes(_ other: EntryFact) -> Bool {
    at != other.at ? at < other.at : position < other.position
  }

  /// Whether two say the same of what a person did; apart from their places in the stream.
  package func isEqual(_ other: EntryFact) -> Bool {
    at == other.at && day == other.day && lateness == other.lateness && habit == other.habit
      && measures == other.measures && drinks == other.drinks && amount == other.amount
      && completed == other.completed
      && level == other.level && activity == other.activity
  }

  var measures: Measures {
    Measures(
      minutes: minutes < 0 ? nil : Thousandths(count: Int64(minutes)),
      km: km < 0 ? nil : Thousandths(count: Int64(km)),
      sets: sets < 0 ? nil : Thousandths(Int(sets)))
  }
}

/// Four fields in five bytes: a million entries are to fit in memory.
extension EntryFact {
  private static let minutesMask: UInt32 = 1 << 21 - 1

  /// Thousandths.
  package var minutes: Int32 {
    get { Int32(bitPattern: minutesAndSets & EntryFact.minutesMask) - 1 }
    set { minutesAndSets = minutesAndSets & ~EntryFact.minutesMask | UInt32(newValue + 1) }
  }

  package var sets: Int16 {
    get { Int16(truncatingIfNeeded: minutesAndSets >> 21) - 1 }
    set { minutesAndSets = minutesAndSets & EntryFact.minutesMask | UInt32(newValue + 1) << 21 }
  }

  /// 1 completed, 0 failed.
  package var completed: Int8 {
    get { Int8(status >> 1) - 1 }
    set { status = status & 1 | UInt8(newValue + 1) << 1 }
  }

  var isDeleted: Bool {
    get { status & 1 == 1 }
    set { status = status & ~1 | (newValue ? 1 : 0) }
  }

  /// What the entry adds to a sum, in thousandths; -1 where it lacks the measure.
  subscript(measure: Measure) -> Int64 {
    switch measure {
    case .entries: 1000
    case .minutes: Int64(minutes)
    case .km: Int64(km)
    case .sets: sets < 0 ? -1 : Int64(sets) * 1000
    case .drinks: drinks < 0 ? -1 : Int64(drinks) * 1000
    case .amount: Int64(amount)
    }
  }
}

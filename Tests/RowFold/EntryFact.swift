@testable package import StreakDomain

/// The data of an `entry.logged` that the fold needs, with names as symbols.
///
/// A fact takes 48 bytes, so that a million fit in memory.
package struct EntryFact: BitwiseCopyable, Sendable {
  /// The time at which the entry happened, in microseconds since 1970.
  package var at: Int64 = 0
  /// The position of the event in the stream, from 1.
  package var position: UInt32 = 0
  /// The previous entry of the same habit and day in order of arrival, or `.end` if there is none.
  var next = EntryOffset.end
  package var day = Day(unchecked: 0)
  /// The number of days from `day` to the local day of `at`, according to the day start at the time of logging.
  ///
  /// It is clamped to 0...65,535, which is more than any `lateBy` allows.
  package var lateness: UInt16 = 0
  /// The number of drinks, or -1 if absent.
  package var drinks: Int8 = -1
  /// `isDeleted` in bit 0, 1 + `completed` in the other bits.
  private var status: UInt8 = 0
  /// 1 + `minutes` in bits 0 to 20, 1 + `sets` in the other bits.
  private var minutesAndSets: UInt32 = 0
  /// Kilometres in thousandths, or -1 if absent.
  package var km: Int32 = -1
  /// The amount in thousandths, or -1 if absent.
  package var amount: Int32 = -1
  package var habit = Symbol(0)
  /// 1 + the value of the level's symbol, or 0 if absent.
  package var level: UInt32 = 0
  /// 1 + the value of the activity's symbol, or 0 if absent.
  package var activity: UInt32 = 0

  package init() {}

  /// Creates the fact for `entry`, and adds its names to `names`.
  ///
  /// `dayStart` is the time at which days began when the entry was logged.
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

  /// Removes all optional values.
  @inline(__always)
  package mutating func clear() {
    (drinks, status, minutesAndSets, km, amount, level, activity) = (-1, 0, 0, -1, -1, 0, 0)
  }

  /// Replaces each symbol with the element of `translation` at its value.
  package mutating func translate(by translation: [Symbol]) {
    habit = translation[Int(habit.value)]
    if level != 0 { level = translation[Int(level) - 1].value + 1 }
    if activity != 0 { activity = translation[Int(activity) - 1].value + 1 }
  }

  /// Whether this entry comes before `other` on the same day.
  package func precedes(_ other: EntryFact) -> Bool {
    at != other.at ? at < other.at : position < other.position
  }

  /// Whether both entries are the same apart from their positions in the stream.
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

// Four values in five bytes, so that an entry takes no more than 48.
extension EntryFact {
  private static let minutesMask: UInt32 = 1 << 21 - 1

  /// Minutes in thousandths, or -1 if absent.
  package var minutes: Int32 {
    get { Int32(bitPattern: minutesAndSets & EntryFact.minutesMask) - 1 }
    set { minutesAndSets = minutesAndSets & ~EntryFact.minutesMask | UInt32(newValue + 1) }
  }

  /// The number of sets, or -1 if absent.
  package var sets: Int16 {
    get { Int16(truncatingIfNeeded: minutesAndSets >> 21) - 1 }
    set { minutesAndSets = minutesAndSets & EntryFact.minutesMask | UInt32(newValue + 1) << 21 }
  }

  /// 1 if completed, 0 if failed, -1 if absent.
  package var completed: Int8 {
    get { Int8(status >> 1) - 1 }
    set { status = status & 1 | UInt8(newValue + 1) << 1 }
  }

  var isDeleted: Bool {
    get { status & 1 == 1 }
    set { status = status & ~1 | (newValue ? 1 : 0) }
  }

  /// The value that the entry adds to a sum of `measure`, in thousandths; -1 if absent.
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

extension Entry {
  /// Creates an entry from `fact`, without the value and note, which facts don't store.
  package init(_ fact: EntryFact, names: SymbolTable) {
    self.init(habit: names.text(fact.habit))
    (minutes, km) = (fact.measures.minutes, fact.measures.km)
    sets = fact.sets < 0 ? nil : Int(fact.sets)
    drinks = fact.drinks < 0 ? nil : Int(fact.drinks)
    amount = fact.amount < 0 ? nil : Thousandths(count: Int64(fact.amount))
    completed = fact.completed < 0 ? nil : fact.completed == 1
    level = fact.level == 0 ? nil : Text(names.text(Symbol(fact.level - 1)))
    activity = fact.activity == 0 ? nil : Text(names.text(Symbol(fact.activity - 1)))
  }
}

/// The offset of an entry in `Ledger.entries`.
///
/// The entries of a habit's day form a linked list, latest arrival first: `DayCell.head` is its first entry, each
/// `EntryFact.next` the following one.
struct EntryOffset: Hashable, Sendable {
  /// 1 + the offset, so that the end of a list is 0.
  private let number: UInt32

  /// The end of a list.
  static let end = EntryOffset(-1)

  init(_ offset: Int) { number = UInt32(offset + 1) }

  fileprivate var value: Int { Int(number) - 1 }
}

extension [EntryFact] {
  subscript(offset: EntryOffset) -> EntryFact {
    @inline(__always) get { self[offset.value] }
    @inline(__always) _modify { yield &self[offset.value] }
  }

  /// The offset of the next entry to append.
  var nextOffset: EntryOffset { EntryOffset(count) }

  /// The entries in the linked list that begins at `head`, including deleted ones, latest arrival first.
  func chain(from head: EntryOffset) -> some Sequence<(offset: EntryOffset, entry: EntryFact)> {
    sequence(state: head) { offset in
      guard offset != .end else { return nil }
      let element = (offset: offset, entry: self[offset])
      offset = element.entry.next
      return element
    }
  }
}

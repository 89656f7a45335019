/// The habits that changed since the last call of `Ledger.takeChanges()`.
///
/// Nothing is recorded before the first call.
struct LedgerChanges: Sendable {
  private(set) var isRecorded = false
  /// The habits whose state may have changed, without duplicates.
  private(set) var habits: [Int] = []
  /// The same habits as a set, in which a habit is found fast.
  private var listed: Set<Int> = []

  @inline(__always)
  mutating func note(_ habit: Int) {
    if isRecorded, listed.insert(habit).inserted { habits.append(habit) }
  }

  /// Removes all recorded changes, and starts to record new ones.
  mutating func reset() {
    isRecorded = true
    habits.removeAll(keepingCapacity: true)
    listed.removeAll(keepingCapacity: true)
  }
}

/// The changes of one habit between two calls of `Ledger.takeChanges()`.
package struct HabitChange: Sendable {
  package let habit: HabitHandle
  /// The first day whose entries or result may have changed, or `nil` if only the state of today
  /// changed.
  package let firstDay: Day?
  /// The closed days that were rewritten, each with its old verdict, in the order of the changes.
  ///
  /// A verdict is `nil` if the day wasn't closed. A day can occur several times.
  package let rewrittenDays: [(day: Day, verdict: Verdict?)]
}

/// A reference to a habit of one ledger, for callers that look up its fields repeatedly.
package struct HabitHandle: Hashable, Sendable {
  package let index: Int
}

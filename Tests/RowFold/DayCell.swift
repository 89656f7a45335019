@testable package import StreakDomain

/// The entries of one day of a habit, counted under the rule in force on that day.
struct DayCell: Sendable {
  /// The start of the day's linked list of entries, which includes deleted ones.
  var head = EntryOffset.end
  /// The number of entries that weren't deleted, including those that the rule doesn't consider, such as late ones.
  private(set) var entries: Int32 = 0
  /// The latest entry that the rule considers.
  private var latest = EntryOffset.end
  /// The outcome of the day if only `latest` matters.
  private(set) var latestOutcome = Outcome.missed
  /// The number that the rule judges.
  ///
  /// It is the sum in thousandths for `minutes` and `sum`, the number of failed entries for `completed`, the number of
  /// entries that reach their threshold for `activity`, and the number of considered entries for `any` and `none`.
  var sum: Int64 = 0

  @inline(__always)
  mutating func add(_ offset: EntryOffset, of entries: [EntryFact], under definition: CompiledDefinition) {
    let entry = entries[offset]
    self.entries += 1
    guard definition.test.considers(entry) else { return }
    definition.test.tally(entry, into: &self)
    if latest != .end, !entries[latest].precedes(entry) { return }
    latest = offset
    latestOutcome = definition.test.outcome(after: entry)
  }

  /// The same linked list of entries with nothing counted.
  var withoutCounts: DayCell {
    var cell = DayCell()
    cell.head = head
    return cell
  }
}

/// Where a day's outcome is decided: the standing entries of one habit on one day, tallied under its rule.
///
/// Adding an entry is O(1) and looks at no other; the order of a day matters only for its latest entry (domain.md,
/// "Habits and rules").
struct DayCell: DayValue {
  /// The entry that arrived last, the first of the day's chain; deleted ones stay in it.
  var head = EntryPlace.end
  /// Standing entries that count for the habit, late ones included.
  var entries: Int32 = 0
  /// The latest of those the rule looks at, and what the fold needs of it.
  private(set) var latest = EntryPlace.end
  private(set) var latestOutcome = Outcome.missed
  private var latestAt: Int64 = 0
  /// Of those the rule looks at: their sum in thousandths; under `completed` how many failed, under `activity` how many
  /// reached their threshold, under `any` and `none` how many there are.
  var sum: Int64 = 0

  /// Takes an entry that the rule looks at as the day's latest, if it is; another is looked up only of the same time.
  @inline(__always)
  mutating func consider(
    _ entry: EntryFact, at place: EntryPlace, in entries: [EntryFact],
    _ definition: CompiledDefinition
  ) {
    if latest != .end {
      guard latestAt <= entry.at else { return }
      guard latestAt < entry.at || entries[latest].precedes(entry) else { return }
    }
    latest = place
    latestAt = entry.at
    latestOutcome = definition.test.outcome(after: entry)
  }

  /// Whether there is an entry that counts, to find the first day with one.
  var weight: Int32 { entries > 0 ? 1 : 0 }

  mutating func forgetLatest() {
    latest = .end
    latestOutcome = .missed
  }
}

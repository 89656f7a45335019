/// The entries of one habit on one day, tallied under the rule in force.
struct DayCell: DayValue {
  /// The head of the chain of the day's entries, the latest arrival first, including deleted ones.
  var head = EntryPlace.end
  var entries: Int32 = 0
  private(set) var latest = EntryPlace.end
  private(set) var latestOutcome = Outcome.missed
  private var latestAt: Int64 = 0
  /// The tally of the considered entries, whose meaning depends on the rule (`RuleTest.tally`).
  var sum: Int64 = 0

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

  var weight: Int32 { entries > 0 ? 1 : 0 }

  mutating func forgetLatest() {
    latest = .end
    latestOutcome = .missed
  }
}

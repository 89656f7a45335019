/// The run of a habit today if an entry had never been, for each entry of a day.
extension Ledger {
  /// The run without each of some entries of a day, in their order, and how often the ledger was folded for that.
  ///
  /// The fold takes three things from a day's entries: its outcome, whether there are any and, for a sum of a week or
  /// month, what they add up to. Where these are the same without an entry, so is the run. For the others the ledger is
  /// folded once for each different result: O(entries of the day) and that many folds.
  package func runs(
    of name: String, withoutEach ids: [String], on day: Day
  ) -> (current: [Int], folds: Int) {
    let current = state(of: name)?.current ?? 0
    var days: [Int: DayWithout] = [:]
    var known: [Absence: Int] = [:]
    let runs = ids.map { id in
      guard let key = EventKey.find(id, names: names), let position = index.position(of: key),
        let place = place(ofEntryAt: position)
      else { return current }
      let habit = Int(roster.ofName[Int(entries[place].habit.value)]) - 1
      let rest = days[habit] ?? DayWithout(habits[habit], on: day, among: entries)
      days[habit] = rest
      guard let left = rest.left(without: place, entries[place]) else { return current }
      let absence = Absence(habit: habit, day: left)
      let found = known[absence] ?? run(of: name, without: key)
      known[absence] = found
      return found
    }
    return (runs, known.count)
  }

  /// What of a habit's day is other without an entry.
  private struct Absence: Hashable {
    let habit: Int
    let day: DayWithout.Left
  }

  private func run(of name: String, without entry: EventKey) -> Int {
    var other = self
    other.delete(entry)
    other.settle()
    return other.state(of: name)?.current ?? 0
  }
}

/// A habit's day, to take single entries out of.
private struct DayWithout {
  private let cell: DayCell
  /// The day's entries but the latest, for a rule that asks for the latest.
  private let withoutLatest: DayCell
  private let definition: CompiledDefinition
  private let counts: Bool

  init(_ habit: HabitFold, on day: Day, among entries: [EntryFact]) {
    (cell, definition, counts) = (
      habit.entries.cells[day] ?? DayCell(), habit.definition(on: day), habit.counts(day)
    )
    var others = cell
    others.forgetLatest()
    for (place, entry) in entries.chain(from: cell.head)
    where place != cell.latest && !entry.isDeleted && definition.test.considers(entry) {
      others.consider(entry, at: place, in: entries, definition)
    }
    withoutLatest = others
  }

  /// All of the day that the fold looks at.
  struct Left: Hashable {
    let outcome: Outcome
    /// Of a sum of a week or month, else 0.
    let sum: Int64
    let isEmpty: Bool
  }

  /// The day without an entry; nil where it is as with it.
  func left(without place: EntryPlace, _ entry: EntryFact) -> Left? {
    guard counts else { return nil }
    var rest = place == cell.latest ? withoutLatest : cell
    if definition.test.considers(entry) { definition.test.tally(entry, into: &rest, sign: -1) }
    let left = looked(at: rest, isEmpty: cell.entries == 1)
    return left == looked(at: cell, isEmpty: false) ? nil : left
  }

  private func looked(at cell: DayCell, isEmpty: Bool) -> Left {
    Left(
      outcome: definition.test.outcome(of: cell), sum: definition.per == nil ? 0 : cell.sum, isEmpty: isEmpty)
  }
}

/// The best run of a habit after each event, from which `longest` is computed (domain.md, "A habit's state").
///
/// Stored as steps, one per change. States revoked by an undo count as 0:
///
///     position         1 2 3 4 5 6
///     best run         1 2 3 3 2 2     steps 1:1 2:2 3:3 5:2     longest 3
///     6 undoes 3       1 2 0 0 0 2     steps 1:1 2:2 3:0 6:2     longest 2
struct BestRunHistory: Sendable {
  /// The best run from each position up to the next step, in ascending order.
  private var steps: [(position: Int32, run: Int32)] = []
  /// The maximum of all steps: the best run in any state that isn't excluded.
  private(set) var longest = 0
  /// The ranges of positions excluded because an event of this habit was undone at their end.
  private(set) var undoneStates: [Range<Int>] = []

  /// Stores the best run after the event at `position`, which must not be before the last step.
  @inline(__always)
  mutating func append(_ run: Int, after position: Int) {
    if let last = steps.last, Int(last.run) == run { return }
    steps.append((Int32(position), Int32(run)))
    if run > longest { longest = run }
  }

  /// Excludes the states after the events at `positions`; later states keep their best run.
  mutating func exclude(_ positions: Range<Int>) {
    let low = steps.partitioningIndex { $0.position >= positions.lowerBound }
    let high = steps.partitioningIndex { $0.position >= positions.upperBound }
    guard high > 0 else { return }
    var replacement = [(Int32(positions.lowerBound), Int32(0))]
    if high == steps.count || steps[high].position > positions.upperBound {
      replacement.append((Int32(positions.upperBound), steps[high - 1].run))
    }
    steps.replaceSubrange(low..<high, with: replacement)
    longest = steps.reduce(0) { max($0, Int($1.run)) }
  }

  /// Returns the first position with a best run of `run`, or `nil` if there is none.
  func firstPosition(of run: Int) -> Int? { steps.first { $0.run == run }.map { Int($0.position) } }

  /// Excludes states that depended on an event of this habit that was undone.
  mutating func excludeUndone(_ positions: Range<Int>) {
    undoneStates.append(positions)
    exclude(positions)
  }
}

/// The best run of a habit after each step of the stream.
///
/// `longest` is computed from it (domain.md, "A habit's state"). The best run is the length of the
/// longest run in the days as they were after a step. A deletion can lower the best run. `longest`
/// is the maximum of the best runs after all steps, so a deletion doesn't lower `longest`.
///
/// Consecutive equal values are stored once: `3:3` is a best run of 3 from position 3 on. The
/// states between an event and its undo must not count for `longest`. So an undo sets the best run
/// to 0 from the undone event up to the step before the undo:
///
///     position         1 2 3 4 5 6
///     best run         1 2 3 3 2 2     steps 1:1 2:2 3:3 5:2     longest 3
///     6 undoes 3       1 2 0 0 0 2     steps 1:1 2:2 3:0 6:2     longest 2
struct BestRunHistory: Sendable {
  /// The positions at which the best run changed, in ascending order, each with the new best run.
  private var steps: [(position: Int32, run: Int32)] = []
  /// The largest `run` of all steps.
  private(set) var longest = 0
  /// The ranges passed to `excludeUndone`, each from an undone event of this habit up to the event
  /// before its undo.
  private(set) var undoneStates: [Range<Int>] = []

  /// Stores `run` as the best run after the event at `position`, which must not be before the last
  /// step.
  @inline(__always)
  mutating func append(_ run: Int, after position: Int) {
    if let last = steps.last, Int(last.run) == run { return }
    steps.append((Int32(position), Int32(run)))
    if run > longest { longest = run }
  }

  /// Sets the best run after each step at `positions` to 0; later best runs stay the same.
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

  /// Returns the position of the first step with the best run `run`, or `nil` if there is no such
  /// step.
  func firstPosition(of run: Int) -> Int? { steps.first { $0.run == run }.map { Int($0.position) } }

  /// Sets the best run after each step at `positions` to 0, because an event of this habit was
  /// undone.
  ///
  /// The range is also added to `undoneStates`, so that composites that are defined later can
  /// exclude it, too.
  mutating func excludeUndone(_ positions: Range<Int>) {
    undoneStates.append(positions)
    exclude(positions)
  }
}

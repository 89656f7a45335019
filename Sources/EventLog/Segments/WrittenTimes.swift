package import StreakDomain

/// The times at which the steps were written whose stamps a wrong clock made too late
/// (event-format.md, "A wrong clock").
///
/// A clock that is ahead stamps its own events too late, and later events too, because `recorded`
/// only rises. A `day.corrected` was written at its `at`, so it reveals the stamps before it that
/// are later, and those after it that only continue them:
///
///     position  at           recorded
///     3         10-01 20:00  10-01 20:00
///     4         11-15 12:00  11-15 12:00         a wrong clock; written at an unknown time
///     5         10-02 20:00  11-15 12:00 + 1 µs  day.corrected, names 4; written at its `at`
///     6         10-02 21:00  11-15 12:00 + 2 µs  written at its `at`
package struct WrittenTimes: Sendable {
  /// A step that a wrong clock stamped too late.
  private struct Step: Sendable {
    let positions: ClosedRange<Int>
    let recorded: Instant
    let written: Instant
  }

  /// The steps in stream order, without those whose time is unknown.
  private var steps: [Step] = []
  /// The last positions and the stamps of the other steps, in stream order, without those that a
  /// correction names.
  private var otherSteps: [(position: Int, recorded: Instant)] = []
  /// The times of the corrections that the pass hasn't reached yet, by their ids.
  private var pending: [String: Instant]
  /// The ids of the events that a correction names, whose own times are wrong.
  private let moved: Set<String>
  /// The latest time that a stamp before the next correction can have.
  private var limit: Instant
  /// The time of the last correction by each segment, whose clock has been right since.
  private var corrected: [Int: Instant] = [:]
  /// The latest time of a step so far, by segment: only the steps of one writer follow each other.
  private var latest: [Int: Instant] = [:]
  /// The largest `recorded` so far.
  private var largestStamp = Instant(microseconds: .min)
  /// Whether every step since the last correction was stamped at most 1 µs after the largest stamp
  /// before it, and so only continues the stamps of the wrong clock.
  private var isContinuing = false

  private let soon: Instant

  /// Finds the steps in `stream`, whose last event was recorded at `lastRecorded`.
  ///
  /// A stamp after `now` is known to be wrong without a correction.
  package init(
    of stream: EventStream, lastRecorded: Instant?, now: Instant
  ) throws(Failure) {
    let stored = try stream.storedEvents(ofType: .dayCorrected)
    let supposed = stream.options.supposed.map(\.event).filter { $0.payload.type == .dayCorrected }
    let corrections = stored + supposed
    pending = Dictionary(
      corrections.map { ($0.id, $0.at.instant) }, uniquingKeysWith: { first, _ in first })
    moved = Set(corrections.flatMap(\.payload.moved))

    // The later events of one command may be slightly in the future.
    soon = now + 1_000_000
    limit = soon
    guard !corrections.isEmpty || lastRecorded ?? now > soon else { return }

    updateLimit()
    var replay = Replay(stream)
    var lines: [StepLine] = []
    while try replay.nextStep(into: &lines) { note(lines, replay.ledger.names) }
  }

  /// Returns the position of the last step that was written by `bound`, although its stamp is
  /// later; `nil` if there is none.
  package func position(by bound: Instant) -> Int? {
    steps.last { $0.written <= bound && $0.recorded > bound }?.positions.upperBound
  }

  /// Returns the number of steps up to `position` that were written after `bound`.
  package func laterSteps(than bound: Instant, upTo position: Int) -> Int {
    otherSteps.count { $0.recorded > bound && $0.position <= position }
      + steps.count { $0.written > bound && $0.positions.upperBound <= position }
  }

  /// Returns the time at which the event at `position` was written, or `nil` if its stamp is right
  /// or the time is unknown.
  package func written(at position: Int) -> Instant? {
    let index = steps.partitioningIndex { $0.positions.upperBound >= position }
    guard index < steps.count, steps[index].positions.contains(position) else { return nil }
    return steps[index].written
  }

  private mutating func updateLimit() { limit = min(soon, pending.values.min() ?? soon) }

  private mutating func note(_ lines: [StepLine], _ names: SymbolTable) {
    guard let first = lines.first, let last = lines.last else { return }
    let recorded = last.item.recorded
    let segment = last.item.segment
    let continuesStamp = first.item.recorded <= largestStamp + 1
    largestStamp = max(largestStamp, recorded)

    isContinuing = isContinuing && continuesStamp
    guard recorded > limit || isContinuing else {
      latest[segment] = max(latest[segment] ?? recorded, recorded)
      otherSteps.append((last.position, recorded))
      return
    }

    let ids = lines.map { $0.item.id.text(names) }
    let ownLimit = limit(of: segment, ids)
    let times = zip(lines, ids).filter { !moved.contains($1) }.map { $0.0.item.at }
    if let time = times.filter({ $0 <= ownLimit }).max() {
      let written = max(latest[segment] ?? time, time)
      latest[segment] = written
      steps.append(
        Step(positions: first.position...last.position, recorded: recorded, written: written))
    } else if moved.isDisjoint(with: ids) {
      otherSteps.append((last.position, recorded))
    }

    for id in ids {
      guard let time = pending.removeValue(forKey: id) else { continue }
      corrected[segment] = time
      isContinuing = true
      updateLimit()
    }
  }

  /// Returns the latest time that a step of `segment` with the events `ids` can have, because later
  /// corrections follow; those of other devices don't limit a segment that corrected its own clock.
  private func limit(of segment: Int, _ ids: [String]) -> Instant {
    let own = ids.compactMap { pending[$0] }.max()
    guard let corrected = own ?? corrected[segment] else { return limit }
    return min(soon, pending.values.filter { $0 > corrected }.min() ?? soon)
  }
}

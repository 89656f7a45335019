package import StreakDomain

/// The times at which steps were really written, for steps with a stamp that a wrong clock made too
/// late (event-format.md, "A wrong clock").
///
/// A clock that is ahead makes the stamps of its own events too late. It also makes later stamps
/// too late, because `recorded` never decreases. A later step that only continues a wrong stamp has
/// a correct `at`, which is the time of writing. A stamp is wrong if one of these is true:
///
/// - The stamp is in the future.
/// - The stamp is later than the `at` of a `day.corrected` that follows.
/// - A `day.corrected` anywhere in the stream names the event.
///
/// For example:
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
    let segment: Int
    let recorded: Instant
    let written: Instant
  }

  /// A step whose stamp is right, or whose time is unknown but for its latest possible one.
  private struct OtherStep: Sendable {
    let positions: ClosedRange<Int>
    let segment: Int
    var isUnknown: Bool
    var latest: Instant
  }

  /// A `day.corrected`: when it was written, and the day to which it corrected today.
  private struct Correction {
    let time: Instant
    let to: Day
  }

  /// What is known about the clock of one segment's writer, from the steps so far.
  private struct Writer {
    /// The stamp of the last step.
    var stamp = Instant(microseconds: .min)
    /// The latest time at which a step was written.
    var latest = Instant(microseconds: .min)
    /// The time of the last `day.corrected` in the writer's own segment, or `nil` if there is none.
    var corrected: Instant?
    /// Whether the writer's clock was wrong at an earlier step, so that its later stamps may be too
    /// late: a step that only continues its last stamp was written before that.
    var isAhead = false
  }

  /// The steps in stream order, without those whose time is unknown.
  private var steps: [Step] = []
  /// The other steps in stream order, without those that a correction names.
  private var otherSteps: [OtherStep] = []
  /// The corrections that the pass hasn't reached yet, by their ids.
  private var pending: [String: Correction]
  /// The ids of the events that a correction names, whose own times are wrong.
  private let moved: Set<String>
  /// The latest plausible stamp: the time of the earliest pending correction, but at most `soon`.
  private var limit: Instant
  /// The earliest day to which a pending correction corrects today, or `nil` if none is pending.
  private var limitingDay: Day?
  /// Only the steps of one writer follow each other, so each segment has its own times.
  private var writers: [Int: Writer] = [:]
  /// The largest `recorded` so far.
  private var largestStamp = Instant(microseconds: .min)
  /// Whether `largestStamp` is later than the time at which its step was written.
  private var isLargestWrong = false

  private let soon: Instant
  /// Whether the stream has a wrong stamp, so that the pass was made.
  private var isActive = false

  /// Finds the steps in `stream` that a wrong clock stamped.
  ///
  /// The last event was recorded at `lastRecorded`.
  ///
  /// A stamp after `now` is wrong even without a correction.
  package init(
    of stream: EventStream, lastRecorded: Instant?, now: Instant
  ) throws(Failure) {
    let stored = try stream.storedEvents(ofType: .dayCorrected)
    let supposed = stream.options.supposed.map(\.event).filter { $0.payload.type == .dayCorrected }
    let corrections = stored + supposed
    pending = Dictionary(
      corrections.map { ($0.id, Correction(time: $0.at.instant, to: $0.newToday ?? $0.day)) },
      uniquingKeysWith: { first, _ in first })
    moved = Set(corrections.flatMap(\.payload.moved))

    // The later events of one command may be slightly in the future.
    soon = now + 1_000_000
    limit = soon
    guard !corrections.isEmpty || lastRecorded ?? now > soon else { return }

    isActive = true
    updateLimit()
    var replay = Replay(stream)
    var lines: [StepLine] = []
    while try replay.nextStep(into: &lines) { note(lines, replay.ledger.names) }
    limitOtherSteps()
  }

  /// Returns the position of the last step that was written at or before `bound` but has a later
  /// stamp; `nil` if there is none.
  package func position(by bound: Instant) -> Int? {
    steps.last { $0.written <= bound && $0.recorded > bound }?.positions.upperBound
  }

  /// Returns the number of steps up to `position` that were written after `bound`.
  package func laterSteps(than bound: Instant, upTo position: Int) -> Int {
    otherSteps.count { $0.latest > bound && $0.positions.upperBound <= position }
      + steps.count { $0.written > bound && $0.positions.upperBound <= position }
  }

  /// Returns the time at which the event at `position` was written, or `nil` if its stamp is right
  /// or the time is unknown.
  package func written(at position: Int) -> Instant? {
    let index = steps.partitioningIndex { $0.positions.upperBound >= position }
    guard index < steps.count, steps[index].positions.contains(position) else { return nil }
    return steps[index].written
  }

  /// Returns the time at which the event at `position`, stamped `recorded`, was written; `nil` if
  /// nobody knows it.
  package func time(at position: Int, recorded: Instant) -> Instant? {
    if let written = written(at: position) { return written }
    guard isActive else { return recorded }
    let index = otherSteps.partitioningIndex { $0.positions.upperBound >= position }
    guard index < otherSteps.count, otherSteps[index].positions.contains(position) else {
      return nil
    }
    return otherSteps[index].isUnknown ? nil : recorded
  }

  private mutating func updateLimit() {
    limit = min(soon, pending.values.map(\.time).min() ?? soon)
    limitingDay = pending.values.map(\.to).min()
  }

  private mutating func note(_ lines: [StepLine], _ names: SymbolTable) {
    guard let first = lines.first, let last = lines.last else { return }
    let recorded = last.item.recorded
    let segment = last.item.segment
    let ids = lines.map { $0.item.id.text(names) }
    var writer = writers[segment] ?? Writer()

    let isNamed = !moved.isDisjoint(with: ids)
    let isCorrection = ids.contains { pending[$0] != nil }
    let continuesOwn = writer.isAhead && first.item.recorded <= writer.stamp + 1
    let continuesLargest = isLargestWrong && first.item.recorded <= largestStamp + 1
    let isContinuing = continuesOwn || continuesLargest
    let isTooLate = recorded > limit && (isNamed || !provesItsStamp(lines, recorded))
    let isSuspect = isContinuing || isTooLate

    // A stamp that continues none is what a clock said, be it right or wrong.
    var time: Instant?
    if isContinuing || isTooLate && isCorrection {
      let ownLimit = isContinuing && !writer.isAhead ? soon : limit(of: writer, ids)
      let times = zip(lines, ids).filter { !moved.contains($1) }.map { $0.0.item.at }
      time = times.filter { $0 <= ownLimit }.max()
    }

    if let time {
      let written = max(writer.latest, time)
      writer.latest = written
      steps.append(
        Step(
          positions: first.position...last.position, segment: segment, recorded: recorded,
          written: written))
    } else if !isNamed {
      otherSteps.append(
        OtherStep(
          positions: first.position...last.position, segment: segment, isUnknown: isSuspect,
          latest: recorded))
      if !isSuspect, !writer.isAhead { writer.latest = max(writer.latest, recorded) }
    }

    if isNamed {
      writer.isAhead = true
    } else if !isSuspect, writer.corrected != nil {
      writer.isAhead = false
    }
    if recorded > largestStamp {
      isLargestWrong = isSuspect || writer.isAhead
      largestStamp = recorded
    }
    writer.stamp = max(writer.stamp, recorded)

    for id in ids {
      guard let time = pending.removeValue(forKey: id)?.time else { continue }
      writer.corrected = time
      updateLimit()
    }
    writers[segment] = writer
  }

  /// Returns the latest time that a step of `writer` with the events `ids` can have, because later
  /// corrections follow; those of other devices don't limit a writer that corrected its own clock.
  private func limit(of writer: Writer, _ ids: [String]) -> Instant {
    let own = ids.compactMap { pending[$0]?.time }.max()
    guard let corrected = own ?? writer.corrected else { return limit }
    return min(soon, pending.values.map(\.time).filter { $0 > corrected }.min() ?? soon)
  }

  /// Whether the step of `lines` moved today past the days that the next corrections set, although
  /// none of them names it: a correction names all that a wrong clock moved, so the stamp is right.
  private func provesItsStamp(_ lines: [StepLine], _ recorded: Instant) -> Bool {
    guard recorded <= soon, let corrected = limitingDay else { return false }
    return lines.contains { line in
      let item = line.item
      let reached = item.type == .entryLogged ? item.day : item.event?.newToday
      return reached.map { $0 > corrected } ?? false
    }
  }

  /// Limits the time of each other step to that of the next step of its writer whose time is known.
  private mutating func limitOtherSteps() {
    var times: [Int: Instant] = [:]
    var later = steps[...]

    for index in otherSteps.indices.reversed() {
      let other = otherSteps[index]
      while let step = later.last, step.positions.lowerBound > other.positions.upperBound {
        times[step.segment] = step.written
        later.removeLast()
      }
      guard let time = times[other.segment], time < other.latest else { continue }
      otherSteps[index].latest = time
      otherSteps[index].isUnknown = true
    }
  }
}

package import StreakDomain

/// The times at which steps were really written, for steps with a stamp that a wrong clock made too
/// late (event-format.md, "A wrong clock").
///
/// A clock that is ahead makes the stamps of its own events too late. It also makes later stamps
/// too late, because `recorded` never decreases. A later step that only continues a wrong stamp has
/// a correct `at`, which is the time of writing. A stamp is wrong if one of these is true:
///
/// - The stamp is in the future.
/// - A `day.corrected` anywhere in the stream names the event.
/// - The stamp is later than the `at` of a `day.corrected` that follows, and a correction names
///   another step of the same writer: a later one, or one before the writer's own correction.
///
/// For example:
///
///     position  at           recorded
///     3         10-01 20:00  10-01 20:00
///     4         11-15 12:00  11-15 12:00         a wrong clock; written at an unknown time
///     5         10-02 20:00  11-15 12:00 + 1 µs  day.corrected, names 4; written at its `at`
///     6         10-02 21:00  11-15 12:00 + 2 µs  written at its `at`
package struct WrittenTimes: Sendable {
  /// The trust in the stamp of a step, which decides when the step was written.
  private enum Stamp: Sendable {
    /// The stamp is the time at which the step was written.
    case right
    /// A wrong clock made the stamp too late. The step was written at `Step.latest`.
    case wrong
    /// The step was written at an unknown time, but not after `Step.latest`.
    ///
    /// It counts with the next step whose time is known.
    case unknown
  }

  /// A step, and when it can have been written.
  private struct Step: Sendable {
    let positions: ClosedRange<Int>
    let segment: Int
    let recorded: Instant
    var stamp: Stamp
    /// The latest time at which the step can have been written.
    var latest: Instant
  }

  /// A `day.corrected`: when it was written, and the day to which it corrected today.
  private struct Correction {
    let time: Instant
    let to: Day
  }

  /// The state of the clock of one segment's writer, according to the steps so far.
  private struct Writer {
    /// The stamp of the last step.
    var stamp = Instant(microseconds: .min)
    /// The latest time at which a step was written.
    var latest = Instant(microseconds: .min)
    /// The time of the last `day.corrected` in the writer's own segment, or `nil` if there is none.
    var corrected: Instant?
    /// Whether the writer's clock was wrong at an earlier step, so that later stamps may be too
    /// late.
    ///
    /// A step whose stamp only continues the last one was written before the time of its stamp.
    var isAhead = false

    /// Adds a step with the stamp `recorded`.
    ///
    /// `isSuspect` is true if the stamp may be too late. `isNamed` is true if a correction names
    /// the step.
    mutating func add(_ recorded: Instant, isSuspect: Bool, isNamed: Bool) {
      if isNamed {
        isAhead = true
      } else if !isSuspect {
        if !isAhead { latest = max(latest, recorded) }
        if corrected != nil { isAhead = false }
      }
      stamp = max(stamp, recorded)
    }
  }

  /// The steps in stream order.
  private var steps: [Step] = []
  /// The corrections that the pass hasn't reached yet, by their ids.
  private var pending: [String: Correction]
  /// The times of the corrections that name events, by the ids of these events.
  ///
  /// The times of these events themselves are wrong.
  private let moved: [String: Instant]
  /// The steps of each segment that a correction names, with the time of the correction.
  private var named: [Int: [(position: Int, corrected: Instant)]] = [:]
  /// The times of the pending corrections, in ascending order.
  private var pendingTimes: [Instant]
  /// The days to which the pending corrections correct today, in ascending order.
  private var pendingDays: [Day]
  /// The clocks of the writers by the index of their segment.
  private var writers: [Int: Writer] = [:]
  /// The largest `recorded` so far.
  private var largestStamp = Instant(microseconds: .min)
  /// Whether `largestStamp` is later than the time at which its step was written.
  private var isLargestWrong = false

  private let soon: Instant
  /// Whether the stream has a wrong stamp, so that the pass was made.
  private var isActive = false

  /// Finds the steps in `stream` that a wrong clock stamped; the last event was recorded at
  /// `lastRecorded`.
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
    pendingTimes = pending.values.map(\.time).sorted()
    pendingDays = pending.values.map(\.to).sorted()
    moved = Dictionary(
      corrections.flatMap { correction in
        correction.payload.moved.map { ($0, correction.at.instant) }
      }, uniquingKeysWith: min)

    // The later events of one command may be slightly in the future.
    soon = now + 1_000_000
    guard !corrections.isEmpty || lastRecorded ?? now > soon else { return }

    isActive = true
    var lines: [StepLine] = []
    var firstPass = Replay(stream)
    while try firstPass.nextStep(into: &lines) {
      for line in lines {
        guard let corrected = moved[line.item.id.text(firstPass.ledger.names)] else { continue }
        named[line.item.segment, default: []].append((line.position, corrected))
      }
    }

    var secondPass = Replay(stream)
    while try secondPass.nextStep(into: &lines) { note(lines, secondPass.ledger.names) }
    limitLatestTimes()
  }

  /// Returns the position of the last step that was written at or before `bound` but has a later
  /// stamp; `nil` if there is none.
  package func position(by bound: Instant) -> Int? {
    steps.last { $0.stamp == .wrong && $0.latest <= bound && $0.recorded > bound }?
      .positions.upperBound
  }

  /// Returns the number of steps up to `position` that were written after `bound`.
  package func laterSteps(than bound: Instant, upTo position: Int) -> Int {
    steps.count { $0.latest > bound && $0.positions.upperBound <= position }
  }

  /// Returns the time at which the event at `position` was written, or `nil` if its stamp is right
  /// or the time is unknown.
  package func written(at position: Int) -> Instant? {
    step(at: position).flatMap { $0.stamp == .wrong ? $0.latest : nil }
  }

  /// Returns the latest time at which the event at `position` can have been written, or `nil` if
  /// no wrong stamp was found.
  package func latestTime(at position: Int) -> Instant? { step(at: position)?.latest }

  /// Returns the time at which the event at `position`, stamped `recorded`, was written; `nil` if
  /// nobody knows it.
  package func time(at position: Int, recorded: Instant) -> Instant? {
    guard isActive else { return recorded }
    return switch step(at: position)?.stamp {
    case .right: recorded
    case .wrong: written(at: position)
    case .unknown, nil: nil
    }
  }

  private func step(at position: Int) -> Step? {
    let index = steps.partitioningIndex { $0.positions.upperBound >= position }
    return index < steps.count && steps[index].positions.contains(position) ? steps[index] : nil
  }

  /// Adds the next step of the stream, with the events `lines`.
  private mutating func note(_ lines: [StepLine], _ names: SymbolTable) {
    guard let first = lines.first, let last = lines.last else { return }
    let recorded = last.item.recorded
    let segment = last.item.segment
    let ids = lines.map { $0.item.id.text(names) }
    var writer = writers[segment] ?? Writer()

    let isNamed = ids.contains { moved[$0] != nil }
    let isContinuing = continuesWrongStamp(first.item.recorded, of: writer)
    // Another device's correction comes after its wrong stamps, so after later but right stamps of
    // this writer, too.
    let isBeforeNamed = named[segment]?.contains { later in
      first.position <= later.position && recorded > later.corrected
    }
    let isOfWrongClock = writer.isAhead || isBeforeNamed ?? false
    let isDoubtful = isNamed || isOfWrongClock && !provesItsStamp(lines)
    let isTooLate = recorded > soon || recorded > limit && isDoubtful
    let isSuspect = isContinuing || isTooLate

    // A stamp that continues none is what a clock said, be it right or wrong.
    var time: Instant?
    if isContinuing || isTooLate && ids.contains(where: { pending[$0] != nil }) {
      let bound = isContinuing && !writer.isAhead ? soon : limit(of: writer, ids)
      time = zip(lines, ids).filter { moved[$1] == nil }.map(\.0.item.at)
        .filter { $0 <= bound }.max()
    }
    if let time { writer.latest = max(writer.latest, time) }

    steps.append(
      Step(
        positions: first.position...last.position, segment: segment, recorded: recorded,
        stamp: time != nil ? .wrong : isSuspect || isNamed ? .unknown : .right,
        latest: time == nil ? recorded : writer.latest))
    writer.add(recorded, isSuspect: isSuspect, isNamed: isNamed)
    if recorded > largestStamp {
      isLargestWrong = isSuspect || writer.isAhead
      largestStamp = recorded
    }
    for id in ids { if let time = takeCorrection(id) { writer.corrected = time } }
    writers[segment] = writer
  }

  /// Whether the stamp `recorded` may only continue a wrong stamp: the last one of `writer`, or the
  /// largest one so far.
  ///
  /// Such a stamp is too late, because `recorded` never decreases.
  private func continuesWrongStamp(_ recorded: Instant, of writer: Writer) -> Bool {
    writer.isAhead && recorded <= writer.stamp + 1
      || isLargestWrong && recorded <= largestStamp + 1
  }

  /// Removes the correction `id` from those pending, and returns its time.
  ///
  /// The result is `nil` if the event isn't a pending correction.
  private mutating func takeCorrection(_ id: String) -> Instant? {
    guard let correction = pending.removeValue(forKey: id) else { return nil }
    pendingTimes.remove(at: pendingTimes.partitioningIndex { $0 >= correction.time })
    pendingDays.remove(at: pendingDays.partitioningIndex { $0 >= correction.to })
    return correction.time
  }

  /// The latest plausible stamp: the time of the earliest pending correction, but at most `soon`.
  private var limit: Instant { min(soon, pendingTimes.first ?? soon) }

  /// Returns the latest time at which `writer` can have written a step with the events `ids`.
  ///
  /// The earliest pending correction limits this time. If the writer corrected its own clock, in
  /// this step or before, only later corrections do.
  private func limit(of writer: Writer, _ ids: [String]) -> Instant {
    let own = ids.compactMap { pending[$0]?.time }.max()
    guard let corrected = own ?? writer.corrected else { return limit }
    let next = pendingTimes.partitioningIndex { $0 > corrected }
    return next < pendingTimes.count ? min(soon, pendingTimes[next]) : soon
  }

  /// Whether the step of `lines` moved today past the day that a pending correction sets.
  ///
  /// A correction names every event that moved today by a wrong clock. So if none names the step,
  /// the stamp of the step is right.
  private func provesItsStamp(_ lines: [StepLine]) -> Bool {
    guard let corrected = pendingDays.first else { return false }
    return lines.contains { line in line.item.dayReached.map { $0 > corrected } ?? false }
  }

  /// Limits the time of each step to that of the writer's next step with a wrong stamp.
  ///
  /// A step with a later stamp must have preceded that one. If a step has an unknown time and its
  /// writer has no such later step, the next one of any writer limits the time.
  private mutating func limitLatestTimes() {
    var times: [Int: Instant] = [:]
    var nextTime: Instant?
    for index in steps.indices.reversed() {
      let step = steps[index]
      let ofAny = step.stamp == .unknown ? nextTime : nil

      if step.stamp == .wrong {
        times[step.segment] = step.latest
        nextTime = step.latest
      } else if let time = times[step.segment] ?? ofAny, time < step.latest {
        steps[index].latest = time
        steps[index].stamp = .unknown
      }
    }
  }
}

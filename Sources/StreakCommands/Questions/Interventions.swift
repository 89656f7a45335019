import EventLog
import Inspection
import StreakDomain

/// The part of `audit` that lists interventions.
extension AuditCommand {
  /// Lists the steps that changed days which were already over.
  ///
  /// It also lists the steps that accepted a loss of lines about such days.
  func listInterventions() throws(Failure) {
    let habits = try words.chosenHabits()
    var timeline = Timeline()
    var list: [Intervention] = []
    var (walk, point) = try reader.walkToPoint(wanting: isJSON ? [] : [.texts, .locations])
    var today = try TodayWithoutSlips(of: walk.stream)
    var late = LateParts(of: walk.stream.segments)
    let losses = try acceptedLosses(in: walk.stream)

    while try walk.nextStep() {
      let loss = walk.lines.lazy.compactMap { losses[$0.item.event?.id ?? ""] }.first
      let firstLost = loss.flatMap { late.lastDay(before: $0) }
      for line in walk.lines {
        let isMoved = today.isMoved(line.item, walk.ledger.names)
        late.note(line.item, writtenAt: reader.time(of: line), isMoved: isMoved)
      }
      let dayWritten = dayWritten(of: walk)
      let before = today.day(for: walk.lines, walk.ledger.names, writtenOn: dayWritten)
      today.note(walk.lines, walk.ledger)
      var difference = timeline.note(&walk.ledger)
      difference.keepOnly(habits)
      guard let before else { continue }
      let lost = firstLost.flatMap { $0 < before ? $0...before.previous : nil }
      let changed = difference.days(
        before: before, changedBy: walk.lines, of: habits, in: walk.ledger)
      guard let days = lost ?? changed else { continue }
      let after = today.day(for: walk.lines, walk.ledger.names, writtenOn: dayWritten)
      let dayOfStep = min(max(before, after ?? before), dayWritten ?? Day.last)

      let change = walk.change(difference)
      let intervention = Intervention(
        change, days: days, lateDays: max(0, dayOfStep - days.lowerBound))
      list.append(intervention)
      if !isJSON { printIntervention(intervention, walk, isLoss: lost != nil) }
    }

    let loaded = try walk.end()
    try reader.reportAhead([loaded.recorded])
    try reader.check(point, reached: loaded)
    let lateFiles = try lateFiles(
      late.parts(loaded.ledger.names), loaded.ledger, point, habits)
    if isJSON { return printJSON(of: InterventionList(list, late: lateFiles)) }
    for file in lateFiles { print(file, loaded.ledger) }
    if list.isEmpty, lateFiles.isEmpty {
      reportEmpty(
        "no step changed a day that was over; `streaks verify` finds lines changed before a "
          + "seal, or since heads that you keep")
    }
  }

  /// Returns for each `segment.dropped` that accepts a loss, by its id, the first lost line.
  ///
  /// A line is lost if the event names it, or if a device had seen it, and if no segment has it at
  /// that number now. An event without such a line only accepts a finding, such as a copy.
  private func acceptedLosses(in stream: EventStream) throws(Failure) -> [String: SeenSegment] {
    let acceptances = try stream.storedEvents(ofType: .segmentDropped)
    guard !acceptances.isEmpty else { return [:] }

    let newDays = try stream.storedEvents(ofType: .dayChanged)
    var accepted: [(seen: SeenSegment, event: String)] = []
    var lengths: [Text: Int] = [:]
    for event in acceptances.sorted(by: { $0.recorded < $1.recorded }) {
      guard case .segmentDropped(let dropped, _) = event.payload else { continue }
      let length = lengths[dropped.segment] ?? 0
      let seenBefore = newDays.filter { $0.recorded < event.recorded }.flatMap(\.payload.seen)
      let newlyAccepted = seenBefore.filter { seen in
        seen.segment == dropped.segment && length < seen.lines && seen.lines <= dropped.lines
      }
      accepted += (newlyAccepted + [dropped]).map { ($0, event.id) }
      lengths[dropped.segment] = max(length, dropped.lines)
    }

    var missing = Dictionary(grouping: accepted) { $0.seen.lines }
    for name in stream.segments {
      try stream.eachLine(of: name) { line in
        missing[line.number]?.removeAll { $0.seen.last == line.id }
      }
    }
    let losses = missing.values.joined().map { ($0.event, $0.seen) }
    return Dictionary(losses) { $0.lines < $1.lines ? $0 : $1 }
  }

  /// Returns the day on which the last step of `walk` was written, if a wrong clock stamped it
  /// later.
  private func dayWritten(of walk: borrowing Walk) -> Day? {
    guard let last = walk.lines.last else { return nil }
    let written = reader.time(of: last)
    return written < last.item.recorded ? walk.ledger.facts.clock?.day(of: written) : nil
  }

  /// Returns the late `parts` that change what `ledger` says of `habits`.
  ///
  /// `ledger` is the ledger at `point`. An empty set means all habits.
  private func lateFiles(
    _ parts: [LatePart], _ ledger: Ledger, _ point: Point, _ habits: Set<String>
  ) throws(Failure) -> [LateFile] {
    var files: [LateFile] = []
    for part in parts {
      var without = reader
      without.leftOut = Set(part.ids)
      without.invocation.context.isQuiet = true
      var before = try without.finish(try without.walkToPoint().0).ledger
      if let today = ledger.today { before.advance(to: today) }

      var difference = Difference.between(before, ledger)
      difference.keepOnly(habits)
      if !difference.isEmpty { files.append(LateFile(part, difference: difference)) }
    }
    return files
  }

  private func print(_ file: LateFile, _ ledger: Ledger) {
    let part = file.part
    let clock = ledger.facts.clock
    func time(_ instant: Instant) -> String { RecordedTime.minute(instant, by: clock) }

    let first = time(part.recorded.lowerBound)
    let last = time(part.recorded.upperBound)
    let arrival = part.arrivedBy.map { ", there by \(time($0))" } ?? ""
    let lackedBy = Escaping.visible(part.lackedBy)
    let effect = DifferenceText.line(file.difference, ledger, style)
    let times = first == last ? first : "\(first) to \(last)"

    print(
      "\(Escaping.visible(part.writer)) arrived late: \(counted(part.ids.count, "event")) written "
        + times)
    print("    not there when \(lackedBy) began its day at \(time(part.lackedAt))\(arrival)")
    let bookLines = file.difference.bookLineCount
    let book = bookLines > 0 ? ["\(counted(bookLines, "line")) of the joker book (--json)"] : []
    let changes = (effect.isEmpty ? [] : [effect]) + book
    let said = changes.isEmpty ? "only entries or sums differ" : changes.joined(separator: ", ")
    print("    with them: \(said)")
    print("")
  }

  /// Prints the rows of an intervention; `isLoss` is true if it accepted a loss of lines.
  private func printIntervention(
    _ intervention: Intervention, _ walk: borrowing Walk, isLoss: Bool
  ) {
    let change = intervention.change
    // A correction of today isn't late.
    let isLate = !walk.lines.contains { $0.item.type == .dayCorrected }
    let delay = isLate ? counted(intervention.lateDays, "day") + " late, " : ""
    let writer = change.writer.map { "by \(Escaping.visible($0)), " } ?? ""
    let effect = DifferenceText.line(change.difference, walk.ledger, style)
    let bookLines = change.difference.bookLineCount

    let step = StepText(walk.lines, walk.ledger, walk.stream)
    print(change.row(walk.lines, step, walk.ledger).text)
    let changed =
      isLoss
      ? "lost or changed lines that may have been about any day"
      : "changes \(DayText.span(intervention.days))"
    print("    \(delay)\(writer)\(changed)")
    if !effect.isEmpty {
      print("    " + effect)
    } else if bookLines == 0, !isLoss {
      print("    only entries or sums changed")
    }
    if bookLines > 0 {
      print("    \(counted(bookLines, "line")) of the joker book, in `why @\(change.position)`")
    }
    print("")
  }
}

/// The ledger's today during a walk, without the events of a wrong clock that were corrected.
///
/// With it, an entry is as late as the real day says, and not as a wrong stamp says.
private struct TodayWithoutSlips {
  private var own: Day?
  private var withoutSlips: Day?
  /// The days to which a `day.corrected` corrects today, by the ids of the events that it names.
  ///
  /// If several corrections name the same event, this is the earliest of their days.
  private var moved: [String: Day] = [:]

  init(of stream: EventStream) throws(Failure) {
    for case .dayCorrected(let to, let ids, _) in try stream.storedEvents(ofType: .dayCorrected)
      .map(\.payload)
    {
      for id in ids { moved[id] = min(moved[id] ?? to, to) }
    }
  }

  /// Returns the day that counts as today for the step of `lines`; the days before it are over.
  ///
  /// It is today without the events of wrong clocks, but no later than the day on which the step
  /// was written.
  ///
  /// The step of a wrong clock, and its correction, are exceptions. They change days that only that
  /// clock made past days, so for them it is the ledger's own today.
  func day(
    for lines: [StepLine], _ names: SymbolTable, writtenOn dayWritten: Day?
  ) -> Day? {
    let isOfClock = lines.contains {
      $0.item.type == .dayCorrected || isMoved($0.item, names)
    }
    if isOfClock { return own }
    return withoutSlips.map { min($0, dayWritten ?? $0) }
  }

  mutating func note(_ lines: [StepLine], _ ledger: Ledger) {
    own = ledger.today
    for line in lines where !isMoved(line.item, ledger.names) {
      guard let reached = line.item.dayReached else { continue }
      withoutSlips = max(withoutSlips ?? reached, reached)
    }
  }

  /// Whether the event moved today past the right day, and a `day.corrected` names the event.
  ///
  /// A forged correction that names other events must not hide who changed days that were over.
  func isMoved(_ item: StreamItem, _ names: SymbolTable) -> Bool {
    guard !moved.isEmpty, let corrected = moved[item.id.text(names)] else { return false }
    return item.dayReached.map { $0 > corrected } ?? false
  }
}

extension Difference {
  /// The number of lines of joker books that were removed or added.
  fileprivate var bookLineCount: Int {
    books.reduce(0) { $0 + $1.removed.count + $1.added.count }
  }

  /// Returns the days before `today` that a step changed for `habits`, as one range.
  ///
  /// The range goes from the first to the last changed day; it is `nil` if no day changed. `lines`
  /// are the lines of the step. An empty set means all habits.
  fileprivate func days(
    before today: Day, changedBy lines: [StepLine], of habits: Set<String>, in ledger: Ledger
  ) -> ClosedRange<Day>? {
    guard today > Day.first else { return nil }
    var days = verdicts.map(\.days)
    for book in books { days += (book.removed + book.added).map { $0.day...$0.day } }

    // If an entry changed only sums, its own day is the changed day; if only a definition did, the
    // day of the definition.
    let changesSums = changes.contains { if case .number = $0.after { true } else { false } }
    if changesSums {
      let lines = lines.filter { line in
        habits.isEmpty || line.habits(in: ledger.facts).map { !$0.isDisjoint(with: habits) } ?? true
      }
      let ofEntries = lines.compactMap { $0.entryDay(in: ledger.facts) }
      days += ofEntries.map { $0...$0 }
      if days.isEmpty { days = lines.compactMap(\.definitionDay).map { $0...$0 } }
    }

    let closed = Day.first...today.previous
    days = days.filter { $0.overlaps(closed) }.map { $0.clamped(to: closed) }
    return days.first.map { first in days.reduce(first) { $0.joined($1) } }
  }
}

extension StepLine {
  /// Returns the day of the entry that the event logged or deleted, or `nil` for other events.
  fileprivate func entryDay(in facts: Facts) -> Day? {
    if case .entry(let id)? = item.event?.payload.touches { return facts.entry(of: id)?.day }
    return item.type == .entryLogged ? item.day : nil
  }

  /// The day of the definition or retirement, or `nil` for other events.
  fileprivate var definitionDay: Day? {
    if case .habits? = item.event?.payload.touches { item.day } else { nil }
  }
}

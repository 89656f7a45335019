package import EventLog
public import StreakDomain

/// The changes of a value that `why` explains, and the events that explain it, collected while
/// steps are read.
package struct ValueHistory {
  /// A change of the value by the step whose events are at `positions`.
  package struct Turn {
    package let positions: ClosedRange<Int>
    package let before: StateValue
    package let after: StateValue
    /// The position of the new day with which the step began, or `nil` if it didn't begin with one.
    var dayPosition: Int?

    /// The change of the number, or `nil` if the value isn't a number before and after.
    var change: Thousandths? {
      guard case .number(let before) = before, case .number(let after) = after else { return nil }
      return after - before
    }
  }

  /// The day whose verdict is the value, or `nil` if the value isn't a verdict.
  package let day: Day?
  /// The habit whose definitions alone set the value, or `nil` if other events can set it, too.
  private let definedHabit: Habit.ID?
  /// Returns the value in a ledger, or `null` if the ledger has no such value.
  private let read: (inout Ledger) -> StateValue
  private var value = StateValue.null
  /// The ledger's today after the last step.
  private var today: Day?
  /// All changes of the value, in stream order.
  package private(set) var turns: [Turn] = []
  package private(set) var openings: [Int] = []

  /// Creates the history of the value that `read` returns, which is the value of `field` if it is
  /// one.
  package init(
    of field: StateField?, _ read: @escaping (inout Ledger) -> StateValue
  ) {
    day = nil
    definedHabit = field.flatMap { $0.isOfDefinition ? $0.habit : nil }
    self.read = read
  }

  /// Creates the history of the verdict of a habit's day.
  package init(of habit: Habit.ID, on day: Day) {
    self.day = day
    definedHabit = nil
    read = { ledger in
      let verdict = ledger[habit]?.verdict(on: day)
      return verdict.map { .text(Text($0.rawValue)) } ?? .null
    }
  }

  /// Reads the value after the step with the given `lines`.
  package mutating func note(_ ledger: inout Ledger, _ lines: [StepLine]) {
    openings += lines.filter { $0.item.type == .ledgerOpened }.map(\.position)
    let before = value
    value = read(&ledger)
    defer { today = ledger.today }
    if let day, let today, day < today, ledger.today.map({ day >= $0 }) ?? false {
      // The day was over only by a wrong clock, so what it was by then is no history of it.
      turns = []
      return
    }
    guard before != value, let first = lines.first, let last = lines.last else { return }

    // The end of a day isn't a change of its verdict.
    let isOfDay = before != .null && before != .text("open") && value != .null
    guard day == nil || isOfDay else { return }
    // A batch can define several habits.
    let definition = definedHabit.flatMap { habit in
      lines.last { $0.item.event?.defined?.id == habit }
    }
    let positions =
      definition.map { $0.position...$0.position } ?? first.position...last.position
    let dayPosition = first.item.type == .dayChanged ? first.position : nil
    turns.append(
      Turn(positions: positions, before: before, after: value, dayPosition: dayPosition))
  }

  /// Returns the turns that a person would blame for the value, in stream order.
  ///
  /// A turn that was undone, or that a `day.corrected` took back, isn't blamed, and neither is the
  /// undo or the correction; but if such a step began with a new day, that day is blamed for what
  /// it left. If another value than the present one is left then, the last turn is blamed for the
  /// difference, even if it was reverted: no later step changed the value, which stayed for another
  /// reason.
  package func blamedTurns(in facts: Facts) -> [Turn] {
    let reverted = facts.revertedPositions
    let days = newDays(in: facts)
    var blamed = turns.indices.compactMap { index in
      reverted.isDisjoint(with: turns[index].positions) ? turns[index] : days[index]
    }

    let left = blamed.last?.after ?? turns.first?.before ?? .null
    if let last = turns.last, last.after != left {
      blamed.append(Turn(positions: last.positions, before: left, after: last.after))
    }
    return blamed
  }
}

extension ValueHistory {
  /// Returns the new days with which undone steps and undos began, each with what it left of the
  /// value, by the index of the turn.
  private func newDays(in facts: Facts) -> [Int: Turn] {
    func turn(at position: Int) -> Int? {
      let index = turns.partitioningIndex { $0.positions.upperBound >= position }
      return index < turns.count && turns[index].positions.contains(position) ? index : nil
    }
    func newDay(of index: Int, from before: StateValue, to after: StateValue) -> Turn? {
      guard let day = turns[index].dayPosition, before != after else { return nil }
      return Turn(positions: day...day, before: before, after: after, dayPosition: day)
    }

    var days: [Int: Turn] = [:]
    for pair in facts.undosInForce {
      switch (turn(at: pair.undone), turn(at: pair.undo)) {
      case (let index?, nil), (nil, let index?):
        // The undo, or what it undid, changed nothing, so the other step's day did it all.
        days[index] = newDay(of: index, from: turns[index].before, to: turns[index].after)
      case (let undone?, let undo?) where undone + 1 == undo:
        let index = turns[undo].dayPosition == nil ? undone : undo
        days[index] = newDay(of: index, from: turns[undone].before, to: turns[undo].after)
      case (_?, _?), (nil, nil): break
      }
    }
    return days
  }

  /// Returns the last of `blamed`, before its newest, that decreased a number; `nil` if there is
  /// none, or if an undo decreased it since.
  package func fall(among blamed: [Turn]) -> Turn? {
    last(among: blamed) { $0 < .zero }
  }

  /// Returns the last of `blamed`, before its newest, that increased a number by more than 1; `nil`
  /// if there is none, or if an undo did so since.
  package func rise(among blamed: [Turn]) -> Turn? {
    last(among: blamed) { $0 > Thousandths(1) }
  }

  private func last(
    among blamed: [Turn], where isMeant: (Thousandths) -> Bool
  ) -> Turn? {
    func isMeantTurn(_ turn: Turn) -> Bool { turn.change.map(isMeant) ?? false }
    guard let newest = blamed.last, let turn = blamed.dropLast().last(where: isMeantTurn) else {
      return nil
    }

    let later = turns.filter { other in
      turn.positions.upperBound < other.positions.lowerBound
        && other.positions.upperBound < newest.positions.lowerBound
    }
    // A step and its undo, which lead there and back, change nothing.
    let isOutdated = later.contains { other in
      isMeantTurn(other)
        && !later.contains { $0.before == other.after && $0.after == other.before }
    }
    return isOutdated ? nil : turn
  }
}

/// A change of one value by one step.
public struct ValueChange: Codable, Equatable, Sendable {
  /// The position of the step's last event in the stream, from 1.
  public let position: Int
  /// The id of the step's last event.
  public let event: String
  /// The segment that contains the step, or `nil` for a step that was appended only in memory.
  public let writer: String?
  /// The time at which the step's last event was recorded.
  public let recorded: Instant
  /// The time at which the step was made, if a wrong clock stamped it later; otherwise `nil`.
  package var made: Instant?
  /// The value before the step.
  public let before: StateValue
  /// The value after the step.
  public let after: StateValue
  /// The events of the step with all their fields, or none in a decoded change.
  package private(set) var events: [Event] = []

  private enum CodingKeys: CodingKey { case position, event, writer, recorded, before, after }

  /// Creates the change of `turn`, whose events are read from `stream`, or returns `nil` if `turn`
  /// is `nil`.
  package init?(_ turn: ValueHistory.Turn?, in stream: EventStream?) throws(Failure) {
    guard let turn, let stream else { return nil }
    var events: [Event] = []
    try stream.eachEvent(at: Array(turn.positions)) { events.append($1) }
    guard let last = events.last else { return nil }

    position = turn.positions.upperBound
    before = turn.before
    after = turn.after
    event = last.id
    recorded = last.recorded
    writer = stream.writer(at: position)?.string
    self.events = events
  }

  /// The positions of the step's events.
  package var positions: ClosedRange<Int> { position - max(0, events.count - 1)...position }
  /// The time at which the step was made: `recorded`, unless a wrong clock stamped it later.
  package var time: Instant { made ?? recorded }
}

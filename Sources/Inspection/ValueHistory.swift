package import EventLog
public import StreakDomain

/// The changes of a value that `why` explains, collected while steps are read.
package struct ValueHistory {
  /// A change of the value by the step whose events are at `positions`.
  package struct Turn: Equatable {
    package let positions: ClosedRange<Int>
    package let before: StateValue
    package let after: StateValue

    /// The change of the number, or `nil` if the value isn't a number before and after.
    var change: Thousandths? {
      guard case .number(let before) = before, case .number(let after) = after else { return nil }
      return after - before
    }
  }

  /// The day whose verdict is the value, or `nil` if the value isn't a verdict.
  package private(set) var day: Day?
  /// The habit whose definitions alone set the value, or `nil` if other events can set it, too.
  private let definedHabit: Habit.ID?
  /// Returns the value in a ledger, or `null` if the ledger has no such value.
  package let read: (inout Ledger) -> StateValue
  /// Returns false if the last step can't have changed the value.
  private let mayHaveChanged: (inout Ledger) -> Bool
  /// The ids of the undone events that this history leaves out.
  package private(set) var undone: Set<String> = []
  /// The facts whose corrections of today apply from the first event on, or `nil` for none.
  package private(set) var corrections: Facts?
  private var value = StateValue.null
  /// The ledger's today after the last step.
  private var today: Day?
  /// All changes of the value, in stream order.
  package private(set) var turns: [Turn] = []

  /// Creates the history of the value that `read` returns.
  ///
  /// `field` is the field with this value, or `nil` if no field has it. After a step for which
  /// `mayHaveChanged` returns false, the value isn't read.
  package init(
    of field: StateField?, when mayHaveChanged: @escaping (inout Ledger) -> Bool = { _ in true },
    _ read: @escaping (inout Ledger) -> StateValue
  ) {
    definedHabit = field.flatMap { $0.isOfDefinition ? $0.habit : nil }
    self.mayHaveChanged = mayHaveChanged
    self.read = read
  }

  /// Creates the history of the verdict of a habit's day.
  package init(of habit: Habit.ID, on day: Day) {
    self.init(of: nil) { ledger in
      let verdict = ledger[habit]?.verdict(on: day)
      return verdict.map { .text(Text($0.rawValue)) } ?? .null
    }
    self.day = day
  }

  /// Returns an empty history of the same value, for a ledger without the events `undone`.
  ///
  /// In that ledger, the corrections of today in `corrections` apply from the first event on.
  package func restarted(without undone: Set<String>, _ corrections: Facts?) -> ValueHistory {
    var history = self
    history.undone = undone
    history.corrections = corrections
    history.value = .null
    history.today = nil
    history.turns = []
    return history
  }

  /// Reads the value after the step with the given `lines`.
  package mutating func note(_ ledger: inout Ledger, _ lines: [StepLine]) {
    let before = value
    if mayHaveChanged(&ledger) { value = read(&ledger) }
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
    turns.append(Turn(positions: positions, before: before, after: value))
  }

  /// Whether the turns of this history explain the value at the end of `seen`.
  ///
  /// This history leaves out what was undone or corrected, and `seen` has all events. A person
  /// wants the shorter one, as long as both end with the same value. They can differ: an undo can
  /// give a past day a verdict that the day never had without the undone step.
  package func explains(_ seen: ValueHistory) -> Bool {
    let start = seen.turns.first?.before ?? .null
    return turns.last?.after ?? start == seen.turns.last?.after ?? start
  }
}

extension EventStream {
  /// Returns the ids of the events that were undone, and of the undos in force.
  ///
  /// An undo leaves some events of a step, such as a new day that was not ahead of the clock. The
  /// result doesn't contain those.
  package func undoneEvents(in facts: Facts) throws(Failure) -> Set<String> {
    let pairs = facts.undosInForce.flatMap { [$0.undone, $0.undo] }
    let positions = Set(pairs.flatMap { batch(around: $0) })

    var events: [Event] = []
    try eachEvent(at: positions.sorted()) { events.append($1) }
    let moved = Set(events.flatMap(\.payload.moved))
    return Set(events.filter { !$0.payload.staysTrue || moved.contains($0.id) }.map(\.id))
  }
}

extension [ValueHistory.Turn] {
  /// The turns that `why` names: the newest, the last fall and the last rise.
  package var named: [ValueHistory.Turn?] { [last, fall, rise] }

  /// The last turn before the newest one that decreased a number, or `nil` if there is none.
  private var fall: ValueHistory.Turn? { earlier { $0 < .zero } }

  /// The last turn before the newest one that increased a number by more than 1.
  ///
  /// It is `nil` if there is none.
  private var rise: ValueHistory.Turn? { earlier { $0 > Thousandths(1) } }

  private func earlier(where isMeant: (Thousandths) -> Bool) -> ValueHistory.Turn? {
    dropLast().last { $0.change.map(isMeant) ?? false }
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
  /// The events of the step that made the change, as indices of `events`.
  private var causes = 0..<0
  /// Whether two things in the step changed the value: first the new day that began it, then
  /// `lines`.
  package private(set) var isOfNewDayToo = false

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
    causes = events.indices
  }

  /// The positions of the step's events.
  package var positions: ClosedRange<Int> { position - max(0, events.count - 1)...position }
  /// The number of leading events of the step that the program added, such as a new day.
  private var newDayCount: Int { events.prefix(while: \.payload.isAutomatic).count }

  /// The position of the last event of the new day that began the step.
  ///
  /// It is `nil` if the step began no day, or did nothing else.
  package var newDayEnd: Int? {
    let count = newDayCount
    return count > 0 && count < events.count ? positions.lowerBound + count - 1 : nil
  }

  /// The events that made the change, with their positions.
  package var lines: [StepLine] {
    causes.map { StepLine(events[$0], at: positions.lowerBound + $0) }
  }

  /// The id of the last event that made the change.
  package var cause: String { causes.last.map { events[$0].id } ?? event }

  /// Sets `causes` to the events of the step that changed the value.
  ///
  /// These are the events of the new day that began the step, if they alone made the change.
  /// Otherwise they are the other events, and `isOfNewDayToo` tells whether the new day changed the
  /// value as well. `value` is the value after the new day.
  package mutating func findCause(valueOfNewDay value: StateValue) {
    let count = newDayCount
    isOfNewDayToo = value != before && value != after
    causes = value == after ? 0..<count : count..<events.count
  }

  /// The time at which the step was made: `recorded`, unless a wrong clock stamped it later.
  package var time: Instant { made ?? recorded }
}

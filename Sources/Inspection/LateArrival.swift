package import EventLog
package import StreakDomain

/// The newest event that some device hadn't received yet when that device recorded a new day.
package struct LateArrival {
  /// The event, its segment, the segment that lacked it, and when that segment last began a day
  /// without it.
  package private(set) var last: (position: Int, of: Text, lackedBy: Text, recorded: Instant)?
  /// The positions of the events to check.
  private let positions: ClosedRange<Int>
  /// The habit whose events to check, or `nil` for the events of all habits.
  private let habit: Habit.ID?
  /// By segment, its newest event to check, until a day change in another segment lists that event
  /// as seen.
  private var pending: [Int: (position: Int, line: Int, day: Day)] = [:]

  package init(of habit: Habit.ID?, at positions: ClosedRange<Int>) {
    self.habit = habit
    self.positions = positions
  }

  package mutating func note(
    _ item: StreamItem, of stream: borrowing EventStream, _ ledger: borrowing Ledger
  ) {
    guard case .dayChanged(let today, _, let seen)? = item.event?.payload else {
      guard positions.contains(ledger.position) else { return }
      let members = habit.flatMap { ledger.facts.definition(of: $0)?.rule.members } ?? []
      let isAbout = item.habit(in: ledger.facts).map { $0 == habit || members.contains($0) }
      guard habit == nil || isAbout ?? (item.type == .daysExcused) else { return }
      return pending[item.segment] = (ledger.position, item.line, item.day)
    }
    let names = stream.segments
    pending = pending.filter { segment, event in
      !seen.contains { $0.segment == names[segment] && $0.lines >= event.line }
    }
    let missed = pending.filter { $0.key != item.segment && $0.value.day < today }
    if let (segment, event) = missed.max(by: { $0.value.position < $1.value.position }) {
      last = (event.position, names[segment], names[item.segment], item.recorded)
    }
  }
}

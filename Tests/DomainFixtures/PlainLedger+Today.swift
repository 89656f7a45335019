package import StreakDomain

/// What the state says of today, by the tables of domain.md, word by word.
extension PlainLedger {
  package mutating func ifMissed(_ habit: String) -> HabitState.IfMissed {
    let open = openDay(habit)
    if open.run == 0 { return .none }
    let closed = closedDay(habit, today)
    let isOff = definition(habit, today)?.streak == false
    if open.verdict != .open || closed.verdict == .good || isOff || isRetired(habit, today) { return .safe }
    return [.rest: .rests, .healed: .heals, .graced: .graced][closed.verdict] ?? .breaks
  }

  package mutating func status(_ habit: String) -> HabitState.Status {
    if definition(habit, today)?.streak == false { return .off }
    if isRetired(habit, today) { return .retired }
    if !days(habit).contains(where: { $0.verdict == .good || $0.verdict == .restarted }) { return .new }
    let open = openDay(habit)
    if open.run == 0 { return .broken }
    if open.verdict == .rest || open.verdict == .open && !asks(habit) { return .rest }
    if open.verdict != .open { return .done }
    return open.misses > 0 && ifMissed(habit) != .rests ? .grace : .due
  }

  /// Whether no weekdays let today go: the habit's own, or those of all its members that are not excused.
  private mutating func asks(_ habit: String) -> Bool {
    guard let definition = definition(habit, today) else { return true }
    if case .weekdays(let weekdays)? = definition.schedule, !weekdays.has(today.weekday) { return false }
    var members: [String] = []
    for member in definition.rule.members {
      let isKnown = definitions[member] != nil && !leads(member, to: habit, today)
      if !isKnown || !brought(member, today, isOver: false).isExcused { members.append(member) }
    }
    guard !members.isEmpty else { return true }
    for member in members {
      if definitions[member] == nil || leads(member, to: habit, today) || asks(member) { return true }
    }
    return false
  }

  package mutating func quota(_ habit: String) -> (times: Int, good: Int, rests: Int, through: Day)? {
    guard let definition = definition(habit, today), !isRetired(habit, today),
      case .times(let times, let period)? = definition.schedule
    else { return nil }
    let span = period.days(around: today)
    let days = days(habit)
    let first = firstDay(habit) ?? today.next
    let good = days.indices.count { place in
      span.contains(first + place) && [.good, .healed, .restarted].contains(days[place].verdict)
    }
    let rests = span.count - times - openDay(habit).rested
    return (times, good, max(0, rests), min(span.upperBound, Day.last))
  }
}

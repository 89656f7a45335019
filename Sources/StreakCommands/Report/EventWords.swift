import StreakDomain

extension Payload {
  /// What the event says, in a few words for people: `noalc, steady, "at a wedding"`; not escaped.
  ///
  /// The unit is of what an amount counts.
  func words(unit: String?) -> String {
    switch self {
    case .ledgerOpened(let owner, let dayStart):
      [owner.map { "for \($0)" }, dayStart.map { "days begin at \($0)" }].compactMap { $0 }.joined(
        separator: ", ")
    case .habitDefined(let definition):
      ([definition.habit] + [definition.countsFrom.map { "from \($0)" }].compactMap { $0 }).joined(
        separator: ", ")
    case .habitRetired(let habit): habit
    case .entryLogged(let entry): entry.words(unit: unit)
    case .entryDeleted(let entry, let reason): entry + (reason.map { ", “\($0)”" } ?? "")
    case .dayChanged(let to, _, _): "to \(to)"
    case .segmentDropped(let dropped, let reason):
      "\(dropped.segment) to line \(dropped.lines)" + (reason.map { ", “\($0)”" } ?? "")
    case .daysExcused(let from, let to, let habits, let reason):
      (from == to ? "\(from)" : "\(from) to \(to)")
        + (habits.map { " for " + $0.joined(separator: ", ") } ?? "")
        + (reason.map { ", “\($0)”" } ?? "")
    case .excuseWithdrawn(let excuse, let reason): excuse + (reason.map { ", “\($0)”" } ?? "")
    case .reminderSet(let habit, let time, let isEnabled): "\(habit) \(isEnabled ? "at \(time)" : "off")"
    case .celebrationSeen(let key): key
    case .expectationStated(let expects): expects
    }
  }
}

extension Ledger {
  /// What an amount of the event counts by the definition of its day, if that says so.
  func unit(of event: Event) -> String? {
    guard case .entryLogged(let entry) = event.payload, entry.amount != nil,
      case .sum(let sum)? = definition(of: entry.habit, on: event.day)?.rule.kind
    else { return nil }
    return sum.unit
  }
}

extension Entry {
  /// The habit with what was measured and noted.
  fileprivate func words(unit: String?) -> String {
    var words = [habit]
    if let level { words.append(level) }
    if let drinks { words.append("\(drinks) drinks") }
    if let activity { words.append(activity) }
    if let minutes { words.append("\(minutes) min") }
    if let km { words.append("\(km) km") }
    if let sets { words.append("\(sets) sets") }
    if let amount { words.append(unit.map { "\(amount) \($0)" } ?? "amount \(amount)") }
    if let completed { words.append(completed ? "completed" : "failed") }
    if let value { words.append(value) }
    if let note { words.append("“\(note)”") }
    return words.joined(separator: ", ")
  }
}

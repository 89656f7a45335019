import StreakDomain

extension Payload {
  /// What the event says, in a few words for people: `noalc, steady, "at a wedding"`; not escaped.
  var words: String {
    switch self {
    case .ledgerOpened(let owner): owner.map { "for \($0)" } ?? ""
    case .habitDefined(let definition):
      ([definition.habit] + [definition.countsFrom.map { "from \($0)" }].compactMap { $0 }).joined(
        separator: ", ")
    case .habitRetired(let habit): habit
    case .entryLogged(let entry): entry.words
    case .entryDeleted(let entry, let reason): entry + (reason.map { ", “\($0)”" } ?? "")
    case .dayChanged(let to, _): "to \(to)"
    case .daysExcused(let from, let to, let habits, let reason):
      (from == to ? "\(from)" : "\(from) to \(to)")
        + (habits.map { " for " + $0.joined(separator: ", ") } ?? "")
        + (reason.map { ", “\($0)”" } ?? "")
    case .reminderSet(let habit, let time, let isEnabled): "\(habit) \(isEnabled ? "at \(time)" : "off")"
    case .celebrationSeen(let key): key
    case .expectationStated(let expects): expects
    }
  }
}

extension Entry {
  /// The habit with what was measured and noted.
  fileprivate var words: String {
    var words = [habit]
    if let level { words.append(level) }
    if let drinks { words.append("\(drinks) drinks") }
    if let activity { words.append(activity) }
    if let minutes { words.append("\(minutes) min") }
    if let km { words.append("\(km) km") }
    if let sets { words.append("\(sets) sets") }
    if let completed { words.append(completed ? "completed" : "failed") }
    if let value { words.append(value) }
    if let note { words.append("“\(note)”") }
    return words.joined(separator: ", ")
  }
}

package import StreakDomain

extension Event {
  /// The day to which an event moves today, unless a correction says that it does not.
  package var movesTo: Day? { if case .entryLogged = payload { day } else { newToday } }

  package var zoneExcuse: Bool { if case .daysExcused(_, _, _, "zone"?) = payload { true } else { false } }

  /// The habits whose runs an event is about; nil is all.
  fileprivate func habits(among events: [Event]) -> [String]? {
    func event(_ id: String) -> Event? { events.first { $0.id == id } }
    switch payload {
    case .entryLogged(let entry): return [entry.habit]
    case .entryDeleted(let id, _):
      if case .entryLogged(let entry)? = event(id)?.payload { return [entry.habit] }
      return []
    case .habitDefined(let definition): return [definition.habit]
    case .habitRetired(let habit): return [habit]
    case .daysExcused(_, _, let habits, _): return habits
    case .excuseWithdrawn(let id, _):
      if case .daysExcused(_, _, let habits, _)? = event(id)?.payload { return habits }
      return []
    default: return []
    }
  }
}

/// The high-water mark of domain.md, word by word: the best run of every prefix is computed anew.
package struct PlainRecord {
  private let events: [Event]
  /// By how many events they have, from 1.
  private var states: [PlainLedger] = []

  package init(_ events: [Event]) {
    self.events = events
    for count in stride(from: 1, through: events.count, by: 1) {
      states.append(PlainLedger(Array(events[..<count])))
    }
  }

  /// `longest` of a habit after the first so many events.
  package mutating func longest(_ habit: String, after count: Int) -> Int {
    var longest = 0
    for place in 0..<count where place == count - 1 || counts(habit, place, after: count) {
      longest = max(longest, states[place].days(habit).map(\.run).max() ?? 0)
    }
    return longest
  }

  /// Whether the state after the event at a place may set a record, as the first `count` events say.
  private func counts(_ habit: String, _ place: Int, after count: Int) -> Bool {
    let prefix = Array(events[..<count])
    let moved = Set(prefix.flatMap(\.payload.moved))
    if let setter = states[place].setter, moved.contains(setter) { return false }
    for (undo, event) in prefix.enumerated() where event.by == "streaks-undo" && undo > place {
      guard let cause = prefix.firstIndex(where: { $0.id == event.cause }), cause <= place else { continue }
      let own = prefix[cause].habits(among: prefix)
      if own?.contains(where: { $0 == habit || leads(habit, to: $0, prefix) }) ?? true { return false }
    }
    return true
  }

  /// Whether a habit ever had another one among its members, in depth.
  private func leads(_ habit: String, to other: String, _ prefix: [Event], _ seen: Set<String> = []) -> Bool {
    guard !seen.contains(habit) else { return false }
    for event in prefix {
      guard case .habitDefined(let definition) = event.payload, definition.habit == habit else { continue }
      for member in definition.rule.members
      where member == other || leads(member, to: other, prefix, seen.union([habit])) { return true }
    }
    return false
  }
}

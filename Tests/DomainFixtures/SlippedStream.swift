package import StreakDomain

/// A random stream with undos, corrections of the day, and entries of days that a wrong clock gave.
package struct SlippedStream {
  private let seed: UInt64
  private let isDense: Bool

  package init(seed: UInt64, isDense: Bool = false) { (self.seed, self.isDense) = (seed, isDense) }

  package func events(_ count: Int) -> [Event] {
    var made = RandomStream(seed: seed, isDense: isDense)
    var random = SeededRandom(seed: seed &* 7919)
    var events: [Event] = []
    let all = made.events(count)
    for (place, event) in all.enumerated() {
      var event = event
      if event.payload.type == .entryLogged, random.below(12) == 0 {
        event.day = event.day + random.below(40)
      }
      if event.payload.type == .habitDefined, random.below(6) == 0 { event.day = event.day + random.below(9) }
      if event.payload.type == .ledgerOpened, events.count > 1 { continue }
      events.append(event)
      if random.below(7) == 0 { events.append(change(behind: event, events.count, &random)) }
      if event.zoneExcuse, random.below(2) == 0, events.count > 2 {
        var change = change(behind: event, events.count, &random)
        change.more = .command
        events.insert(change, at: events.count - 1)
      }
      if random.below(5) == 0, let undo = undo(events, &random) { events.append(undo) }
      if random.below(9) == 0 {
        events.append(correction(events, all[place...].dropFirst().prefix(3).map(\.id), &random))
      }
    }
    return events
  }

  private func change(behind event: Event, _ number: Int, _ random: inout SeededRandom) -> Event {
    var change = event
    let to = event.day + random.below(5)
    (change.id, change.payload) = ("change-\(number)", .dayChanged(to: to, seal: nil))
    (change.day, change.by, change.cause, change.more) = (to, nil, nil, nil)
    return change
  }

  /// What `undo` writes for one of the last events, or of all.
  private func undo(_ events: [Event], _ random: inout SeededRandom) -> Event? {
    let recent = random.below(3) > 0 ? events.suffix(2) : events[...]
    guard let undone = recent.randomElement(using: &random), undone.by == nil else { return nil }
    var undo = undone
    switch undone.payload {
    case .entryLogged: undo.payload = .entryDeleted(entry: undone.id, reason: "undone")
    case .daysExcused: undo.payload = .excuseWithdrawn(excuse: undone.id, reason: "undone")
    case .entryDeleted(let id, _):
      guard let entry = events.first(where: { $0.id == id }) else { return nil }
      undo = entry
    case .habitDefined(let definition):
      let before = events.last { event in
        if case .habitDefined(let other) = event.payload {
          other.habit == definition.habit && event.id != undone.id
        } else {
          false
        }
      }
      guard let before else { return nil }
      undo.payload = before.payload
    default: return nil
    }
    (undo.id, undo.by, undo.cause) = ("undo-\(events.count)", "streaks-undo", undone.id)
    return undo
  }

  /// A correction that names events so far, events still to come, and events that move nothing.
  private func correction(_ events: [Event], _ coming: [String], _ random: inout SeededRandom) -> Event {
    let today = PlainLedger(events).today
    var correction = events[events.count - 1]
    let to = today + -random.below(6)
    var moved = events.filter { ($0.movesTo ?? Day.first) > to && random.below(4) > 0 }.map(\.id)
    if random.below(4) == 0 { moved += coming }
    if moved.isEmpty { moved = [events[random.below(events.count)].id] }
    correction.payload = .dayCorrected(to: to, moved: moved, reason: nil)
    (correction.id, correction.day, correction.by) = ("correct-\(events.count)", to, nil)
    (correction.cause, correction.more) = (nil, nil)
    return correction
  }
}

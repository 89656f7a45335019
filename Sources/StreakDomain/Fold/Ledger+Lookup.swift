/// What an import asks before it decides what to bring.
extension Ledger {
  /// What became of an event by its id.
  package enum Fate: Sendable {
    case absent, standing, deleted
  }

  /// Whether the stream has an event of this id, and whether the entry was deleted since.
  package func fate(of id: String) -> Fate {
    EventKey.find(id, names: names).map { fate(of: $0) } ?? .absent
  }

  package func fate(of key: EventKey) -> Fate {
    guard let position = index.position(of: key) else { return .absent }
    guard let place = place(ofEntryAt: position) else { return .standing }
    return entries[place - 1].isDeleted ? .deleted : .standing
  }

  /// The day from which a habit counts, by its latest definition; nil where all days do.
  package func countsFrom(of habit: String) -> Day? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? habits[$0].countsFrom : nil }
  }

  /// The definition of a habit in force on a day; nil where it is not defined.
  package func definition(of habit: String, on day: Day) -> Definition? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return habits[index].terms(on: day).definition
  }
}

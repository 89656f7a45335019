/// Lookups of entries.
extension Facts {
  /// Returns the offset of the entry logged at `position`, or `nil` if that event isn't an entry.
  func entryOffset(at position: Int) -> EntryOffset? {
    let offset = entries.partitioningIndex { $0.position >= position }
    guard offset < entries.count, entries[offset].position == position else { return nil }
    return EntryOffset(offset)
  }

  /// Returns the entries of a habit's day, including deleted ones, latest arrival first.
  func entries(of habit: Int, on day: Day) -> some Sequence<(offset: EntryOffset, entry: EntryFact)>
  {
    entries.chain(from: habits[habit].heads[day])
  }

  /// Returns the data of the entry logged at `position`, or `nil` if that event isn't an entry.
  package func fact(ofEntryAt position: Int) -> EntryFact? {
    entryOffset(at: position).map { entries[$0] }
  }

  /// Returns the entry logged by the event `eventID`, without its value and note, or `nil` if the
  /// event isn't an entry.
  package func entry(of eventID: String) -> (entry: Entry, day: Day)? {
    guard let fact = position(of: eventID).flatMap({ fact(ofEntryAt: $0) }) else { return nil }
    return (Entry(fact, names: names), fact.day)
  }

  /// Returns the positions of the entries of `habit` on `days`, including deleted ones, sorted by
  /// day, then by time.
  ///
  /// If `habit` is `nil`, the result contains the entries of all habits.
  package func entries(
    of habit: String?, in days: ClosedRange<Day>
  ) -> [(position: Int, isDeleted: Bool)] {
    let symbol = habit.flatMap { names.find($0) }
    if habit != nil, symbol == nil { return [] }
    return entries.filter { days.contains($0.day) && (symbol == nil || $0.habit == symbol) }
      .sorted { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
      .map { (Int($0.position), $0.isDeleted) }
  }

  /// Returns the positions of all entries whose day is in `days`, in stream order, including
  /// deleted entries.
  package func entryPositions(of days: ClosedRange<Day>) -> [Int] {
    entries.filter { days.contains($0.day) }.map { Int($0.position) }
  }

  /// Returns the ids of the entries whose day is in `days` and that weren't deleted, in stream
  /// order.
  package func ids(ofEntriesOn days: Set<Day>) -> [String] {
    ids(of: entries.filter { !$0.isDeleted && days.contains($0.day) })
  }

  /// Returns the entries of `habit` that weren't deleted, in stream order.
  package func standingEntries(of habit: String) -> [(id: String, day: Day)] {
    guard let symbol = names.find(habit) else { return [] }
    return entries.filter { !$0.isDeleted && $0.habit == symbol }
      .map { (id(at: Int($0.position)), $0.day) }
  }

  /// The id of the latest entry in the stream that wasn't deleted, or `nil` if there is none.
  package var lastStandingEntry: String? {
    entries.last { !$0.isDeleted }.map { id(at: Int($0.position)) }
  }
}

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

  /// Returns the entries of `habit` on `days`, including deleted and replaced ones, sorted by day,
  /// then by time.
  ///
  /// If `habit` is `nil`, the result contains the entries of all habits.
  package func entries(of habit: String?, in days: ClosedRange<Day>) -> [EntryFact] {
    let symbol = habit.flatMap { names.find($0) }
    if habit != nil, symbol == nil { return [] }
    return entries.filter { days.contains($0.day) && (symbol == nil || $0.habit == symbol) }
      .sorted { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
  }

  /// Returns the positions of all entries whose day is in `days`, in stream order, including
  /// deleted and replaced entries.
  package func entryPositions(of days: ClosedRange<Day>) -> [Int] {
    entries.filter { days.contains($0.day) }.map { Int($0.position) }
  }

  /// Returns the entries of `habit` that are neither deleted nor replaced, in stream order.
  package func standingEntries(of habit: String) -> [(id: String, day: Day)] {
    guard let symbol = names.find(habit) else { return [] }
    return entries.filter { $0.isStanding && $0.habit == symbol }
      .map { (id(at: Int($0.position)), $0.day) }
  }

  /// The id of the latest entry in the stream that is neither deleted nor replaced, or `nil` if
  /// there is none.
  package var lastStandingEntry: String? {
    entries.last { $0.isStanding }.map { id(at: Int($0.position)) }
  }

  // MARK: Keys

  /// The entry that holds a key.
  ///
  /// No other entry of the key can count.
  package struct KeyHolder: Sendable {
    package let position: Int
    package let asOf: Instant
    /// Whether the entry was deleted, so that none of those that belong to the key counts.
    package let isDeleted: Bool
  }

  /// Returns the holder of `key` among the entries of `habit`, or `nil` if no entry has the key.
  package func holder(of key: String, in habit: String) -> KeyHolder? {
    guard let habit = habitIndex(named: habit), let key = EventKey.find(key, names: names) else {
      return nil
    }
    return habits[habit].keys[key].map { asHolder($0) }
  }

  /// Returns the holder of the key to which the entry at `position` belongs.
  ///
  /// The result is `nil` if no entry has that key.
  package func holder(ofKeyOfEntryAt position: Int) -> KeyHolder? {
    guard let offset = entryOffset(at: position) else { return nil }
    let entry = entries[offset]
    let keys = habits[habitIndex(of: entry)].keys
    let firstID = index.key(at: Int(entry.order))
    return keys.holder(ofKeyFrom: entry.order, firstID: firstID).map { asHolder($0) }
  }

  /// Returns the key of the entry at `position`, and the position of the first entry of that key.
  ///
  /// The key of an entry without a key is its id. Returns `nil` if the event isn't an entry.
  package func key(ofEntryAt position: Int) -> (text: String, first: Int)? {
    guard let offset = entryOffset(at: position) else { return nil }
    let entry = entries[offset]
    let first = Int(entry.order)
    guard entry.hasKey || entry.isReplaced else { return (id(at: position), first) }
    let keys = habits[habitIndex(of: entry)].keys
    return keys.key(from: entry.order, firstID: index.key(at: first)).map {
      ($0.text(names), first)
    }
  }

  /// Returns all entries of several keys, each with the position of the first entry of its key.
  ///
  /// `firsts` has the position of the first entry of each key.
  package func firstEntriesOfKeys(in firsts: Set<Int>) -> [(position: Int, first: Int)] {
    entries.filter { firsts.contains(Int($0.order)) }.map { (Int($0.position), Int($0.order)) }
  }

  /// Returns the positions of the deletions of the entries at `positions`, each with the position
  /// of its entry, in stream order.
  package func deletions(ofEntriesAt positions: Set<Int>) -> [(deletion: Int, entry: Int)] {
    let keys = Dictionary(
      positions.map { (index.key(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
    return journal.deletions(of: keys)
  }

  private func asHolder(_ holder: KeyHolders.Holder) -> KeyHolder {
    let position = Int(holder.position)
    let isDeleted = entryOffset(at: position).map { entries[$0].isDeleted } ?? false
    return KeyHolder(position: position, asOf: holder.asOf, isDeleted: isDeleted)
  }

  /// Returns the position of the entry that replaces the entry at `position`, or `nil` if none
  /// does.
  package func replacement(ofEntryAt position: Int) -> Int? {
    guard fact(ofEntryAt: position)?.isReplaced ?? false else { return nil }
    return holder(ofKeyOfEntryAt: position)?.position
  }
}

/// Today according to the events, and the events that set it (domain.md, "Time").
///
///     position  event               today
///     1         ledger.opened 11-02 11-02
///     2         day.changed 11-20   11-20     a wrong clock
///     3         day.corrected 11-03 11-03     names 2, so today is determined again without it
struct TodayFacts: Sendable {
  let cutoff: Day?
  /// The current day, never after `cutoff`; `nil` before the first event that sets it.
  private(set) var day: Day?
  /// Whether an event moved today past `cutoff`, so that `day` is the cutoff instead.
  private(set) var isCutOff = false
  /// The events that can move today, without the entries in `Facts.entries`.
  private(set) var candidates: [Candidate] = []
  /// The positions after which another event determines today, each with the key of that event.
  ///
  /// Each position is the last of a step. The key is `nil` if a `day.corrected` excluded all events
  /// that set today.
  private(set) var changes: [(position: Int, key: EventKey?)] = []
  /// The positions after which today was determined again, because of a `day.corrected`.
  private(set) var corrections: [Int] = []
  /// The events named by a `day.corrected`, which don't move today, even if they come later in the
  /// stream.
  private(set) var ignoredEvents: Set<EventKey> = []
  /// An event that can move today to `day`.
  struct Candidate: Sendable {
    let position: Int
    let day: Day
    let key: EventKey
  }

  init(cutoff: Day?) { self.cutoff = cutoff }

  mutating func addCandidate(_ day: Day, _ key: EventKey, at position: Int) {
    candidates.append(Candidate(position: position, day: day, key: key))
  }

  /// Moves today forward to `day`, unless a `day.corrected` names the event with the key `key`.
  @inline(__always)
  mutating func move(to day: Day, by key: EventKey, at position: Int) {
    if let current = self.day, day <= current { return }
    moveForward(to: day, by: key, at: position)
  }

  private mutating func moveForward(to day: Day, by key: EventKey, at position: Int) {
    guard !ignoredEvents.contains(key) else { return }
    if let cutoff, day > cutoff { isCutOff = true }

    // A clock can be past the last day of the calendar. `append` refuses such events, but only
    // after recording them.
    let day = min(day, cutoff ?? Day.last)
    if let current = self.day, day <= current { return }
    changes.append((position, key))
    self.day = day
  }

  /// Moves today forward to `day` without an event; an earlier `day` has no effect.
  mutating func advance(to day: Day) { self.day = max(day, self.day ?? day) }

  /// Moves the changes and the last correction of a step to its last position, `end`.
  ///
  /// `stepEnd` is the last position of the step before.
  mutating func raiseChanges(after stepEnd: Int, to end: Int) {
    for index in changes.indices.reversed() {
      guard changes[index].position > stepEnd else { break }
      changes[index].position = end
    }
    if let last = corrections.last, last > stepEnd { corrections[corrections.count - 1] = end }
  }

  /// Makes sure that the events in `corrected`, which a `day.corrected` names, don't move today.
  ///
  /// Must be called before the first event is read.
  mutating func ignore(_ corrected: [EventKey]) { ignoredEvents.formUnion(corrected) }

  mutating func copyCutOff(of other: TodayFacts) { isCutOff = other.isCutOff }

  /// Determines today again without the events in `ignored`; `entries` contains the days of all
  /// entries.
  ///
  /// - Returns: Whether any of these events wasn't ignored before.
  mutating func ignore(
    _ ignored: [EventKey], amongEntries entries: some Sequence<Candidate>, at position: Int
  ) -> Bool {
    guard !ignoredEvents.isSuperset(of: ignored) else { return false }
    ignoredEvents.formUnion(ignored)

    // If several events have the latest day, the first of them in the stream sets today.
    let others = (candidates + entries).filter { !ignoredEvents.contains($0.key) }
    let latest = others.max { ($0.day, $1.position) < ($1.day, $0.position) }
    let reached = latest?.day
    isCutOff = false
    if let cutoff, let reached, reached > cutoff { isCutOff = true }
    day = reached.map { min($0, cutoff ?? $0) }

    if changes.last?.key != latest?.key { changes.append((position, latest?.key)) }
    corrections.append(position)
    return true
  }
}

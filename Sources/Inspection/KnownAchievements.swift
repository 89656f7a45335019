import StreakDomain

/// The achievements in force at the last look, by what they rest on: a look costs what that habit or day has of them.
struct KnownAchievements: Sendable {
  /// Of runs, by the habit's place in the ledger.
  private var runs: [[GroundName]] = []
  /// Of days and entries of all habits together.
  private var daily: [GroundName] = []
  /// How many habits, or the days, have an achievement; several habits may have a tier of streak-master.
  private var holders: [GroundName: Int] = [:]
  /// Which may have come or gone since somebody last asked, and whether they were in force then.
  private var stoodBefore: [GroundName: Bool] = [:]

  /// Notes what the runs of a habit have reached now.
  mutating func note(_ names: [GroundName], of habit: HabitPlace) {
    while runs.count <= habit.index { runs.append([]) }
    count(from: runs[habit.index], to: names)
    runs[habit.index] = names
  }

  /// Notes what days and entries have reached now.
  mutating func note(daily names: [GroundName]) {
    count(from: daily, to: names)
    daily = names
  }

  /// Counts only where the two differ: mostly one more has come at the end of many.
  private mutating func count(from old: [GroundName], to new: [GroundName]) {
    let same = zip(old, new).prefix { $0 == $1 }.count
    let alike = zip(old[same...].reversed(), new[same...].reversed()).prefix { $0 == $1 }.count
    count(old[same..<old.count - alike], -1)
    count(new[same..<new.count - alike], 1)
  }

  private mutating func count(_ names: ArraySlice<GroundName>, _ sign: Int) {
    for name in names {
      let known = holders[name] ?? 0
      if stoodBefore[name] == nil { stoodBefore[name] = known > 0 }
      holders[name] = known + sign
    }
  }

  /// Puts the keys of what came and went since this was last asked into a difference.
  mutating func takeChanges(_ ledger: Ledger, into difference: inout Difference) {
    guard !stoodBefore.isEmpty else { return }
    for (name, stood) in stoodBefore {
      let stands = holders[name].map { $0 > 0 } ?? false
      if stands, !stood { difference.unlocked.append(ledger.key(of: name)) }
      if !stands, stood { difference.revoked.append(ledger.key(of: name)) }
    }
    difference.unlocked.sort()
    difference.revoked.sort()
    stoodBefore.removeAll(keepingCapacity: true)
  }
}

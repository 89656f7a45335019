/// A day on which a run reached a length.
struct Arrival {
  let day: Day
  let run: Int
  /// The first day of the run.
  let start: Day
  let isMilestone: Bool

  /// The run lengths of the tiers of `streak-master`.
  static let tiers = [3, 7, 14, 30, 60]
}

extension Ledger {
  /// Returns the milestones that the habit reached on days on which they were milestones, in ascending order.
  func reachedMilestones(of habit: Int) -> [Int] {
    let (best, definitions) = (best(HabitPlace(index: habit)), habits[habit].days.definitions)
    if definitions.traits.isDisjoint(with: .otherMilestones) {
      return definitions.compiled.first?.milestones.filter { $0 <= best } ?? []
    }
    let all = Set(definitions.compiled.flatMap(\.milestones)).filter { $0 <= best }
    return all.filter { firstArrival(of: habit, asMilestone: $0) != nil }.sorted()
  }

  /// Returns the first day on which the habit's run reached each of `lengths`; takes O(log days) per length.
  func firstDays(of habit: Int, at lengths: [Int]) -> [Int: Day] {
    guard let today, let first = habits[habit].days.first, first <= today else { return [:] }
    let best = best(HabitPlace(index: habit))
    // A run reaches shorter lengths first.
    var next = Set(lengths.filter { $0 <= best }).sorted()[...]
    var found: [Int: Day] = [:]
    if first < today, !next.isEmpty {
      reading(habit) { known, idle in
        known.eachFound(
          in: first...today.previous, after: DayRecord(), &idle,
          { $0.reaches(next[next.startIndex], after: $1) }
        ) {
          found[next.removeFirst()] = $0.day
          return !next.isEmpty
        }
      }
    }
    if let run = next.first { found[run] = today }
    return found
  }

  /// Returns the first time that the habit's run reached the length `run` while `run` was a milestone, or
  /// `nil`.
  func firstArrival(of habit: Int, asMilestone run: Int) -> Arrival? {
    guard let today, let first = habits[habit].days.first, first <= today,
      run <= best(HabitPlace(index: habit))
    else { return nil }
    for days in spans(of: habit, first...today, withMilestone: run) {
      if let found = arrivals(of: habit, at: run, in: days, atMost: 1).first { return found }
    }
    return nil
  }

  /// Whether the run that began on `start` reached `run` on a day on which that was a milestone.
  func hasMilestone(_ habit: Int, _ run: Int, _ start: Day) -> Bool {
    guard let today, let first = habits[habit].days.first, first <= start, start <= today else {
      return false
    }
    return spans(of: habit, start...today, withMilestone: run).contains { days in
      arrivals(of: habit, at: run, in: days, atMost: 1).contains { $0.start == start }
    }
  }

  /// Returns the run lengths reached in `days`, in ascending order of days; takes O(days).
  func arrivals(of habit: Int, in days: ClosedRange<Day>) -> [Arrival] {
    guard let first = habits[habit].days.first else { return [] }
    var before: Int32 = 0
    return foldedDays(habit, from: max(first, days.lowerBound.previous)).compactMap { day in
      defer { before = day.record.run }
      guard days.contains(day.day), let start = day.record.start,
        day.record.run > before || start == day.day
      else { return nil }
      let run = Int(day.record.run)
      let isMilestone = habits[habit].definition(on: day.day).milestones.contains(run)
      return Arrival(day: day.day, run: run, start: start, isMilestone: isMilestone)
    }
  }

  private func arrivals(
    of habit: Int, at run: Int, in days: ClosedRange<Day>, atMost limit: Int
  ) -> [Arrival] {
    guard let today else { return [] }
    var found: [Arrival] = []
    let high = min(days.upperBound, today.previous)
    if days.lowerBound <= high {
      reading(habit) { known, idle in
        let before = known.record(days.lowerBound.previous, &idle)
        known.eachFound(in: days.lowerBound...high, after: before, &idle, { $0.reaches(run, after: $1) }) {
          if let start = $0.after.start {
            found.append(Arrival(day: $0.day, run: run, start: start, isMilestone: true))
          }
          return found.count < limit
        }
      }
    }
    guard found.count < limit, days.contains(today) else { return found }
    let (before, now) = (record(habit, through: today.previous), todaysRecord(habit, on: today))
    if Int(now.run) == run, before.run < now.run, let start = now.start {
      found.append(Arrival(day: today, run: run, start: start, isMilestone: true))
    }
    return found
  }

  /// Returns the parts of `days` during which `run` is a milestone.
  private func spans(
    of habit: Int, _ days: ClosedRange<Day>, withMilestone run: Int
  ) -> [ClosedRange<Day>] {
    let definitions = habits[habit].days.definitions
    if definitions.traits.isDisjoint(with: .otherMilestones) {
      return definitions.compiled[0].milestones.contains(run) ? [days] : []
    }
    var found: [ClosedRange<Day>] = []
    for place in definitions.regime(on: days.lowerBound)...definitions.regime(on: days.upperBound) {
      let regime = definitions.regimes[place]
      guard definitions.compiled[regime.place].milestones.contains(run) else { continue }
      let span = max(regime.from, days.lowerBound)...min(definitions.end(ofRegime: place), days.upperBound)
      if let last = found.last, last.upperBound.next == span.lowerBound {
        found[found.count - 1] = last.lowerBound...span.upperBound
      } else {
        found.append(span)
      }
    }
    return found
  }
}

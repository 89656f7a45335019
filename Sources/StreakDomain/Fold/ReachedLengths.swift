/// The days on which a habit's run reached a length that is looked out for: a milestone, or a tier of streak-master.
struct ReachedLengths: Sendable {
  /// The lengths of runs that are tiers of streak-master.
  static let tierLengths = [3, 7, 14, 30, 60]

  /// Of closed days only.
  private(set) var arrivals = DayMap<Arrival>()
  /// The lengths that were reached, each once, ascending: those that were a milestone, and tiers.
  private(set) var milestones = Lengths()
  private(set) var tiers = Lengths()
  /// Changes whenever those do.
  private(set) var revision = 0

  /// That a run came to such a length on a day.
  struct Arrival: DayValue, Equatable {
    let run: Int
    /// The first day of the run.
    let start: Day
    let isMilestone: Bool
    var isTier: Bool { ReachedLengths.tierLengths.contains(run) }
  }

  /// Lengths of runs, and on how many days each was reached.
  struct Lengths: Sendable {
    private(set) var reached: [Int] = []
    private var days: [Int: Int] = [:]

    func contains(_ run: Int) -> Bool { days[run] != nil }

    /// Counts a day in; `sign` -1 takes it out again.
    ///
    /// - Returns: whether the length is reached for the first time, or no longer.
    mutating func count(_ run: Int, _ sign: Int) -> Bool {
      let known = days[run] ?? 0
      days[run] = known + sign == 0 ? nil : known + sign
      guard known == 0 || known + sign == 0 else { return false }
      let place = reached.partitioningIndex { $0 >= run }
      if known == 0 { reached.insert(run, at: place) } else { reached.remove(at: place) }
      return true
    }
  }

  /// Looks at days again that were folded; O(stretches and arrivals among them).
  mutating func revisit(_ days: ClosedRange<Day>, in history: HabitHistory) {
    let found = ReachedLengths.arrivals(on: days, in: history)
    let low = arrivals.position(from: days.lowerBound)
    if found.isEmpty, low == arrivals.end { return }
    let high = arrivals.position(from: days.upperBound.next)
    var old: [Arrival] = []
    var each = low
    while each != high {
      old.append(arrivals[each].value)
      each = arrivals.position(after: each)
    }
    arrivals.replace(from: low, to: high, with: found)
    // Mostly the same lengths, reached on other days.
    let same = zip(old, found).prefix { old, new in
      old.run == new.value.run && old.isMilestone == new.value.isMilestone
    }.count
    for arrival in old[same...] { count(arrival, -1) }
    for slot in found[same...] { count(slot.value, 1) }
  }

  private mutating func count(_ arrival: Arrival, _ sign: Int) {
    var isNew = false
    if arrival.isMilestone { isNew = milestones.count(arrival.run, sign) }
    if arrival.isTier, tiers.count(arrival.run, sign) { isNew = true }
    if isNew { revision += 1 }
  }

  /// Adds the arrival of a day after all others.
  mutating func add(_ slot: DayMap<Arrival>.Slot) {
    arrivals.append(slot)
    count(slot.value, 1)
  }

  /// Forgets all arrivals, as no day is folded any more.
  mutating func removeAll() {
    if !arrivals.isEmpty { self = ReachedLengths(revision: revision + 1) }
  }

  init(revision: Int = 0) {
    self.revision = revision
  }

  /// Whether a length was reached before, and as a milestone if it is one.
  func knows(_ arrival: Arrival) -> Bool {
    (!arrival.isMilestone || milestones.contains(arrival.run))
      && (!arrival.isTier || tiers.contains(arrival.run))
  }

  /// The arrivals of folded days whose run grew to a length that matters.
  private static func arrivals(on days: ClosedRange<Day>, in history: HabitHistory) -> [DayMap<Arrival>.Slot]
  {
    let stretches = history.folded.stretches
    var found: [DayMap<Arrival>.Slot] = []
    var each = stretches.position(through: days.lowerBound) ?? stretches.start
    var previous = each == stretches.end ? DayRecord() : history.folded[stretches[each].day.previous]
    while each != stretches.end, stretches[each].day <= days.upperBound {
      let slot = stretches[each]
      let (day, stretch) = (slot.day, slot.value)
      let before = previous
      each = stretches.position(after: each)
      if stretch.isEarly { continue }
      previous = slot.last
      let low = max(0, days.lowerBound - day)
      let high = min(Int(stretch.count) - 1, days.upperBound - day)
      let terms = history.terms[Int(stretch.terms)]
      if low == 0, let arrival = arrival(stretch.first, after: before, day, terms) {
        found.append(DayMap.Slot(day: day, value: arrival))
      }
      let from = max(1, low)
      guard stretch.isGrowing, from <= high, let start = stretch.first.start else { continue }
      let (least, most) = (slot.record(from - 1).run + 1, slot.record(high).run)
      guard least <= most else { continue }
      for (run, isMilestone) in terms.lengths(Int(least)...Int(most)) {
        found.append(
          DayMap.Slot(
            day: day + stretch.place(ofRun: run),
            value: Arrival(run: run, start: start, isMilestone: isMilestone)))
      }
    }
    return found
  }

  /// The arrival of a day whose run grew to a length that matters.
  static func arrival(_ record: DayRecord, after previous: DayRecord, _ day: Day, _ terms: Terms) -> Arrival?
  {
    guard let start = record.start, record.run > previous.run || start == day else { return nil }
    let run = Int(record.run)
    return terms.lengths(run...run).first.map { Arrival(run: run, start: start, isMilestone: $0.isMilestone) }
  }
}

extension Terms {
  /// The lengths within a range that are looked out for, ascending.
  fileprivate func lengths(_ range: ClosedRange<Int>) -> [(run: Int, isMilestone: Bool)] {
    var found: [(run: Int, isMilestone: Bool)] = []
    var place = milestones.partitioningIndex { $0 >= range.lowerBound }
    for tier in ReachedLengths.tierLengths where range.contains(tier) {
      while place < milestones.count, milestones[place] < tier {
        found.append((milestones[place], true))
        place += 1
      }
      let isMilestone = place < milestones.count && milestones[place] == tier
      found.append((tier, isMilestone))
      if isMilestone { place += 1 }
    }
    while place < milestones.count, milestones[place] <= range.upperBound {
      found.append((milestones[place], true))
      place += 1
    }
    return found
  }
}

/// The closed days of a habit that were folded, and which of them a late fact has made dirty.
struct FoldedDays: Sendable {
  /// Every day from `begin` through `through` is in one of them.
  private(set) var stretches = DayMap<Stretch>()
  /// The first day that is kept here.
  let begin: Day
  /// The habit's first day; nil while it has none.
  private(set) var first: Day?
  /// The last folded day; the one before `begin` at first.
  private(set) var through: Day
  /// The record of that day.
  private(set) var end: DayRecord
  /// The longest run among the folded days.
  private(set) var best = 0
  /// The latest good or restarted day among them.
  private(set) var lastGood: Day?
  /// Sums over the days from the first on.
  private(set) var tally = DayTally()
  /// Days whose outcome may have changed since they were folded.
  private var doubtful: ClosedRange<Day>?
  /// Days of which only the terms, or the excuse, changed.
  private var reframed: ClosedRange<Day>?

  /// No day yet; the first to come follows a record.
  init(from begin: Day = Day.first, after record: DayRecord = DayRecord(), first: Day? = nil) {
    self.begin = begin
    self.first = first
    through = begin.previous
    end = record
  }

  /// The record of a folded day; before the habit's first, the empty one.
  subscript(day: Day) -> DayRecord {
    guard let first, day >= first else { return DayRecord() }
    if day == through { return end }
    guard let place = stretches.position(through: day) else { return DayRecord() }
    return stretches[place].record(day - stretches[place].day)
  }

  /// The stretch that a folded day is in.
  func stretch(on day: Day) -> DayMap<Stretch>.Slot? {
    stretches.position(through: day).map { stretches[$0] }
  }

  /// The stretches from a day on that is not before the habit's first, ascending; the first may begin earlier.
  func stretches(from day: Day) -> [DayMap<Stretch>.Slot] {
    guard let first, max(day, first) <= through, let start = stretches.position(through: max(day, first))
    else { return [] }
    return Array(stretches.slots(in: stretches[start].day...through))
  }

  /// Marks days to be folded again; those not folded yet will be in any case.
  mutating func doubt(_ days: ClosedRange<Day>) {
    guard days.lowerBound <= through else { return }
    doubtful = doubtful?.joined(days) ?? days
  }

  /// Marks days to be folded again whose outcomes stay, under other terms or excuses.
  mutating func reframe(_ days: ClosedRange<Day>) {
    if days.lowerBound <= through { reframed = reframed?.joined(days) ?? days }
  }

  /// Sets the habit's first day; an earlier or later one puts the days between in doubt.
  mutating func start(at day: Day?) {
    guard day != first else { return }
    let (old, new) = (first ?? Day.last.next, day ?? Day.last.next)
    doubt(min(old, new)...max(old, new).previous)
    first = day
    if let last = lastGood, last < new { lastGood = nil }
  }

  /// The first day that is not folded, or in doubt.
  var firstUnsettled: Day {
    [doubtful, reframed].compactMap { $0?.lowerBound }.reduce(through.next, min)
  }

  /// The first day of any run that a day not folded, or in doubt, can be of.
  var firstUnsettledRun: Day {
    let day = firstUnsettled
    return self[day.previous].start ?? day
  }

  /// The days that were folded: those folded before, then those never folded until now.
  struct Changed {
    var again: ClosedRange<Day>?
    var new: ClosedRange<Day>?
    /// How many stretches that took.
    var stretches = 0
  }

  /// Folds through `last`: from the first doubtful day until the new records agree with the old, then onwards.
  ///
  /// `input` is lent what it reads from; it is given the outcome of a day, and until when it stays, where it is known.
  /// O(stretches that change).
  mutating func advance<Source>(
    through last: Day, under terms: [Terms], in source: inout Source,
    input: (inout Source, Day, _ known: (outcome: Outcome, until: Day)?) -> DayInput
  ) -> Changed {
    var changed = Changed()
    if let days = [doubtful, reframed].compactMap({ $0 }).reduce(nil, { $0?.joined($1) ?? $1 }) {
      (changed.again, changed.stretches) = refold(days, under: terms, in: &source, input)
      (doubtful, reframed) = (nil, nil)
    }
    guard through < last else { return changed }
    changed.new = through.next...last
    while through < last {
      let next = input(&source, through.next, nil)
      add(next, through: min(next.until, last), under: terms)
      changed.stretches += 1
    }
    return changed
  }

  /// Folds the days after the last folded one through another, all of one input.
  private mutating func add(_ input: DayInput, through last: Day, under terms: [Terms]) {
    if let newest = stretches.last, newest.value.goesOn(with: input) {
      let grown = newest.extended(by: last - through, into: &tally)
      stretches.updateLast { $0 = grown.value }
      return reach(grown)
    }
    let day = through.next
    let stretch = Stretch(after: end, input, on: day, atMost: last - through, under: terms[input.terms])
    let slot = DayMap.Slot(day: day, value: stretch)
    stretches.append(slot)
    slot.count(into: &tally, 1)
    reach(slot)
    guard through < last else { return }
    var rest = input
    rest.startsSchedule = false
    add(rest, through: last, under: terms)
  }

  /// Goes on behind what is now the last stretch.
  private mutating func reach(_ slot: DayMap<Stretch>.Slot) {
    through = slot.through
    end = slot.last
    best = max(best, Int(slot.value.weight))
    if let place = slot.lastGood { lastGood = slot.day + place }
  }

  /// Folds days again from the first doubtful one until they agree with what they were.
  ///
  /// - Returns: the days that were folded, and how many stretches they took.
  private mutating func refold<Source>(
    _ days: ClosedRange<Day>, under terms: [Terms], in source: inout Source,
    _ input: (inout Source, Day, (outcome: Outcome, until: Day)?) -> DayInput
  ) -> (days: ClosedRange<Day>, stretches: Int) {
    let start = max(days.lowerBound, begin)
    guard let low = stretches.position(through: start) else { return (start...start, 0) }
    var redone = Redone(before: stretches[low], until: start, after: record(before: low))
    var old = low
    while redone.day <= through {
      while stretches[old].through < redone.day { old = stretches.position(after: old) }
      if redone.day <= days.upperBound {
        let next = input(&source, redone.day, known(redone.day, stretches[old]))
        redone.add(next, through: min(next.until, days.upperBound, through), under: terms)
        continue
      }
      let place = redone.day - stretches[old].day
      let last = stretches[old].through
      if redone.agrees(with: stretches[old], from: place, under: terms) {
        redone.join(stretches[old].dropping(place))
        old = stretches.position(after: old)
        splice(from: low, to: old, redone)
        return (start...max(start, last), redone.slots.count)
      }
      redone.add(stretches[old].value.input(from: place, until: last), through: last, under: terms)
    }
    splice(from: low, to: stretches.end, redone)
    return (start...through, redone.slots.count)
  }

  /// The outcome of a day that is folded again, and until when it is so; nil where it may be another.
  private func known(_ day: Day, _ slot: DayMap<Stretch>.Slot) -> (outcome: Outcome, until: Day)? {
    guard let doubtful, day <= doubtful.upperBound else { return (slot.value.outcome, slot.through) }
    return day < doubtful.lowerBound
      ? (slot.value.outcome, min(slot.through, doubtful.lowerBound.previous)) : nil
  }

  private func record(before position: DayMap<Stretch>.Position) -> DayRecord {
    position == stretches.start ? DayRecord() : stretches[stretches.position(before: position)].last
  }

  /// Puts stretches that were folded again in the place of the old ones.
  private mutating func splice(
    from low: DayMap<Stretch>.Position, to high: DayMap<Stretch>.Position, _ redone: Redone
  ) {
    var each = low
    while each != high {
      stretches[each].count(into: &tally, -1)
      each = stretches.position(after: each)
    }
    for slot in redone.slots { slot.count(into: &tally, 1) }
    stretches.replace(from: low, to: high, with: redone.slots)
    best = Int(stretches.heaviest)
    end = stretches.last?.last ?? end
    findLastGood()
  }

  /// Forgets the days from one on.
  mutating func truncate(from day: Day) {
    (doubtful, reframed) = (nil, nil)
    guard day <= through, let low = stretches.position(through: max(day, begin)) else { return }
    let redone = Redone(before: stretches[low], until: max(day, begin), after: record(before: low))
    splice(from: low, to: stretches.end, redone)
    end = redone.record
    through = max(day, begin).previous
  }

  private mutating func findLastGood() {
    lastGood = nil
    var place = stretches.end
    while place != stretches.start {
      place = stretches.position(before: place)
      let slot = stretches[place]
      if slot.value.isEarly { return }
      if let place = slot.lastGood { return lastGood = slot.day + place }
    }
  }
}

/// Days folded again, until they take the place of the old.
private struct Redone {
  private(set) var slots: [DayMap<Stretch>.Slot] = []
  /// The next day.
  private(set) var day: Day
  /// The record of the day before.
  private(set) var record: DayRecord

  /// Begins within a stretch, whose earlier days stay; `record` is that of the day before it.
  init(before slot: DayMap<Stretch>.Slot, until day: Day, after record: DayRecord) {
    self.day = day
    self.record = record
    guard day > slot.day else { return }
    var head = slot
    head.value.count = Int32(day - slot.day)
    slots.append(head)
    self.record = head.last
  }

  mutating func add(_ input: DayInput, through last: Day, under terms: [Terms]) {
    var input = input
    while day <= last {
      if let newest = slots.indices.last, slots[newest].value.goesOn(with: input) {
        slots[newest].value.count += Int32(last - day + 1)
      } else {
        let stretch = Stretch(
          after: record, input, on: day, atMost: last - day + 1, under: terms[input.terms])
        slots.append(DayMap.Slot(day: day, value: stretch))
      }
      reach(slots[slots.count - 1])
      input.startsSchedule = false
    }
  }

  /// Whether the next day, with the input it had, gets the record that it had.
  func agrees(with old: DayMap<Stretch>.Slot, from place: Int, under terms: [Terms]) -> Bool {
    let input = old.value.input(from: place, until: day)
    let stretch = Stretch(after: record, input, on: day, atMost: 1, under: terms[input.terms])
    return stretch.first == old.record(place)
  }

  /// Goes on with days as they were.
  mutating func join(_ rest: DayMap<Stretch>.Slot) {
    if let newest = slots.indices.last,
      slots[newest].value.goesOn(with: rest.value.input(from: 0, until: day))
    {
      slots[newest].value.count += rest.value.count
    } else {
      slots.append(rest)
    }
    reach(slots[slots.count - 1])
  }

  private mutating func reach(_ slot: DayMap<Stretch>.Slot) {
    day = slot.through.next
    record = slot.last
  }
}

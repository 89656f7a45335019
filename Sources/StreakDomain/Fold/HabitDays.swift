/// The codes of a habit's days and the records folded from them.
struct HabitDays: Sendable {
  var definitions: Definitions
  var tree = DayTree()
  private(set) var first: Day?
  /// The joint transition of the days from `first` through `through`; stale while `doubtful` is set.
  private(set) var closed = Transition()
  private(set) var through = Day.first.previous
  /// The first closed day that may have changed since `closed` was computed.
  private(set) var doubtful: Day?

  init(_ definitions: Definitions) {
    self.definitions = definitions
  }

  /// A read-only copy that gives the same answers but doesn't cache.
  var frozen: HabitDays {
    var frozen = self
    frozen.tree.isFrozen = true
    return frozen
  }

  /// Marks the closed days from `day` on as possibly changed.
  mutating func doubt(from day: Day) {
    if day <= through { doubtful = min(doubtful ?? day, day) }
  }

  mutating func start(at day: Day?) {
    guard day != first else { return }
    doubt(from: min(day ?? Day.last, first ?? Day.last))
    first = day
  }

  /// Sets the code of a day and returns whether it changed.
  mutating func set(_ day: Day, _ code: DayCode) -> Bool {
    guard tree[day] != code else { return false }
    tree[day] = code
    doubt(from: day)
    return true
  }

  mutating func reframe(_ days: ClosedRange<Day>) {
    tree.forget(days)
    doubt(from: days.lowerBound)
  }

  mutating func close(through last: Day, _ idle: inout IdleDays) {
    guard through < last else { return }
    let from = max(first ?? Day.last, through.next)
    let isDoubtful = doubtful != nil
    let leaf = DayTree.leaf(of: through.next)
    through = last
    guard !isDoubtful, let first, from <= last else { return }
    if last < leaf.upperBound {
      closed.append(transition(over: from...last, after: closed.record, &idle))
    } else {
      // Transitions over complete leaves are cached here, because readers don't cache.
      closed = transition(over: first...last, after: DayRecord(), &idle)
    }
  }

  /// Recomputes `closed` if some days are dirty.
  mutating func settle(_ idle: inout IdleDays) {
    guard doubtful != nil else { return }
    doubtful = nil
    guard let first, first <= through else { return closed = Transition() }
    closed = transition(over: first...through, after: DayRecord(), &idle)
  }

  /// Whether a run that includes or follows the dirty days, or that an undo removed, may exceed `longest`.
  mutating func mayExceed(_ longest: Int, on today: Day, _ idle: inout IdleDays) -> Bool {
    guard let doubtful, let first else { return true }
    if Int(closed.best) > longest { return true }
    let day = max(doubtful, first)
    if today - day + 1 > longest { return true }
    return record(day.previous, &idle).start.map { today - $0 + 1 > longest } ?? false
  }

  mutating func record(_ day: Day, _ idle: inout IdleDays) -> DayRecord {
    guard let first, first <= day else { return DayRecord() }
    if doubtful == nil, day == through { return closed.record }
    return transition(over: first...day, after: DayRecord(), &idle).record
  }

  mutating func transition(
    over days: ClosedRange<Day>, after record: DayRecord, _ idle: inout IdleDays
  ) -> Transition {
    let leaf = DayTree.leaf(of: days.lowerBound)
    if days.upperBound < leaf.upperBound
      || days.upperBound == leaf.upperBound && days.lowerBound > leaf.lowerBound
    {
      return close(days, codes: tree.codes(around: days.lowerBound), after: record, &idle)
    }
    return transition(over: days, after: record, tree.root, &idle)
  }

  mutating func transition(
    within days: ClosedRange<Day>, after record: DayRecord, _ idle: inout IdleDays
  ) -> Transition {
    transition(over: days, after: record, tree.leafBranch(of: days.lowerBound), &idle)
  }

  private mutating func transition(
    over days: ClosedRange<Day>, after record: DayRecord, _ branch: DayTree.Branch, _ idle: inout IdleDays
  ) -> Transition {
    let own = branch.days
    let isWhole = days.lowerBound <= own.lowerBound && own.upperBound <= days.upperBound
    let isHead = branch.isLeaf && branch.exists && days.lowerBound <= own.lowerBound && !isWhole
    guard isWhole || isHead else {
      return branch.isLeaf
        ? close(days.clamped(to: own), codes: tree.codes(of: branch), after: record, &idle)
        : join(over: days, after: record, branch, &idle)
    }
    let count = isHead ? days.upperBound - own.lowerBound + 1 : 0
    let kind = definitions.kind(of: record, over: own, first: count)
    var idleWeeks: IdleDays.Weeks?
    if branch.exists {
      if let known = tree.known(branch, kind) { return known }
    } else {
      idleWeeks = definitions.idleWeeks(branch, kind)
      if let known = idleWeeks.flatMap({ idle[$0] }) { return known.shifted(by: own.lowerBound - Day.first) }
    }
    let found =
      branch.isLeaf
      ? close(days.clamped(to: own), codes: tree.codes(of: branch), after: record, &idle)
      : join(over: days, after: record, branch, &idle)
    if let idleWeeks {
      idle[idleWeeks] = found.shifted(by: Day.first - own.lowerBound)
    } else if branch.exists {
      tree.remember(found, branch, kind)
    }
    return found
  }

  private mutating func join(
    over days: ClosedRange<Day>, after record: DayRecord, _ branch: DayTree.Branch, _ idle: inout IdleDays
  ) -> Transition {
    let (low, high) = tree.halves(of: branch)
    guard days.upperBound >= high.days.lowerBound else {
      return transition(over: days, after: record, low, &idle)
    }
    guard days.lowerBound < high.days.lowerBound else {
      return transition(over: days, after: record, high, &idle)
    }
    var joined = transition(over: days, after: record, low, &idle)
    joined.append(transition(over: days, after: joined(record), high, &idle))
    return joined
  }

  private func close(
    _ days: ClosedRange<Day>, codes: Int?, after record: DayRecord, _ idle: inout IdleDays
  ) -> Transition {
    var closed = Transition(after: record)
    let start = DayTree.leaf(of: days.lowerBound).lowerBound
    eachDay(of: days, codes: codes, after: record) { met, next in
      closed.close(met.day, next, since: record)
      closed.seen.note(MemberVerdict(next.verdict), met.day - start)
    }
    return closed
  }

  @inline(__always)
  func eachDay(
    of days: ClosedRange<Day>, codes: Int?, after record: DayRecord,
    _ body: (FoldDay, DayRecord) -> Void
  ) {
    var record = record
    var day = days.lowerBound
    let offset = (codes ?? 0) - (DayTree.leaf(of: day).lowerBound - Day.first)
    while day <= days.upperBound {
      let part = definitions.part(from: day)
      let end = min(part.days.upperBound, days.upperBound)
      while day <= end {
        let code = codes == nil ? DayCode.none : tree.code(at: offset + (day - Day.first))
        let met = FoldDay(day, code, in: part)
        record = record.next(met, under: part.definition)
        body(met, record)
        day = day.next
      }
    }
  }
}

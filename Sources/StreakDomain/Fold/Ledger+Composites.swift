/// The codes of composites, computed from the verdicts of their members.
extension Ledger {
  /// Recomputes changed days of the ancestors, members before composites, until no code changes.
  mutating func combineAbove(
    _ habit: Int, _ days: ClosedRange<Day>, isFirstMoved: Bool, isRedefined: Bool = false
  ) {
    var pending: [Int: (days: ClosedRange<Day>, isFirstMoved: Bool)] = [:]
    var early: [Int: ClosedRange<Day>] = [:]
    func note(_ member: Int, _ days: ClosedRange<Day>, _ isFirstMoved: Bool, _ ledger: borrowing Ledger) {
      for composite in ledger.habits[member].links.above
      where ledger.habits[composite].days.definitions.members.contains(member) {
        let known = pending[composite]
        pending[composite] = (
          known?.days.joined(days) ?? days, isFirstMoved || known?.isFirstMoved ?? false
        )
      }
    }
    note(habit, days, isFirstMoved, self)
    if isRedefined, habits[habit].links.isInCircle {
      for composite in habits[habit].links.above { pending[composite] = (days, true) }
    }
    while let next = pending.keys.min(by: { (habits[$0].links.height, $0) < (habits[$1].links.height, $1) }),
      let (days, isFirstMoved) = pending.removeValue(forKey: next)
    {
      var told = follow(next, days, isFirstMoved: isFirstMoved)
      let first = habits[next].days.first.map { $0.previous } ?? Day.last
      if days.lowerBound <= first {
        let passed = days.lowerBound...min(days.upperBound, first)
        let known = early[next]
        early[next] = known?.joined(passed) ?? passed
        if early[next] != known { told = told?.joined(passed) ?? passed }
      }
      if let told { note(next, told, isFirstMoved, self) }
    }
  }

  /// Recombines days of a composite, and returns those that may differ for its ancestors.
  private mutating func follow(
    _ habit: Int, _ days: ClosedRange<Day>, isFirstMoved: Bool
  ) -> ClosedRange<Day>? {
    guard habits[habit].isDefined else { return nil }
    let before = takeDown(habit, days)
    var wanted = days
    let old = habits[habit].days.first
    if isFirstMoved {
      let new = firstDay(of: habit)
      if let new, new < old ?? Day.last { wanted = wanted.joined(new...max(new, (old ?? Day.last).previous)) }
      habits[habit].days.start(at: new)
    }
    var changed: ClosedRange<Day>?
    if let first = habits[habit].days.first {
      let (low, high) = (max(first, wanted.lowerBound), min(habits[habit].days.through, wanted.upperBound))
      if low <= high { changed = combine(habit, low...high) }
    }
    guard let before else { return changed }
    return faringOtherwise(habit, before, changed: changed)
  }

  /// Recombines the closed days of a composite, and returns the range of days whose codes changed.
  mutating func combine(_ habit: Int, _ days: ClosedRange<Day>) -> ClosedRange<Day>? {
    var changed: ClosedRange<Day>?
    var carried = CarriedRecords()
    var day = days.lowerBound
    while day <= days.upperBound {
      let place = habits[habit].days.definitions.regime(on: day)
      let end = min(
        DayTree.leaf(of: day).upperBound, habits[habit].days.definitions.end(ofRegime: place),
        days.upperBound)
      let chunk = day...end
      day = end.next
      guard habits[habit].definition(on: chunk.lowerBound).isComposite else { continue }
      if isIdle(habit, chunk) { continue }
      for (place, code) in combined(habit, chunk, &carried).enumerated()
      where habits[habit].days.set(chunk.lowerBound + place, code) {
        let found = chunk.lowerBound + place
        changed = changed?.joined(found...found) ?? found...found
      }
    }
    return changed
  }

  private func isIdle(_ habit: Int, _ days: ClosedRange<Day>) -> Bool {
    guard habits[habit].days.tree.codes(around: days.lowerBound) == nil, !habits[habit].links.isInCircle
    else {
      return false
    }
    let definition = habits[habit].definition(on: days.lowerBound)
    let isMissed = { (member: Int) in self.habits[member].days.isMissed(days) }
    return definition.test.traits.combination == .every
      ? definition.members.contains(where: isMissed) : definition.members.allSatisfy(isMissed)
  }

  private mutating func combined(
    _ habit: Int, _ days: ClosedRange<Day>, _ carried: inout CarriedRecords
  ) -> [DayCode] {
    guard habits[habit].links.isInCircle, days.count > 1 else { return combinedAtOnce(habit, days, &carried) }
    return (0..<days.count).flatMap { place -> [DayCode] in
      let day = days.lowerBound + place
      return combinedAtOnce(habit, day...day, &carried)
    }
  }

  private mutating func combinedAtOnce(
    _ habit: Int, _ days: ClosedRange<Day>, _ carried: inout CarriedRecords
  ) -> [DayCode] {
    let definition = habits[habit].definition(on: days.lowerBound)
    carried.begin(definition)
    var all = MemberDays()
    for (place, member) in definition.members.enumerated() {
      guard habits[member].isDefined, !isCircular(member, in: habit, on: days.lowerBound) else {
        all.add(.notGood)
        continue
      }
      all.add(memberDays(member, days, &carried[place]))
    }
    let start = days.lowerBound - DayTree.leaf(of: days.lowerBound).lowerBound
    let needsOne = definition.test.traits.combination == .one
    return (start..<start + days.count).map { all.code($0, needsOne: needsOne) }
  }

  private mutating func memberDays(
    _ member: Int, _ days: ClosedRange<Day>, _ carried: inout (day: Day, record: DayRecord)?
  ) -> MemberDays {
    let start = DayTree.leaf(of: days.lowerBound).lowerBound
    var seen = MemberDays()
    let first = habits[member].days.first ?? Day.last.next
    if days.lowerBound < first {
      let early = days.lowerBound...min(days.upperBound, first.previous)
      eachEarly(member, early) { day, verdict in seen.note(verdict, day - start) }
    }
    guard first <= days.upperBound else { return seen }
    let folded = max(first, days.lowerBound)...days.upperBound
    var before = DayRecord()
    if habits[member].days.definitions.traits.contains(.countsRest) {
      let last = folded.lowerBound.previous
      before = carried?.day == last ? carried?.record ?? before : habits[member].days.record(last, &work.idle)
    }
    let passed = habits[member].days.transition(within: folded, after: before, &work.idle)
    carried = (folded.upperBound, passed(before))
    seen.add(passed.seen)
    return seen
  }

  private mutating func eachEarly(
    _ member: Int, _ days: ClosedRange<Day>, _ body: (Day, MemberVerdict) -> Void
  ) {
    var day = days.lowerBound
    while day <= days.upperBound {
      let part = habits[member].days.definitions.part(from: day)
      let end = min(days.upperBound, part.days.upperBound)
      var carried = CarriedRecords()
      let codes = part.definition.isComposite ? combined(member, day...end, &carried) : nil
      for place in 0...(end - day) {
        let each = day + place
        let met = FoldDay(each, codes?[place] ?? habits[member].days.tree[each], in: part)
        body(each, MemberVerdict(early: met, under: part.definition))
      }
      day = end.next
    }
  }

  mutating func earlyFacts(_ habit: Int, _ part: Definitions.Part) -> FoldDay {
    let day = part.days.lowerBound
    var carried = CarriedRecords()
    return FoldDay(day, combined(habit, day...day, &carried)[0], in: part)
  }

  /// Whether `member` contains `composite`, directly or indirectly, under the definitions of `day`.
  func isCircular(_ member: Int, in composite: Int, on day: Day) -> Bool {
    if member == composite { return true }
    guard habits[member].links.isInCircle, habits[composite].links.isInCircle else { return false }
    var seen: Set<Int> = []
    var pending = [member]
    while let next = pending.popLast() {
      if next == composite { return true }
      guard habits[next].isDefined, seen.insert(next).inserted else { continue }
      pending += habits[next].definition(on: day).members
    }
    return false
  }

  func firstDay(of habit: Int) -> Day? {
    let definitions = habits[habit].days.definitions
    guard let first = definitions.first else { return nil }
    guard definitions.compiled[first.place].isComposite else { return firstDay(ofLeaf: habit, first) }
    return earliestDay(below: habit).map { max($0, definitions.countsFrom ?? $0) }
  }

  private func firstDay(ofLeaf habit: Int, _ first: Definitions.Dated) -> Day? {
    guard habits[habit].days.definitions.compiled[first.place].isLimit else {
      return habits[habit].entries.first
    }
    return max(first.day, habits[habit].days.definitions.countsFrom ?? first.day)
  }

  private func earliestDay(below habit: Int) -> Day? {
    var earliest: Day?
    var seen = [habit]
    var next = 0
    while next < seen.count {
      let each = seen[next]
      next += 1
      guard let first = habits[each].days.definitions.first else { continue }
      let definition = habits[each].days.definitions.compiled[first.place]
      if definition.isComposite {
        for member in definition.members where !seen.contains(member) { seen.append(member) }
      } else if let day = firstDay(ofLeaf: each, first) {
        earliest = min(earliest ?? day, day)
      }
    }
    return earliest
  }
}

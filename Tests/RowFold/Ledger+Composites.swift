@testable package import StreakDomain

/// The order of the habits of a ledger.
struct HabitOrder: Sendable {
  /// 1 + the index of the habit with each name, by the value of the name's symbol; 0 if there is no such habit.
  private var numbers: [Int32] = []
  /// The indexes of the defined habits, in the order of their first definitions in the stream.
  private(set) var defined: [Int] = []
  /// The same habits in the order of the fold: composites after their members.
  private(set) var membersFirst: [Int] = []
  /// The number of habits without members, which come first in `membersFirst`.
  private var leafCount = 0

  func index(of name: Symbol) -> Int? {
    let value = Int(name.value)
    return value < numbers.count && numbers[value] != 0 ? Int(numbers[value]) - 1 : nil
  }

  mutating func name(_ habit: Int, _ name: Symbol) {
    while numbers.count <= Int(name.value) { numbers.append(0) }
    numbers[Int(name.value)] = Int32(habit + 1)
  }

  /// Adds a habit whose first definition was just read.
  mutating func add(_ habit: Int) {
    defined.append(habit)
    membersFirst.insert(habit, at: leafCount)
    leafCount += 1
  }

  /// Sorts `membersFirst` by the ranks of the habits, of which `ranks` contains all.
  mutating func sort(by ranks: [Int]) {
    membersFirst = defined.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    leafCount = membersFirst.partitioningIndex { ranks[$0] > 0 }
  }
}

/// The fold of composites, whose days depend on those of their members (domain.md, "Habits and rules").
///
///     a                        entries xx.x     verdicts ggmg
///     b, one day in two        entries x.x.     verdicts grgr
///     c, all of a and b        codes good, good, emptyDay, good
extension Ledger {
  /// Refolds the closed days of `habit`, and of the composites that contain it, after the facts on `changedDays` have
  /// changed.
  ///
  /// If `habit` was redefined or its first day moved, the first days of the composites can move, too.
  mutating func refold(_ habit: Int, days changedDays: ClosedRange<Day>, isRedefined: Bool = false) {
    guard habits[habit].isDefined else { return }
    markTodayStale(of: habit)
    noteChange(of: habit, on: changedDays.lowerBound)
    guard let yesterday = today?.previous else { return }
    let ancestors = habits[habit].hierarchy.ancestors
    let movedDays = habits[habit].setFirstDay(firstDay(of: habit))
    var changed = [habit: movedDays.map { changedDays.joined($0) } ?? changedDays]
    if isRedefined || movedDays != nil {
      for composite in ancestors where habits[composite].isDefined {
        changed[composite] = habits[composite].setFirstDay(firstDay(of: composite))
      }
    }
    refold([habit] + ancestors, changed: changed, through: yesterday)
  }

  /// Folds all days of all habits.
  mutating func foldAllDays() {
    for habit in order.defined {
      _ = habits[habit].setFirstDay(firstDay(of: habit))
      markTodayStale(ofOnly: habit)
    }
    foldClosedDays(from: Day.first)
  }

  /// Folds the closed days of all habits from `day` on.
  mutating func foldClosedDays(from day: Day) {
    guard let yesterday = today?.previous else { return }
    // The range extends to `Day.last` because a fold could otherwise stop before the days that aren't folded yet.
    let changed = Dictionary(uniqueKeysWithValues: order.membersFirst.map { ($0, day...Day.last) })
    refold(order.membersFirst, changed: changed, through: yesterday)
  }

  /// Refolds `affected` habits, which must be in the order members first.
  ///
  /// `changed` contains the days whose facts have changed, by habit. The days of a composite can also change because
  /// the verdict of a member has changed.
  private mutating func refold(
    _ affected: [Int], changed: [Int: ClosedRange<Day>], through yesterday: Day
  ) {
    // The days on which a composite may see another verdict of each refolded member.
    var visible: [Int: ClosedRange<Day>] = [:]
    for habit in affected where habits[habit].isDefined {
      var days = changed[habit]
      for member in habits[habit].definitions.members {
        if let seen = visible[member] { days = days?.joined(seen) ?? seen }
      }
      guard let days else { continue }
      let codes =
        habits[habit].definitions.isEverComposite ? codes(of: habit, on: days, through: yesterday) : nil
      visible[habit] = habits[habit].refold(days, through: yesterday, codes: codes)
      // Composites also read days before the first day, which aren't folded.
      let firstDay = habits[habit].firstDay ?? Day.last.next
      if days.lowerBound < firstDay {
        let unfolded = days.lowerBound...min(days.upperBound, firstDay.previous)
        visible[habit] = visible[habit]?.joined(unfolded) ?? unfolded
      }
    }
  }

  // MARK: Codes

  /// Returns the codes of a composite for the folded days within `days` through `end`.
  private func codes(of habit: Int, on days: ClosedRange<Day>, through end: Day) -> DayRow<DayCode>? {
    let start = max(days.lowerBound, habits[habit].firstDay ?? Day.last.next)
    let end = min(days.upperBound, end)
    return start <= end ? codes(of: habit, on: start...end) : nil
  }

  /// Returns the codes of a habit that is a composite on any day, member after member.
  ///
  /// `futureDays` contains the rows of members for days that aren't closed.
  func codes(
    of habit: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>] = [:]
  ) -> DayRow<DayCode> {
    var codes: [DayCode] = []
    var day = days.lowerBound
    while day <= days.upperBound {
      let interval = habits[habit].definitions.interval(from: day)
      let part = day...min(interval.days.upperBound, days.upperBound)
      if interval.definition.isComposite {
        var summaries = [MemberSummary](repeating: MemberSummary(), count: part.count)
        for member in interval.definition.members {
          let isInvalid = isUndefinedOrCircular(member, in: habit)
          addVerdicts(of: isInvalid ? nil : member, on: part, futureDays: futureDays, to: &summaries)
        }
        for summary in summaries { codes.append(summary.code(under: interval.definition)) }
      } else {
        for offset in 0..<part.count {
          codes.append(habits[habit].code(on: part.lowerBound + offset, under: interval.definition))
        }
      }
      day = part.upperBound.next
    }
    return DayRow(codes, from: days.lowerBound, empty: .emptyDay)
  }

  /// Adds the verdicts of `member` on `days` to the summaries of those days.
  ///
  /// If `member` is `nil`, all days are missed.
  private func addVerdicts(
    of member: Int?, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>],
    to summaries: inout [MemberSummary]
  ) {
    guard let member else {
      for offset in summaries.indices { summaries[offset].add(.notGood) }
      return
    }
    let firstDay = habits[member].firstDay ?? Day.last.next
    var offset = 0
    if days.lowerBound < firstDay {
      for verdict in verdictsBeforeFirstDay(
        of: member, on: days.lowerBound...min(days.upperBound, firstDay.previous), futureDays: futureDays)
      {
        summaries[offset].add(verdict)
        offset += 1
      }
    }
    guard offset < summaries.count else { return }
    let folded = (days.lowerBound + offset)...days.upperBound
    let slice = futureDays[member]?.slice(folded) ?? habits[member].closedDays.slice(folded)
    for day in slice {
      summaries[offset].add(MemberVerdict(day.record.verdict))
      offset += 1
    }
  }

  private func verdictsBeforeFirstDay(
    of habit: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>]
  ) -> [MemberVerdict] {
    let codes =
      habits[habit].definitions.isEverComposite ? codes(of: habit, on: days, futureDays: futureDays) : nil
    var verdicts: [MemberVerdict] = []
    var day = days.lowerBound
    while day <= days.upperBound {
      let interval = habits[habit].definitions.interval(from: day)
      let end = min(interval.days.upperBound, days.upperBound)
      while day <= end {
        let code = codes?[day] ?? habits[habit].code(on: day, under: interval.definition)
        verdicts.append(
          MemberVerdict(
            beforeFirstDay: DayInput(day, code: code, in: interval), under: interval.definition))
        day = day.next
      }
    }
    return verdicts
  }

  /// Returns the verdict of a member's closed day.
  func memberVerdict(of member: Int, on day: Day) -> MemberVerdict {
    if let firstDay = habits[member].firstDay, firstDay <= day {
      return MemberVerdict(habits[member].closedDays[day].record.verdict)
    }
    return verdictsBeforeFirstDay(of: member, on: day...day, futureDays: [:])[0]
  }

  // MARK: Hierarchy

  /// Whether `member` is undefined, or contains `composite` under definitions that hold on some day.
  ///
  /// The composite treats such a member as missed.
  func isUndefinedOrCircular(_ member: Int, in composite: Int) -> Bool {
    !habits[member].isDefined || habits[composite].hierarchy.circularMembers.contains(member)
  }

  /// Recomputes the relations of all habits after the definitions of a composite changed.
  ///
  /// - Returns: Whether other members are circular than before, so that all days must be folded again.
  mutating func updateHierarchy() -> Bool {
    let circularMembers = habits.indices.map { habit in
      let members = habits[habit].definitions.membersInForce
      return Set(members.filter { $0 == habit || leads($0, to: habit) })
    }
    let isChanged = habits.indices.contains { circularMembers[$0] != habits[$0].hierarchy.circularMembers }
    let ranks = ranks(circularMembers: circularMembers)
    func isBefore(_ one: Int, _ other: Int) -> Bool { (ranks[one], one) < (ranks[other], other) }
    var ancestors = [[Int]](repeating: [], count: habits.count)
    for habit in habits.indices {
      let descendants = descendants(of: habit).sorted(by: isBefore)
      for descendant in descendants where descendant != habit { ancestors[descendant].append(habit) }
      habits[habit].hierarchy.descendants = descendants
    }
    for habit in habits.indices {
      habits[habit].hierarchy.ancestors = ancestors[habit].sorted(by: isBefore)
      habits[habit].hierarchy.circularMembers = circularMembers[habit]
      habits[habit].hierarchy.rank = ranks[habit]
      // Undone states of a member set no record of the composite either, even if it was defined after the undo.
      for positions in habits[habit].bestRunHistory.undoneStates {
        for composite in ancestors[habit] { habits[composite].bestRunHistory.exclude(positions) }
      }
    }
    order.sort(by: ranks)
    return isChanged
  }

  /// Whether `habit` contains `composite`, directly or indirectly, under definitions that hold on some day.
  func leads(_ habit: Int, to composite: Int) -> Bool {
    var seen: Set<Int> = []
    var pending = [habit]
    while let next = pending.popLast() {
      if next == composite { return true }
      if seen.insert(next).inserted { pending += habits[next].definitions.membersInForce }
    }
    return false
  }

  /// Returns the habits that `habit` contains under any definition, and `habit` itself if it is in a circle.
  func descendants(of habit: Int) -> Set<Int> {
    var seen: Set<Int> = []
    var pending = habits[habit].definitions.members
    while let next = pending.popLast() {
      if seen.insert(next).inserted { pending += habits[next].definitions.members }
    }
    return seen
  }

  private func ranks(circularMembers: [Set<Int>]) -> [Int] {
    var ranks = [Int?](repeating: nil, count: habits.count)
    func rank(_ habit: Int) -> Int {
      if let known = ranks[habit] { return known }
      let members = habits[habit].definitions.membersInForce.filter { !circularMembers[habit].contains($0) }
      let found = habits[habit].definitions.isEverComposite ? 1 + (members.map(rank).max() ?? 0) : 0
      ranks[habit] = found
      return found
    }
    return habits.indices.map(rank)
  }

  // MARK: First days

  /// Returns the first day of `habit` according to its earliest definition, or `nil` if the habit hasn't begun.
  func firstDay(of habit: Int) -> Day? {
    guard let earliest = habits[habit].definitions.earliest else { return nil }
    guard earliest.definition.isComposite else { return firstDay(ofLeaf: habit, earliest: earliest) }
    let countsFrom = habits[habit].definitions.countsFrom
    var first: Day?
    var seen = [habit]
    var next = 0
    while next < seen.count {
      let candidate = seen[next]
      next += 1
      guard let earliest = habits[candidate].definitions.earliest else { continue }
      if earliest.definition.isComposite {
        for member in earliest.definition.members where !seen.contains(member) { seen.append(member) }
      } else if let day = firstDay(ofLeaf: candidate, earliest: earliest) {
        first = min(first ?? day, day)
      }
    }
    return first.map { max($0, countsFrom ?? $0) }
  }

  /// Returns the first day of a habit whose earliest definition isn't a composite: the day of the definition for a
  /// limit, the day of the first entry otherwise, but none before `countsFrom`.
  private func firstDay(ofLeaf habit: Int, earliest: Definitions.DatedDefinition) -> Day? {
    earliest.definition.isLimit
      ? max(earliest.day, habits[habit].definitions.countsFrom ?? earliest.day) : habits[habit].firstEntryDay
  }
}

/// The habits of a ledger in several orders, as indexes into `Ledger.habits`.
struct HabitOrder: Sendable {
  /// The index of each habit + 1, by the symbol of the habit's name; 0 for a symbol that isn't a
  /// habit's name.
  private var numbers: [Int32] = []
  /// The indexes of the defined habits, in the order of their first definitions in the stream.
  private(set) var defined: [Int] = []
  /// The indexes of the defined habits in the order of the fold: composites after their members.
  private(set) var membersFirst: [Int] = []
  /// The number of habits without members, which come first in `membersFirst`.
  private var leafCount = 0

  func index(of name: Symbol) -> Int? {
    let value = Int(name.value)
    return value < numbers.count && numbers[value] != 0 ? Int(numbers[value]) - 1 : nil
  }

  mutating func setIndex(_ habit: Int, of name: Symbol) {
    while numbers.count <= Int(name.value) { numbers.append(0) }
    numbers[Int(name.value)] = Int32(habit + 1)
  }

  /// Adds a habit whose first definition was just read.
  mutating func add(_ habit: Int) {
    defined.append(habit)
    membersFirst.insert(habit, at: leafCount)
    leafCount += 1
  }

  /// Sorts `membersFirst` by rank; `ranks` contains the ranks of all habits of the ledger.
  mutating func sort(by ranks: [Int]) {
    membersFirst = defined.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
    leafCount = membersFirst.partitioningIndex { ranks[$0] > 0 }
  }
}

/// The fold of composites, whose days depend on the verdicts of their members (domain.md, "Habits
/// and rules").
///
///     a                        entries xx.x     verdicts ggmg
///     b, one day in two        entries x.x.     verdicts grgr
///     c, all of a and b        codes good, good, defaultOutcome, good
///
/// On the third day, `a` is missed (`m`), so `c` isn't good and has the code `defaultOutcome`. On
/// the second and fourth day, `b` rests (`r`), but a resting member doesn't prevent a good day.
extension Ledger {
  /// Returns the outcomes of `habit` on `days` as codes; the habit must be a composite under at
  /// least one definition.
  ///
  /// `futureDays` contains the results of members from today on, by the index of the member.
  func codes(
    of habit: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>] = [:]
  ) -> DayRow<DayCode> {
    var known: [UnfoldedDays: DayRow<DayCode>] = [:]
    return codes(of: habit, on: days, futureDays: futureDays, known: &known)
  }

  /// A key of the cache that avoids computing a member's days again for each composite that
  /// contains the member.
  private struct UnfoldedDays: Hashable {
    let habit: Int
    let days: ClosedRange<Day>
  }

  private func codes(
    of habit: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>],
    known: inout [UnfoldedDays: DayRow<DayCode>]
  ) -> DayRow<DayCode> {
    if let found = known[UnfoldedDays(habit: habit, days: days)] { return found }
    var codes: [DayCode] = []
    var day = days.lowerBound
    while day <= days.upperBound {
      let interval = habits[habit].definitions.interval(from: day)
      let part = day...min(interval.days.upperBound, days.upperBound)
      if interval.definition.isComposite {
        var summaries = [MemberSummary](repeating: MemberSummary(), count: part.count)
        for member in interval.definition.members {
          let isInvalid = isUndefinedOrCircular(member, in: habit)
          addVerdicts(
            of: isInvalid ? nil : member, on: part, futureDays: futureDays, known: &known,
            to: &summaries)
        }
        for summary in summaries { codes.append(summary.code(under: interval.definition)) }
      } else {
        for offset in 0..<part.count {
          codes.append(habits[habit].code(on: part.lowerBound + offset, under: interval.definition))
        }
      }
      day = part.upperBound.next
    }
    let row = DayRow(codes, from: days.lowerBound, empty: .defaultOutcome)
    known[UnfoldedDays(habit: habit, days: days)] = row
    return row
  }

  /// Adds the verdicts of `member` on `days` to `summaries`, which has one element per day.
  ///
  /// If `member` is `nil`, all days count as missed.
  private func addVerdicts(
    of member: Int?, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>],
    known: inout [UnfoldedDays: DayRow<DayCode>], to summaries: inout [MemberSummary]
  ) {
    guard let member else {
      for offset in summaries.indices { summaries[offset].add(.notGood) }
      return
    }
    let firstDay = habits[member].firstDay ?? Day.last.next
    if days.lowerBound < firstDay {
      let unfolded = days.lowerBound...min(days.upperBound, firstDay.previous)
      addVerdictsBeforeFirstDay(
        of: member, on: unfolded, futureDays: futureDays, known: &known, to: &summaries)
    }
    guard firstDay <= days.upperBound else { return }
    let folded = max(days.lowerBound, firstDay)...days.upperBound
    let row = futureDays[member]?.slice(folded) ?? habits[member].closedDays.slice(folded)
    var offset = folded.lowerBound - days.lowerBound
    for day in row {
      summaries[offset].add(MemberVerdict(day.record.verdict))
      offset += 1
    }
  }

  /// Adds the verdicts on days before the first day of `member`, for which no verdicts are stored.
  private func addVerdictsBeforeFirstDay(
    of member: Int, on days: ClosedRange<Day>, futureDays: [Int: DayRow<ClosedDay>],
    known: inout [UnfoldedDays: DayRow<DayCode>], to summaries: inout [MemberSummary]
  ) {
    let habit = habits[member]
    let codes =
      habit.definitions.isEverComposite
      ? codes(of: member, on: days, futureDays: futureDays, known: &known) : nil
    var day = days.lowerBound
    while day <= days.upperBound {
      let interval = habit.definitions.interval(from: day)
      let end = min(interval.days.upperBound, days.upperBound)
      // Nearly all of these days have no entry, and the same verdict on every date. So the verdict
      // is computed once.
      let hasSameVerdicts =
        codes == nil && interval.definition.hasSameEmptyDays && !habit.hasEntries(on: day...end)
      func verdict(on day: Day) -> MemberVerdict {
        let code = codes?[day] ?? habit.code(on: day, under: interval.definition)
        return MemberVerdict(
          beforeFirstDay: DayInput(day, code: code, in: interval), under: interval.definition)
      }
      let firstVerdict = verdict(on: day)
      while day <= end {
        summaries[day - days.lowerBound].add(hasSameVerdicts ? firstVerdict : verdict(on: day))
        day = day.next
      }
    }
  }

  /// Returns the verdict of a member's closed day, as composites use it.
  func memberVerdict(of member: Int, on day: Day) -> MemberVerdict {
    if let firstDay = habits[member].firstDay, firstDay <= day {
      return MemberVerdict(habits[member].closedDays[day].record.verdict)
    }
    let interval = habits[member].definitions.interval(from: day)
    return MemberVerdict(beforeFirstDay: input(of: member, on: day), under: interval.definition)
  }

  // MARK: Hierarchy

  /// Whether `member` is undefined, or contains `composite` in turn, so that the two form a circle.
  ///
  /// Only definitions that are in force on some day are considered. A composite counts an undefined
  /// or circular member as missed.
  func isUndefinedOrCircular(_ member: Int, in composite: Int) -> Bool {
    !habits[member].isDefined || habits[composite].hierarchy.circularMembers.contains(member)
  }

  /// The nesting of composites that a definition would cause.
  package struct Nesting: Sendable {
    /// A member that is the habit itself or contains the habit, or `nil` if there is none.
    package let circularMember: String?
    /// The maximum depth of nesting of the habit and of the composites that contain the habit.
    package let depth: Int
    /// The largest number of composites that would contain the same habit.
    package let ancestorCount: Int
  }

  /// Returns the nesting that `definition` would cause; its members must be defined.
  package func nesting(of definition: Habit) -> Nesting {
    let own = habitIndex(named: definition.id)
    let members = definition.rule.members.compactMap { habitIndex(named: $0) }
    if let circular = members.first(where: { member in own.map { isNested($0, in: member) } ?? false
    }) {
      return Nesting(circularMember: names.text(habits[circular].id), depth: 0, ancestorCount: 0)
    }
    let itself = definition.rule.members.first { $0 == definition.id }
    let ancestors = own.map { [$0] + habits[$0].hierarchy.ancestors } ?? [habits.count]
    let descendants = members + members.flatMap { habits[$0].hierarchy.descendants }
    let counts = descendants.map { Set(habits[$0].hierarchy.ancestors + ancestors).count }
    // The ranks that the habit and the composites above it would have.
    let ownRank = 1 + (members.map { habits[$0].hierarchy.rank }.max() ?? 0)
    var ranks = [own ?? habits.count: ownRank]
    for composite in own.map({ habits[$0].hierarchy.ancestors }) ?? [] {
      let raised = habits[composite].definitions.membersInForce.compactMap { ranks[$0] }.max() ?? 0
      ranks[composite] = max(habits[composite].hierarchy.rank, raised + 1)
    }
    return Nesting(
      circularMember: itself, depth: ranks.values.max() ?? 0, ancestorCount: counts.max() ?? 0)
  }

  /// Returns a member in the definition made by the event `eventID` that contains the composite in
  /// turn.
  ///
  /// The result is `nil` if there is no such member, or if the definition is never in force.
  package func circularMember(ofDefinition eventID: String) -> String? {
    guard let position = position(of: eventID),
      case .habit(let habit)? = journal.target(ofEventAt: position)
    else { return nil }
    let definitions = habits[habit].definitions
    let holding = definitions.regimes.map(\.definition)
    let circular = habits[habit].hierarchy.circularMembers
    let definition = definitions.dated.first { $0.position == position }?.definition
    guard let definition, holding.contains(where: { $0 === definition }) else { return nil }
    return definition.members.first(where: circular.contains).map { names.text(habits[$0].id) }
  }

  /// Recomputes the hierarchy of all habits.
  ///
  /// - Returns: Whether the circular members of any habit changed; if so, all days must be
  ///   refolded.
  mutating func updateHierarchy() -> Bool {
    let circularMembers = habits.indices.map { habit in
      let members = habits[habit].definitions.membersInForce
      return Set(members.filter { $0 == habit || isNested(habit, in: $0) })
    }
    let isChanged = habits.indices.contains {
      circularMembers[$0] != habits[$0].hierarchy.circularMembers
    }
    let ranks = ranks(circularMembers: circularMembers)
    func isBefore(_ one: Int, _ other: Int) -> Bool { (ranks[one], one) < (ranks[other], other) }
    var ancestors = [[Int]](repeating: [], count: habits.count)
    for habit in habits.indices {
      let descendants = descendants(of: habit).sorted(by: isBefore)
      for descendant in descendants where descendant != habit {
        ancestors[descendant].append(habit)
      }
      habits[habit].hierarchy.descendants = descendants
    }
    for habit in habits.indices {
      habits[habit].hierarchy.ancestors = ancestors[habit].sorted(by: isBefore)
      habits[habit].hierarchy.circularMembers = circularMembers[habit]
      habits[habit].hierarchy.rank = ranks[habit]
      // States that an undo of a member's event revoked don't count for the composite's `longest`
      // either, even if the composite was defined after the undo.
      for positions in habits[habit].bestRunHistory.undoneStates {
        for composite in ancestors[habit] { habits[composite].bestRunHistory.exclude(positions) }
      }
    }
    order.sort(by: ranks)
    return isChanged
  }

  /// Whether `habit` is `composite`, or is a member of `composite` at any depth, according to
  /// `membersInForce`.
  func isNested(_ habit: Int, in composite: Int) -> Bool {
    var seen: Set<Int> = []
    var pending = [composite]
    while let next = pending.popLast() {
      if next == habit { return true }
      if seen.insert(next).inserted { pending += habits[next].definitions.membersInForce }
    }
    return false
  }

  /// Returns the habits that `habit` contains at any depth, under any definition.
  ///
  /// The result contains `habit` itself only if it is part of a circle.
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
      let members = habits[habit].definitions.membersInForce.filter {
        !circularMembers[habit].contains($0)
      }
      let found = habits[habit].definitions.isEverComposite ? 1 + (members.map(rank).max() ?? 0) : 0
      ranks[habit] = found
      return found
    }
    return habits.indices.map(rank)
  }

  // MARK: First days

  /// Returns the first day of `habit` according to its earliest definition, or `nil` if the habit
  /// hasn't begun.
  func firstDay(of habit: Int) -> Day? {
    guard let earliest = habits[habit].definitions.earliest else { return nil }
    guard earliest.definition.isComposite else {
      return firstDay(ofLeaf: habit, earliest: earliest)
    }
    let countsFrom = habits[habit].definitions.countsFrom
    var first: Day?
    var seen = [habit]
    var next = 0
    while next < seen.count {
      let candidate = seen[next]
      next += 1
      guard let earliest = habits[candidate].definitions.earliest else { continue }
      if earliest.definition.isComposite {
        for member in earliest.definition.members where !seen.contains(member) {
          seen.append(member)
        }
      } else if let day = firstDay(ofLeaf: candidate, earliest: earliest) {
        first = min(first ?? day, day)
      }
    }
    return first.map { max($0, countsFrom ?? $0) }
  }

  /// Returns the first day of a habit whose earliest definition isn't a composite, or `nil` if the
  /// habit hasn't begun.
  ///
  /// A limit begins on the day of its definition, or on the day `countsFrom` if that is later.
  /// Other rules begin on the day of the first entry that counts.
  private func firstDay(ofLeaf habit: Int, earliest: Definitions.DatedDefinition) -> Day? {
    earliest.definition.isLimit
      ? max(earliest.day, habits[habit].definitions.countsFrom ?? earliest.day)
      : habits[habit].firstEntryDay
  }
}

extension Ledger {
  /// Why the event would be refused on append, or nil (event-format.md, "What is refused").
  package func refusal(of event: Event) -> Refusal? {
    switch event.payload {
    case .entryLogged(let entry): return refusal(of: entry, on: event.day)
    case .entryDeleted(let entry, _): return refusal(ofDeleting: entry)
    case .habitDefined(let definition): return refusal(of: definition, on: event.day)
    case .habitRetired(let habit):
      return refusal(of: habit)
        ?? retirement(of: habit, on: event.day.next).map { .retiredBefore(habit: habit, after: $0) }
    case .daysExcused(let from, let to, let habits, _):
      for habit in habits ?? [] {
        if let refusal = refusal(of: habit) { return refusal }
        if let after = retirement(of: habit, on: to) {
          return .afterRetirement(habit: habit, after: after, day: max(from, after.next))
        }
      }
      return nil
    case .excuseWithdrawn(let excuse, _): return refusal(ofWithdrawing: excuse)
    case .reminderSet(let habit, _, _):
      return refusal(of: habit)
        ?? retirement(of: habit, on: event.day).map {
          .afterRetirement(habit: habit, after: $0, day: event.day)
        }
    case .dayChanged(let to, _, _):
      if event.day != to { return .dayIsNotTo(day: event.day, to: to) }
      return today.flatMap { to <= $0 ? .dayNotChanged(to: to, today: $0) : nil }
    case .dayCorrected(let to, let moved, _):
      return event.day != to ? .dayIsNotTo(day: event.day, to: to) : refusal(ofCorrecting: moved, to: to)
    case .celebrationSeen(let celebration): return refusal(ofSeeing: celebration)
    case .ledgerOpened, .expectationStated, .segmentDropped, .eventRedacted: return nil
    }
  }

  private func refusal(ofSeeing celebration: String) -> Refusal? {
    if let key = CelebrationKey(celebration), hasGround(for: key) { return nil }
    return .unknownCelebration(celebration, pending: celebrations().map(\.key))
  }

  private func refusal(of habit: String) -> Refusal? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else {
      return .unknownHabit(habit, known: definedHabits)
    }
    return nil
  }

  private func refusal(of entry: Entry, on day: Day) -> Refusal? {
    if let refusal = refusal(of: entry.habit) { return refusal }
    guard let index = habitIndex(named: entry.habit) else { return nil }
    if let after = retirement(of: entry.habit, on: day) {
      return .afterRetirement(habit: entry.habit, after: after, day: day)
    }
    return habits[index].definition(on: day).source.rule.refusal(of: entry)
  }

  private func refusal(ofDeleting entry: String) -> Refusal? {
    guard let key = EventKey.find(entry, names: names), let position = index.position(of: key),
      let place = place(ofEntryAt: position)
    else { return .unknownEntry(entry) }
    return entries[place].isDeleted ? .entryDeletedBefore(entry) : nil
  }

  private func refusal(of definition: Definition, on day: Day) -> Refusal? {
    let own = habitIndex(named: definition.habit)
    if own == nil, habits.count >= Limit.habits.most {
      return .overLimit(.habits, habit: definition.habit, count: habits.count + 1)
    }
    if let over = Limit.exceeded(by: definition) {
      return .overLimit(over.limit, habit: definition.habit, count: over.count)
    }
    for member in definition.rule.members {
      if member == definition.habit { return .circularMember(member, of: definition.habit) }
      guard let index = habitIndex(named: member), habits[index].isDefined else {
        return .unknownMember(member, of: definition.habit, known: definedHabits)
      }
      if let own, leads(index, to: own) { return .circularMember(member, of: definition.habit) }
    }
    let members = definition.rule.members.compactMap { habitIndex(named: $0) }
    let below = depth(of: members) { habit in habits[habit].days.definitions.members }
    let depth = below + height(of: own) - 1
    if definition.rule.isComposite, depth > Limit.depth.most {
      return .overLimit(.depth, habit: definition.habit, count: depth)
    }
    let above = mostAbove(members, own)
    if above > Limit.above.most { return .overLimit(.above, habit: definition.habit, count: above) }
    return refusalOfOutcomes(definition)
  }

  /// Whether a habit has the other among its members, in depth, by any of its definitions.
  private func leads(_ habit: Int, to other: Int) -> Bool {
    var pending = [habit]
    var seen: Set<Int> = []
    while let next = pending.popLast() {
      if next == other { return true }
      guard seen.insert(next).inserted else { continue }
      pending += habits[next].days.definitions.members
    }
    return false
  }

  /// How many composites would be above one habit, at the most, among some members in depth.
  private func mostAbove(_ members: [Int], _ own: Int?) -> Int {
    // A composite that is new counts as one above all of them.
    let above = own.map { [$0] + habits[$0].links.above } ?? [habits.count]
    var most = 0
    var pending = members
    var seen: Set<Int> = []
    while let member = pending.popLast() {
      guard seen.insert(member).inserted else { continue }
      most = max(most, Set(habits[member].links.above + above).count)
      pending += habits[member].days.definitions.members
    }
    return most
  }

  /// How many composites are above each other up to a habit, itself included.
  private func height(of habit: Int?) -> Int {
    guard let habit else { return 1 }
    let above = habits[habit].links.above
    return depth(of: [habit]) { part in
      above.filter { composite in habits[composite].days.definitions.members.contains(part) }
    }
  }

  /// The longest way from some habits on, counted in habits and no further than the limit and one.
  private func depth(of some: [Int], next: (Int) -> [Int]) -> Int {
    var reached = Set(some)
    var depth = 0
    while !reached.isEmpty, depth <= Limit.depth.most {
      depth += 1
      reached = Set(reached.flatMap(next))
    }
    return depth
  }

  /// A healed or penalised outcome must be one that some rule gives, or a level of this one.
  private func refusalOfOutcomes(_ definition: Definition) -> Refusal? {
    guard case .joker(let rule)? = definition.forgiveness else { return nil }
    var known = Level.reserved.filter { $0 != Verdict.rest.name }
    known += definition.rule.levels.names
    for outcome in rule.heals ?? [] where !known.has(outcome) {
      return .unknownOutcome(outcome, field: "forgiveness.heals", known: known)
    }
    for penalty in rule.penalty where !known.has(penalty.outcome) {
      return .unknownOutcome(penalty.outcome, field: "forgiveness.penalty", known: known)
    }
    return nil
  }
}

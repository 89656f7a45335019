/// An event on which a number such as `noalc.current` depends, and the role of the event.
package struct ChainLink: Sendable, Hashable {
  package let position: Int
  package let role: Role

  /// The reason why a number depends on an event.
  package enum Role: String, Sendable, CaseIterable {
    case opening, definition, retirement, excuse, day, `break`, deletion, today
  }

  package init(position: Int, role: Role) {
    self.position = position
    self.role = role
  }
}

extension [ChainLink] {
  /// The links in stream order, with only the first of several links to the same event.
  package var inStreamOrder: [ChainLink] {
    var last = 0
    return sorted { $0.position < $1.position }.filter { link in
      defer { last = link.position }
      return link.position != last
    }
  }
}

/// Queries for the command `why`, which lists the events on which a number such as `noalc.current`
/// depends.
extension HabitView {
  /// Returns the events on which the verdicts of the habit and its members within `days` depend.
  ///
  /// If `includesAll` is true, this includes definitions that aren't in force on `days`, and
  /// entries that rules ignore.
  package func links(in days: ClosedRange<Day>, includesAll: Bool) -> [ChainLink] {
    [ChainLink](of: withMembers, facts, in: days, includesAll: includesAll)
  }

  /// The habit, and its members at any depth if it is a composite.
  private var withMembers: [HabitView] {
    [self] + fold.hierarchy.descendants(of: index).filter { $0 != index }.map { view(of: $0) }
  }

  /// Returns the definitions, retirements and entries on which the verdicts within `days` depend.
  ///
  /// Members are not considered. If `includesAll` is true, definitions that aren't in force and
  /// entries that the rule ignores are also returned.
  fileprivate func ownLinks(in days: ClosedRange<Day>, includesAll: Bool) -> [ChainLink] {
    let days = daysSummed(in: days)
    var links = definitionsInForce(on: days, includesAll: includesAll).map {
      ChainLink(position: $0.position, role: .definition)
    }
    links += retirementLinks

    for offset in habit.cells.slice(days).indices {
      let day = habit.cells.start + offset
      let readsAll = includesAll || day == today
      let read = readsAll ? standingEntries(on: day) : entriesRead(on: day)
      links += read.map { ChainLink(position: Int($0.position), role: .day) }
    }
    return links
  }

  fileprivate var retirementLinks: [ChainLink] {
    habit.definitions.retirements.map { ChainLink(position: $0.position, role: .retirement) }
  }

  /// Returns `days` extended back to the start of a week or month if the habit's rule sums weeks or
  /// months.
  private func daysSummed(in days: ClosedRange<Day>) -> ClosedRange<Day> {
    let starts = habit.definitions.regimes.compactMap { regime in
      regime.definition.sumPeriod.map {
        max(Day.first, regime.definition.days(of: $0, around: days.lowerBound).lowerBound)
      }
    }
    return min(days.lowerBound, starts.min() ?? days.lowerBound)...days.upperBound
  }

  private func definitionsInForce(
    on days: ClosedRange<Day>, includesAll: Bool
  ) -> [DatedDefinition] {
    let definitions = habit.definitions
    guard !includesAll, definitions.retirements.isEmpty else { return definitions.dated }

    let first = definitions.regimeIndex(on: days.lowerBound)
    let last = definitions.regimeIndex(on: days.upperBound)
    var inForce = definitions.regimes[first...last].map { ObjectIdentifier($0.definition) }
    if let latest = definitions.dated.last { inForce.append(ObjectIdentifier(latest.definition)) }
    return definitions.dated.filter { inForce.contains(ObjectIdentifier($0.definition)) }
  }

  /// Returns the entries of `day` that its rule considers.
  ///
  /// In a sum of a week or month, these can also affect the verdict of a later day.
  private func entriesRead(on day: Day) -> [EntryFact] {
    let definition = habit.definition(on: day)
    guard definition.sumPeriod != nil else { return consideredEntries(on: day) }
    return standingEntries(on: day).filter { definition.test.considers($0) }
  }

  /// Returns the entries that explain the verdict of `day`.
  ///
  /// If `isBreak` is true, a run ended on `day`. The result then also contains the events that
  /// deleted or replaced entries of `day`.
  package func breakLinks(on day: Day, isBreak: Bool) -> [ChainLink] {
    let defined = withMembers.filter(\.habit.isDefined)
    var read = consideredEntries(on: day)
    for view in defined where view.habit.definition(on: day).sumPeriod != nil {
      let start = view.daysSummed(in: day...day).lowerBound
      for offset in 0...(day - start) { read += view.entriesRead(on: start + offset) }
    }

    let role: ChainLink.Role = isBreak ? .break : .day
    let links = read.map { ChainLink(position: Int($0.position), role: role) }
    guard isBreak else { return links }

    let entries = withMembers.flatMap { facts.entries(of: $0.index, on: day).map(\.entry) }
    let holders = entries.filter(\.isReplaced).compactMap {
      facts.holder(ofKeyOfEntryAt: Int($0.position))
    }
    // A holder that was deleted counts for nothing, so only its deletion is a reason.
    let replacements = holders.filter { !$0.isDeleted }.map(\.position)
    let deleted =
      entries.filter(\.isDeleted).map { Int($0.position) }
      + holders.filter(\.isDeleted).map(\.position)

    let deletions = facts.deletions(ofEntriesAt: Set(deleted)).map(\.deletion)
    return links + (replacements + deletions).map { ChainLink(position: $0, role: .deletion) }
  }
}

extension [ChainLink] {
  /// Creates the events on which XP depends.
  ///
  /// These are the entries that earn XP, the entries on which achievements with XP rest, and the
  /// definitions and retirements of the habits that have such entries.
  package init(ofXPIn ledger: Ledger) {
    let achievements = Achievements(of: ledger)
    let earning = ledger.habits.flatMap(\.earnedXP).map(\.position)
    let grounds = achievements.all.filter { $0.xp > 0 }.flatMap { achievements.grounds(of: $0) }
    let entries = Set(earning + grounds)
    let habits = Set(entries.compactMap { ledger.facts.fact(ofEntryAt: $0)?.habit })

    var links = entries.map { ChainLink(position: $0, role: .day) }
    for view in ledger.habits where habits.contains(view.symbol) {
      links += view.definitions.map { ChainLink(position: $0.position, role: .definition) }
      links += view.retirementLinks
    }
    self = links.inStreamOrder
  }

  /// Creates the events on which XP and the numbers of days with activity depend.
  ///
  /// If `includesAll` is false, only the habits that can add XP or activity are considered.
  package init(ofActivityIn ledger: Ledger, includesAll: Bool) {
    let active = ledger.habits.filter { view in
      includesAll
        || view.habit.definitions.dated.contains {
          $0.definition.group != .other || $0.source.xp != nil
        }
    }
    self.init(of: active, ledger.facts, in: Day.first...Day.last, includesAll: true)
  }

  fileprivate init(
    of views: [HabitView], _ facts: Facts, in days: ClosedRange<Day>, includesAll: Bool
  ) {
    var links: [ChainLink] = []
    for view in views where view.habit.isDefined {
      links += view.ownLinks(in: days, includesAll: includesAll)
    }

    let habits = views.map(\.index)
    for excuse in facts.excuses where facts.isInForce(excuse) && excuse.span.overlaps(days) {
      guard excuse.habits?.contains(where: habits.contains) ?? true else { continue }
      links.append(ChainLink(position: excuse.position, role: .excuse))
    }
    self = links.inStreamOrder
  }
}

/// An event on which a number such as `noalc.current` depends, and the role of the event.
package struct ChainLink: Sendable, Hashable {
  package let position: Int
  package let role: Role

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
extension Ledger {
  /// Returns the events on which the verdicts of a habit and its members within `days` depend.
  ///
  /// If `includesAll` is true, this includes definitions that aren't in force on `days`, and
  /// entries that rules ignore.
  package func links(of name: String, in days: ClosedRange<Day>, includesAll: Bool) -> [ChainLink] {
    guard let habit = habitIndex(named: name) else { return [] }
    return links(of: habitAndMembers(habit), in: days, includesAll: includesAll)
  }

  /// Returns the events on which XP and the numbers of days with activity depend.
  ///
  /// If `includesAll` is false, only the habits that can add XP or activity are considered.
  package func activityLinks(includesAll: Bool) -> [ChainLink] {
    let active = order.defined.filter { habit in
      includesAll
        || habits[habit].definitions.dated.contains {
          $0.definition.group != .other || $0.definition.source.xp != nil
        }
    }
    return links(of: active, in: Day.first...Day.last, includesAll: true)
  }

  private func habitAndMembers(_ habit: Int) -> [Int] {
    [habit] + habits[habit].hierarchy.descendants.filter { $0 != habit }
  }

  private func links(of habits: [Int], in days: ClosedRange<Day>, includesAll: Bool) -> [ChainLink]
  {
    var links: [ChainLink] = []
    for habit in habits where self.habits[habit].isDefined {
      let definitions = self.habits[habit].definitions
      let days = daysSummed(by: habit, in: days)
      for dated in definitionsInForce(of: habit, on: days, includesAll: includesAll) {
        links.append(ChainLink(position: dated.position, role: .definition))
      }
      links += definitions.retirements.map { ChainLink(position: $0.position, role: .retirement) }
      for index in self.habits[habit].cells.slice(days).indices {
        let day = self.habits[habit].cells.start + index
        let readsAll = includesAll || day == today
        let read = readsAll ? standingEntries(of: habit, on: day) : entriesRead(by: habit, on: day)
        links += read.map { ChainLink(position: Int($0.position), role: .day) }
      }
    }
    for excuse in excuses where isInForce(excuse) && excuse.span.overlaps(days) {
      guard excuse.habits?.contains(where: habits.contains) ?? true else { continue }
      links.append(ChainLink(position: excuse.position, role: .excuse))
    }
    return links.inStreamOrder
  }

  /// Returns `days` extended back to the start of a week or month if the habit's rule sums weeks or
  /// months.
  private func daysSummed(by habit: Int, in days: ClosedRange<Day>) -> ClosedRange<Day> {
    let periods = habits[habit].definitions.regimes.compactMap(\.definition.sumPeriod)
    let starts = periods.map { max(Day.first, $0.days(around: days.lowerBound).lowerBound) }
    return min(days.lowerBound, starts.min() ?? days.lowerBound)...days.upperBound
  }

  private func definitionsInForce(
    of habit: Int, on days: ClosedRange<Day>, includesAll: Bool
  ) -> [Definitions.DatedDefinition] {
    let definitions = habits[habit].definitions
    guard !includesAll, definitions.retirements.isEmpty else { return definitions.dated }
    let indexes =
      definitions.regimeIndex(on: days.lowerBound)...definitions.regimeIndex(on: days.upperBound)
    var inForce = definitions.regimes[indexes].map { ObjectIdentifier($0.definition) }
    if let latest = definitions.dated.last { inForce.append(ObjectIdentifier(latest.definition)) }
    return definitions.dated.filter { inForce.contains(ObjectIdentifier($0.definition)) }
  }

  /// Returns the entries of `day` that can affect its verdict, or the verdict of a later day of the
  /// same week or month.
  private func entriesRead(by habit: Int, on day: Day) -> [EntryFact] {
    let definition = habits[habit].definition(on: day)
    guard definition.sumPeriod != nil else { return consideredEntries(of: habit, on: day) }
    return standingEntries(of: habit, on: day).filter { definition.test.considers($0) }
  }

  /// Returns the entries that explain the verdict of `day`.
  ///
  /// If `isBreak` is true, a run ended on `day`. The result then also contains the events that
  /// deleted entries of `day`.
  package func breakLinks(of name: String, on day: Day, isBreak: Bool) -> [ChainLink] {
    guard let habit = habitIndex(named: name), habits[habit].isDefined else { return [] }
    let role: ChainLink.Role = isBreak ? .break : .day
    let all = habitAndMembers(habit)
    var read = consideredEntries(of: habit, on: day)
    for habit in all
    where habits[habit].isDefined && habits[habit].definition(on: day).sumPeriod != nil {
      let start = daysSummed(by: habit, in: day...day).lowerBound
      for offset in 0...(day - start) { read += entriesRead(by: habit, on: start + offset) }
    }
    let links = read.map { ChainLink(position: Int($0.position), role: role) }
    guard isBreak else { return links }
    let deleted = all.flatMap { entries.chain(from: habits[$0].cells[day].head) }.filter(
      \.entry.isDeleted)
    let keys = Set(deleted.map { index.key(at: Int($0.entry.position)) })
    return links
      + journal.deletions(of: keys).map { ChainLink(position: $0, role: .deletion) }
  }

  /// Returns a ledger that contains only the events of `links`, and has the same today.
  package func rebuilt(of links: [ChainLink]) -> Ledger {
    var ledger = Ledger(cutoff: cutoff)
    ledger.stream = stream
    ledger.clock.isCutOff = isCutOff
    for position in links.map(\.position) {
      let key = index.key(at: position)
      if let entry = entryOffset(at: position) {
        var fact = entries[entry]
        (fact.next, fact.isDeleted) = (.end, false)
        ledger.log(fact, key: key, at: position)
      } else if let excuse = excuses.first(where: { $0.position == position }) {
        let named = excuse.habits?.map { names.text(habits[$0].id) }
        ledger.excuse(
          excuse.span, named, reason: excuse.reason, key: key, at: position,
          dayChange: excuse.dayChange)
      } else if case .habit(let habit)? = journal.target(ofEventAt: position) {
        let definitions = habits[habit].definitions
        if let dated = definitions.dated.first(where: { $0.position == position }) {
          ledger.define(dated.definition.source, on: dated.day, at: position)
        } else if let retired = definitions.retirements.first(where: { $0.position == position }) {
          ledger.retire(names.text(habits[habit].id), after: retired.day, at: position)
        }
      }
    }
    if let today { ledger.advance(to: today) }
    ledger.judgeStaleHabits()
    return ledger
  }

  // MARK: Runs

  /// A day that has a verdict, and the run after this day.
  package struct RunDay: Sendable {
    package let day: Day
    package let verdict: Verdict
    package let run: Int
    /// The first day of the run, or `nil` if there is none.
    package let start: Day?
  }

  /// Returns the days of a habit that have a verdict, from `start` through today in ascending
  /// order.
  package func runDays(of name: String, from start: Day = Day.first) -> [RunDay] {
    guard let habit = habitIndex(named: name) else { return [] }
    return foldedDays(habit, in: start...max(start, Day.last)).map {
      RunDay(
        day: $0.day, verdict: $0.record.verdict, run: Int($0.record.run), start: $0.record.start)
    }
  }

  /// Returns the position of the first event after which the habit's best run was `longest`, or
  /// `nil` if there is none.
  package func positionOfLongest(of habit: HabitHandle) -> Int? {
    habits[habit.index].bestRunHistory.firstPosition(of: longest(habit.index))
  }
}

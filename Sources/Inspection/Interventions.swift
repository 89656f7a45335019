import EventLog
package import StreakDomain

/// An event that changed days which were over when it was recorded, and what it did.
package struct Intervention: Sendable {
  /// From the first to the last of those days.
  package let days: ClosedRange<Day>
  /// The today that the event found.
  package let today: Day
  /// All that the event changed, days that were not over included.
  package let difference: Difference

  /// How many days too late it came for the first of them.
  package var lateDays: Int { today - days.lowerBound }
}

/// Finds the events that changed closed days, in one pass (time-travel.md, "An audit").
///
/// Only events that may do so are looked at: all that came between two of them is looked at once.
package struct Interventions: Sendable {
  private var timeline = Timeline(looksAtRuns: true)
  private let habit: String?
  /// The today that the event under way finds, and the day of the entry that it deletes; nil where it need not be
  /// looked at.
  private var found: (today: Day, entry: Day?)?
  private var passing = Difference()
  /// The dates that the zone left out before the today of a `day.changed` whose batch is not over.
  private var missing: Set<Day> = []

  /// - Parameter habit: whose days matter; nil is all.
  package init(of habit: String? = nil) {
    self.habit = habit
  }

  /// Looks at the ledger as the next event finds it; an entry that is no event has only its day.
  package mutating func expect(_ event: Event?, on day: Day, in fold: inout LedgerFold) {
    found = nil
    let known = missing
    missing = []
    if event?.isZoneExcuse(of: known) ?? false {
      if event?.more == true { missing = known }
      return
    }
    guard let today = fold.today else { return }
    if let event, event.more { missing = event.missingDays(after: today, fold) }
    guard today > Day.first,
      event?.mayChangeDays(before: today) ?? (day < today) || fold.hasDefinitionsAhead
    else { return }
    timeline.note(&fold.settled, in: &passing)
    var entry: Day?
    if case .entryDeleted(let id, _)? = event?.payload { entry = fold.settled.entry(of: id)?.day }
    found = (today, entry)
  }

  /// What the event did that `expect` was called for; nil where it changed no closed day.
  package mutating func note(_ event: Event?, on day: Day, in fold: inout LedgerFold) -> Intervention? {
    guard let found else { return nil }
    self.found = nil
    guard var difference = timeline.note(&fold.settled) else { return nil }
    if let habit { difference.keep(only: habit) }
    let closed = Day.first...found.today.previous
    var days = difference.days(in: closed)
    if let own = ownDays(of: event, on: found.entry ?? day, difference, fold.settled), own.overlaps(closed) {
      days = days?.joined(own.clamped(to: closed)) ?? own.clamped(to: closed)
    }
    difference.runs = []
    return days.map { Intervention(days: $0, today: found.today, difference: difference) }
  }

  /// The days whose entries count for more or less by an event itself, whatever became of verdicts and runs.
  private func ownDays(
    of event: Event?, on day: Day, _ difference: Difference, _ ledger: Ledger
  ) -> ClosedRange<Day>? {
    let hasSums = difference.changes.contains { $0.field.isSumOfEntries }
    let hasAchievements = !difference.unlocked.isEmpty || !difference.revoked.isEmpty
    guard hasSums || hasAchievements else { return nil }
    switch event?.payload {
    case nil, .entryLogged, .entryDeleted: return day...day
    case .habitDefined(let definition):
      let revalued = hasSums ? ledger.daysRevalued(byLatestDefinitionOf: definition.id) : nil
      return revalued
        ?? (hasAchievements ? ledger.daysDefined(byLatestDefinitionOf: definition.id) : nil)
    case .ledgerOpened:
      return ledger.definedHabits.compactMap { ledger.firstFoldedDay(of: $0) }.min().map { $0...$0 }
    default: return nil
    }
  }
}

extension Difference {
  /// The first and the last of some days whose verdict, run or line in the joker book differs.
  fileprivate func days(in closed: ClosedRange<Day>) -> ClosedRange<Day>? {
    let lines = books.flatMap { ($0.removed + $0.added).map { $0.day...$0.day } }
    return (verdicts.map(\.days) + runs.map(\.days) + lines).filter { $0.overlaps(closed) }
      .map { $0.clamped(to: closed) }.reduce(nil) { $0?.joined($1) ?? $1 }
  }

  /// Takes out what is not of a habit.
  package mutating func keep(only habit: String) {
    changes.removeAll { change in
      if case .habit(let name, _) = change.field { name != habit } else { true }
    }
    verdicts.removeAll { $0.habit != habit }
    runs.removeAll { $0.habit != habit }
    books.removeAll { $0.habit != habit }
    (unlocked, revoked) = ([], [])
  }
}

extension StateField {
  /// Whether an entry adds to it by being there.
  fileprivate var isSumOfEntries: Bool {
    switch self {
    case .habit(_, let field): field.isTotal
    case .ledger(let field): field == .xp
    }
  }
}

extension Event {
  /// Whether it excuses nothing but dates that the zone left out, as the store does by itself.
  fileprivate func isZoneExcuse(of missing: Set<Day>) -> Bool {
    guard case .daysExcused(let from, let to, _, "zone") = payload, !missing.isEmpty,
      to - from < missing.count
    else { return false }
    return (from.number...to.number).allSatisfy { missing.contains(Day(unchecked: $0)) }
  }

  /// The dates between a today and the one that this begins that a change of zone may have left out, or that the zone
  /// never had.
  fileprivate func missingDays(after today: Day, _ fold: LedgerFold) -> Set<Day> {
    guard let to = newToday, to > today.next else { return [] }
    let days = Set((today.next.number..<to.number).map { Day(unchecked: $0) })
    if fold.zone != zone { return days }
    let clock = DayClock(zone: zone, start: fold.dayStart)
    return days.filter { day in clock.map { !$0.hasDate(day) } ?? false }
  }
}

package import StreakDomain

/// Follows the truth of a predicate, evaluating it only after events that may have changed its fields.
package struct PredicateWatch {
  private let predicate: Predicate
  private let reads: PredicateReads
  /// The comparison whose distance is measured, if the predicate is a single comparison of numbers.
  private let measured: Comparison?
  private var habits: [Watched]
  private var hasLooked = false
  private var definedCount = 0
  private var groundsRevision = 0
  private var earnedXP = 0
  private var today: Day?
  package private(set) var holds = false
  /// The state in which the two sides of `measured` were closest, or `nil` if nothing is measured.
  package private(set) var closest: Nearest?

  private struct Watched {
    let habit: String
    /// Whether the predicate reads totals or progress, which can change without changing any day.
    let readsTotals: Bool
    var place: HabitPlace?
    var revision = 0
  }

  package struct Nearest: Sendable {
    package let distance: Int64
    package let position: Int
    package let readings: [Predicate.Reading]
  }

  package init(_ predicate: Predicate) {
    self.predicate = predicate
    reads = PredicateReads(predicate)
    var names: [String] = []
    for mention in predicate.mentions where !names.contains(mention.habit) { names.append(mention.habit) }
    habits = names.map { [reads] name in
      Watched(habit: name, readsTotals: reads.totals.contains(name))
    }
    if case .comparison(let comparison) = predicate.condition, comparison.isOfNumbers {
      measured = comparison
    } else {
      measured = nil
    }
  }

  /// Evaluates the predicate if necessary, and returns whether its truth changed.
  package mutating func look(at fold: inout LedgerFold) -> Bool {
    guard notesChange(in: fold) else { return false }
    return reads.grounds ? judge(&fold.settled) : judge(&fold[settling: habits.compactMap(\.place)])
  }

  private mutating func judge(_ ledger: inout Ledger) -> Bool {
    let before = holds
    holds = predicate.holds(in: ledger)
    if !holds, let measured { measure(measured, ledger) }
    return holds != before
  }

  package mutating func knowsHabits(of fold: LedgerFold) -> Bool {
    findHabits(in: fold)
    return habits.allSatisfy { $0.place != nil }
  }

  private mutating func findHabits(in fold: LedgerFold) {
    guard definedCount != fold.definedCount else { return }
    definedCount = fold.definedCount
    for index in habits.indices where habits[index].place == nil {
      habits[index].place = fold.place(of: habits[index].habit)
    }
  }

  private mutating func notesChange(in fold: LedgerFold) -> Bool {
    var isChanged = reads.everyEvent || !hasLooked || definedCount != fold.definedCount
    hasLooked = true
    findHabits(in: fold)
    for index in habits.indices {
      guard let place = habits[index].place else { continue }
      let revision = habits[index].readsTotals ? fold.revision(place) : fold.outcomeRevision(place)
      if revision != habits[index].revision {
        habits[index].revision = revision
        isChanged = true
      }
    }
    if reads.grounds, groundsRevision != fold.groundsRevision || earnedXP != fold.earnedXP {
      (groundsRevision, earnedXP) = (fold.groundsRevision, fold.earnedXP)
      isChanged = true
    }
    if today != fold.today {
      today = fold.today
      isChanged = true
    }
    return isChanged
  }

  private mutating func measure(_ comparison: Comparison, _ ledger: Ledger) {
    guard let distance = comparison.distance(in: ledger),
      distance < closest?.distance ?? Int64.max
    else { return }
    closest = Nearest(
      distance: distance, position: ledger.position, readings: predicate.readings(in: ledger))
  }
}

/// The parts of a ledger that a predicate reads; besides, a new today can change any of them.
struct PredicateReads: Sendable {
  private(set) var totals: Set<String> = []
  /// Whether XP, activity or achievements are read.
  private(set) var grounds = false
  /// Whether any event can change the result.
  private(set) var everyEvent = false

  init(_ predicate: Predicate) {
    for field in predicate.fields { note(field) }
    for comparison in predicate.condition.comparisons {
      switch comparison.right {
      case .achievement: grounds = true
      case .celebration:
        // A seen celebration is an event that changes no habit.
        (grounds, everyEvent) = (true, true)
      case .field, .value: break
      }
    }
  }

  private mutating func note(_ field: StateField) {
    switch field {
    case .habit(let habit, let field): if field.isOfEntries { totals.insert(habit) }
    case .ledger(let field):
      switch field {
      case .today, .achievements, .celebrations: break
      case .position, .zone: everyEvent = true
      case .xp, .strengthDays, .cardioDays, .mixedDays, .lastActivity: grounds = true
      }
    }
  }
}

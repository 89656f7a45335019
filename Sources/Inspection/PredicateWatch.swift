package import StreakDomain

/// Follows the truth of a predicate from event to event.
package struct PredicateWatch {
  private let predicate: Predicate
  /// The comparison whose distance is measured, if the predicate is a single comparison of numbers.
  private let measured: Comparison?
  /// Whether the predicate reads XP, activity, achievements or celebrations.
  private let readsActivity: Bool
  /// The habits that the predicate mentions and that aren't defined yet.
  private var undefinedHabits: Set<String>
  package private(set) var holds = false
  /// The state in which the two sides of `measured` were closest, or `nil` if nothing is measured.
  package private(set) var closest: Nearest?

  package struct Nearest: Sendable {
    package let distance: Int64
    package let position: Int
    package let readings: [Predicate.Reading]
  }

  package init(_ predicate: Predicate) {
    self.predicate = predicate
    undefinedHabits = Set(predicate.mentions.map(\.habit))
    if case .comparison(let comparison) = predicate.condition, comparison.isOfNumbers {
      measured = comparison
    } else {
      measured = nil
    }
    readsActivity =
      predicate.fields.contains { if case .ledger = $0 { true } else { false } }
      || predicate.condition.comparisons.contains { $0.relation == .has }
  }

  /// Evaluates the predicate on `ledger` after an event, and returns whether the result differs from the last one.
  package mutating func look(at ledger: inout Ledger) -> Bool {
    if readsActivity { ledger.updateActivity() }
    let before = holds
    holds = predicate.holds(in: ledger)
    if !holds, let measured, let distance = measured.distance(in: ledger),
      distance < closest?.distance ?? .max
    {
      closest = Nearest(
        distance: distance, position: ledger.position, readings: predicate.readings(in: ledger))
    }
    return holds != before
  }

  /// Returns whether all habits that the predicate mentions are defined.
  package mutating func knowsHabits(of ledger: Ledger) -> Bool {
    if !undefinedHabits.isEmpty { undefinedHabits = undefinedHabits.filter { ledger.handle(of: $0) == nil } }
    return undefinedHabits.isEmpty
  }
}

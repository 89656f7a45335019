package import StreakDomain

/// The events behind facts that a state doesn't contain: deletions, excuses and retirements.
package struct Causes: Sendable {
  package private(set) var deletions: [String: (event: String, reason: Text?)] = [:]
  /// The retirements of each habit in stream order; the habit is retired after the day `after`.
  package private(set) var retirements: [String: [(event: String, after: Day)]] = [:]
  package private(set) var excuses: [Excuse] = []
  private var withdrawn: Set<String> = []

  package struct Excuse: Sendable {
    package let event: String
    package let span: ClosedRange<Day>
    /// The excused habits, or `nil` if all habits are excused.
    package let habits: [String]?
    package let reason: Text?
  }

  package init() {}

  package mutating func note(_ event: Event) {
    switch event.payload {
    case .entryDeleted(let entry, let reason):
      if deletions[entry] == nil { deletions[entry] = (event.id, reason) }
    case .daysExcused(let from, let to, let habits, let reason) where from <= to:
      excuses.append(Excuse(event: event.id, span: from...to, habits: habits, reason: reason))
    case .excuseWithdrawn(let excuse, _): withdrawn.insert(excuse)
    case .habitRetired(let habit): retirements[habit, default: []].append((event.id, event.day))
    default: break
    }
  }

  package func retirement(of habit: String, before day: Day) -> (event: String, after: Day)? {
    retirements[habit]?.last { $0.after < day }
  }

  package func excuse(of habit: String, on day: Day) -> Excuse? {
    excuses.last { excuse in
      excuse.span.contains(day) && (excuse.habits?.contains(habit) ?? true)
        && (excuse.reason == "zone" || !withdrawn.contains(excuse.event))
    }
  }
}

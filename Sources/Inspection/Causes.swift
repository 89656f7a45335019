package import StreakDomain

/// Which events caused what a state no longer shows: deletions, excuses and retirements, by what they are about.
package struct Causes: Sendable {
  /// By the id of the deleted entry: the deletion that counts, and its reason.
  package private(set) var deletions: [String: (event: String, reason: Text?)] = [:]
  /// By habit, in stream order: the day after which it is retired, and the event that says so.
  package private(set) var retirements: [String: [(event: String, after: Day)]] = [:]
  /// Excused spans with their events, in stream order.
  package private(set) var excuses: [Excuse] = []
  /// Ids of excuses that were withdrawn.
  private var withdrawn: Set<String> = []

  package struct Excuse: Sendable {
    package let event: String
    package let span: ClosedRange<Day>
    /// nil is every habit.
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

  /// The retirement that a habit's day comes after, the latest of several.
  package func retirement(of habit: String, before day: Day) -> (event: String, after: Day)? {
    retirements[habit]?.last { $0.after < day }
  }

  /// The standing excuse that covers a habit's day, the latest of several.
  package func excuse(of habit: String, on day: Day) -> Excuse? {
    excuses.last { excuse in
      excuse.span.contains(day) && (excuse.habits?.contains(habit) ?? true)
        && (excuse.reason == "zone" || !withdrawn.contains(excuse.event))
    }
  }
}

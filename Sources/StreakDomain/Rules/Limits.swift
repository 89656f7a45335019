/// The limits of numbers and lengths in every event.
///
/// Readers, options, imports and messages share them. The file event.schema.json repeats them.
package enum Limits {
  /// The maximum of each measure of one entry.
  package static let minutes = Day.minutes
  package static let km = 1000
  package static let sets = 1000
  package static let drinks = 100
  /// The maximum of an amount, and of the bounds of a sum.
  package static let amount = 1_000_000

  /// The length of an id and of a habit's name, in bytes.
  package static let id = 1...64
  /// The maximum length of a text such as `note`, in bytes.
  package static let text = 1024
  /// The length of `by`, in characters.
  package static let writer = 1...64
  /// The length of the name of a time zone, in bytes.
  package static let zone = 1...64
  /// The length of a unit, in characters.
  package static let unit = 1...16

  package static let lateBy = 0...Int(Int16.max)
  package static let milestone = 2...200_000
  package static let xp = 0...1_000_000

  /// The number of missed days that grace tolerates.
  package static let grace = 1...100_000
  /// The number of days of a run that earn a joker.
  package static let jokerDays = 2...100_000
  /// The maximum number of jokers that can be held.
  package static let jokerCap = 1...60_000
  /// The number of jokers that a bad outcome costs.
  package static let penalty = 0...60_000

  /// The number of days of a schedule such as `every:3`.
  package static let every = 2...366
  package static let timesPerWeek = 1...7
  package static let timesPerMonth = 1...28

  package static let version = 1...Int(Int32.max)
  /// The number of lines of a segment that another segment can report.
  package static let lines = 1...1_000_000_000_000
}

/// The limits of an event's line.
package enum LineLimits {
  /// The maximum number of bytes, without the newline.
  package static let bytes = 65_536
  /// The number of objects and lists around a value.
  package static let depth = 16
  /// The maximum number of characters of a number, with its sign, point and exponent.
  package static let number = 32
  /// The maximum number of lines in a segment that aren't events.
  ///
  /// After more, the rest of the segment is skipped.
  package static let broken = 1000
}

/// The limits of definitions and excuses that `append` enforces (event-format.md, "Limits"); a
/// merged stream may exceed them.
package enum Limit: String, CaseIterable, Sendable {
  case habits, members, above, depth, levels, activities, bonuses, milestones, excused

  package var maximum: Int {
    switch self {
    case .habits: 10_000
    case .excused: 1000
    case .activities: 500
    case .members, .above, .depth, .levels, .bonuses, .milestones: 100
    }
  }

  static func exceeded(by definition: Habit) -> (limit: Limit, count: Int)? {
    let rule = definition.rule
    let counts: [(limit: Limit, count: Int)] = [
      (.milestones, definition.milestones?.count ?? 0), (.bonuses, definition.xp?.bonus.count ?? 0),
      (.members, rule.members.count), (.levels, rule.levels.bands.count),
      (.activities, rule.thresholds.count),
    ]
    return counts.first { $0.count > $0.limit.maximum }
  }

  /// Returns the path of a list of `definition` that has an item twice, and the item; `nil` if no
  /// list has.
  static func repetition(in definition: Habit) -> (list: String, item: String)? {
    var lists: [(path: String, items: [String])] = [
      ("rule.of", definition.rule.members), ("rule.good", definition.rule.levels.good.strings),
    ]
    if case .joker(let rule)? = definition.forgiveness {
      lists.append(("forgiveness.heals", (rule.heals ?? []).strings))
    }
    lists.append(("xp.bonus", (definition.xp?.bonus ?? []).map(\.threshold.words)))

    for (path, items) in lists {
      if let item = repetition(in: items) { return (path, item) }
    }
    return nil
  }

  static func repetition(in items: [String]) -> String? {
    var seen: Set<Text> = []
    return items.first { !seen.insert(Text($0)).inserted }
  }
}

extension ClosedRange<Int> {
  /// The range as words, such as `1 to 64`.
  package var words: String { "\(lowerBound) to \(upperBound)" }
}

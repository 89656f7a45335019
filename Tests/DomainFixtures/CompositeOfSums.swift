package import StreakDomain

/// Habits made of `w`, at least ten a week, and of `d`, any entry; a character a day as in `PeriodHistory`.
package struct CompositeOfSums: Sendable, CustomStringConvertible {
  package let description: String
  private let rows: [(habit: String, days: String)]
  /// Of `every`, all of both; `one`, either of both; `only`, all of `w`.
  package let verdicts: [String: String]

  package static let all = [
    CompositeOfSums(
      description: "on most days the other member decides alone",
      rows: [("w", "55....."), ("d", "xx.x..x")],
      verdicts: ["every": "ggmgmmg", "one": "ggrgrrg", "only": "rgrrrr?"]),
    CompositeOfSums(
      description: "before the first entry the last day of a week asks",
      rows: [("w", ".......5"), ("d", "xxxxxxxx")],
      verdicts: ["every": "ggggggmg", "one": "gggggggg", "only": "?"]),
  ]

  package var today: Day { History.start + (rows[0].days.utf8.count - 1) }

  package var events: [Event] {
    var sequence = Sequence()
    var events = [sequence.event(.ledgerOpened(owner: nil), on: History.start)]
    let rules: [(habit: String, rule: Rule.Kind)] = [
      ("w", .sum(Sum(of: .amount, atLeast: Thousandths(10), per: .week))), ("d", .any),
      ("every", .all(of: ["w", "d"])), ("one", .either(of: ["w", "d"])), ("only", .all(of: ["w"])),
    ]
    for (habit, rule) in rules {
      let definition = Definition(habit: habit, rule: Rule(rule))
      events.append(sequence.event(.habitDefined(definition), on: History.start))
    }
    for (habit, days) in rows {
      for (place, mark) in days.enumerated() {
        for entry in History.entries(habit, mark) {
          events.append(sequence.event(.entryLogged(entry), on: History.start + place))
        }
      }
    }
    return events
  }
}

/// A habit that any entry makes good, retired, as a text of events in the order of the stream.
///
/// `d3` is a definition of the third day, `r2` a retirement of the second, `x5` an entry of the fifth.
package struct RetiredHistory: Sendable, CustomStringConvertible {
  package let description: String
  private let days: Int
  package let verdicts: String

  package static let all = [
    RetiredHistory(description: "d1 x1 r2 x3 d5 x6", days: 7, verdicts: "gmeemg?"),
    RetiredHistory(description: "d1 d4 x1 r2 x5", days: 6, verdicts: "gmeeee"),
    RetiredHistory(description: "d1 d4 x1 r2 d6", days: 7, verdicts: "gmeeem?"),
    RetiredHistory(description: "d1 x1 r2 d2", days: 4, verdicts: "gmm?"),
    RetiredHistory(description: "d1 x1 r3 d2", days: 5, verdicts: "gmmee"),
    RetiredHistory(description: "d1 x1 r2 d5 r4 d7", days: 8, verdicts: "gmeeeem?"),
  ]

  package var today: Day { History.start + (days - 1) }

  package var events: [Event] {
    var sequence = Sequence()
    var events = [sequence.event(.ledgerOpened(owner: nil), on: History.start)]
    for word in description.split(separator: " ") {
      let day = History.start + ((word.last?.wholeNumberValue ?? 1) - 1)
      switch word.first {
      case "d":
        events.append(sequence.event(.habitDefined(Definition(habit: "h", rule: Rule(.any))), on: day))
      case "r": events.append(sequence.event(.habitRetired(habit: "h"), on: day))
      default: events.append(sequence.event(.entryLogged(Entry(habit: "h")), on: day))
      }
    }
    return events
  }
}

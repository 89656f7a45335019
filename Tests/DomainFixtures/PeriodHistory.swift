package import StreakDomain

/// A history of one sum as text, a character a day from Monday 2025-09-01.
///
/// A digit is an entry of so many minutes, and of as large an amount; spaces part weeks. The last day is today.
package struct PeriodHistory: Sendable, CustomStringConvertible {
  package let description: String
  /// What holds from a place in the days on, counted from 0.
  private let rules: [(place: Int, rule: Rule)]
  private let days: String
  /// `e` is an excused day.
  private let excused: String
  /// How many days late the entry of a day came.
  private let late: String
  private let retired: Int?
  private let forgiveness: Forgiveness
  /// As `History` has them.
  package let verdicts: String

  private init(
    _ description: String, _ rules: [(Int, Rule)], _ days: String, excused: String = "", late: String = "",
    retired: Int? = nil, _ forgiveness: Forgiveness = .none, is verdicts: String
  ) {
    func joined(_ text: String) -> String { text.filter { $0 != " " } }
    self.description = description
    (self.rules, self.days, self.excused) = (rules, joined(days), joined(excused))
    (self.late, self.retired, self.forgiveness) = (late, retired, forgiveness)
    self.verdicts = joined(verdicts)
  }

  package var today: Day { History.start + (days.utf8.count - 1) }

  package var events: [Event] {
    var sequence = Sequence()
    var events = [sequence.event(.ledgerOpened(owner: nil), on: History.start)]
    func define(_ place: Int, _ rule: Rule) {
      var definition = Definition(habit: "h", rule: rule)
      definition.forgiveness = forgiveness
      events.append(sequence.event(.habitDefined(definition), on: History.start + place))
    }
    for (place, rule) in rules where retired.map({ place <= $0 }) ?? true { define(place, rule) }
    if let retired { events.append(sequence.event(.habitRetired(habit: "h"), on: History.start + retired)) }
    for (place, rule) in rules where retired.map({ place > $0 }) ?? false { define(place, rule) }
    for (place, mark) in excused.enumerated() where mark == "e" {
      let day = History.start + place
      events.append(
        sequence.event(.daysExcused(from: day, to: day, habits: nil, reason: nil), on: History.start))
    }
    let late = Array(late)
    for (place, mark) in days.enumerated() {
      for entry in History.entries("h", mark) {
        let lateness = place < late.count ? late[place].wholeNumberValue ?? 0 : 0
        events.append(sequence.event(.entryLogged(entry), on: History.start + place, late: lateness))
      }
    }
    return events
  }
}

// The cases, by what decides: a week, today, an excuse, another definition, a retirement.
extension PeriodHistory {
  package static let all = weeks + todays + exceptions + redefinitions

  private static let least = week(atLeast: 10)
  private static let most = week(atMost: 10)
  private static let both = week(atLeast: 5, atMost: 10)

  private static func week(
    of measure: Measure = .amount, atLeast: Int? = nil, atMost: Int? = nil, per: Schedule.Period? = .week
  ) -> Rule {
    Rule(
      .sum(
        Sum(
          of: measure, atLeast: atLeast.map { Thousandths($0) }, atMost: atMost.map { Thousandths($0) },
          per: per)))
  }

  private static let weeks: [PeriodHistory] = [
    PeriodHistory(
      "at least 100 a week, of the contract", [(0, least)], "55..... 5...... ...",
      is: "rgrrrrr rrrrrrm rr?"),
    PeriodHistory(
      "at most 100 a week, of the contract", [(0, most)], "4.4.... 4.9.2.. .", is: "rrrrrrg rrbrrrr ?"),
    PeriodHistory(
      "both bounds", [(0, both)], "3.3.... 6.6.... 3...... .", is: "rrrrrrg rrbrrrr rrrrrrm ?"),
    PeriodHistory("a week cut short asks for the whole sum", [(0, least)], "....5.. 55", is: "rrm rg"),
    PeriodHistory(
      "entries", [(0, week(of: .entries, atLeast: 3))], "1.9..1. 1", is: "rrrrrgr ?"),
    PeriodHistory(
      "at least 100 a month", [(0, week(atLeast: 10, per: .month))], "5...... ....... .....5. ....... .. 5.",
      is: "rrrrrrr rrrrrrr rrrrrgr rrrrrrr rr r?"),
    PeriodHistory(
      "at most 100 a month", [(0, week(atMost: 10, per: .month))], "5...... ....... .....5. ....... .. 99",
      is: "rrrrrrr rrrrrrr rrrrrrr rrrrrrr rg rb"),
    PeriodHistory(
      "jokers", [(0, least)], "55..... 55..... 55..... ....... ....... .",
      .joker(JokerRule(every: 3, cap: 1)),
      is: "rgrrrrr rgrrrrr rgrrrrr rrrrrrh rrrrrrm ?"),
    PeriodHistory(
      "grace", [(0, least)], "55..... ....... 55..... ....... ....... .", .grace(days: 1),
      is: "rgrrrrr rrrrrrt rgrrrrr rrrrrrt rrrrrrm ?"),
    PeriodHistory(
      "a joker covers what is over", [(0, most)], "4...... 4...... 9.9..5. .",
      .joker(JokerRule(every: 2, cap: 1)), is: "rrrrrrg rrrrrrg rrhrrrr ?"),
  ]

  private static let todays: [PeriodHistory] = [
    PeriodHistory("today reaches it", [(0, least)], "5.5", is: "rrg"),
    PeriodHistory("today does not reach it", [(0, least)], "5.4", is: "rr?"),
    PeriodHistory("today after an earlier day reached it", [(0, least)], "55.", is: "rgr"),
    PeriodHistory("today is the last day and does not reach it", [(0, least)], "5......", is: "rrrrrr?"),
    PeriodHistory("today is within the limit", [(0, most)], "4.4", is: "rr?"),
    PeriodHistory("today is over", [(0, most)], "6.5", is: "rrb"),
    PeriodHistory("today after an earlier day was over", [(0, most)], "65.", is: "rbr"),
    PeriodHistory("today is the last day of a limit", [(0, most)], "4.4....", is: "rrrrrr?"),
    PeriodHistory("today is within both bounds", [(0, both)], "3.3", is: "rr?"),
    PeriodHistory("today is the last day, within both bounds", [(0, both)], "3.3...1", is: "rrrrrrg"),
    PeriodHistory("today is the last day, below both bounds", [(0, both)], "3......", is: "rrrrrr?"),
  ]

  private static let exceptions: [PeriodHistory] = [
    PeriodHistory(
      "an excuse that covers the last day lets the week go", [(0, least)], "55..... 5...... 5",
      excused: "....... ......e", is: "rgrrrrr rrrrrre ?"),
    PeriodHistory(
      "an excuse lets the week of a limit go", [(0, most)], "4...... 4.....2 .", excused: "....... ......e",
      is: "rrrrrrg rrrrrre ?"),
    PeriodHistory(
      "an excuse in the middle of a week", [(0, least)], "5.5.... 5", excused: "eeee...", is: "eegerrr ?"),
    PeriodHistory("what is over is never excused", [(0, most)], "65.", excused: ".e.", is: "rbr"),
    PeriodHistory(
      "an entry that came too late", [(0, Rule(least.kind, lateBy: 1))], "55.5", late: "03.1", is: "rrrg"),
    PeriodHistory(
      "a day decides while it is retired", [(0, least), (4, least)], "5.5.5.. 5", retired: 1,
      is: "rreerrr ?"),
  ]

  private static let redefinitions: [PeriodHistory] = [
    PeriodHistory(
      "a lower bound decides on its own day", [(0, least), (2, week(atLeast: 4))], "5...", is: "rrgr"),
    PeriodHistory(
      "a higher bound comes too late", [(0, least), (2, week(atLeast: 20))], "55.9...", is: "rgrrrrr"),
    PeriodHistory(
      "a limit that the sum exceeds already", [(0, least), (2, week(atMost: 4))], "5...", is: "rrbr"),
    PeriodHistory(
      "another measure begins anew", [(0, least), (2, week(of: .minutes, atLeast: 10))], "5.5..5.",
      is: "rrrrrgr"),
    PeriodHistory(
      "a measure that comes back goes on",
      [(0, least), (2, week(of: .minutes, atLeast: 10)), (3, least)], "5.55...", is: "rrrgrrr"),
    PeriodHistory(
      "a decided week stays decided", [(0, least), (2, week(of: .minutes, atLeast: 10))], "55.55..",
      is: "rgrrrrr"),
    PeriodHistory(
      "the month goes on where the week is decided", [(0, least), (2, week(atLeast: 10, per: .month))],
      "55.55..", is: "rgrrgrr"),
    PeriodHistory(
      "a sum of a day in the middle", [(0, least), (3, week(atLeast: 5, per: nil))], "5..5.5.",
      is: "rrrgmg?"),
    PeriodHistory(
      "a sum of a week after one of a day", [(0, week(atLeast: 5, per: nil)), (3, least)], "55.55..",
      is: "ggmrgrr"),
  ]
}

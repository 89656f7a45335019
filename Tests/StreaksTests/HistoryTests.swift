import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Streaks
import StreaksTesting
import Testing

struct HistoryTests {
  @Test
  func `a history of StreaksTesting has the same verdicts and jokers as the fold's own tests`()
    throws
  {
    var random = SeededRandom(seed: 3)
    for preset in Preset.allCases where !preset.definition.rule.isComposite {
      let marks: [Character] =
        switch preset.definition.rule.kind {
        case .level: Array("SEW.")
        case .completed: Array("CFR.")
        case .any, .never: Array("x..")
        default: Array("0123456789.")
        }
      for _ in 0..<6 {
        let days = String((0..<18).map { _ in marks[random.below(marks.count)] })
        let excused = String((0..<18).map { _ in random.chance(10) ? Character("e") : "-" })
        let plain = DomainFixtures.History(preset.definition, days, excused: excused)
        let history = try StreaksTesting.History(
          Habit(preset: preset.rawValue), days, excused: excused)
        #expect(history.verdicts.drop { $0 == "." } == plain.verdicts[...], "\(preset) \(days)")
        #expect(history.book == plain.book, "\(preset) \(days)")
        #expect(history.streak?.current == plain.state?.current, "\(preset) \(days)")
      }
    }
  }

  @Test(
    arguments: [
      (.any, nil, nil, "xx.x... ......x", "ggmgmmm mmmmmmg"),
      (.any, .weekdays([.monday, .wednesday]), nil, "x.x.... x......", "grgrrrr grmrrr?"),
      (.any, .times(2, per: .week), nil, "x...x.. ..x....", "grrrgrr rrgrrr?"),
      (
        .sum(of: .minutes, atLeast: 10, per: .week), nil, nil, "55..... 5...... .",
        "rgrrrrr rrrrrrm ?"
      ),
      (.sum(of: .drinks, atMost: 2), nil, nil, "1.3.... .", "ggbgggg ?"),
      (.minutes(atLeast: 2), nil, .joker(JokerRule(every: 3, cap: 1)), "222.2.. .", "ggghghm ?"),
      (.minutes(atLeast: 2), nil, .grace(days: 1), "22.2..2 .", "ggtgtmg ?"),
    ] as [(Rule, Schedule?, Forgiveness?, String, String)])
  func `a history of StreaksTesting has the right verdicts for each rule and schedule`(
    rule: Rule, schedule: Schedule?, forgiveness: Forgiveness?, days: String, verdicts: String
  ) throws {
    var habit = Habit("a", rule: rule)
    (habit.schedule, habit.forgiveness) = (schedule, forgiveness)
    let history = try StreaksTesting.History(habit, days)
    #expect(history.verdicts == verdicts, "\(history)")
  }

  @Test func `a history is printed in weeks, with members and excuses above the verdicts`() throws {
    let both = try StreaksTesting.History(
      Habit("both", rule: .all(of: ["walk"])), "", excused: ".e",
      with: [(Habit("walk", rule: .any), "x.xxxxx x")])
    #expect(
      both.description == """
        week      MTWTFSS M
        walk      x.xxxxx x
        excused   .e
        verdicts  geggggg g
        """)
    let saved = try StreaksTesting.History(Habit(preset: "meditation"), "2222222 .2")
    #expect(saved.description.hasSuffix("verdicts  ggggggg hg\njokers    +7 -8"))
  }

  @Test func `a digit in a history is a number of the measure that the rule adds up`() throws {
    for measure in Measure.allCases {
      let habit = Habit("a", rule: .sum(of: measure, atLeast: 3))
      #expect(try StreaksTesting.History(habit, "323").verdicts == "gmg", "\(measure)")
    }
    #expect(try StreaksTesting.History(Habit(preset: "noalc"), "1219").verdicts == "gbgb")
  }

  @Test func `a history can have members, excuses and custom marks`() throws {
    let both = try StreaksTesting.History(
      Habit("both", rule: .all(of: ["a", "b"])), "",
      with: [(Habit("a", rule: .any), "xxx"), (Habit("b", rule: .any), "x.x")])
    #expect(both.verdicts == "gmg")
    let ill = try StreaksTesting.History(Habit("a", rule: .any), "x.x", excused: ".e.")
    #expect(ill.verdicts == "geg")
    var pages = Entry(habit: "reading")
    pages.amount = 25
    let read = try StreaksTesting.History(Habit(preset: "reading"), "pp", marks: ["p": pages])
    #expect(read.verdicts == "gg" && read.streak?.totals.amount == 50)
    var five = Habit("reading", rule: .sum(of: .amount, unit: "pages", atLeast: 5))
    five.forgiveness = .joker(JokerRule(every: 7, cap: 3))
    let saved = try StreaksTesting.History(five, "5678995.5")
    #expect(saved.verdicts == "ggggggghg" && saved.book == "+7 -8")
    var ride = Entry(habit: "sport")
    (ride.activity, ride.minutes) = ("bike", 75)
    let sport = Habit(
      "sport",
      rule: .activity([ActivityThreshold(activity: "bike", measures: Measures(minutes: 60))]))
    #expect(try StreaksTesting.History(sport, "b.b", marks: ["b": ride]).verdicts == "gmg")
    let error = #expect(throws: StreakError.self) {
      try StreaksTesting.History(Habit(preset: "reading"), "é")
    }
    #expect(error?.description.contains("stands for no entry") == true)
  }
}

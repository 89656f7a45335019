import DomainFixtures
import StreakDomain
import Testing

/// The scenarios of the document on streaks and rewards, each as a history.
struct UniversalRewardSystemTests {
  @Test func `Verdienen - seven good days in a row earn one joker`() {
    let history = History(Preset.meditation.definition, "2222222")
    #expect(history.verdicts == "ggggggg")
    #expect(history.book == "+7")
    #expect(history.state?.jokers.held == 1)
  }

  @Test func `Maximum - at most three jokers are held, the fourth is forfeited`() {
    let history = History(Preset.meditation.definition, String(repeating: "2", count: 28))
    #expect(history.book == "+7 +14 +21 o28")
    #expect(history.state?.jokers.held == 3)
    #expect(history.state?.jokers.forfeited == 1)
  }

  @Test func `Heilen - a missed day with a joker costs the joker and the run goes on`() {
    let history = History(Preset.meditation.definition, "2222222.2")
    #expect(history.verdicts == "ggggggghg")
    #expect(history.book == "+7 -8")
    #expect(history.state?.current == 9)
  }

  @Test func `Kein Reward - a missed day without a joker ends the run`() {
    let history = History(Preset.meditation.definition, "222.2")
    #expect(history.verdicts == "gggmg")
    #expect(history.state?.current == 1)
    #expect(history.state?.best == 3)
  }

  @Test func `Fehltag - less than two minutes is a missed day, 1-8 rounds up to two`() {
    #expect(History(Preset.workout.definition, "212").verdicts == "gmg")
    var fold = LedgerFold()
    var sequence = Sequence()
    _ = fold.apply(sequence.event(.habitDefined(Preset.workout.definition), on: History.start))
    for (offset, count) in [1500, 1499, 1800].enumerated() {
      var entry = Entry(habit: "workout")
      entry.minutes = Thousandths(count: Int64(count))
      _ = fold.apply(sequence.event(.entryLogged(entry), on: History.start + offset))
    }
    let ledger = fold.settled
    #expect(
      ledger.verdicts(of: "workout", in: Day.first...Day.last).map(\.outcome) == ["good", "missed", "good"])
  }

  @Test func `Heute nicht geloggt - today without an entry is tolerated`() {
    let history = History(Preset.meditation.definition, "222.")
    #expect(history.verdicts == "ggg?")
    #expect(history.state?.current == 3)
    #expect(history.state?.status == .due)
  }

  @Test func `Mehrere Fehltage - each needs a joker of its own`() {
    let history = History(Preset.meditation.definition, String(repeating: "2", count: 14) + "...2")
    #expect(history.verdicts == "gggggggggggggghhmg")
    #expect(history.book == "+7 +14 -15 -16")
  }
}

struct NoAlcStreakTests {
  @Test func `NoAlc Streak Habit - steady and healed days count, an unhealed easy day breaks`() {
    #expect(History(Preset.noalc.definition, "SSES").verdicts == "ggbg")
    #expect(History(Preset.noalc.definition, "SSSSSSSES").verdicts == "ggggggghg")
  }

  @Test func `Reward Earning - at day 7, 14 and 21, healed days included`() {
    let history = History(Preset.noalc.definition, "SSSSSSSESSSSSSSSSSSSS")
    #expect(history.book == "+7 -8 +14 +21")
  }

  @Test(arguments: [("E", "easy"), ("W", "wild"), (".", "missed")])
  func `Reward Usage - a joker heals an easy, a wild and a missing day`(mark: String, outcome: String) {
    let history = History(Preset.noalc.definition, "SSSSSSS\(mark)S")
    #expect(history.verdicts == "ggggggghg")
    #expect(history.state?.current == 9)
    let day = history.ledger.verdicts(of: "noalc", in: Day.first...Day.last)[7]
    #expect(day.outcome == Text(outcome))
    #expect(day.lot?.number == 1)
  }

  @Test(arguments: ["E", "W", "."])
  func `No Reward Available - the run breaks and counts from 0`(mark: String) {
    let history = History(Preset.noalc.definition, "SSS\(mark)")
    let closed = History(Preset.noalc.definition, "SSS\(mark)S")
    #expect(history.state?.current == (mark == "." ? 3 : 0))
    #expect(closed.state?.current == 1)
  }

  @Test(arguments: ["E", "W", "."])
  func `Earn Before Consume - the seventh day is healed by the joker it earns`(mark: String) {
    let history = History(Preset.noalc.definition, "SSSSSS\(mark)S")
    #expect(history.verdicts == "gggggghg")
    #expect(history.book == "+7 -7")
    #expect(history.state?.current == 8)
    #expect(history.state?.jokers.held == 0)
  }

  @Test func `Today Not Logged - today is ignored until it is over`() {
    let history = History(Preset.noalc.definition, "SS.")
    #expect(history.verdicts == "gg?")
    #expect(history.state?.current == 2)
    #expect(history.state?.ifMissed == .breaks)
  }

  @Test func `the strict preset breaks on a wild day and takes a joker`() {
    let history = History(Preset.noalcStrict.definition, "SSSSSSSSSSSSSSWS")
    #expect(history.verdicts == "ggggggggggggggbg")
    #expect(history.book == "+7 +14 !15")
    #expect(history.state?.jokers.held == 1)
  }
}

struct ForwardIterationTests {
  @Test func `Why Forward Iteration - a joker is there before the day that needs it`() {
    #expect(History(Preset.noalc.definition, "SSSSSSSE").state?.current == 8)
  }

  @Test func `Iterate Over ALL Days - a day without entries is a day`() {
    let history = History(Preset.noalc.definition, "SSS.SS")
    #expect(history.verdicts == "gggmgg")
    #expect(history.state?.current == 2)
  }

  @Test func `Backward Iteration Bug - an easy day after earned jokers is healed, before them it is not`() {
    #expect(History(Preset.noalc.definition, "SSSSSSSES").state?.current == 9)
    #expect(History(Preset.noalc.definition, "ESSSSSSSS").state?.current == 8)
  }
}

import DomainFixtures
import StreakDomain
import Testing

struct MinutesTests {
  @Test func `meditation and workout have separate runs`() {
    let both = Histories(
      """
      meditation  2222
      workout     22.2
      """)
    #expect(both.state("meditation")?.current == 4)
    #expect(both.verdicts("workout") == "ggmg")
    #expect(both.state("workout")?.current == 1)
  }

  @Test func `the minutes of a day are added up before they are rounded`() {
    for (minutes, isGood) in [
      ([1.0, 1.0], true), ([0.7, 0.8], true), ([0.7, 0.799], false), ([1.499], false),
    ] {
      var day = Histories("meditation .")
      for part in minutes {
        day.add(.entryLogged(.activity("meditation", nil, minutes: part)), on: 1)
      }
      #expect((day.state("meditation")?.current == 1) == isGood, "\(minutes)")
    }
  }

  @Test(arguments: [(2, "ggmgg"), (3, "gmmgg"), (4, "gmmmg"), (6, "mmmmm")])
  func `the definition sets how many minutes make a day good`(least: Int, outcomes: String) {
    var definition = Preset.meditation.definition
    definition.forgiveness = Forgiveness.nothing
    definition.rule = Rule(.minutes(atLeast: Thousandths(least)))
    #expect(History(definition, "521341").verdicts.prefix(5) == outcomes)
  }

  @Test func `a state has the length, the first day and the last good day of the run`() {
    let state = History(Preset.meditation.definition, "22.222.").state
    #expect(state?.current == 3)
    #expect(state?.start == Histories.day(4))
    #expect(state?.lastGood == Histories.day(6))
    #expect(state?.status == .due)
  }

  @Test(arguments: [(1, 0), (2, 1)])
  func `the first good day starts a run of 1`(minutes: Int, current: Int) {
    let state = History(Preset.meditation.definition, "\(minutes)").state
    #expect(state?.current == current)
    #expect(state?.status == (current == 1 ? .done : .new))
  }

  @Test func `an excused day neither ends nor extends the run`() {
    let history = History(Preset.meditation.definition, "222..2", excused: "...ee.")
    #expect(history.verdicts == "gggeeg")
    #expect(history.state?.current == 4)
  }

  @Test func `a late entry joins two runs, and its deletion separates them again`() {
    var ledger = History(Preset.workout.definition, "22.22").ledger
    #expect(ledger.state(of: "workout")?.current == 2)
    var sequence = Sequence()
    var late = Entry(habit: "workout")
    late.minutes = 5
    ledger.fold(sequence.event(.entryLogged(late), on: History.start + 2, id: "late"))
    #expect(ledger.state(of: "workout")?.current == 5)
    ledger.fold(
      sequence.event(.entryDeleted(entry: "late", reason: nil), on: History.start + 4, id: "undo"))
    #expect(ledger.state(of: "workout")?.current == 2)
    #expect(ledger.state(of: "workout")?.best == 2)
    #expect(ledger.state(of: "workout")?.longest == 5)
  }
}

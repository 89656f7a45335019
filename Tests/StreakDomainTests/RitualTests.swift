import DomainFixtures
import StreakDomain
import Testing

struct RitualTests {
  @Test func `a day is complete when both halves are, and each half has a run of its own`() {
    let rituals = Histories(
      """
      morning_ritual      CCCCC
      evening_reflection  CCC..
      daily_complete      .....
      """)
    #expect(rituals.state("morning_ritual")?.current == 5)
    #expect(rituals.verdicts("evening_reflection") == "gggt?")
    #expect(rituals.verdicts("daily_complete") == "gggt?")
    #expect(rituals.state("evening_reflection")?.current == 3)
    #expect(rituals.state("daily_complete")?.current == 3)
  }

  @Test(
    arguments: [
      ("CCC.", "ggg?", 3, .due, .graced), ("CCC..", "gggt?", 3, .grace, .breaks),
      ("CCC.C", "gggtg", 4, .done, .safe), ("CCC...", "gggtm?", 0, .broken, .nothing),
      ("CCC.C.", "gggtg?", 4, .due, .graced), ("CCC...C", "gggtmmg", 1, .done, .safe),
      ("CCCF", "gggb", 0, .broken, .nothing),
    ] as [(String, String, Int, Streak.Status, Streak.IfMissed)])
  func `one missed day is forgiven and not counted, two end the run`(
    days: String, verdicts: String, current: Int, status: Streak.Status, ifMissed: Streak.IfMissed
  ) {
    let history = History(Preset.morningRitual.definition, days)
    #expect(history.verdicts == verdicts)
    #expect(history.state?.current == current)
    #expect(history.state?.status == status)
    #expect(history.state?.ifMissed == ifMissed)
    #expect(history.state?.longest == (days.hasPrefix("CCC.C") ? 4 : 3))
  }

  @Test func `a ritual may be noted one day late, two days late is too late`() {
    for (late, verdicts) in [(1, "ggg"), (2, "gtg")] {
      var fold = LedgerFold()
      var sequence = Sequence()
      _ = fold.apply(sequence.event(.habitDefined(Preset.morningRitual.definition), on: History.start))
      var entry = Entry(habit: "morning_ritual")
      entry.completed = true
      for offset in 0..<3 {
        let delay = offset == 1 ? late : 0
        _ = fold.apply(sequence.event(.entryLogged(entry), on: History.start + offset, late: delay))
      }
      let ledger = fold.settled
      let days = ledger.verdicts(of: "morning_ritual", in: Day.first...Day.last)
      #expect(days.map { History.sign($0.verdict) }.joined() == verdicts, "\(late) days late")
    }
  }

  @Test(arguments: [("habits", 3), ("deleted", 3)])
  func `a broken run and a deletion leave the longest run as it was`(how: String, longest: Int) {
    var rituals = Histories("morning_ritual CCC\(how == "habits" ? "...C" : "")")
    if how == "deleted" { rituals.add(.entryDeleted(entry: "morning_ritual-2", reason: nil), on: 3) }
    #expect(rituals.state("morning_ritual")?.longest == longest)
    #expect(rituals.state("morning_ritual")?.current == (how == "deleted" ? 2 : 1))
  }

  @Test func `milestones are 3, 7, 14, 30, 60, 100 and 365 days`() {
    let history = History(Preset.morningRitual.definition, String(repeating: "C", count: 366))
    let reached = history.ledger.achievements().filter { $0.key.hasPrefix("milestone:") }
    let lengths = [3, 7, 14, 30, 60, 100, 365]
    #expect(Set(reached.map(\.key)) == Set(lengths.map { "milestone:morning_ritual:\($0)" }))
    #expect(reached.map(\.on) == lengths.map(Histories.day))
  }
}

import DomainFixtures
import StreakDomain
import Testing

struct ActivityTests {
  @Test func `strength and cardio keep one run going together and each its own`() {
    let week = Histories(
      """
      strength  s.s..s
      cardio    .r.yr.
      activity  ......
      """)
    #expect(week.verdicts("activity") == "gggggg")
    #expect(week.state("activity")?.current == 6)
    #expect(week.verdicts("strength") == "gmgmmg")
    #expect(week.verdicts("cardio") == "gmgg?")
    #expect(week.state("strength")?.current == 1)
  }

  @Test func `a run that is broken for both ends the run of activity`() {
    let week = Histories(
      """
      strength  s..s
      cardio    r...
      activity  ....
      """)
    #expect(week.verdicts("activity") == "gmmg")
    #expect(week.state("activity")?.current == 1)
  }

  @Test(
    arguments: [
      ("s", ".", 1, 0, 0, "strength"), (".", "r", 0, 1, 0, "cardio"), ("s", "r", 1, 1, 1, "both"),
      ("s.", ".r", 1, 1, 0, "cardio"), ("ss", "r.", 2, 1, 1, "strength"), ("..", "..", 0, 0, 0, nil),
    ] as [(String, String, Int, Int, Int, String?)])
  func `days of strength, of cardio and of both are counted, and the latest is named`(
    strength: String, cardio: String, strengthDays: Int, cardioDays: Int, mixedDays: Int, last: String?
  ) {
    let activity = Histories("strength \(strength)\ncardio \(cardio)").ledger.activity
    #expect(activity.strengthDays == strengthDays)
    #expect(activity.cardioDays == cardioDays)
    #expect(activity.mixedDays == mixedDays)
    #expect(activity.lastActivity == last)
  }

  @Test func `several cardio entries on one day are one cardio day`() {
    var day = Histories("strength s\ncardio r")
    day.add(.entryLogged(.activity("cardio", "yoga", minutes: 20)), on: 1)
    day.add(.entryLogged(.activity("cardio", "cycling", km: 12)), on: 1)
    #expect(day.ledger.activity.cardioDays == 1)
    #expect(day.ledger.activity.mixedDays == 1)
    #expect(day.state("cardio")?.current == 1)
  }

  @Test func `an entry below its threshold is an entry and no activity`() {
    var day = Histories("cardio .")
    day.add(.entryLogged(.activity("cardio", "walking", minutes: 29)), on: 1)
    #expect(day.ledger.activity.cardioDays == 0)
    #expect(day.ledger.activity.lastActivity == nil)
    #expect(day.state("cardio")?.totals.entries == 1)
    #expect(day.state("cardio")?.current == 0)
  }

  @Test func `nothing is awarded for what lies before countsFrom`() {
    var fold = LedgerFold()
    var sequence = Sequence()
    var definition = Preset.cardio.definition
    definition.countsFrom = History.start + 2
    _ = fold.apply(sequence.event(.habitDefined(definition), on: History.start))
    for offset in 0..<4 {
      let run = Entry.activity("cardio", "running", minutes: 120)
      _ = fold.apply(sequence.event(.entryLogged(run), on: History.start + offset))
    }
    let ledger = fold.settled
    #expect(ledger.activity.cardioDays == 2)
    #expect(ledger.state(of: "cardio")?.current == 2)
    #expect(ledger.xp == 2 * 40 + 300)
    #expect(ledger.achievements().first { $0.key == "ultra-endurance" }?.on == History.start + 2)
  }
}

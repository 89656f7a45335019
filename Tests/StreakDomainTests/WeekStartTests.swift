import DomainFixtures
import StreakDomain
import Testing

/// Weeks that begin on another day than Monday (domain.md, "Time").
struct WeekStartTests {
  /// Three good days in each week from Sunday to Saturday; the first day is a Monday.
  private static let rows = "gym xxx.......xxxxxx........xxx"

  private func history(_ rows: String, _ starts: Weekday?..., on day: Int = 2) -> Histories {
    var history = Histories(rows)
    for start in starts { history.add(.ledgerOpened(weekStart: start), on: day) }
    return history
  }

  @Test func `a week has seven days and begins on the given weekday`() {
    for start in Weekday.allCases {
      for offset in 0..<14 {
        let day = History.start + offset
        let week = Week(of: day, from: start)
        #expect(week.first.weekday == start)
        #expect(week.days.contains(day))
        #expect(week.days.count == 7)
      }
    }
    #expect(Week(of: "2025-11-05", from: .sunday).first == "2025-11-02")
  }

  @Test(arguments: [
    // From Monday the third week has two good days, and a joker heals the fifth empty one.
    (Weekday.monday, "gggrrrrrrrggggggrrrrhrrrggg"), (.sunday, "gggrrrrrrrggggggrrrrrrrrggg"),
  ])
  func `a schedule of three times a week counts weeks from the ledger's first weekday`(
    start: Weekday, wanted: String
  ) {
    let verdicts = history(Self.rows, start).verdicts("gym")
    #expect(verdicts == wanted, "\(start)")
  }

  @Test func `the last weekStart in the stream applies to all weeks, even past weeks`() {
    let sunday = history(Self.rows, .sunday)
    for starts in [[Weekday.monday, .sunday], [.sunday, nil], [.wednesday, .monday, .sunday]] {
      var other = Histories(Self.rows)
      for start in starts { other.add(.ledgerOpened(weekStart: start), on: 20) }
      #expect(other.verdicts("gym") == sunday.verdicts("gym"))
      #expect(other.state("gym")?.quota == sunday.state("gym")?.quota)
    }
  }

  @Test func `the quota and the sum of a week last until the end of the ledger's week`() {
    let history = history("gym x.x.\nsport-week 5555", .thursday)
    // The fourth day is a Thursday, on which a new week began.
    #expect(history.state("gym")?.quota?.good == 0)
    #expect(history.state("gym")?.quota?.through == Histories.day(10))
    #expect(history.state("sport-week")?.progress?.total == 5)
    #expect(history.state("sport-week")?.progress?.through == Histories.day(10))
  }

  @Test func `tri-threat requires strength, yoga and another cardio in one week of the ledger`() {
    let rows = "strength s......\ncardio   ......yr"
    func has(_ start: Weekday) -> Bool {
      let achievements = history(rows, start).ledger.achievements()
      return achievements.contains { $0.key == "tri-threat" }
    }
    #expect(!has(.monday))
    #expect(!has(.sunday))
    #expect(!has(.tuesday))
    let joined = "strength ......s.\ncardio   .......yr"
    #expect(history(joined, .monday).ledger.achievements().allSatisfy { $0.key != "tri-threat" })
    #expect(history(joined, .sunday).ledger.achievements().contains { $0.key == "tri-threat" })
  }
}

import DomainFixtures
import StreakDomain
import Testing

struct ReminderTests {
  /// The days, the reminder's time, and the number of the day that it asks about on the last one at
  /// 23:00.
  @Test(
    arguments: [
      ("noalc", "SS.", "09:00", nil), ("noalc", "S..", "09:00", 2), ("noalc", "S..", "17:59", 2),
      ("noalc", "S..", "18:00", 3), ("noalc", "S..", "18:01", 3), ("noalc", "SSS", "18:00", nil),
      ("noalc", "S.S", "17:59", 2), ("noalc", "S.S", "18:00", nil),
      ("meditation", "22.", "09:00", 3),
      ("meditation", "221", "20:00", 3), ("meditation", "222", "20:00", nil),
      ("game", "CCF", "20:00", nil),
      ("game", "CC.", "20:00", 3), ("saboteur-avoidance", "...", "20:00", nil),
      ("meditation", "2.2", "17:59", nil),
    ] as [(String, String, String, Int?)])
  func `a reminder is due until the day that it asks about is decided`(
    habit: String, days: String, time: String, place: Int?
  ) throws {
    var history = Histories("\(habit) \(days)")
    let clock = try #require(ClockTime(time))
    history.add(.reminderSet(habit: habit, time: clock, enabled: true), on: 3)
    let due = Reminders(of: history.ledger).due(on: Histories.day(3), at: "23:00", hoursLeft: 5)
    #expect(due.map(\.day) == (place.map { [Histories.day($0)] } ?? []))
  }

  @Test func `no reminder is due on an excused day`() throws {
    var history = Histories("meditation 2.")
    let clock: ClockTime = "20:00"
    history.add(.reminderSet(habit: "meditation", time: clock, enabled: true), on: 1)
    let today = Histories.day(2)
    history.add(.daysExcused(from: today, to: today, habits: nil, reason: nil), on: 2)
    #expect(Reminders(of: history.ledger).due(on: today, at: clock, hoursLeft: 5).isEmpty)
  }
}

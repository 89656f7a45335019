package import StreakDomain

package enum ClockText {
  package static func ahead(today: Day, date: Day) -> String {
    "moved today to \(today), after the clock's date, \(date): a clock was ahead; if it was the one of that "
      + "event, `streaks day --correct` takes the day back"
  }
}

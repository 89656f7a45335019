import Inspection
import StreakDomain

/// The laws of points, and of the days and times that they may be.
enum PointLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    let text = String(decoding: input, as: UTF8.self)
    try checkTimes(text)
    switch Point(text) {
    case .position(let position):
      try demand(Point(String(position)) == .position(position), "another position")
    case .event(let id):
      try demand([id, "id:" + id].contains(text) && Event.isID(id), "no id of an event")
      try demand(Point("id:" + id) == .event(id), "id: is another event")
    case .time(let time): try demand(Point(time.description) == .time(time), "printed, it is another time")
    case .day(let day): try demand(day.description == text, "printed, it is another day")
    case .end: try demand(text == "end", "an end that nobody wrote")
    case nil: break
    }
  }

  private static func checkTimes(_ text: String) throws(Finding) {
    if let day = Day(text) {
      try demand(day.description == text, "the day is \(day)")
      try demand((Day.first...Day.last).contains(day), "a day beyond the calendar")
      let (year, month, number) = day.date
      try demand(Day(year: year, month: month, day: number) == day, "its date is another day")
      try demand(
        day.startOfMonth <= day && day <= day.endOfMonth && day.monday <= day, "its month is another")
    }
    if let clock = ClockTime(text) { try demand(clock.description == text, "the clock shows \(clock)") }
    guard let time = Timestamp(text) else { return }
    try demand(Timestamp(time.description) == time, "printed, it is another time: \(time)")
    try demand(time.localDay == Day(text.prefix(10)), "its local day is another: \(time.localDay)")
    let minute = ClockTime(minutes: time.localMinute)
    try demand(minute == ClockTime(text.dropFirst(11).prefix(5)), "its clock shows \(minute)")
    // Near the calendar's ends the day in UTC may lie beyond them.
    let inUTC = Timestamp(instant: time.instant, offset: 0)
    guard (Day.first...Day.last).contains(inUTC.localDay) else { return }
    let recorded = Timestamp(time.instant.description)
    try demand(recorded == inUTC, "in UTC it is another instant: \(time.instant)")
  }
}

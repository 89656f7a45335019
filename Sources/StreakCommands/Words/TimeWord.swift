import Inspection
import StreakDomain

/// A local time as people type it, such as `08:00`, `8:00:30` or `2025-11-03T08:00`.
struct TimeWord {
  static let form = "a time such as 08:00, 2025-11-03T08:00, or 2025-11-03T08:00:00+01:00"

  /// The date, or `nil` if only the time of a day is given.
  let date: Day?
  let minute: ClockTime
  let seconds: Int

  init?(_ text: String) {
    let halves = text.parts(at: text.holds("T") ? "T" : " ")
    date = halves.count == 2 ? Day(halves[0]) : nil
    let parts = (halves.last ?? "").parts(at: ":")
    let seconds = parts.count < 3 ? 0 : parts[2].utf8.count == 2 ? Int(parts[2]) : nil
    guard halves.count == (date == nil ? 1 : 2), (2...3).contains(parts.count),
      let minute = TimeWord.clockTime("\(parts[0]):\(parts[1])"), let seconds,
      (0..<60).contains(seconds)
    else { return nil }
    self.minute = minute
    self.seconds = seconds
  }

  static func clockTime(_ text: String) -> ClockTime? {
    ClockTime(text.utf8.count == 4 ? "0" + text : text)
  }

  /// Whether `text` is a time that depends on the time zone, such as `08:00` or `2025-11-03T08:00`.
  static func needsZone(_ text: String) -> Bool {
    Timestamp(typed: text) == nil && TimeWord(text) != nil
  }
}

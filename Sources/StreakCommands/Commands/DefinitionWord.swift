import EventLog
import Inspection
import StreakDomain

enum DefinitionWord {
  /// Parses `daily` (which is `nil`), `mon-fri`, `mon,wed,fri`, `3/week`, `10/month` or `every:3`.
  static func schedule(_ word: String) throws(Failure) -> Schedule? {
    let text = word.asciiLowercased
    if text == "daily" { return nil }
    if text.begins(with: "every:"), let days = Int(text.droppingBytes(6)), Schedule.every.contains(days) {
      return .every(days: days)
    }
    let parts = text.parts(at: "/").map(String.init)
    if parts.count == 2, let times = Int(parts[0]), let period = Schedule.Period(rawValue: parts[1]) {
      guard period.times.contains(times) else {
        throw .usage(
          "--schedule is \(quoted(word)); a \(period.rawValue) has \(period.times.lowerBound) to \(period.times.upperBound) times"
        )
      }
      return .times(times, per: period)
    }
    let digits = NumberWord.parts(text).digits
    if parts.count == 2, !digits.isEmpty {
      let periods = Schedule.Period.allCases.map(\.rawValue)
      let near = Nearest.names(to: parts[1], among: periods).first ?? "week"
      throw .usage("--schedule is \(quoted(word))\(Nearest.meant("\(digits)/\(near)"))")
    }
    return .weekdays(try weekdays(text, word))
  }

  private static func weekdays(_ text: String, _ word: String) throws(Failure) -> Weekdays {
    var found: Weekdays = []
    for part in text.parts(at: ",").flatMap({ $0.parts(at: "/") }).flatMap({ $0.parts(at: " ") })
    where !part.isEmpty {
      let ends = part.parts(at: "-").map { Weekday(named: String($0)) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
        throw noSchedule(word)
      }
      var day = first.number
      while true {
        guard !found.has(day) else {
          throw .usage("--schedule is \(quoted(word)), which names \(Weekday.allCases[day].rawValue) twice")
        }
        found = Weekdays(found.days + [Weekday.allCases[day]])
        if day == last.number { break }
        day = (day + 1) % 7
      }
    }
    guard !found.isEmpty else { throw noSchedule(word) }
    return found
  }

  private static func noSchedule(_ word: String) -> Failure {
    .usage(
      "--schedule is \(quoted(word)); it must be daily, weekdays such as mon-fri or mon,wed,fri, "
        + "times such as 3/week or 10/month, or every:N, from every:2 to every:366")
  }

  static func grace(_ option: String, _ word: String) throws(Failure) -> Int {
    guard let days = Int(word), (1...100_000).contains(days) else {
      throw .usage("\(option) is \(quoted(word)); it must be a number of days from 1 to 100000")
    }
    return days
  }

  static func jokers(_ option: String, _ word: String, _ base: Forgiveness?) throws(Failure)
    -> Forgiveness
  {
    let parts = word.parts(at: "/").map { Int($0) }
    guard parts.count == 2, let every = parts[0], let cap = parts[1], (2...100_000).contains(every),
      (1...60_000).contains(cap)
    else {
      throw .usage(
        "\(option) is \(quoted(word)); it must be EVERY/CAP, such as 7/3: one every 7 days (2 or more), at most 3 held"
      )
    }
    guard case .joker(var rule)? = base else { return .joker(JokerRule(every: every, cap: cap)) }
    (rule.every, rule.cap) = (every, cap)
    return .joker(rule)
  }
}

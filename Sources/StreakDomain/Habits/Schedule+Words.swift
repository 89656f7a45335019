extension Schedule {
  /// The schedule as people say it and as `define --schedule` reads it: `mon-fri`, `3/week`, `every:3`.
  package var short: String {
    switch self {
    case .weekdays(let weekdays): weekdays.short
    case .times(let times, let period): "\(times)/\(period.rawValue)"
    case .every(let days): "every:\(days)"
    }
  }

  /// What is asked for, as a clause: `it is asked for 3 times a week`.
  package var words: String {
    switch self {
    case .weekdays(let weekdays): "it is asked for on \(weekdays.short)"
    case .times(let count, let period): "it is asked for \(often(count)) a \(period.rawValue)"
    case .every(days: 2): "it is asked for every other day"
    case .every(let days): "it is asked for one day in \(days)"
    }
  }

  /// Whether no weekdays are named, or the day is one of them.
  package func names(_ day: Day) -> Bool {
    if case .weekdays(let weekdays) = self { weekdays.has(day.weekdayNumber) } else { true }
  }
}

extension Weekdays {
  /// `mon-fri`, `mon,wed,fri`, `tue`: three or more in a row are a span.
  package var short: String {
    var spans: [ArraySlice<Weekday>] = []
    var start = 0
    while start < 7 {
      guard has(start) else {
        start += 1
        continue
      }
      var end = start
      while end + 1 < 7, has(end + 1) { end += 1 }
      spans.append(Weekday.allCases[start...end])
      start = end + 1
    }
    return spans.map { span in
      let names = span.map(\.rawValue)
      return names.count > 2 ? "\(names[0])-\(names[names.count - 1])" : names.joined(separator: ",")
    }.joined(separator: ",")
  }
}

extension Weekday {
  /// `Monday` to `Sunday`.
  package var name: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][number]
  }

  /// A weekday by its word in small letters, `mon` or `monday`; nil for any other word.
  package init?(named word: String) {
    let found = Weekday.allCases.first { [$0.rawValue, $0.name.asciiLowercased].contains(word) }
    guard let found else { return nil }
    self = found
  }
}

extension Day {
  /// `Monday` to `Sunday`.
  package var weekdayName: String { weekday.name }

  /// `January` to `December`.
  package var monthName: String {
    [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ][date.month - 1]
  }
}

extension Quota {
  /// `2 of 3 this week`, `2 rest days left`: how many of the days asked for are done, and how many rest days are left.
  ///
  /// Those that the days from one on, or behind it where it is done, have no room for are not said.
  package func clauses(on day: Day, isDone: Bool, asked: Int) -> [String] {
    let left = min(rests, through - day + (isDone ? 0 : 1))
    let isEnough = asked < times && good >= asked
    let span = "this \(period.rawValue)"
    if isEnough { return [good == 0 ? "none needed \(span)" : "\(good) \(span), no more needed"] }
    return ["\(good) of \(asked) \(span)"]
      + (good < times && !(isDone && day == through) ? ["\(counted(left, "rest day")) left"] : [])
  }
}

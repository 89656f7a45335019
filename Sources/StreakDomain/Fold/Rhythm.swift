/// A schedule in two bytes, with what the fold asks of it.
///
/// ```
/// mon-fri   days MTWTFSSMTW      entries x x x x x . . x . x      verdicts g g g g g r r g m g
/// 3/week    days MTWTFSSMTWTFS   entries x . x . . . x . . . . . x   verdicts g r g r r r g r r r r m g
/// every 3   entries x . . x . . . x   verdicts g r r g r r m g
/// ```
struct Rhythm: Equatable, Sendable {
  /// The kind in the four highest bits, its number in the others.
  private let code: UInt16

  enum Kind: UInt16, Sendable {
    case daily, weekdays, week, month, every
  }

  init(_ schedule: Schedule?) {
    func code(_ kind: Kind, _ number: Int) -> UInt16 { kind.rawValue << 12 | UInt16(number) }
    self.code =
      switch schedule {
      case nil: code(.daily, 0)
      case .weekdays(let days): days == .all ? code(.daily, 0) : code(.weekdays, Int(days.rawValue))
      case .times(let times, .week): code(.week, times)
      case .times(let times, .month): code(.month, times)
      case .every(let days): code(.every, days)
      }
  }

  var kind: Kind { Kind(rawValue: code >> 12) ?? .daily }
  private var number: Int { Int(code & 0xFFF) }

  /// How many days of a week or month are asked for.
  var times: Int { number }

  /// Whether every day is asked for.
  var isDaily: Bool { code == 0 }

  /// Whether rest days are counted.
  var isCounting: Bool { code >> 12 >= Kind.week.rawValue }

  private var weekdays: Weekdays { Weekdays(rawValue: UInt8(truncatingIfNeeded: code)) }

  /// Whether weekdays are named and the day is none of them.
  func passesOver(_ day: Day) -> Bool { kind == .weekdays && !weekdays.has(day.weekday) }

  /// The week or month that rest days are counted in; nil where they are not.
  var period: Schedule.Period? {
    switch kind {
    case .week: .week
    case .month: .month
    case .daily, .weekdays, .every: nil
    }
  }

  /// How many rest days there are, of the day's week or month or in a row.
  func allowance(on day: Day) -> Int {
    switch kind {
    case .daily, .weekdays: 0
    case .week: 7 - number
    case .month: day.wholeMonth.count - number
    case .every: number - 1
    }
  }

  /// The rest days so far as they are carried into a day: a new week or month has none.
  func carried(_ rested: UInt16, into day: Day) -> UInt16 {
    guard rested > 0, let period else { return rested }
    return period.days(around: day).lowerBound == day ? 0 : rested
  }

  /// The rest days with one more; more than all that there are count as all.
  func counting(_ rested: UInt16, on day: Day) -> UInt16 {
    isCounting ? max(rested, UInt16(min(Int(rested) + 1, allowance(on: day)))) : 0
  }

  /// Whether the schedule lets a day rest; a good day never rests, but under `weekdays` for a limit.
  func lets(go day: Day, isGood: Bool, isLimit: Bool, run: Int32, rested: UInt16) -> Bool {
    switch kind {
    case .daily: false
    case .weekdays: (!isGood || isLimit) && passesOver(day)
    case .week, .month: !isGood && Int(rested) < allowance(on: day)
    case .every: !isGood && run > 0 && Int(rested) < allowance(on: day)
    }
  }

  /// How many days from one on are asked for in a row, itself included, once no rest day of its week or month is left.
  func askedInARow(from day: Day) -> Int {
    switch kind {
    case .daily, .every: Int.max
    case .weekdays: (1...7).first { passesOver(day + $0) } ?? Int.max
    case .week, .month: (period?.days(around: day).upperBound ?? day) - day + 1
    }
  }

  /// How many days from a rest day on are let go in a row, itself included, with so many rest days counted after it.
  func restingInARow(from day: Day, rested: UInt16) -> Int {
    let left = allowance(on: day) - Int(rested)
    return switch kind {
    case .daily: 1
    case .weekdays: (1...7).first { !passesOver(day + $0) } ?? Int.max
    case .week, .month: 1 + min(left, (period?.days(around: day).upperBound ?? day) - day)
    case .every: 1 + left
    }
  }

  /// How many of the days of a row of so many are asked for by weekday, where the day before the row is a given one.
  func asked(_ count: Int, after weekday: Int) -> Int {
    var asked = count / 7 * weekdays.rawValue.nonzeroBitCount
    for offset in 0..<count % 7 where weekdays.has((weekday + 1 + offset) % 7) { asked += 1 }
    return asked
  }

  /// Where the nth asked day is in such a row, from 1.
  func place(ofAsked nth: Int, after weekday: Int) -> Int {
    let offsets = (1...7).filter { weekdays.has((weekday + $0) % 7) }
    return (nth - 1) / offsets.count * 7 + offsets[(nth - 1) % offsets.count]
  }
}

extension Rhythm {
  /// The rest days counted before and after a day, if none was good since a first day that had so many after it.
  func restDays(on day: Day, since first: Day, with rested: UInt16) -> (before: Int, after: Int) {
    guard let period else { return (Int(rested), Int(rested)) }
    let allowance = allowance(on: day)
    let start = period.days(around: day).lowerBound
    let (passed, known) = start <= first ? (day - first - 1, Int(rested)) : (day - start, 0)
    return (
      max(known, min(known + passed, allowance)), max(known, min(known + passed + 1, allowance))
    )
  }

  /// How many days from one on through another are let go, if none is good.
  func letGo(_ days: ClosedRange<Day>, since first: Day, with rested: UInt16) -> Int {
    guard let period else {
      return days.count - asked(days.count, after: days.lowerBound.previous.weekday)
    }
    var count = 0
    var day = days.lowerBound
    while day <= days.upperBound {
      let end = Swift.min(period.days(around: day).upperBound, days.upperBound)
      count +=
        restDays(on: end, since: first, with: rested).after
        - restDays(on: day, since: first, with: rested).before
      day = end.next
    }
    return count
  }
}

/// A schedule in two bytes, with what the fold asks of it.
///
/// ```
/// mon-fri   days MTWTFSSMTW      entries x x x x x . . x . x      verdicts g g g g g r r g m g
/// 3/week    days MTWTFSSMTWTFS   entries x . x . . . x . . . . . x   verdicts g r g r r r g r r r r m g
/// every 3   entries x . . x . . . x   verdicts g r r g r r m g
/// ```
struct CompiledSchedule: Hashable, Sendable {
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
}

/// Which days a habit asks for (domain.md, "Habits and rules"); a habit without one asks for every day.
package enum Schedule: Hashable, Sendable {
  case weekdays(Weekdays)
  case times(Int, per: Period)
  /// One good day in so many.
  case every(Int)

  /// A stretch of the calendar in which days are asked for so many times.
  package enum Period: String, CaseIterable, BitwiseCopyable, Sendable {
    case week, month

    /// How often each can be asked for.
    package var times: ClosedRange<Int> {
      switch self {
      case .week: 1...7
      case .month: 1...28
      }
    }

    /// The days of the week or month that a day is in.
    package func days(around day: Day) -> ClosedRange<Day> {
      switch self {
      case .week: day.monday...(day.monday + 6)
      case .month: day.wholeMonth
      }
    }
  }

  /// The forms of a schedule, each by the key that distinguishes it.
  package enum Kind: String, CaseIterable, Sendable {
    case weekdays, times, every
  }

  package var kind: Kind {
    switch self {
    case .weekdays: .weekdays
    case .times: .times
    case .every: .every
    }
  }

  /// How many days one good day can be asked for in.
  package static let every = 2...366
}

/// A day of the week, from Monday on as ISO 8601 counts.
package enum Weekday: String, CaseIterable, Sendable {
  case mon, tue, wed, thu, fri, sat, sun

  /// 0 for Monday to 6 for Sunday.
  package var number: Int {
    switch self {
    case .mon: 0
    case .tue: 1
    case .wed: 2
    case .thu: 3
    case .fri: 4
    case .sat: 5
    case .sun: 6
    }
  }
}

/// Some days of the week.
package struct Weekdays: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package init(_ days: some Sequence<Weekday>) {
    rawValue = days.reduce(0) { $0 | 1 << UInt8($1.number) }
  }

  package static let all = Weekdays(Weekday.allCases)

  /// In the order of the week.
  package var days: [Weekday] { Weekday.allCases.filter { has($0.number) } }

  /// Whether a day is among them, by its number from 0 for Monday.
  package func has(_ number: Int) -> Bool { rawValue >> UInt8(number) & 1 == 1 }
}

/// What the fold is given for a day, and for how many days after it is the same.
struct DayInput: Sendable {
  var outcome: Outcome
  /// In a span that excuses it, retired, or a composite all of whose members are excused.
  var isExcused = false
  /// A composite whose members let it go.
  var isRest = false
  /// Before the habit's first day: of no account for the habit, but composites above may ask for it.
  var isEarly = false
  /// Whether another schedule was in force the day before; only of the first of the days.
  var startsSchedule = false
  /// The place of the terms in force among the habit's.
  var terms: Int
  /// The last day with the same input.
  var until: Day
}

/// Days in a row with the same input, whose records follow from the first of them.
///
/// The cost grows with a habit's changes, not with its age: ten years of good days, or of nothing, are one stretch,
/// and so are ten years of weeks of which five days are asked for.
///
/// ```
/// days      SSSSSSSSE..........   jokers 7/3
/// stretches |-------||--------    growing 8, healed 1, then still
/// ```
struct Stretch: DayValue {
  /// The record of the first day.
  private(set) var first: DayRecord
  var count: Int32
  /// The place of the terms in force among the habit's.
  let terms: Int32
  /// Days of a run that earn a joker, and how many are held at most; 0 without jokers.
  let every: Int32
  let cap: UInt16
  let outcome: Outcome
  let rhythm: Rhythm
  let pace: Pace
  private let flags: Flags

  /// How the records continue after the first.
  enum Pace: UInt8, Sendable {
    /// It has one day.
    case single
    /// All are the same.
    case still
    /// The run grows by one a day, and earns the jokers it earns.
    case growing
    /// One more missed day in a row is tolerated.
    case graced
    /// One more rest day is counted.
    case resting
    /// The schedule lets some of them go; the others have the same outcome and leave the run as it is.
    case scheduled
    /// The same, and the run grows on the others.
    case scheduledGrowing
  }

  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let excused = Flags(rawValue: 1)
    static let early = Flags(rawValue: 2)
    static let rest = Flags(rawValue: 4)
    static let startsSchedule = Flags(rawValue: 8)
    /// The first day's weekday is in the bits above.
    static let weekdayShift: UInt8 = 4
  }

  /// The days from one on, at most so many, after a record.
  init(after record: DayRecord, _ input: DayInput, on day: Day, atMost limit: Int, under terms: Terms) {
    outcome = input.outcome
    rhythm = terms.rhythm
    self.terms = Int32(input.terms)
    var flags = Flags(rawValue: UInt8(day.weekday) << Flags.weekdayShift)
    if input.isExcused { flags.insert(.excused) }
    if input.isEarly { flags.insert(.early) }
    if input.isRest { flags.insert(.rest) }
    if input.startsSchedule { flags.insert(.startsSchedule) }
    self.flags = flags
    if case .jokers(let every, let cap) = terms.mercy {
      (self.every, self.cap) = (Int32(every), UInt16(cap))
    } else {
      (every, cap) = (0, 0)
    }
    if input.isEarly {
      first = DayRecord(early: input)
    } else {
      first = record.next(FoldDay(closed: input, on: day), under: terms)
    }
    let most: Int
    (pace, most) = Stretch.pace(after: first, input, on: day, under: terms)
    count = Int32(clamping: min(limit, most))
  }

  private static func pace(
    after first: DayRecord, _ input: DayInput, on day: Day, under terms: Terms
  ) -> (Pace, most: Int) {
    if input.isEarly || input.isExcused { return (.still, Int.max) }
    let rhythm = terms.rhythm
    if first.verdict == .rest { return paceOfRest(after: first, input, on: day, under: terms) }
    let scheduled: Pace = rhythm.kind == .weekdays || rhythm.period != nil ? .scheduled : .still
    guard terms.streak else {
      let mayRest = input.outcome != .good || terms.isLimit && rhythm.kind == .weekdays
      return (mayRest && (input.outcome != .restarted || first.run > 0) ? scheduled : .still, Int.max)
    }
    switch (first.verdict, terms.mercy) {
    case (.good, _):
      return (terms.isLimit && rhythm.kind == .weekdays ? .scheduledGrowing : .growing, Int.max)
    case (.graced, .grace(let days)):
      return (.graced, min(days - Int(first.misses) + 1, rhythm.askedInARow(from: day)))
    // A run that has ended stays so; what jokers a bad day takes, the next takes, too.
    case (.missed, _), (.bad, _): return first.penalised == 0 ? (scheduled, Int.max) : (.single, 1)
    default: return (.single, 1)
    }
  }

  private static func paceOfRest(
    after first: DayRecord, _ input: DayInput, on day: Day, under terms: Terms
  ) -> (Pace, most: Int) {
    let rhythm = terms.rhythm
    if input.isRest {
      guard rhythm.isCounting, first.run > 0 || rhythm.period != nil else { return (.still, Int.max) }
      let isAll = Int(first.rested) >= rhythm.allowance(on: day)
      guard let period = rhythm.period else {
        return isAll ? (.still, Int.max) : (.resting, rhythm.restingInARow(from: day, rested: first.rested))
      }
      return (.resting, period.days(around: day).upperBound - day + 1)
    }
    // A day that is asked for may end a run, begin one or take jokers; if it does not, the days continue as they are.
    let takesJokers = first.held > 0 && terms.penalty[Int(input.outcome.code)] > 0
    let changesRun = terms.streak && (first.run > 0 || input.outcome == .good || takesJokers)
    if !changesRun, rhythm.kind != .every { return (.scheduled, Int.max) }
    return (.resting, rhythm.restingInARow(from: day, rested: first.rested))
  }

  /// The first day's weekday, from 0 for Monday.
  var weekday: Int { Int(flags.rawValue >> Flags.weekdayShift) }

  /// Whether its days are before the habit's first.
  var isEarly: Bool { flags.contains(.early) }

  /// Whether its days are those of a composite whose members let them go.
  var isRest: Bool { flags.contains(.rest) }

  /// How many of the days after the first, up to one, the run grows on.
  func grown(_ place: Int) -> Int {
    switch pace {
    case .growing: place
    case .scheduledGrowing: rhythm.asked(place, after: weekday)
    case .single, .still, .graced, .resting, .scheduled: 0
    }
  }

  /// Whether the run is longer after the days than after the first of them.
  var isGrowing: Bool { pace == .growing || pace == .scheduledGrowing }

  /// The place of the day on which the run has a length that it grows to after the first day.
  func place(ofRun run: Int) -> Int {
    let more = run - Int(first.run)
    return pace == .growing ? more : rhythm.place(ofAsked: more, after: weekday)
  }

  /// The longest run in it.
  var weight: Int32 { isEarly ? 0 : first.run + Int32(grown(Int(count) - 1)) }

  /// Whether the day after the last, with this input, continues as the days before did.
  func goesOn(with input: DayInput) -> Bool {
    switch pace {
    case .single, .graced, .resting: false
    case .still, .growing, .scheduled, .scheduledGrowing:
      outcome == input.outcome && terms == Int32(input.terms) && isEarly == input.isEarly
        && flags.contains(.excused) == input.isExcused && flags.contains(.rest) == input.isRest
    }
  }

  /// The input of its days from a place on, for days up to a last one.
  func input(from place: Int, until day: Day) -> DayInput {
    DayInput(
      outcome: outcome, isExcused: flags.contains(.excused), isRest: flags.contains(.rest), isEarly: isEarly,
      startsSchedule: place == 0 && flags.contains(.startsSchedule), terms: Int(terms), until: day)
  }

  /// The days from a place on, the record of the first of which is given.
  fileprivate func dropping(_ places: Int, with record: DayRecord) -> Stretch {
    Stretch(self, from: record, weekday: (weekday + places) % 7, count: count - Int32(places))
  }

  private init(_ whole: Stretch, from first: DayRecord, weekday: Int, count: Int32) {
    self.first = first
    self.count = count
    (terms, every, cap) = (whole.terms, whole.every, whole.cap)
    (outcome, rhythm, pace) = (whole.outcome, whole.rhythm, whole.pace)
    flags = whole.flags.intersection([.excused, .early, .rest]).union(
      Flags(rawValue: UInt8(weekday) << Flags.weekdayShift))
  }
}

extension FoldDay {
  /// A day that is closed with what the fold is given for it.
  init(closed input: DayInput, on day: Day) {
    self.init(
      day: day, outcome: input.outcome, isExcused: input.isExcused, isRest: input.isRest,
      startsSchedule: input.startsSchedule, isOpen: false)
  }
}

extension DayRecord {
  /// A day before the habit's first: no run, and the verdict is what composites above ask for.
  fileprivate init(early input: DayInput) {
    verdict = input.isExcused ? .excused : input.isRest ? .rest : input.outcome.verdictAlone
  }
}

extension DayMap<Stretch>.Slot {
  /// The days from a place on.
  func dropping(_ places: Int) -> DayMap<Stretch>.Slot {
    places == 0
      ? self
      : DayMap.Slot(day: day + places, value: value.dropping(places, with: record(places)))
  }
}

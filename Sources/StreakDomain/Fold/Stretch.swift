/// What the fold is given for a day, and for how many days after it is the same.
struct DayInput: Sendable {
  var outcome: Outcome
  /// In a span that excuses it, retired, or a composite all of whose members are excused.
  var isExcused = false
  /// Before the habit's first day: of no account for the habit, but composites above may ask for it.
  var isEarly = false
  /// The place of the terms in force among the habit's.
  var terms: Int
  /// The last day with the same input.
  var until: Day
}

/// Days in a row with the same input, whose records follow from the first of them.
///
/// A habit costs what changes in it, not the years it lasts: ten years of good days, or of nothing, are one stretch.
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
  private let every: Int32
  private let cap: UInt16
  let outcome: Outcome
  private let pace: Pace
  private let isExcused: Bool
  let isEarly: Bool

  /// How the records go on after the first.
  private enum Pace: UInt8, Sendable {
    /// There is no second.
    case single
    /// All are the same.
    case still
    /// The run grows by one a day, and earns the jokers it earns.
    case growing
    /// One more missed day in a row is tolerated.
    case graced
  }

  /// The days from one on, at most so many, after a record.
  init(after record: DayRecord, _ input: DayInput, on day: Day, atMost limit: Int, under terms: Terms) {
    outcome = input.outcome
    isExcused = input.isExcused
    isEarly = input.isEarly
    self.terms = Int32(input.terms)
    if case .jokers(let every, let cap) = terms.mercy {
      (self.every, self.cap) = (Int32(every), UInt16(cap))
    } else {
      (every, cap) = (0, 0)
    }
    if input.isEarly {
      first = DayRecord(early: input)
    } else {
      first = record.next(
        FoldDay(day: day, outcome: input.outcome, isExcused: input.isExcused, isOpen: false), under: terms)
    }
    let most: Int
    (pace, most) = Stretch.pace(after: first, input, under: terms)
    count = Int32(clamping: min(limit, most))
  }

  private static func pace(
    after first: DayRecord, _ input: DayInput, under terms: Terms
  ) -> (Pace, most: Int) {
    if input.isEarly || input.isExcused || !terms.streak { return (.still, Int.max) }
    switch (first.verdict, terms.mercy) {
    case (.good, _): return (.growing, Int.max)
    case (.graced, .grace(let days)): return (.graced, days - Int(first.misses) + 1)
    // A run that has ended stays so; what jokers a bad day takes, the next takes, too.
    case (.missed, _), (.bad, _): return first.penalised == 0 ? (.still, Int.max) : (.single, 1)
    default: return (.single, 1)
    }
  }

  /// The record of a day by its place among them, from 0.
  func record(_ place: Int) -> DayRecord {
    guard place > 0 else { return first }
    var record = first
    switch pace {
    case .single, .still: break
    case .graced: record.misses += Int32(place)
    case .growing:
      record.run += Int32(place)
      record.jokers = []
      guard every > 0 else { break }
      record.held = held(place)
      if record.run % every == 0 { record.jokers = held(place - 1) < cap ? .earned : .forfeited }
    }
    return record
  }

  var last: DayRecord { record(Int(count) - 1) }

  /// How many of the days after the first, up to one, are the last of so many that earn a joker.
  private func earningDays(_ place: Int) -> Int {
    every == 0 || pace != .growing ? 0 : Int((first.run + Int32(place)) / every - first.run / every)
  }

  /// A cap that was lowered takes nothing away.
  private func held(_ place: Int) -> UInt16 {
    first.held >= cap ? first.held : UInt16(min(Int(cap), Int(first.held) + earningDays(place)))
  }

  /// The longest run in it.
  var weight: Int32 { isEarly ? 0 : pace == .growing ? first.run + count - 1 : first.run }

  /// Of all its days.
  var verdict: Verdict { first.verdict }

  var isGood: Bool { !isEarly && first.verdict.isGood }

  /// Whether the day after the last, with this input, goes on as the days before did.
  func goesOn(with input: DayInput) -> Bool {
    (pace == .still || pace == .growing) && outcome == input.outcome && isExcused == input.isExcused
      && isEarly == input.isEarly && terms == Int32(input.terms)
  }

  /// The same input, for days from here on to a last one.
  func input(until day: Day) -> DayInput {
    DayInput(outcome: outcome, isExcused: isExcused, isEarly: isEarly, terms: Int(terms), until: day)
  }

  /// The days from a place on.
  func dropping(_ places: Int) -> Stretch {
    var rest = self
    rest.first = record(places)
    rest.count = count - Int32(places)
    return rest
  }

  /// The same with more days at its end, which are counted in.
  func extended(by days: Int, into tally: inout DayTally) -> Stretch {
    var longer = self
    longer.count += Int32(days)
    if days == 1, !isEarly {
      tally.count(longer.last, 1)
    } else {
      count(into: &tally, -1)
      longer.count(into: &tally, 1)
    }
    return longer
  }

  /// Counts its days in; `sign` -1 takes them out again.
  func count(into tally: inout DayTally, _ sign: Int) {
    guard !isEarly else { return }
    tally.count(first, sign, days: Int(count))
    guard count > 1, every > 0, pace == .growing else { return }
    let earned = Int(last.held) - Int(first.held)
    tally.countJokers(earned: earned, forfeited: earningDays(Int(count) - 1) - earned, sign)
  }

  /// The places, ascending, of days on which jokers were earned, forfeited, spent or taken, from one on.
  func placesWithJokers(from place: Int) -> [Int] {
    var places: [Int] = []
    if place == 0, !first.jokers.isEmpty || first.penalised > 0 { places.append(0) }
    guard every > 0, pace == .growing else { return places }
    let done = Int(first.run) + max(place, 1) - 1
    var run = (done / Int(every) + 1) * Int(every)
    while run < Int(first.run) + Int(count) {
      places.append(run - Int(first.run))
      run += Int(every)
    }
    return places
  }

  /// Whether the run is longer on each day than on the day before.
  var isGrowing: Bool { pace == .growing }
}

extension DayRecord {
  /// A day before the habit's first: no run, and the verdict is what composites above ask for.
  fileprivate init(early input: DayInput) {
    verdict = input.isExcused ? .excused : input.outcome.verdictAlone
  }
}

extension DayMap<Stretch>.Slot {
  /// The last day of the stretch.
  var through: Day { day + (Int(value.count) - 1) }
}

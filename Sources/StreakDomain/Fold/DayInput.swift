/// The entries of one day of a habit, counted under the rule in force on that day.
struct DayCell: Sendable {
  /// The start of the linked list of the day's entries, including deleted ones.
  var head = EntryOffset.end
  /// The number of entries that weren't deleted, including those that the rule ignores, such as
  /// late ones.
  private(set) var entries: Int32 = 0
  /// The entry with the latest time among those that the rule doesn't ignore, or `.end` if there is
  /// none.
  private var latest = EntryOffset.end
  /// The outcome of the day according to `latest` alone, as needed by the rules `level` and
  /// `completed`.
  private(set) var latestOutcome = Outcome.missed
  /// The number that the rule judges.
  ///
  /// For `minutes` and `sum` it is the sum in thousandths, for `completed` the number of failed
  /// entries, for `activity` the number of entries that reach the threshold of their activity. For
  /// `any` and `never` it is the number of entries that the rule doesn't ignore.
  var tally: Int64 = 0

  @inline(__always)
  mutating func add(
    _ offset: EntryOffset, of entries: [EntryFact], under definition: CompiledDefinition
  ) {
    let entry = entries[offset]
    self.entries += 1
    guard definition.test.considers(entry) else { return }
    definition.test.tally(entry, into: &self)
    if latest != .end, !entries[latest].precedes(entry) { return }
    latest = offset
    latestOutcome = definition.test.outcome(after: entry)
  }

  /// A cell with the same linked list of entries, but with no entry counted.
  var withoutCounts: DayCell {
    var cell = DayCell()
    cell.head = head
    return cell
  }
}

/// The outcome of a closed day, or one of three special codes, packed into two bytes.
///
/// Each example has a rule, the entries of the days (`.` is none) or the members, and a code per
/// day:
///
///     any              entries x.x          codes good, defaultOutcome, good
///     all of a and b   a excused, b rests   code notRequired
///     10 per week      entries 4.9..        codes defaultOutcome, defaultOutcome, good,
///                                                 notRequired, notRequired
struct DayCode: Hashable, Sendable {
  private let number: UInt16

  /// The code of a day whose outcome equals `emptyOutcome`, the outcome without entries under the
  /// definition in force.
  ///
  /// Two other kinds of days have this code, too: a day on which a composite isn't good, and a day
  /// after which the outcome of the week or month is still undecided.
  static let defaultOutcome = DayCode(number: .max)
  /// The code of a day that isn't required.
  ///
  /// Either the composite's members rest, or an earlier day decided the outcome of the week or
  /// month.
  static let notRequired = DayCode(number: .max - 1)
  /// The code of a composite's day on which all members are excused.
  static let allExcused = DayCode(number: .max - 2)

  private init(number: UInt16) {
    self.number = number
  }

  init(_ outcome: Outcome) {
    number = outcome.code
  }

  /// The outcome, or `nil` if the code is one of the three special codes.
  @inline(__always)
  var outcome: Outcome? { number < DayCode.allExcused.number ? Outcome(code: number) : nil }
}

/// The input of one step of the fold: one day of one habit.
struct DayInput {
  var day: Day
  var outcome: Outcome
  /// Whether the day is excused: by an excuse, by a retirement, or because all members of the
  /// composite are excused.
  var isExcused: Bool
  /// Whether the day is a rest day for a reason other than the schedule.
  ///
  /// Either the composite's members rest, or another day decides the outcome of the week or month.
  var isRest: Bool
  /// Whether a different schedule was in force on the previous day, so that rest days are counted
  /// from 0 again.
  var startsSchedule = false
  /// Whether the day is today and its verdict isn't decided yet.
  var isOpen = false

  /// Creates the input of the fold for `day`, which must be in `interval`; `isOpen` is false.
  @inline(__always)
  init(_ day: Day, code: DayCode, in interval: Definitions.Interval) {
    let definition = interval.definition
    self.day = day
    outcome = code.outcome ?? definition.emptyOutcome
    isRest = code == .notRequired || code == .defaultOutcome && definition.isBeforePeriodEnd(day)
    isExcused =
      interval.isRetired || code == .allExcused
      || interval.isExcused && definition.isTentative(outcome)
    startsSchedule = interval.startsSchedule && day == interval.days.lowerBound
  }
}

/// The verdict of a member's day, as needed by the composites that contain the member (domain.md,
/// "Habits and rules").
///
/// The raw values are separate bits, so that `MemberSummary` can combine them. An excused member
/// adds no bit.
enum MemberVerdict: UInt8, Sendable {
  case excused = 0
  case good = 1
  case notGood = 2
  case resting = 4

  /// Creates the member verdict that corresponds to `verdict`, the verdict of a day that is over.
  init(_ verdict: Verdict) {
    switch verdict {
    case .good: self = .good
    case .excused: self = .excused
    case .rest: self = .resting
    case .healed, .graced, .missed, .bad, .restarted, .open: self = .notGood
    }
  }

  /// Creates the member verdict of today with the entries so far.
  ///
  /// `verdictAtEnd` is the verdict that today will have if no entry follows. A limit isn't good
  /// before its day is over.
  init(_ today: DayInput, verdictAtEnd: Verdict) {
    if today.isExcused {
      self = .excused
    } else if verdictAtEnd == .rest {
      self = .resting
    } else {
      self = today.outcome == .good && !today.isOpen ? .good : .notGood
    }
  }

  /// Creates the verdict of a day before the member's first day, from the member's `input` and
  /// `definition`.
  ///
  /// On such a day the member rests if its schedule names weekdays and excludes this one.
  init(beforeFirstDay input: DayInput, under definition: CompiledDefinition) {
    if input.isExcused {
      self = .excused
    } else if input.isRest || definition.schedule.excludesWeekday(of: input.day) {
      self = .resting
    } else {
      self = input.outcome == .good ? .good : .notGood
    }
  }
}

/// A summary of the verdicts of a composite's members on one day.
struct MemberSummary: Sendable {
  /// The bitwise union of the raw values of the members' verdicts.
  private var verdicts: UInt8 = 0

  @inline(__always)
  mutating func add(_ verdict: MemberVerdict) { verdicts |= verdict.rawValue }

  private func contains(_ verdict: MemberVerdict) -> Bool { verdicts & verdict.rawValue != 0 }

  /// Returns the outcome of the composite's day as a code, according to the rule of `definition`
  /// (`all` or `either`).
  func code(under definition: CompiledDefinition) -> DayCode {
    let allowsOthers = !contains(.notGood) || definition.test.traits.combination == .one
    if contains(.good), allowsOthers { return DayCode(.good) }
    if contains(.resting), allowsOthers { return .notRequired }
    return contains(.good) || contains(.notGood) ? .defaultOutcome : .allExcused
  }
}

/// The entries of one day of a habit, counted under the rule in force on that day.
struct DayCell: Sendable {
  /// The start of the day's linked list of entries, which includes deleted ones.
  var head = EntryOffset.end
  /// The number of entries that weren't deleted, including those that the rule doesn't consider, such as late ones.
  private(set) var entries: Int32 = 0
  /// The latest entry that the rule considers.
  private var latest = EntryOffset.end
  /// The outcome of the day if only `latest` matters.
  private(set) var latestOutcome = Outcome.missed
  /// The number that the rule judges.
  ///
  /// It is the sum in thousandths for `minutes` and `sum`, the number of failed entries for `completed`, the number of
  /// entries that reach their threshold for `activity`, and the number of considered entries for `any` and `none`.
  var tally: Int64 = 0

  @inline(__always)
  mutating func add(_ offset: EntryOffset, of entries: [EntryFact], under definition: CompiledDefinition) {
    let entry = entries[offset]
    self.entries += 1
    guard definition.test.considers(entry) else { return }
    definition.test.tally(entry, into: &self)
    if latest != .end, !entries[latest].precedes(entry) { return }
    latest = offset
    latestOutcome = definition.test.outcome(after: entry)
  }

  /// The same linked list of entries with nothing counted.
  var withoutCounts: DayCell {
    var cell = DayCell()
    cell.head = head
    return cell
  }
}

/// The outcome of a closed day in two bytes, or the reason why the day has no outcome of its own.
///
///     any              entries x.x             codes good, defaultOutcome, good
///     all of a and b   a excused, b rests      code notRequired
///     10 per week      entries 4.9..           codes defaultOutcome, defaultOutcome, good, notRequired, notRequired
struct DayCode: Hashable, Sendable {
  private let number: UInt16

  /// The outcome of a day without entries, according to the definition in force.
  ///
  /// It is also the code of a composite's day that isn't good, and of a day on which the sum of a week or month is
  /// undecided.
  static let defaultOutcome = DayCode(number: .max)
  /// No outcome because members of a composite rest, or because an earlier day decided the sum of the week or month.
  static let notRequired = DayCode(number: .max - 1)
  /// No outcome because all members of a composite are excused.
  static let allExcused = DayCode(number: .max - 2)

  private init(number: UInt16) {
    self.number = number
  }

  init(_ outcome: Outcome) {
    number = outcome.code
  }

  /// The outcome, or `nil` for the three special codes.
  @inline(__always)
  var outcome: Outcome? { number < DayCode.allExcused.number ? Outcome(code: number) : nil }
}

/// The input of one step of the fold: one day of one habit.
struct DayInput {
  var day: Day
  var outcome: Outcome
  /// Whether an excuse covers the outcome, the habit is retired, or all members of a composite are excused.
  var isExcused: Bool
  /// Whether the day rests regardless of the schedule: because of a composite's members, or because another day decides
  /// the sum of the week or month.
  var isRest: Bool
  /// Whether the day before has a different schedule.
  var startsSchedule = false
  /// Whether the day is today and nothing is decided yet.
  var isOpen = false

  /// Creates the input for a closed day with the given code.
  @inline(__always)
  init(_ day: Day, code: DayCode, in interval: Definitions.Interval) {
    let definition = interval.definition
    self.day = day
    outcome = code.outcome ?? definition.emptyOutcome
    isRest = code == .notRequired || code == .defaultOutcome && definition.isBeforePeriodEnd(day)
    isExcused =
      interval.isRetired || code == .allExcused || interval.isExcused && definition.isTentative(outcome)
    startsSchedule = interval.startsSchedule && day == interval.days.lowerBound
  }
}

/// The verdict of a member's day as its composites use it (domain.md, "Habits and rules").
///
/// The raw values are separate bits, so that `MemberSummary` can combine them. An excused member adds no bit.
enum MemberVerdict: UInt8, Sendable {
  case excused = 0
  case good = 1
  case notGood = 2
  case resting = 4

  /// Creates the verdict of a closed day.
  init(_ verdict: Verdict) {
    switch verdict {
    case .good: self = .good
    case .excused: self = .excused
    case .rest: self = .resting
    case .healed, .graced, .missed, .bad, .restarted, .open: self = .notGood
    }
  }

  /// Creates the verdict of today so far, where `verdictAtEnd` is the one that today will have if no entry follows.
  ///
  /// A limit isn't good before its day is over.
  init(_ today: DayInput, verdictAtEnd: Verdict) {
    if today.isExcused {
      self = .excused
    } else if verdictAtEnd == .rest {
      self = .resting
    } else {
      self = today.outcome == .good && !today.isOpen ? .good : .notGood
    }
  }

  /// Creates the verdict of a day before the member's first day.
  ///
  /// Schedules other than weekdays don't apply to such a day.
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
  /// The union of the members' raw verdicts.
  private var verdicts: UInt8 = 0

  @inline(__always)
  mutating func add(_ verdict: MemberVerdict) { verdicts |= verdict.rawValue }

  private func contains(_ verdict: MemberVerdict) -> Bool { verdicts & verdict.rawValue != 0 }

  /// Returns the code of the composite's day.
  func code(under definition: CompiledDefinition) -> DayCode {
    let allowsOthers = !contains(.notGood) || definition.test.traits.combination == .one
    if contains(.good), allowsOthers { return DayCode(.good) }
    if contains(.resting), allowsOthers { return .notRequired }
    return contains(.good) || contains(.notGood) ? .defaultOutcome : .allExcused
  }
}

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

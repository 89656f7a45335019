/// The verdict of a member's day as its composites use it (domain.md, "Composites").
///
/// Excused and resting members are ignored; the others determine the composite's outcome.
///
/// The raw values are separate bits, so that `MemberSummary` can combine them.
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

  /// Creates the verdict of today so far, where `verdictAtEnd` is the verdict if nothing more is logged.
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
    return contains(.good) || contains(.notGood) ? .emptyDay : .allExcused
  }
}

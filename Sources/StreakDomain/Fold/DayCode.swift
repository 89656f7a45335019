/// What a day brings a habit: an outcome, or why it has none of its own.
///
/// ```
/// any              entries x . x         codes good none good
/// all of a, b      a excused, b rests    codes letGo
/// 100 a week       entries 4 . 9 . .     codes none none good letGo letGo   (tens)
/// ```
struct DayCode: Hashable, Sendable {
  private let number: UInt16

  /// Nothing was said that decides it: it is what a day without entries is.
  static let none = DayCode(number: .max)
  /// It is not asked for: the members of a composite let it go, or a sum of its week or month was decided before.
  static let letGo = DayCode(number: .max - 1)
  /// All members are excused.
  static let leftOut = DayCode(number: .max - 2)

  private init(number: UInt16) {
    self.number = number
  }

  init(_ outcome: Outcome) {
    number = outcome.code
  }

  /// Nil where it has none of its own.
  @inline(__always)
  var outcome: Outcome? { number < DayCode.leftOut.number ? Outcome(code: number) : nil }
}

/// A day as the fold meets it.
struct FoldDay {
  var day: Day
  var outcome: Outcome
  /// In a span that excuses it, retired, or a composite all of whose members are excused.
  var isExcused: Bool
  /// Its composite's members, or the sum of its week or month, let it go.
  var isRest: Bool
  /// Whether another schedule was in force the day before.
  var startsSchedule = false
  /// Today, with nothing decided yet.
  var isOpen = false

  /// A day that is over.
  @inline(__always)
  init(_ day: Day, _ code: DayCode, in part: Definitions.Part) {
    let definition = part.definition
    self.day = day
    outcome = code.outcome ?? definition.emptyOutcome
    isRest = code == .letGo || code == .none && definition.leavesOpen(day)
    isExcused = part.isRetired || code == .leftOut || part.isExcused && definition.isQuiet(outcome)
    startsSchedule = part.startsSchedule && day == part.days.lowerBound
  }
}

/// What a composite sees of a member's day: those excused or resting are left out, and it is judged by the others.
enum MemberVerdict: Sendable {
  case good, notGood, excused, resting

  /// Of a closed day.
  init(_ verdict: Verdict) {
    switch verdict {
    case .good: self = .good
    case .excused: self = .excused
    case .rest: self = .resting
    case .healed, .graced, .missed, .bad, .restarted, .open: self = .notGood
    }
  }

  /// Of a day that is not over, and what it is if nothing more is logged; a limit is not kept before its day is closed.
  init(_ day: FoldDay, closed: Verdict) {
    if day.isExcused {
      self = .excused
    } else if closed == .rest {
      self = .resting
    } else {
      self = day.outcome == .good && !day.isOpen ? .good : .notGood
    }
  }

  /// Of a day before the member's first: only an excuse, its weekdays, or what it is made of can let it go.
  init(early day: FoldDay, under definition: CompiledDefinition) {
    if day.isExcused {
      self = .excused
    } else if day.isRest || definition.schedule.passesOver(day.day) {
      self = .resting
    } else {
      self = day.outcome == .good ? .good : .notGood
    }
  }
}

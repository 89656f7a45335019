/// What weeks of which nothing was said do to a record.
///
/// It is the same for all habits of one schedule and forgiveness, so it is found out once.
struct IdleDays: Sendable {
  private var known: [Weeks: Transition] = [:]
  private var laws: [Law: Int32] = [:]
  /// Whether a reader has it, who remembers nothing.
  var isFrozen = false
  /// How often days of a leaf were closed, of any habit: most of the work of the fold.
  var closings = 0

  /// Eight weeks, or 2, 4, 8… times as many, and the kind of record that comes to them.
  struct Weeks: Hashable, Sendable {
    fileprivate let law: Int32
    /// Where in the calendar, if that matters.
    fileprivate let start: Int32
    fileprivate let level: Int8
    fileprivate let isExcused: Bool
    fileprivate let kind: RecordKind
  }

  /// All that decides what becomes of days without entries.
  struct Law: Hashable, Sendable {
    let forgiveness: CompiledForgiveness.Kind
    let schedule: CompiledSchedule
    let emptyOutcome: Outcome
    let isHealed: Bool
    let hasStreak: Bool
    let isLimit: Bool
    let per: Schedule.Period?
  }

  mutating func number(of law: Law) -> Int32 {
    if let known = laws[law] { return known }
    laws[law] = Int32(laws.count)
    return Int32(laws.count - 1)
  }

  /// As if the weeks were the first of the calendar.
  subscript(weeks: Weeks) -> Transition? {
    get { known[weeks] }
    set { if !isFrozen { known[weeks] = newValue } }
  }

  var frozen: IdleDays {
    var frozen = self
    frozen.isFrozen = true
    return frozen
  }
}

extension Definitions {
  /// The weeks of a branch, where nothing was said of them and all that holds stays the same; else nil.
  func idleWeeks(_ branch: DayTree.Branch, _ kind: RecordKind) -> IdleDays.Weeks? {
    let days = branch.days
    let part = part(from: days.lowerBound)
    guard part.days.upperBound >= min(days.upperBound, Day.last), !part.startsSchedule else { return nil }
    return IdleDays.Weeks(
      law: part.definition.law,
      start: part.definition.countsMonths ? days.lowerBound.number : 0, level: Int8(branch.level),
      isExcused: part.isRetired || part.isExcused && part.definition.isQuiet(part.definition.emptyOutcome),
      kind: kind)
  }
}

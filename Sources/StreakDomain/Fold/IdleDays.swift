/// A cache of transitions over weeks without entries, shared by habits with the same schedule and
/// forgiveness.
struct IdleDays: Sendable {
  private var known: [Weeks: Transition] = [:]
  private var laws: [Law: Int32] = [:]
  var isFrozen = false

  struct Weeks: Hashable, Sendable {
    fileprivate let law: Int32
    fileprivate let start: Int32
    fileprivate let level: Int8
    fileprivate let isExcused: Bool
    fileprivate let kind: RecordKind
  }

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

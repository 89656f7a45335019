struct CarriedRecords {
  private var definition: CompiledDefinition?
  private var records: [(day: Day, record: DayRecord)?] = []

  mutating func begin(_ definition: CompiledDefinition) {
    guard definition !== self.definition else { return }
    self.definition = definition
    records = [(day: Day, record: DayRecord)?](repeating: nil, count: definition.members.count)
  }

  subscript(place: Int) -> (day: Day, record: DayRecord)? {
    get { records[place] }
    _modify { yield &records[place] }
  }
}

/// The verdicts of members for up to 56 days, one bit per day.
struct MemberDays: Sendable {
  static let notGood = MemberDays(notGood: .max)

  private var good: UInt64 = 0
  private var notGood: UInt64 = 0
  private var resting: UInt64 = 0

  init() {}

  private init(notGood days: UInt64) {
    notGood = days
  }

  mutating func note(_ verdict: MemberVerdict, _ place: Int) {
    let day = UInt64(1) << UInt64(place)
    switch verdict {
    case .good: good |= day
    case .notGood: notGood |= day
    case .resting: resting |= day
    case .excused: break
    }
  }

  mutating func add(_ other: MemberDays) {
    good |= other.good
    notGood |= other.notGood
    resting |= other.resting
  }

  /// Returns the composite's code; excused and resting members don't count.
  func code(_ place: Int, needsOne: Bool) -> DayCode {
    let day = UInt64(1) << UInt64(place)
    let othersAreFine = notGood & day == 0 || needsOne
    if good & day != 0, othersAreFine { return DayCode(.good) }
    if resting & day != 0, othersAreFine { return .letGo }
    return (good | notGood) & day == 0 ? .leftOut : .none
  }
}

extension HabitDays {
  /// Whether the days of one leaf are all missed, because they are required and have no codes.
  func isMissed(_ days: ClosedRange<Day>) -> Bool {
    guard tree.codes(around: days.lowerBound) == nil, !definitions.isEmpty else { return definitions.isEmpty }
    let isKnown = through >= days.upperBound && first.map { $0 <= days.lowerBound } ?? false
    let part = definitions.part(from: days.lowerBound)
    return part.days.upperBound >= days.upperBound && !part.isRetired && !part.isExcused
      && part.definition.schedule.isDaily && part.definition.emptyOutcome == .missed
      && part.definition.per == nil && (isKnown || !part.definition.isComposite)
  }
}

struct LedgerClock: Sendable {
  let cutoff: Day?
  var today: Day?
  var isCutOff = false
  var setter: EventKey?

  init(cutoff: Day?) {
    self.cutoff = cutoff
  }
}

struct Roster: Sendable {
  /// 1 + the index of the habit with each name symbol; 0 for none.
  var ofName: [Int32] = []
  var defined: [Int] = []
}

struct Excuses: Sendable {
  var forAll = DaySpans()
  var byEvent: [EventKey: Excuse] = [:]
}

struct Waiting: Sendable {
  var deletions: Set<EventKey> = []
  var withdrawals: Set<EventKey> = []
  var entries: [EntryPlace] = []
  var definitions: Set<Int> = []
}

struct Rewards: Sendable {
  var daily = DailyHistory()
  /// The XP of entries, excluding that of achievements.
  var earnedXP = 0
  var reminders: [String: Reminder] = [:]
  var seenCelebrations: Set<String> = []
  var yoga: Symbol

  init(yoga: Symbol) {
    self.yoga = yoga
  }
}

struct FoldWork: Sendable {
  var idle = IdleDays()
  var settledOn: Day?
  var unsettled: [Int] = []
  /// The position of the state being refolded, or `nil` outside a refold.
  var replayed: Int?
}

struct Changes: Sendable {
  /// Whether a caller asks after each event which closed days changed.
  var isWatched = false
  var habits: [Int] = []
  var hasNewOutcome = false
  /// Incremented by every fact that may affect achievements, and by every new day.
  var groundsRevision = 0
  /// Incremented when all days were refolded, so that today may have moved back.
  var generation = 0
}

extension Ledger {
  package var names: SymbolTable { stream.names }
  package var index: EventIndex { stream.index }
  package var zone: String? { stream.settings.zone }
  package var dayStart: ClockTime { stream.settings.dayStart }
  /// The last day that counts, or `nil` if all days count.
  package var cutoff: Day? { clock.cutoff }
  /// The ledger's own today, but at most the cutoff; `nil` before the first event that sets it.
  package var today: Day? { clock.today }
  package var isCutOff: Bool { clock.isCutOff }
  package var hasNewOutcome: Bool { changes.hasNewOutcome }
  package var groundsRevision: Int { changes.groundsRevision }
  package var generation: Int { changes.generation }
  /// The XP of entries, excluding that of achievements.
  package var earnedXP: Int { rewards.earnedXP }
  package var reminders: [String: Reminder] { rewards.reminders }
  package var seenCelebrations: Set<String> { rewards.seenCelebrations }
  package var hasUndone: Bool { !journal.undone.isEmpty }
}

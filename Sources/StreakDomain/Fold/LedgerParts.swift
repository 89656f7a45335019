/// A ledger's today.
struct LedgerClock: Sendable {
  /// Days after this one are left out (`--on` before the ledger's own today); nil keeps all.
  let cutoff: Day?
  /// The ledger's own today, or the cutoff where that is earlier; nil before any event that has one.
  var today: Day?
  /// Whether the ledger's own today is after the cutoff.
  var isCutOff = false
  /// The event that set the ledger's own today.
  var setter: EventKey?

  init(cutoff: Day?) {
    self.cutoff = cutoff
  }
}

/// The habits of a ledger by name, and those that are defined.
struct Roster: Sendable {
  /// Habit index + 1 by name index; 0 is none.
  var ofName: [Int32] = []
  /// Habits in the order of their first definitions in the stream.
  var defined: [Int] = []
}

/// The excuses of a ledger.
struct Excuses: Sendable {
  /// The days of those that name no habit.
  var forAll = DaySpans()
  var byEvent: [EventKey: Excuse] = [:]
}

/// Events that came before what they are about, or whose day has not come.
struct Waiting: Sendable {
  /// Deletions whose entry has not been seen.
  var deletions: Set<EventKey> = []
  /// Withdrawals whose excuse has not been seen.
  var withdrawals: Set<EventKey> = []
  /// Entries of days after today, in order of arrival: only a correction leaves such behind.
  var entries: [EntryPlace] = []
  /// Habits with a definition of a day after today.
  var definitions: Set<Int> = []
}

/// What all habits together bring, and what was asked or seen of it.
struct Rewards: Sendable {
  /// By day, what achievements and the activity state rest on.
  var daily = DailyHistory()
  /// XP of qualifying entries, without that of achievements.
  var earnedXP = 0
  var reminders: [String: Reminder] = [:]
  var seenCelebrations: Set<String> = []
  /// The activity that an achievement names.
  var yoga: Symbol

  init(yoga: Symbol) {
    self.yoga = yoga
  }
}

/// What days still have to be folded, and what helps to fold them.
struct FoldWork: Sendable {
  /// What weeks of nothing do, for all habits.
  var idle = IdleDays()
  /// How often days of a composite were put together, or today was judged.
  var judgements = 0
  /// The today on which all days were folded last.
  var settledOn: Day?
  /// The habits with facts since then that may change a day.
  var unsettled: [Int] = []
  /// The position of the state under way while facts are folded again.
  var replayed: Int?
}

/// What facts have touched since somebody last asked.
struct Changes: Sendable {
  /// Whether somebody asks after each event which days of the past it changed.
  var isWatched = false
  /// The habits that were touched, each once.
  var habits: [Int] = []
  /// Whether a fact may have changed a run or a verdict.
  var hasNewOutcome = false
  /// Changes with every fact that may bring or take an achievement, and with every new day.
  var groundsRevision = 0
  /// Changes whenever all days were folded again, and today may have gone back.
  var generation = 0
}

/// What readers ask of the parts.
extension Ledger {
  package var names: SymbolTable { stream.names }
  package var index: EventIndex { stream.index }
  /// The time zone, or `nil` before the first `ledger.opened` or `day.changed`.
  package var zone: String? { stream.settings.zone }
  /// The time of day at which days begin.
  package var dayStart: ClockTime { stream.settings.dayStart }
  /// Days after this one are left out; nil keeps all.
  package var cutoff: Day? { clock.cutoff }
  /// The ledger's own today, or the cutoff where that is earlier; nil before any event that has one.
  package var today: Day? { clock.today }
  /// Whether the ledger's own today is after the cutoff.
  package var isCutOff: Bool { clock.isCutOff }
  /// Whether a fact since somebody last asked may have changed a run or a verdict.
  package var hasNewOutcome: Bool { changes.hasNewOutcome }
  /// Changes with every fact that may bring or take an achievement, and with every new day.
  package var groundsRevision: Int { changes.groundsRevision }
  /// Changes whenever all days were folded again, and today may have gone back.
  package var generation: Int { changes.generation }
  /// XP of qualifying entries, without that of achievements.
  package var earnedXP: Int { rewards.earnedXP }
  package var reminders: [String: Reminder] { rewards.reminders }
  package var seenCelebrations: Set<String> { rewards.seenCelebrations }
  /// Whether an entry, a definition or an excuse was ever taken back by `streaks undo`.
  package var hasUndone: Bool { !journal.undone.isEmpty }
}

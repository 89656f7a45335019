import EventLog
import Foundation
import Inspection
import StreakDomain
import Synchronization
import TimeZones

/// A folder's ledger, shared by everything in this process that reads, observes or appends.
///
/// It is folded once and then updated with the events appended since.
final class SharedLedger: Sendable {
  private struct Reference {
    weak var ledger: SharedLedger?
  }

  private struct State {
    var log: FoldedLog?
    /// The result of the last read, and the state of the folder before it.
    var latest: (stamp: FolderStamp, found: Result<StreakLedger, Failure>)?
  }

  let path: String
  let disk: any Disk
  private let state: Mutex<State>
  private static let known = Mutex<[String: Reference]>([:])

  init(_ path: String, on disk: any Disk) {
    (self.path, self.disk) = (path, disk)
    state = Mutex(State())
  }

  /// Returns the ledger that this process already has for a folder, or creates it.
  static func of(_ path: String) -> SharedLedger {
    let key = SystemDisk.absolute(path)
    return known.withLock { known in
      if let ledger = known[key]?.ledger { return ledger }
      known = known.filter { $0.value.ledger != nil }
      let ledger = SharedLedger(path, on: SystemDisk())
      known[key] = Reference(ledger: ledger)
      return ledger
    }
  }

  /// Returns the current ledger, seen from the local date of `now`.
  func ledger(now: Date) throws(Failure) -> StreakLedger {
    try state.withLock { (state) throws(Failure) in
      try FolderStamp.reading(path, on: disk) { (stamp) throws(Failure) in
        try read(&state, stamp, now: now)
      }
    }
  }

  private func read(_ state: inout State, _ stamp: FolderStamp?, now: Date) throws(Failure) -> StreakLedger {
    if let latest = state.latest, latest.stamp == stamp { return try latest.found.get().seen(now: now) }
    state.latest = nil
    do throws(Failure) {
      var reading = ReadingOptions()
      reading.disk = disk
      var log = try FoldedLog.current(state.log.take(), in: path, writer: "", reading)
      let ledger = Result { () throws(Failure) in try StreakLedger(&log, now: now) }
      state.log = log
      if let stamp { state.latest = (stamp, ledger) }
      return try ledger.get()
    } catch {
      if let stamp, !error.mayPass { state.latest = (stamp, .failure(error)) }
      throw error
    }
  }

  /// Appends as one batch the drafts that `drafts` makes from the ledger under the lock.
  func append(
    by writer: String, isNamed: Bool, wait: Duration, _ options: AppendOptions, isFirst: Bool,
    drafts: (Ledger) throws(Failure) -> [Draft]
  ) throws(Failure) -> [Appended] {
    let first = try FirstWrite(of: writer, isNamed: isNamed, in: path, on: disk)
    let open = try LogWriter(
      folder: path, writer: writer, wait: wait / .seconds(1), makesFolder: isFirst, on: disk)
    return try state.withLock { (state) throws(Failure) in
      state.latest = nil
      let decision = try open.append(to: &state.log, if: options) { (log) throws(Failure) in
        try log.stream.requireNothingAway(isForced: options.isForced)
        let drafts = try drafts(log.ledger)
        return drafts.isEmpty ? nil : Drafts(drafts)
      }
      guard let decision else { return [] }
      let appended = Appended.all(
        of: decision.results, from: decision.ledgerBefore.today, to: decision.ledgerAfter.today)
      if appended.contains(where: \.isNew) { first.makeGitFiles() }
      return appended
    }
  }

  /// Reverts the writer's last append, or that of an event; O(events).
  func undo(
    _ event: String?, by writer: String, wait: Duration, _ options: AppendOptions
  ) throws(Failure) -> LedgerDifference {
    let open = try LogWriter(
      folder: path, writer: writer, wait: wait / .seconds(1), makesFolder: false, on: disk)
    var options = options
    options.reading.disk = disk
    let stream = try EventStream(folder: path, options: options.reading)
    let undo = try Undo(stream, writer: writer, namesCommands: false)
    let date = undo.ledger.clock.map { $0.day(of: options.now) }
    let reversal = try undo.reversal(of: event, date: date) { event in
      "\(event.payload.type.rawValue) \(Event.shortID(event.id)) of \(event.day)"
    }
    options.correctsDay = !reversal.corrections.isEmpty
    do throws(Failure) {
      return LedgerDifference(
        of: try open.append(Drafts(reversal.drafts + reversal.corrections), to: undo.log, if: options))
    } catch {
      throw error.isRefusal ? Undo.refused("cannot bring back what was", [error.sentence]) : error
    }
  }
}

/// Two folders are equal if they share one ledger.
extension SharedLedger: Hashable {
  static func == (a: SharedLedger, b: SharedLedger) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Ledger {
  /// Returns drafts that change a definition from `day` on, and all later ones that only repeat it.
  func redefining(
    _ habit: Habit.ID, on day: Day?, now: Instant, _ change: (inout Habit) -> Void
  ) throws(Failure) -> [Draft] {
    let today = clock.map { max($0.day(of: now), self.today ?? .first) } ?? self.today ?? .first
    let from = day ?? today
    guard let base = base(of: habit, on: from) else { throw .unknownHabit(habit, among: currentHabits) }
    var changed = base.definition
    change(&changed)
    changed.id = habit
    if changed.rule != base.definition.rule, changed.forgiveness == base.definition.forgiveness {
      changed.forgiveness = changed.forgiveness?.following(from: base.definition.rule, to: changed.rule).0
    }
    if changed.saysTheSame(as: base.definition), retirement(of: habit, on: from.next) == nil { return [] }
    // A definition that begins later than `from` has no repeats.
    let repeats = base.day <= from ? repeats(of: base.definition, habit, after: from) : []
    return [Ledger.draft(changed, on: day, cause: base.event)]
      + repeats.map { Ledger.draft(changed, on: $0.day, cause: $0.event) }
  }

  private static func draft(_ habit: Habit, on day: Day?, cause: String) -> Draft {
    var draft = Draft(.habitDefined(habit))
    (draft.day, draft.event.cause) = (day, cause)
    return draft
  }
}

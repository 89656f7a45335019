import EventLog
public import Foundation
import Imports
public import StreakDomain
public import Streaks

extension StreakFolder {
  /// Imports records of another app.
  ///
  /// Definitions of missing habits are appended first, as a batch of their own. The entries are a second batch, or
  /// several batches if there are more than 50,000 entries.
  ///
  /// The ids of the events are derived from the records. So an import of the same file or of a newer export adds only
  /// the new records. Entries that were deleted in the ledger stay deleted. `undo` reverts the last batch.
  ///
  /// - Parameters:
  ///   - records: The file and its format.
  ///   - first: The first day to import. The default is the day from which each habit counts.
  ///   - last: The last day to import. By default, there is no last day.
  ///   - isDry: Whether to return the result without appending events.
  ///   - now: The current time.
  /// - Returns: The imported events, and the skipped records with the reasons.
  /// - Throws: `StreakError` with the location of the first problem in the file. No entry was written then, unless
  ///   there are more than 50,000.
  /// - Complexity: O(events + records).
  @discardableResult
  public func importRecords(
    _ records: ImportedRecords, since first: Day? = nil, until last: Day? = nil, isDry: Bool = false,
    now: Date = .now
  ) async throws(StreakError) -> ImportSummary {
    let known = try await ledger(now: now)
    return try await elsewhere { () throws(Failure) in
      let ledger = known.ledger
      let folder = self.url.path
      var empty = try ImportPlan(
        ledger: ledger, now: Instant(now), zone: ledger.zone ?? TimeZone.current.identifier
      ) { (body) throws(Failure) in
        var reading = ReadingOptions()
        reading.wantsEvents = true
        var replay = Replay(try EventStream(folder: folder, options: reading))
        while let event = try replay.nextEvent() { body(event) }
      }
      (empty.since, empty.until) = (first, last)
      let plan = try records.plan(into: empty)
      var batches: [[Draft]] = []
      for batch in plan.batches {
        batches.append([])
        try batch.each { batches[batches.count - 1].append($0) }
      }
      var ids: Set<String> = []
      if isDry {
        let decision = try known.decision(on: plan.definitions + batches.joined(), now: Instant(now))
        for result in decision.results where result.status == .recorded { ids.insert(result.id) }
      } else {
        for batch in [plan.definitions] + batches {
          let results = try self.append(now: now) { _ in batch }
          for result in results where result.isNew { ids.insert(result.event) }
        }
      }
      return ImportSummary(plan, batches.joined().filter { $0.id.map(ids.contains) ?? false })
    }
  }
}

/// The result of an import, or of a dry run.
public struct ImportSummary: Equatable, Sendable {
  /// The number of new entries and excuses of each habit.
  public let events: [Habit.ID: Int]
  /// The ids of the appended events without definitions; an undo of one event reverts the whole batch of that event.
  public let ids: [String]
  /// The habits that the import defined, in the order of the file.
  public let defined: [Habit]
  /// The number of records whose events the ledger already contained.
  public let alreadyThere: Int
  /// The number of records whose entries were deleted in the ledger after an earlier import.
  public let deletedBefore: Int
  /// The number of events of earlier imports that were deleted because the file has another value for them or no value.
  public let takenBack: Int
  /// The reasons for skipped records, with the number of records for each, in the order of first occurrence.
  public let leftOut: [LeftOut]
  /// The names of the table's columns that weren't read.
  public let unusedColumns: [String]
  /// Other messages for the user, for example that a habit keeps the definition in the ledger.
  public let notes: [String]

  /// The number of records that were skipped for one reason.
  public struct LeftOut: Hashable, Sendable {
    /// The reason, as a message for people.
    public let reason: String
    /// The number of skipped records.
    public let count: Int
  }

  init(_ plan: ImportPlan, _ appended: [Draft]) {
    events = Dictionary(appended.compactMap(\.event.payload.habit).map { ($0, 1) }, uniquingKeysWith: +)
    ids = appended.compactMap(\.id)
    defined = plan.definitions.compactMap(\.event.defined)
    (alreadyThere, deletedBefore) = (plan.alreadyThere + plan.count - ids.count, plan.deletedBefore.count)
    takenBack = plan.takenBack
    leftOut = plan.reasons.map { LeftOut(reason: $0.reason.says, count: $0.count) }
    (unusedColumns, notes) = (plan.unusedColumns, plan.notes)
  }
}

import EventLog
public import Foundation
import Imports
public import StreakDomain
public import Streaks

extension StreakFolder {
  /// Imports records of another app.
  ///
  /// The habits that they need are one batch, and the entries another, or several if there are more than 200,000.
  ///
  /// The ids are made of the records, so importing again, or a newer export, adds only what is new; what was deleted
  /// here stays deleted. `undo` takes the entries back.
  ///
  /// - Parameters:
  ///   - records: the file, and how it is read.
  ///   - first: earlier days are left out; nil is the day from which each habit counts.
  ///   - last: later days are left out.
  ///   - isDry: only say what would be imported.
  ///   - now: the clock.
  /// - Returns: what was imported, and what was left out and why.
  /// - Throws: `StreakError` with the place in the file of what cannot be read; then no entry was written.
  /// - Complexity: O(events + records).
  @discardableResult
  public func importRecords(
    _ records: ImportedRecords, since first: Day? = nil, until last: Day? = nil, isDry: Bool = false,
    now: Date = .now
  ) async throws(StreakError) -> ImportSummary {
    let known = try await ledger(now: now)
    return try await elsewhere { () throws(Failure) in
      let ledger = known.ledger
      var options = ImportPlan.Options(now: Instant(now), zone: ledger.zone ?? TimeZone.current.identifier)
      (options.since, options.until) = (first, last)
      let plan = try records.plan(into: ledger, of: url.path, options)
      var drafts: [Draft] = []
      try plan.drafts.each { drafts.append($0) }
      var ids: Set<String> = []
      if isDry {
        let decision = try known.decision(on: plan.definitions + drafts, now: Instant(now))
        for result in decision.results where result.status == .recorded { ids.insert(result.id) }
      } else {
        let batches = stride(from: 0, to: drafts.count, by: BatchLines.limit).map { start in
          Array(drafts[start..<min(drafts.count, start + BatchLines.limit)])
        }
        for batch in [plan.definitions] + batches where !batch.isEmpty {
          for result in try append(batch, now: now) where result.isNew { ids.insert(result.event) }
        }
      }
      return ImportSummary(plan, drafts.filter { $0.id.map(ids.contains) ?? false })
    }
  }
}

/// What an import brought, or would bring.
public struct ImportSummary: Equatable, Sendable {
  /// How many entries and excuses each habit got.
  public let events: [Habit.ID: Int]
  /// The ids of all that was appended for them, deletions too; `undo` of one takes all back.
  public let ids: [String]
  /// The habits that were defined for them, in the order of the file.
  public let defined: [Habit]
  /// How many were there already.
  public let alreadyThere: Int
  /// How many were deleted here since they were imported, and stay deleted.
  public let deletedBefore: Int
  /// How many earlier entries were deleted because the file has another answer now.
  public let takenBack: Int
  /// What became no event, by the reason, in the order of the first.
  public let leftOut: [LeftOut]
  /// The names of columns of a table that nothing was read from.
  public let unusedColumns: [String]
  /// What else a person should know, such as that a habit keeps its own definition.
  public let notes: [String]

  /// How many records became no event for a reason.
  public struct LeftOut: Hashable, Sendable {
    /// The reason, in words for a person.
    public let reason: String
    /// How many.
    public let count: Int
  }

  init(_ plan: ImportPlan, _ appended: [Draft]) {
    events = Dictionary(appended.compactMap(\.habit).map { ($0, 1) }, uniquingKeysWith: +)
    ids = appended.compactMap(\.id)
    defined = plan.definitions.compactMap(\.event.defined)
    (alreadyThere, deletedBefore) = (plan.alreadyThere + plan.count - ids.count, plan.deletedBefore.count)
    takenBack = plan.takenBack
    leftOut = plan.reasons.map { LeftOut(reason: $0.reason.says, count: $0.count) }
    (unusedColumns, notes) = (plan.unusedColumns, plan.notes)
  }
}

import EventLog
public import Foundation
@_exported public import Imports
public import StreakDomain
public import Streaks

extension StreakFolder {
  /// Imports records of another app.
  ///
  /// The records are one batch, which begins with the definitions of missing habits. More than
  /// 200,000 events are several batches, oldest first.
  ///
  /// The ids of the events are derived from the records. So an import of the same file or of a
  /// newer export adds only the new records. Entries that were deleted in the ledger stay deleted.
  /// `undo` reverts the last batch, with the definitions in it.
  ///
  /// - Parameters:
  ///   - records: The file and its format.
  ///   - first: The first day to import. The default is the day from which each habit counts.
  ///   - last: The last day to import. By default, there is no last day.
  ///   - isDry: Whether to return the result without appending events.
  ///   - now: The current time.
  /// - Returns: The imported events, and the skipped records with the reasons.
  /// - Throws: `StreakError` with the location of the first problem in the file. Nothing was
  ///   written then, unless there are more than 200,000 events.
  /// - Complexity: O(events + records).
  @discardableResult
  public func importRecords(
    _ records: ImportedRecords, since first: Day? = nil, until last: Day? = nil,
    isDry: Bool = false,
    now: Date = .now
  ) async throws(StreakError) -> ImportSummary {
    let current = try await ledger(now: now)
    return try await elsewhere { () throws(Failure) in
      let ledger = current.ledger
      let folder = self.url.path
      var empty = try ImportPlan(
        ledger: ledger, now: Instant(now), zone: ledger.facts.zone ?? TimeZone.current.identifier
      ) { (body) throws(Failure) in
        var reading = ReadingOptions()
        reading.wantsEvents = true
        var replay = Replay(try EventStream(folder: folder, options: reading))
        while let event = try replay.nextEvent() { body(event) }
      }
      empty.isForApp = true
      empty.since = first
      empty.until = last
      let plan = try records.plan(into: empty)

      var summary = plan.summary
      try plan.drafts.eachBatch(isDry: isDry) { (batch, _) throws(Failure) in
        var drafts: [Draft] = []
        try batch.each { drafts.append($0) }

        var newIDs: Set<String> = []
        if isDry {
          let results = try current.decision(on: drafts, now: Instant(now)).results
          for result in results where result.status == .recorded { newIDs.insert(result.id) }
        } else {
          let results = try self.append(now: now) { _ in drafts }
          for result in results where result.isNew { newIDs.insert(result.event) }
        }

        for event in drafts.map(\.event) where event.payload.type != .habitDefined {
          summary.note(event, isNew: newIDs.contains(event.id))
        }
      }
      return summary
    }
  }
}

extension ImportSummary {
  /// Adds a planned event to `events`, or counts it as already there if another program appended it
  /// first.
  fileprivate mutating func note(_ event: Event, isNew: Bool) {
    if isNew { return events.append(event.id) }
    alreadyThere += 1
    guard let index = habits.firstIndex(where: { $0.habit == event.payload.habit }) else {
      return takenBack -= 1
    }
    imported -= 1
    habits[index].imported -= 1
  }
}

package import StreakDomain

/// A batch that is ready to be written, with the ledger before and after the batch.
package struct Decision: Sendable {
  package let batch: BatchLines
  /// The result of each draft, in the order of the drafts.
  package let results: [AppendResult]
  /// The ledger before the batch; empty if `AppendOptions.isOneOfMany` is true.
  package let ledgerBefore: Ledger
  /// The position of the ledger when the batch was decided.
  package let position: Int
  /// The position before the batch in `ledgerAfter`.
  ///
  /// It is lower than `position` if stored events come after the batch.
  let start: Int
  /// The ledger with all events of the batch except `last`, settled only after a large batch.
  let ledgerBeforeLast: Ledger
  /// The last event of the batch, unless `ledgerBeforeLast` has it.
  let last: StreamItem?
  /// The state of the files that the batch was decided on.
  let head: LogHead
  /// For each segment, by its path, the offset of the last stored event that a draft repeats.
  let repeatedOffsets: [Text: Int]
  /// The byte ranges of the texts to remove from the writer's segment; `nil` except for `redact`.
  let removedTexts: [Range<Int>]?

  /// The id of the last event before the batch.
  package var event: String? { position == 0 ? nil : ledgerBefore.facts.id(at: position) }

  /// The ledger after the batch, computed on each access, because folding an event copies the
  /// ledger.
  package var ledgerAfter: Ledger {
    var ledger = ledgerBeforeLast
    if let last { ledger.apply(last) }
    ledger.settle()
    return ledger
  }

  /// The ids of the events in the batch.
  package var ids: [String] {
    let after = ledgerAfter
    return (0..<batch.count).map { after.facts.id(at: start + $0 + 1) }
  }
}

/// The result of a draft: its event is recorded now, was recorded before, or is dropped.
package struct AppendResult: Sendable, Equatable {
  package let id: String
  package internal(set) var position: Int
  package let status: Status
  package let day: Day
  /// Whether the event was already in the ledger, and is now a deleted entry or a withdrawn excuse.
  package internal(set) var isDeleted = false
  /// The id of the entry that replaces the event, which was already in the ledger, or `nil` if none
  /// does.
  package internal(set) var replacement: String?

  /// The fate of a draft: its event is new, was already in the ledger, or is skipped.
  package enum Status: String, Sendable {
    case recorded, exists
    /// A draft of the type `segment.dropped` or `event.redacted`, skipped because only the store
    /// writes these types.
    ///
    /// The result has the position 0, and an empty id if the draft had no id.
    case dropped
  }
}

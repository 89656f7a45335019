package import StreakDomain

/// A decided batch: what would be written, and the ledger without and with it.
package struct Decision: Sendable {
  /// What is to be written, in order.
  package let batch: BatchLines
  /// One result per draft, in their order.
  package let results: AppendResults
  package let before: LedgerFold
  package let after: LedgerFold
  let head: LogHead
  /// Where `exists` was answered for lines that were there before: by segment, where the last of them begins.
  let known: [Text: Int]

  /// The ledger without the batch, with all days folded.
  package var ledgerBefore: Ledger {
    var fold = before
    return fold.settled
  }

  /// The ledger with the batch, with all days folded.
  package var ledgerAfter: Ledger {
    var fold = after
    return fold.settled
  }

  /// How many events the stream has without the batch.
  package var position: Int { before.position }

  /// The last event of the stream without the batch; nil where it has none.
  package var event: String? { position == 0 ? nil : before.id(at: position) }

  /// The ids of the batch, in order.
  package var ids: [String] { (0..<batch.count).map { after.id(at: position + $0 + 1) } }
}

/// What became of one event given to `append`.
package struct AppendResult: Sendable, Equatable {
  package let id: String
  package let position: Int
  package let status: Status
  /// The day that the event is about.
  package let day: Day

  package enum Status: String, Sendable {
    case recorded, exists
    /// Left out: only the program's own commands write such events. It has no position, and maybe no id.
    case dropped
  }
}

/// The result of each draft, in twelve bytes.
package struct AppendResults: RandomAccessCollection, Sendable {
  private var kept: [(position: UInt32, day: Day, status: AppendResult.Status)] = []
  /// The ids of what was left out, by its place among the drafts.
  private var dropped: [Int: String] = [:]
  private var ledger: LedgerFold?
  package init() {}

  mutating func add(_ position: Int, _ day: Day, _ status: AppendResult.Status) {
    kept.append((UInt32(position), day, status))
  }

  mutating func drop(_ id: String?, _ day: Day) {
    dropped[kept.count] = id
    kept.append((0, day, .dropped))
  }

  /// These results, with the ledger that knows the ids.
  func of(_ ledger: LedgerFold) -> AppendResults {
    var results = self
    results.ledger = ledger
    return results
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { kept.count }

  package subscript(index: Int) -> AppendResult {
    let (position, day, status) = kept[index]
    return AppendResult(
      id: (status == .dropped ? dropped[index] : ledger?.id(at: Int(position))) ?? "",
      position: Int(position),
      status: status, day: day)
  }
}

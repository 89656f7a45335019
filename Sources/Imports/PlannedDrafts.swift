package import EventLog
package import StreakDomain

/// The events that an import appends, in the order of its batches.
package struct PlannedDrafts {
  /// The definitions of new habits, which come before all entries and excuses.
  package private(set) var definitions: [Draft] = []
  private var planned: [PlannedDraft] = []
  /// The drafts that are kept in memory.
  ///
  /// The drafts of a table's rows aren't, because `rowDraft` can create them again.
  private var drafts: [Draft] = []
  /// A function that returns the draft of a row of the table again, so that the drafts of a large
  /// table are never in memory together.
  var rowDraft: ((Int) throws(Failure) -> Draft)?

  /// An event to append, and the values that determine its position in the batch.
  private struct PlannedDraft {
    let day: Day
    let rank: Rank
    /// Whether `number` is the number of a table's row instead of an index in `drafts`.
    let isRow: Bool
    let number: Int32
  }

  /// The rank of an event within a batch.
  ///
  /// A key is cleared before the file's answer is written.
  enum Rank: Int8 {
    case takingBack, excuse, entry
  }

  // MARK: Adding

  mutating func add(definition: Draft) {
    definitions.append(definition)
  }

  mutating func add(_ draft: Draft, _ rank: Rank) {
    let number = Int32(drafts.count)
    drafts.append(draft)
    planned.append(PlannedDraft(day: draft.event.day, rank: rank, isRow: false, number: number))
  }

  /// Adds row `row` of the table, with an answer of `day`.
  mutating func add(row: Int, of day: Day, _ rank: Rank) {
    planned.append(PlannedDraft(day: day, rank: rank, isRow: true, number: Int32(row)))
  }

  // MARK: Reading

  /// Returns the first `limit` new entries and excuses.
  ///
  /// For a table, these are the earliest ones.
  package func events(upTo limit: Int) -> [Event] {
    var events: [Event] = []
    for one in planned where events.count < limit {
      guard let draft = try? draft(one), draft.event.payload.habit != nil, !draft.event.isClearing
      else {
        continue
      }
      events.append(draft.event)
    }
    return events
  }

  private func draft(_ one: PlannedDraft) throws(Failure) -> Draft {
    guard one.isRow else { return drafts[Int(one.number)] }
    guard let rowDraft else { preconditionFailure("rows belong to a table") }
    return try rowDraft(Int(one.number))
  }

  /// The number of events in each batch of an import that needs several.
  ///
  /// Beside a ledger of many steps, the lines of a full batch would take too much memory.
  private static let largeImportLimit = 50_000

  /// The number of events to append.
  package var count: Int { definitions.count + planned.count }

  /// Calls `append` with each batch, oldest first.
  ///
  /// `batchCount` is the number of batches. In a dry run, `append` is called once with all drafts,
  /// because no batch is in the ledger when the next one is checked.
  package func eachBatch(
    isDry: Bool, _ append: (_ batch: Drafts, _ batchCount: Int) throws(Failure) -> Void
  ) throws(Failure) {
    let isLarge = count > BatchLines.limit
    let batches = batches(limit: isLarge ? PlannedDrafts.largeImportLimit : BatchLines.limit)
    let all = Drafts { (body) throws(Failure) in for batch in batches { try batch.each(body) } }

    for batch in isDry ? [all] : batches { try append(batch, batches.count) }
  }

  /// Returns the drafts in one batch, or in several if there are more than `limit`.
  ///
  /// The first batch begins with the definitions. A single batch contains first the deletions and
  /// withdrawals, then the excuses, then the entries. Several batches are sorted by day, so that no
  /// intermediate ledger lacks the start of a history. A day is divided only if it doesn't fit into
  /// a batch. Without drafts, there is one empty batch.
  package func batches(limit: Int) -> [Drafts] {
    let order = order(isByDay: count > limit)
    let ranges = ranges(of: order, limit: limit)

    return ranges.enumerated().map { [self] number, range in
      Drafts { (body) throws(Failure) in
        if number == 0 { for draft in definitions { try body(draft) } }
        for index in order[range] { try body(try draft(planned[Int(index)])) }
      }
    }
  }

  /// Returns the indices of `planned`, sorted as in a batch.
  ///
  /// If `isByDay` is true, they are sorted by day first.
  private func order(isByDay: Bool) -> [Int32] {
    func key(_ index: Int32) -> (Day, Int8, Int32) {
      let one = planned[Int(index)]
      return (isByDay ? one.day : Day.first, one.rank.rawValue, index)
    }
    return planned.indices.map { Int32($0) }.sorted { key($0) < key($1) }
  }

  /// Returns the ranges of `order` that the batches contain; the first one leaves room for the
  /// definitions.
  private func ranges(of order: [Int32], limit: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var room = limit - definitions.count
    repeat {
      var end = min(start + room, order.count)

      if end < order.count {
        let nextDay = planned[Int(order[end])].day
        let last = order[start..<end].lastIndex { planned[Int($0)].day != nextDay }
        if let last { end = last + 1 }
      }

      ranges.append(start..<end)
      start = end
      room = limit
    } while start < order.count
    return ranges
  }
}

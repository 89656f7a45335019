package import StreakDomain

/// The log read to its end and folded, on which a batch is decided.
package struct FoldedLog {
  private(set) var ledgers: SubjectLedgers
  /// As it was read, so that it knows where each event stands.
  package let stream: EventStream
  let head: LogHead
  let writer: String

  /// Reads the whole stream, under the lock if a batch is to be written; O(bytes).
  ///
  /// `subjects` are those whose events are folded beside the owner's; `writer` names the segment that the batch is meant for.
  package init(
    _ stream: EventStream, of subjects: Set<String?>, writer: String, now: Instant
  ) throws(LogError) {
    let own = stream.segments.firstIndex(of: writer)
    var near = LogHead.Near()
    var ledgers = SubjectLedgers(subjects.union([nil]))
    var stream = stream
    stream.keepsPlaces = true
    var item = StreamItem()
    while try stream.next(&item, names: &ledgers.names) {
      let isCounted = item.segment == own || !LogHead.isAhead(item.recorded, of: now)
      let known = ledgers.position(of: item.id)
      near.note(item.recorded, isCounted: isCounted, isNew: known == nil)
      if let known {
        try stream.passRepeat(of: known, item, names: ledgers.names)
        continue
      }
      stream.keepPlace(of: item)
      if let event = item.event {
        ledgers.apply(event)
      } else {
        ledgers.apply(item.fact, id: item.id, second: item.second)
      }
    }
    self.ledgers = ledgers
    self.stream = stream
    self.writer = writer
    head = LogHead(of: stream, writer: writer, near)
  }

  /// The settled ledger of a subject that it was made with.
  package mutating func ledger(of subject: String?) -> Ledger {
    ledgers.settle(subject)
    return ledgers[subject] ?? Ledger(subject: subject)
  }
}

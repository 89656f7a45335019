import EventLog
import StreakDomain

/// A log read to its end for `undo`, which looks up the events that matter by their positions.
struct UndoLog {
  var folded: FoldedLog
  let ledger: Ledger
  /// The positions of all events but entries, and of entries that `undo` gave again; ascending.
  let others: [Int]
  /// The positions of what `undo` wrote, ascending.
  let labelled: [Int]

  /// Reads the log that an invocation names, without its lock; O(bytes).
  init(_ invocation: Invocation) throws(Failure) {
    let options = try invocation.reader.options()
    var others: [Int] = []
    var labelled: [Int] = []
    folded = try FoldedLog(
      EventStream(folder: invocation.folder, options: options), of: [invocation.subject],
      writer: invocation.writer.segment
    ) { event, position in
      let isLabelled = UndoLabel.isOn(event)
      if isLabelled { labelled.append(position) }
      if isLabelled || event.payload.type != .entryLogged { others.append(position) }
    }
    ledger = folded.ledger(of: invocation.subject)
    (self.others, self.labelled) = (others, labelled)
  }

  /// How many events the stream has, of any subject.
  var position: Int { folded.ledgers.position }
  func position(of id: String) -> Int? { folded.ledgers.position(of: id) }
  func id(at position: Int) -> String { folded.ledgers.id(at: position) }

  /// Calls `body` with the ledger's own events at some positions, ascending.
  func eachEvent(at positions: [Int], _ body: (Int, Event) -> Void) throws(Failure) {
    try folded.stream.eachEvent(at: positions) { position, event in
      if ledger.folds(event.subject) { body(position, event) }
    }
  }

  /// The command that an event is of, with those of its events that are the ledger's.
  func batch(around position: Int) throws(Failure) -> UndoBatch {
    let all = try folded.stream.batch(around: position)
    var batch = UndoBatch(all: all, segment: folded.stream.segment(at: position))
    try eachEvent(at: all) { batch.add($1, at: $0) }
    return batch
  }
}

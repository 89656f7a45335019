package import EventLog
package import StreakDomain

/// A log read to its end for `undo`, which looks up the events that matter by their positions.
package struct UndoLog {
  package private(set) var folded: FoldedLog
  package let ledger: Ledger
  /// The stream, of which no event is read here.
  private let opened: EventStream
  /// The positions of all events but entries, and of entries that `undo` gave again; ascending.
  let others: [Int]
  /// The positions of what `undo` wrote, ascending.
  let labelled: [Int]
  /// The positions of the days that began in another time zone than what was before them, in the stream and in their
  /// segment.
  private let moves: Set<Int>

  /// Reads a stream for the commands of a subject, without the lock; O(bytes).
  ///
  /// `writer` names the segment that what undoes them is meant for.
  package init(_ stream: EventStream, writer: String) throws(Failure) {
    var others: [Int] = []
    var labelled: [Int] = []
    var zoned: [(position: Int, zone: String, isMove: Bool)] = []
    folded = try FoldedLog(stream, writer: writer) { event, position in
      let isLabelled = UndoLabel.isOn(event)
      if isLabelled { labelled.append(position) }
      if isLabelled || event.payload.type != .entryLogged { others.append(position) }
      guard [.ledgerOpened, .dayChanged].contains(event.payload.type) else { return }
      let isMove = event.payload.type == .dayChanged && zoned.last.map { $0.zone != event.zone } ?? false
      zoned.append((position, event.zone, isMove))
    }
    var moves: Set<Int> = []
    var last: [Int: String] = [:]
    for (position, zone, isMove) in zoned {
      let known = last.updateValue(zone, forKey: folded.stream.segment(at: position))
      if isMove, known.map({ $0 != zone }) ?? false { moves.insert(position) }
    }
    ledger = folded.ledger
    (opened, self.others, self.labelled, self.moves) = (stream, others, labelled, moves)
  }

  /// How many events the stream has, of any subject.
  package var position: Int { folded.fold.position }
  package func position(of id: String) -> Int? { folded.fold.position(of: id) }
  func id(at position: Int) -> String { folded.fold.id(at: position) }

  /// The stream from its first event.
  func stream() throws(Failure) -> EventStream { try opened.restarted(opened.options) }

  /// Calls `body` with the ledger's own events at some positions, ascending.
  func eachEvent(at positions: [Int], _ body: (Int, Event) -> Void) throws(Failure) {
    try folded.stream.eachEvent(at: positions) { position, event in
      body(position, event)
    }
  }

  /// The command that an event is of, with those of its events that are the ledger's.
  func batch(around position: Int) throws(Failure) -> UndoBatch {
    let all = try folded.stream.batch(around: position)
    var batch = UndoBatch(all: all, segment: folded.stream.segment(at: position))
    try eachEvent(at: all) { batch.add($1, at: $0) }
    if batch.members.isEmpty, let move = all.first(where: moves.contains) { batch.addMove(at: move) }
    return batch
  }
}

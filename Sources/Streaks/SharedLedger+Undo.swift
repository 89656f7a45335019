import EventLog
import Inspection
import StreakDomain

extension SharedLedger {
  /// Takes back the writer's last command, or that of an event, or brings back what was undone last; O(events).
  func compensate(
    _ event: String?, isRedo: Bool, by writer: String, wait: Duration, _ options: AppendOptions
  ) throws(Failure) -> LedgerDifference {
    let open = try LogWriter(
      folder: path, writer: writer, wait: wait / .seconds(1), makesFolder: false, on: disk)
    var options = options
    options.reading.disk = disk
    let log = try UndoLog(EventStream(folder: path, options: options.reading), writer: writer)
    let history = try UndoHistory(in: log)
    let chosen =
      if let event { try history.asked(event) } else { try isRedo ? history.lastUndone() : history.last() }
    let compensation = try Compensation(
      of: chosen, by: isRedo ? UndoLabel.redo : UndoLabel.undo, in: log, namesCommands: false
    ) { event in
      "\(event.payload.type.rawValue) \(Event.shortID(event.id)) of \(event.day)"
    }
    let corrections = log.ledger.clock.map { compensation.corrections(to: $0.day(of: options.now)) } ?? []
    options.correctsDay = !corrections.isEmpty
    // Only where the order of entries decides are those that followed at the same moment logged again, too.
    for keepsOrder in [false, true] {
      let drafts = try compensation.drafts(keepsOrder: keepsOrder)
      guard !drafts.isEmpty else {
        throw Failure(.notFound, "that command changed nothing that can be undone")
      }
      let decision = try Transaction.decide(
        Drafts(drafts + corrections), on: log.folded, options: options, random: SystemRandomNumberGenerator())
      guard try compensation.difference(to: decision).isEmpty else { continue }
      try open.write(decision)
      return LedgerDifference(of: decision)
    }
    throw compensation.refused("would not bring back what was", ["sums over entries or days differ"])
  }
}

package import EventLog
import Inspection
package import StreakDomain

/// The output lines of `timeline --after CURSOR`: one for each event that a consumer hasn't received yet.
package struct ChangeFeed {
  private var lines: TimelineLines
  private let isJSON: Bool
  private var deliveries: Deliveries
  private var timeline = Timeline()
  private var item = StreamItem()

  package init(_ invocation: Invocation, after cursor: Cursor?) throws(Failure) {
    isJSON = invocation.isJSON
    var options = try invocation.reader.options()
    options.wantsTexts = !isJSON
    deliveries = try Deliveries(folder: invocation.folder, after: cursor ?? Cursor(), options: options)
    lines = TimelineLines(invocation, try invocation.timelineHabits())
    timeline.start(with: &deliveries.ledger)
  }

  var stream: EventStream { deliveries.stream }

  package var position: Int { deliveries.ledger.position }

  package var cursor: Cursor { deliveries.cursor }

  /// Returns the line of the next event that changed one of the chosen habits, or `nil` after the last event.
  package mutating func nextLine() throws(Failure) -> [UInt8]? {
    while try deliveries.next(&item) {
      let difference = timeline.note(&deliveries.ledger, replacing: deliveries.replacedLedger)
      var row = TimelineRow(item, at: deliveries.position, of: deliveries.stream)
      row.isLate = deliveries.isLate
      if isJSON { row.cursor = deliveries.cursor }
      if let line = lines.line(row, difference, &deliveries.ledger) { return line }
    }
    return nil
  }

  package mutating func passAll() throws(Failure) {
    while try deliveries.next(&item) {}
    timeline.start(with: &deliveries.ledger)
  }

  /// Continues after the end of the log was reached; returns whether new events have been appended.
  package mutating func follow() throws(Failure) -> Bool { try deliveries.follow() }
}

package import EventLog
import Inspection
package import StreakDomain

/// The output lines of `timeline --after CURSOR`: one for each event that a consumer hasn't received yet.
package struct ChangeFeed {
  package var lines: TimelineLines
  private let isJSON: Bool
  private var deliveries: Deliveries
  private var timeline: Timeline
  private var item = StreamItem()
  private(set) var hasLine = false

  package init(_ invocation: Invocation, after cursor: Cursor?) throws(Failure) {
    isJSON = invocation.isJSON
    let habits = try invocation.timelineHabits()
    timeline = Timeline(isBrief: !isJSON && habits.isEmpty)
    var options = try invocation.reader.options()
    options.wantsTexts = !isJSON
    deliveries = try Deliveries(folder: invocation.folder, after: cursor ?? Cursor(), options: options)
    lines = TimelineLines(invocation, habits, of: deliveries.stream)
    timeline.start(with: &deliveries.ledger)
  }

  var stream: EventStream { deliveries.stream }

  package var position: Int { deliveries.ledger.position }

  package var cursor: Cursor { deliveries.cursor }

  package mutating func addNext() throws(Failure) -> Bool {
    guard try deliveries.next(&item) else { return false }
    var difference = timeline.note(&deliveries.ledger, replacing: deliveries.replacedLedger)
    var event = TimelineRow(item, at: deliveries.position, of: deliveries.stream)
    event.isLate = deliveries.isLate
    if isJSON { event.cursor = deliveries.cursor }
    let size = lines.size
    lines.add(event, &difference, &deliveries.ledger)
    hasLine = lines.size > size
    return true
  }

  package mutating func passAll() throws(Failure) {
    while try deliveries.next(&item) {}
    timeline.start(with: &deliveries.ledger)
  }

  /// Continues after the end of the log was reached; returns whether new events have been appended since.
  package mutating func follow() throws(Failure) -> Bool { try deliveries.follow() }
}

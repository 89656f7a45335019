package import EventLog
import Inspection
package import StreakDomain

/// The events that a consumer has not had, each with what it changed, as the lines of `timeline --after`.
package struct ChangeFeed {
  /// The lines that were added and not taken yet.
  package var lines: TimelineLines
  private let isJSON: Bool
  private var deliveries: Deliveries
  private var timeline: Timeline
  private var item = StreamItem()
  /// Whether the filter let the last event through.
  private(set) var hasLine = false

  /// Begins after a cursor, or before the first event; refused where a segment is not as the cursor has it.
  package init(_ invocation: Invocation, after cursor: Cursor?) throws(Failure) {
    isJSON = invocation.isJSON
    lines = TimelineLines(invocation, try TimelineFilter(invocation))
    timeline = Timeline(isBrief: !invocation.isJSON)
    var options = try invocation.reader.options()
    options.wantsTexts = !invocation.isJSON
    deliveries = try Deliveries(
      folder: invocation.folder, after: cursor ?? Cursor(), options: options,
      givesCursors: invocation.isJSON || cursor != nil)
    _ = timeline.turn(to: &deliveries.fold.settled)
  }

  var stream: EventStream { deliveries.stream }

  /// How many events are folded.
  package var position: Int { deliveries.fold.position }

  /// The cursor after the last event.
  package mutating func cursor() -> Cursor { deliveries.cursor() }

  /// Adds the line of the next event, unless the filter leaves it out; false where there is none.
  package mutating func addNext() throws(Failure) -> Bool {
    guard try goOn() else { return false }
    var difference: Difference
    if deliveries.isContinued {
      difference = timeline.note(&deliveries.fold.settled) ?? Difference()
    } else {
      difference = timeline.turn(to: &deliveries.fold.settled)
    }
    var event = TimelineRow(item, at: deliveries.position)
    event.isLate = deliveries.isLate
    if isJSON { event.cursor = deliveries.cursor() }
    let size = lines.size
    lines.add(event, &difference, &deliveries.fold.settled)
    hasLine = lines.size > size
    return true
  }

  /// Passes over all that there is.
  package mutating func passAll() throws(Failure) {
    while try goOn() {}
    _ = timeline.turn(to: &deliveries.fold.settled)
  }

  /// Takes in what was appended or brought in, once all before it was added; false where there is nothing new.
  package mutating func follow() throws(Failure) -> Bool {
    try deliveries.follow()
  }

  private mutating func goOn() throws(Failure) -> Bool {
    try deliveries.next(&item)
  }
}

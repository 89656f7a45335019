import EventLog
import Replay
import StreakDomain

extension Command {
  static let tail = Command(
    name: "tail", group: .lookBack, words: "", summary: "the newest events and what each changed, following",
    options: [
      Option("--json", nil, "one JSON object a line, as of timeline, with a cursor"),
      Option("-n", "N", "the newest N events (default: 10); with --after the first N, then end"),
      Option("--after", "CURSOR", "the events that a consumer has not had: a line's cursor, or start"),
      Option("-f", nil, "go on with every event that is appended, in old segments and new ones"),
      Option("--habit", "HABIT", "only what changed of this habit"), wholeIDs,
    ],
    details: [
      "A cursor says which events a consumer has had. After it comes each other event once, in the",
      "order of the stream; one that a late segment put before them has \"late\":true. Where what was",
      "delivered is not there any more, nothing is printed (exit 3). `start` is before the first event.", "",
      "  streaks tail -n 3", "  streaks tail -f --habit noalc", "  streaks tail --json --after start -n 100",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(0, "")
    let form = "a cursor that `streaks tail --json` printed, or start"
    let cursor = try invocation.arguments.read("--after", form) { Cursor($0) }
    let count = try invocation.arguments.read("-n", "a number of events, 0 or more") { text in
      Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }
    var tail = try Tail(invocation, after: cursor)
    guard cursor == nil else { return try tail.printNew(count ?? .max) }
    try tail.printNewest(count ?? 10)
    return invocation.arguments.has("-f") ? try tail.printNew(.max, isRead: true) : .done
  }
}

/// Prints what was not delivered.
private struct Tail {
  private let invocation: Invocation
  private let filter: TimelineFilter
  private var lines: TimelineLines
  private var deliveries: Deliveries
  private var timeline: Timeline
  private var item = StreamItem()
  /// Whether the filter let the last event through.
  private var hasLine = false

  init(_ invocation: Invocation, after cursor: Cursor?) throws(CommandError) {
    self.invocation = invocation
    filter = try TimelineFilter(invocation)
    lines = TimelineLines(invocation, filter)
    timeline = Timeline(isBrief: !invocation.isJSON)
    var options = try invocation.readingOptions()
    options.wantsTexts = !invocation.isJSON
    let subject = try invocation.folded(invocation.subject)
    do throws(LogError) {
      deliveries = try Deliveries(
        folder: invocation.folder, after: cursor ?? Cursor(), subject: subject, options: options,
        givesCursors: invocation.isJSON || cursor != nil)
    } catch { throw .log(error) }
    _ = timeline.turn(to: &deliveries.ledger)
  }

  /// Prints the newest of what there is.
  mutating func printNewest(_ count: Int) throws(CommandError) {
    var newest: [[UInt8]] = []
    var oldest = 0
    while try addNext() {
      guard let line = lines.take() else { continue }
      if newest.count < count {
        newest.append(line)
      } else if count > 0 {
        newest[oldest] = line
        oldest = (oldest + 1) % count
      }
    }
    try endReading()
    invocation.context.output(Array((newest[oldest...] + newest[..<oldest]).joined()))
  }

  /// Prints as many as asked for and ends; while it follows it waits for them.
  mutating func printNew(_ most: Int, isRead: Bool = false) throws(CommandError) -> ExitStatus {
    var count = 0
    var isAtEnd = isRead
    while true {
      while !isAtEnd, count < most, try addNext() {
        if lines.isEnough, let text = lines.take() { invocation.context.output(text) }
        count += hasLine ? 1 : 0
      }
      if let text = lines.take() { invocation.context.output(text) }
      if !isAtEnd { try endReading() }
      guard count < most, invocation.arguments.has("-f"), invocation.context.pause() else { return .done }
      do throws(LogError) { isAtEnd = try !deliveries.follow() } catch { throw .log(error) }
    }
  }

  /// Adds the line of the next event, unless the filter leaves it out; false where there is none.
  private mutating func addNext() throws(CommandError) -> Bool {
    do throws(LogError) {
      guard try deliveries.next(&item) else { return false }
    } catch { throw .log(error) }
    var difference: Difference
    if deliveries.isContinued {
      difference = timeline.note(&deliveries.ledger) ?? Difference()
    } else {
      difference = timeline.turn(to: &deliveries.ledger)
    }
    var event = ToldEvent(item, at: deliveries.position)
    event.isLate = deliveries.isLate
    if invocation.isJSON { event.cursor = deliveries.cursor() }
    let size = lines.size
    lines.add(event, &difference, deliveries.ledger)
    hasLine = lines.size > size
    return true
  }

  private func endReading() throws(CommandError) {
    do throws(LogError) { try invocation.report(deliveries.stream) } catch { throw .log(error) }
  }
}

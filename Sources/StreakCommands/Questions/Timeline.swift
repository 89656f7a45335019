package import EventLog
import Inspection
package import StreakDomain
import TimeZones

extension Command {
  /// The options that can't be combined with `-f` and `--after`.
  private static let spans = ["--from", "--to", "--without"]

  package static let timeline = Command(
    name: "timeline", group: .lookBack, words: "[HABIT…]",
    summary: "the events and what each changed; -n, -f follow the newest",
    options: [
      Option("--json", nil, "one JSON object per line, with a cursor"),
      Option(
        "--from", .point,
        "only events after this point (default: 0); --from 11-03 begins with 11-04"),
      Option("--to", .point, "only events up to this point (default: end)"),
      Option(
        "-n", .count(0...Int.max, of: "events"),
        "the newest N events; with --after, the next N, then end"),
      Option(
        "-f", nil,
        "keep following: print every event that is appended, in any segment (-n default: 10)",
        excludes: spans),
      Option(
        "--after",
        .form("CURSOR", mustBe: "a cursor that `streaks timeline --json` printed, or start") {
          Cursor($0) != nil
        },
        "only events not printed before: the last line's cursor, or start", excludes: spans),
    ] + whatIf,
    details: [
      """
      Each row has the position, when the event was recorded, its day if that differs, what \
      happened, and what it changed.
      """,
      """
      With HABIT, only events that changed a field of that habit, such as the current run or a sum.
      """,
      """
      Each line of --json has a cursor. With the last one that you have read, --after prints each \
      event that came since,
      """,
      """
      once. Events that another device recorded earlier, but whose file arrived late, then have \
      \"late\":true. If fewer lines
      """,
      """
      are left than were printed, nothing is printed (exit 3). The cursor before all events is \
      `start`.
      """,
      "",
      "  streaks timeline noalc --from 2025-11-01", "  streaks timeline -n 3",
      "  streaks timeline -f noalc", "  streaks timeline --json --after start -n 100",
    ],
    example: Example(
      line: "streaks timeline gym --from 2025-11-19",
      answer: [
        "5136   2025-11-20 11:58  a new day                     …13d7c7  phone  gym 2025-11-19 op…",
        """
        5148   2025-11-20 17:01  gym 90 min gym                …df97ae  phone  gym run 37 → 38, l…
        """,
      ])
  ) { invocation throws(Failure) in
    let follows = invocation.arguments.has("-f") || invocation.arguments.has("--after")
    try follows ? invocation.followTimeline() : invocation.printTimeline()
    return .done
  }
}

extension Invocation {
  fileprivate func printTimeline() throws(Failure) {
    let habits = try timelineHabits()
    let from = try words.point("--from") ?? .position(0)
    let to = try words.point("--to") ?? .end
    var timeline = Timeline(isBrief: !isJSON && habits.isEmpty)
    var newest = arguments.count("-n").map { NewestLines(most: $0) }
    var cursor = isJSON && !hasWhatIfs ? Cursor() : nil
    var lines = TimelineLines(self, habits)
    var walk = try reader.walk(to: to, wanting: isJSON ? [] : .texts)
    let isReached = try walk.advance(to: from) { cursor?.add($0, of: $1) } || from == .position(0)
    if from != .position(0) { timeline.start(with: &walk.ledger) }
    // The lines are printed in blocks, because a system call for each of them would take longer
    // than the fold.
    var block: [UInt8] = []
    while isReached, try walk.next() {
      cursor?.add(walk.item, of: walk.stream)
      let difference = timeline.note(&walk.ledger)
      let change = StreakChange(
        walk.item, at: walk.ledger.position, of: walk.stream, walk.ledger, difference,
        cursor: cursor)
      guard let line = lines.line(change, walk.item, of: walk.stream, &walk.ledger) else {
        continue
      }
      if newest != nil { newest?.add(line) } else { block += line }
      guard block.count >= 1 << 16 else { continue }
      context.output(block)
      block = []
    }
    context.output(newest?.all ?? block)
    let loaded = try walk.end()
    try reader.reportAhead([loaded.recorded])
    try reader.check(to, reached: loaded)
    guard !isReached else { return }
    if to != .end {
      // Nothing was recorded between the two times.
      if let begin = try reader.bound(of: from), let end = try reader.bound(of: to), begin < end {
        return
      }
      throw .usage(
        """
        --from must come before --to, and events after --from are shown: for one day, give the day \
        before as --from
        """
      )
    }
    try reader.check(from, reached: loaded)
  }

  fileprivate func followTimeline() throws(Failure) {
    let count = arguments.count("-n")
    let cursor = arguments.value("--after").flatMap { Cursor($0) }
    var feed = try ChangeLines(self, after: cursor)
    var left = cursor == nil ? Int.max : count ?? .max
    if cursor == nil {
      var newest = NewestLines(most: count ?? 10)
      while let line = try feed.next() { newest.add(line) }
      context.output(newest.all)
    }
    while true {
      while left > 0, let line = try feed.next() {
        context.output(line)
        left -= 1
      }
      try reader.report(feed.stream)
      guard left > 0, arguments.has("-f"), context.pause() else { return }
      _ = try feed.follow()
    }
  }

  /// Returns the habits whose changes are shown, or an empty set for all habits.
  func timelineHabits() throws(Failure) -> Set<String> {
    Set(try arguments.positionals.map { (word) throws(Failure) in try words.habit(readFor: word) })
  }
}

private struct NewestLines {
  let most: Int
  var lines: [[UInt8]] = []

  mutating func add(_ line: [UInt8]) {
    lines.append(line)
    // Removing many lines at once is faster than removing one for each new line.
    if lines.count - 1024 > most { lines.removeFirst(lines.count - most) }
  }

  var all: [UInt8] { Array(lines.suffix(most).joined()) }
}

/// The output lines of `timeline`.
struct TimelineLines {
  private let habits: Set<String>
  private let isJSON: Bool
  private let columns: Int?
  private let style: Style
  /// The time zone of the last event that opened the ledger or began a day, or `nil` if there was
  /// none.
  private var zone: String?

  init(_ invocation: Invocation, _ habits: Set<String>) {
    self.habits = habits
    isJSON = invocation.isJSON
    columns = invocation.context.columns
    style = invocation.style
  }

  /// Returns the line of a change, or `nil` if none of the chosen habits changed; `ledger` is
  /// `inout` to avoid a copy.
  mutating func line(
    _ change: consuming StreakChange, _ item: StreamItem, of stream: EventStream,
    _ ledger: inout Ledger
  ) -> [UInt8]? {
    if !habits.isEmpty {
      change.difference.keepOnly(habits)
      if change.difference.isEmpty { return nil }
    }
    var text: [UInt8] = []
    if isJSON {
      text.reserveCapacity(1024)
      JSON(of: change).write(into: &text)
    } else {
      text = change.text(
        item, ledger, says: words(of: item, ledger), width: columns == nil ? 28 : 0,
        showsWriter: stream.hasSeveralSegments,
        changes: DifferenceText.line(change.difference, ledger, style)
      )
      if let columns {
        text = Array(
          Layout.wrapped(String(decoding: text, as: UTF8.self), to: columns, hang: 7).utf8)
      }
    }
    text.append(UInt8(ascii: "\n"))
    return text
  }

  private mutating func words(of item: StreamItem, _ ledger: Ledger) -> String {
    let says = EventText.text(of: item, in: ledger, showsRules: true)
    guard [.ledgerOpened, .dayChanged].contains(item.type), let event = item.event else {
      return says
    }
    defer { zone = event.zone }
    let isMove = item.type == .dayChanged && zone.map { $0 != event.zone } ?? false
    return says + (isMove ? " in \(event.zone)" : "")
  }
}

extension StreakChange {
  /// Returns the change in UTF-8: position, time of recording, the event's text, the end of its id,
  /// and the writer.
  func text(
    _ item: StreamItem, _ ledger: Ledger, says: String? = nil, width: Int = 0,
    showsWriter: Bool = false,
    changes: String = ""
  ) -> [UInt8] {
    var row = TableRow()
    row.add("\(position)", width: 5)
    row.add(RecordedTime(recorded, by: ledger.facts.clock, about: day).text)
    row.add(Escaping.visible(says ?? EventText.text(of: item, in: ledger)), width: width)
    row.add(Event.shortID(event))
    if showsWriter, let writer { row.add(Escaping.visible(writer)) }
    row.add(changes)
    return row.utf8
  }
}

/// The output lines of `timeline --after CURSOR`: one for each event that a consumer hasn't
/// received yet.
package struct ChangeLines {
  private var feed: ChangeFeed
  private var lines: TimelineLines

  package init(_ invocation: Invocation, after cursor: Cursor?) throws(Failure) {
    var options = try invocation.reader.options()
    options.wantsTexts = !invocation.isJSON
    feed = try ChangeFeed(folder: invocation.folder, after: cursor ?? Cursor(), options: options)
    lines = TimelineLines(invocation, try invocation.timelineHabits())
  }

  var stream: EventStream { feed.deliveries.stream }
  package var cursor: Cursor { feed.cursor }
  /// Whether the cursor doesn't include some events whose lines `next` has returned.
  package var isInsideStep: Bool { feed.isInsideStep }

  /// Returns the line of the next event that changed one of the chosen habits, or `nil` after the
  /// last event.
  package mutating func next() throws(Failure) -> [UInt8]? {
    while let change = try feed.next() {
      if let line = lines.line(change, feed.item, of: stream, &feed.deliveries.ledger) {
        return line
      }
    }
    return nil
  }

  package mutating func passAll() throws(Failure) { try feed.passAll() }

  /// Continues after the end of the log was reached; returns whether new events have been appended.
  mutating func follow() throws(Failure) -> Bool { try feed.deliveries.follow() }
}

package import EventLog
package import Inspection
package import StreakDomain

/// The command that prints the steps and what each changed.
struct TimelineCommand: Command {
  static let name = "timeline"
  static let group = CommandGroup.lookBack
  static let words: Synopsis = "[HABIT…]"
  static let options: [Option] =
    [
      Option("--json", nil, "one JSON object per event"),
      Option(
        "--from", .point,
        "only steps after this point (default: 0); --from 11-03 begins with 11-04"),
      Option("--to", .point, "only steps up to this point (default: end)"),
      Option(
        "-n", .count(0...Int.max, of: "steps"),
        "the newest N steps; with --after, the next N, then end"),
      Option(
        "-f", nil,
        "keep following: print every step that is appended, in any segment (-n default: 10)",
        excludes: spans),
      Option(
        "--after",
        .form("CURSOR", mustBe: "a cursor that `streaks timeline --json` printed, or start") {
          Cursor($0) != nil
        },
        "only steps not printed before: the last cursor, or start", excludes: spans),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.timeline_txt)

  /// The options that can't be combined with `-f` and `--after`.
  private static let spans = ["--from", "--to", "--without"]

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let follows = arguments.has("-f") || arguments.has("--after")
    try follows ? followTimeline() : printTimeline()
    return .done
  }

  private func printTimeline() throws(Failure) {
    let habits = try words.chosenHabits()
    let from = try words.point("--from") ?? .position(0)
    let to = try words.point("--to") ?? .end
    // Nothing is printed before both points are known to exist.
    if to != .end { _ = try reader.load(to) }
    var timeline = Timeline(isBrief: !isJSON && habits.isEmpty)
    let count = arguments.count("-n")
    var newest = count.map { NewestSteps(most: $0) }
    // Without habits, exactly the newest steps are shown, so the changes of the others aren't
    // needed.
    var unshown = 0
    if let count, habits.isEmpty { unshown = try stepCount(from: from, to: to) - count }
    let isBegun = from != .position(0) || unshown > 0

    var cursor = isJSON && !invocation.hasWhatIfs ? Cursor() : nil
    var text = TimelineText(invocation, habits)
    var walk = try reader.walk(to: to, wanting: isJSON ? .lines : [.texts, .locations])
    let isReached = try walk.advance(to: from) {
      cursor?.add(line: $0.line, ofSegment: $0.segment, of: $1)
    }
    while unshown > 0, isReached, try walk.nextStep() {
      cursor?.add(line: walk.lastRead.line, ofSegment: walk.lastRead.segment, of: walk.stream)
      unshown -= 1
    }
    if isBegun {
      timeline.start(with: &walk.ledger)
      text.start(with: walk.ledger)
    }

    // The steps are printed in blocks, because a system call for each of them would take longer
    // than the fold.
    var block: [UInt8] = []
    var isEmpty = true
    while isReached, try walk.nextStep() {
      cursor?.add(line: walk.lastRead.line, ofSegment: walk.lastRead.segment, of: walk.stream)
      var difference = timeline.note(&walk.ledger)
      difference.keepOnly(habits)
      guard habits.isEmpty || !difference.isEmpty else { continue }

      isEmpty = false
      let step = try text.step(of: walk, difference, cursor)
      if newest != nil { newest?.add(step) } else { block += step }
      guard block.count >= 1 << 16 else { continue }
      context.output(block)
      block = []
    }
    context.output(newest?.all ?? block)

    let loaded = try walk.end()
    try reader.reportAhead([loaded.recorded])
    if !isReached, from != .position(0) { try checkSpan(from, to) }
    if isEmpty, !isJSON { reportEmpty("no steps") }
  }

  /// Throws if the ledger doesn't contain `from`, or if no step can be between the two points.
  private func checkSpan(_ from: Point, _ to: Point) throws(Failure) {
    _ = try reader.load(from)
    guard to != .end else { return }
    // Nothing was recorded between the two times.
    if let begin = try reader.bound(of: from), let end = try reader.bound(of: to), begin < end {
      return
    }
    throw .usage(
      """
      \(option: "--from") must come before \(option: "--to"), and events after \(option: "--from") \
      are shown: for one day, give the day before as \(option: "--from")
      """)
  }

  /// Returns the number of steps between two points.
  private func stepCount(from: Point, to: Point) throws(Failure) -> Int {
    var walk = try reader.walk(to: to)
    guard try walk.advance(to: from) else { return 0 }

    var count = 0
    while try walk.nextStep() { count += 1 }
    return count
  }

  private func followTimeline() throws(Failure) {
    if arguments.has("-f") { context.beginFollowing() }
    let count = arguments.count("-n")
    let cursor = arguments.value("--after").flatMap { Cursor($0) }
    var feed = try invocation.changeFeed(after: cursor)
    var text = TimelineText(invocation, feed.habits)
    var left = cursor == nil ? Int.max : count ?? .max
    var isEmpty = true
    if cursor == nil {
      var newest = NewestSteps(most: count ?? 10)
      while try feed.nextStep() { newest.add(try text.step(of: &feed)) }
      context.output(newest.all)
    }

    while true {
      while left > 0, try feed.nextStep() {
        context.output(try text.step(of: &feed))
        left -= 1
        isEmpty = false
      }
      try reader.report(feed.deliveries.stream)
      guard left > 0, arguments.has("-f"), context.pause() else { break }
      _ = try feed.deliveries.follow()
    }
    if isEmpty, !isJSON, !arguments.has("-f") { reportEmpty("no steps after the cursor") }
  }
}

/// The newest steps, each as the bytes of its lines.
private struct NewestSteps {
  let most: Int
  private var steps: [[UInt8]] = []

  init(most: Int) { self.most = most }

  mutating func add(_ step: [UInt8]) {
    steps.append(step)
    // Removing many steps at once is faster than removing one for each new step.
    if steps.count - 1024 > most { steps.removeFirst(steps.count - most) }
  }

  var all: [UInt8] { Array(steps.suffix(most).joined()) }
}

/// The output of `timeline`: one row per step, or one JSON line per event.
struct TimelineText {
  private let isJSON: Bool
  private let columns: Int?
  private let style: Style
  private let habits: Set<String>
  /// The time zone of the last event that opened the ledger or began a day, or `nil` if there was
  /// none.
  private var zone: String?

  init(_ invocation: Invocation, _ habits: Set<String>) {
    isJSON = invocation.isJSON
    columns = invocation.context.columns
    style = invocation.style
    self.habits = habits
  }

  /// Begins with the steps after the state `ledger`.
  mutating func start(with ledger: Ledger) { zone = ledger.facts.zone }

  /// Returns the output for the step of `walk`, which is shown.
  mutating func step(
    of walk: borrowing Walk, _ difference: Difference, _ cursor: Cursor?
  ) throws(Failure) -> [UInt8] {
    guard isJSON else {
      return row(walk.lines, walk.change(difference), of: walk.stream, walk.ledger)
    }

    let changes = try StreakChange.all(
      of: walk.lines, in: walk.stream, walk.ledger.facts, difference, cursor: cursor)
    return changes.flatMap { JSONValue(of: $0).line }
  }

  /// Returns the output for the current step of `feed`.
  mutating func step(of feed: inout ChangeFeed) throws(Failure) -> [UInt8] {
    var output: [UInt8] = []
    let lines =
      isJSON ? [] : feed.deliveries.lines.map { StepLine($0.item, at: $0.position) }
    while let change = try feed.nextOfStep() {
      if isJSON {
        output += JSONValue(of: change).line
      } else if !change.isContinued {
        output += row(lines, change, of: feed.deliveries.stream, feed.deliveries.ledger)
      }
    }
    return output
  }

  /// Returns the row of a step, of which `last` is the last event.
  private mutating func row(
    _ lines: [StepLine], _ last: StreakChange, of stream: borrowing EventStream,
    _ ledger: Ledger
  ) -> [UInt8] {
    // Only the text of an undo needs the stream, which is copied for it.
    let isUndo = lines.contains { $0.item.event?.isUndo ?? false }
    let step = StepText(
      lines, ledger, isUndo ? copy stream : nil, about: habits, showsRules: true)
    var row = last.row(
      lines, step, ledger, says: words(of: step, lines), width: columns == nil ? 28 : 0,
      showsWriter: stream.hasSeveralSegments)
    row.add(DifferenceText.line(last.difference, ledger, style))

    var text = row.utf8
    if let columns {
      let wrapped = Layout.wrapped(String(decoding: text, as: UTF8.self), to: columns, hang: 7)
      text = Array(wrapped.utf8)
    }
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// Returns what the step did.
  ///
  /// If the step moved the ledger to another zone, the zone is added.
  private mutating func words(of step: StepText, _ lines: [StepLine]) -> String {
    var words = step.says
    for line in lines where [.ledgerOpened, .dayChanged].contains(line.item.type) {
      guard let event = line.item.event else { continue }
      let isMove = zone.map { $0 != event.zone } ?? false
      if isMove, !words.holds(event.zone) { words += " in \(event.zone)" }
      zone = event.zone
    }
    return words
  }
}

extension StreakChange {
  /// Returns the row of a step, of which this is the last event.
  ///
  /// It has the positions, the time of writing, what the person did, the end of this event's id,
  /// and the writer.
  func row(
    _ lines: [StepLine], _ step: StepText, _ ledger: Ledger, says: String? = nil, width: Int = 0,
    showsWriter: Bool = false
  ) -> TableRow {
    let positions = (lines.first?.position ?? position)...position
    let shownTime = RecordedTime(time, by: ledger.facts.clock, about: step.day)
    var row = TableRow()
    row.add(StepText.shown(positions), width: 9)
    row.add(shownTime.text)
    row.add(Escaping.visible(says ?? step.says), width: width)
    row.add(Event.shortID(event))
    if showsWriter, let writer { row.add(Escaping.visible(writer)) }
    return row
  }
}

extension Walk {
  /// Returns the last event of the step that was read last, with the changes that the step made.
  func change(_ difference: Difference) -> StreakChange {
    let last = lines[lines.count - 1]
    var change = StreakChange(last.item, at: last.position, of: stream, ledger.facts)
    change.end(difference)
    change.time = reader.time(of: last)
    return change
  }

  /// Returns the row of the step that was read last, of which `change` is the last event.
  ///
  /// The words are about `habits`, or about all habits if it is empty.
  func row(of change: StreakChange, about habits: Set<String> = []) -> TableRow {
    let text = StepText(lines, ledger, stream, about: habits)
    return change.row(lines, text, ledger, showsWriter: stream.hasSeveralSegments)
  }
}

extension Invocation {
  /// Returns the steps after `cursor` that changed one of the chosen habits.
  ///
  /// If `cursor` is `nil`, the steps begin with the first one.
  package func changeFeed(after cursor: Cursor?) throws(Failure) -> ChangeFeed {
    var options = try reader.options()
    options.wantsTexts = !isJSON
    var feed = try ChangeFeed(
      folder: folder, after: cursor ?? Cursor(), options: options, wantsLines: isJSON)
    feed.habits = try words.chosenHabits()
    return feed
  }
}

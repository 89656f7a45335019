import EventLog
import Inspection
import StreakDomain

/// The command that shows the state at any point.
struct ReplayCommand: Command {
  static let name = "replay"
  static let group = CommandGroup.lookBack
  static let words = Synopsis("", asking: "only options, such as --habit HABIT")
  static let options: [Option] =
    [
      .json,
      Option("--at", .point, "a position, an event id, a day, a time, or end (default: end)"),
      Option("--on", .day, "pretend today is DAY, earlier or later"),
      Option("--habit", .habit, "only this habit"),
      Option(
        "--as", .segment, "what this writer had surely seen by then",
        excludes: ["--without", "--with"]),
      Option(
        "--with", .event, "as if this later event, or step such as @4859-4860, had been known",
        repeatable: true, needs: ["--at"]),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.replay_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let (view, unseen) = try view()
    var reader = self.reader
    reader.leftOut = unseen
    let later = try laterEvents()
    let loaded = try later.isEmpty ? reader.loadAtPoint() : load(with: later)

    let habit = try words.habit("--habit")
    if let habit { try words.require(habit, in: loaded.ledger) }
    let document = loaded.document(habit: habit)
    if isJSON {
      var members = JSONValue.Members(of: document)
      members["as"] = view?.json
      printJSON(members)
    } else {
      if let view { print(view.text(in: loaded.ledger, self.reader)) }
      let text = StateText(
        ledger: loaded.ledger, style: style, columns: context.columns, showsAll: true)
      print(
        text.replay(
          document, habitOnly: habit != nil, written: try written(loaded), laterCount: later.count))
      if document.habits.isEmpty { reportEmpty(StateText.noHabits) }
    }
    return .done
  }

  /// Returns the time at which the last event was written, if the point is a day or a time.
  private func written(_ loaded: LoadedLedger) throws(Failure) -> Instant? {
    guard let point = try words.point("--at"), try reader.bound(of: point) != nil,
      let id = loaded.event, let last = try reader.ofStored.events(of: [id]).first
    else { return nil }
    return reader.time(of: StepLine(last.event, at: last.position))
  }

  /// Returns the events of `--with`, in stream order.
  private func laterEvents() throws(Failure) -> [Placed] {
    let ids = try reader.ids(givenBy: "--with")
    guard !ids.isEmpty else { return [] }
    let later = try reader.ofStored.events(of: ids)
    let missing = ids.subtracting(later.map(\.event.id))
    if let id = missing.min() { throw .usage("there is no event \(quoted(id))") }
    return later
  }

  /// Reads the ledger up to the point of `--at`, and adds the events `later`.
  private func load(with later: [Placed]) throws(Failure) -> LoadedLedger {
    var (walk, point) = try reader.walkToPoint()
    try walk.skipSteps()
    let position = walk.ledger.position
    if case .position(let wanted) = point, wanted > position {
      throw .usage("there is no position \(wanted); the ledger ends at \(position)")
    }

    for placed in later {
      guard walk.ledger.apply(placed.event) == nil else {
        throw .usage("@\(placed.position) of --with is known at that point, \(position), already")
      }
    }
    walk.ledger.settle()
    let loaded = try walk.end()
    try reader.check(point, reached: loaded)
    return loaded
  }

  /// Returns what the writer of `--as` had surely seen at the point of `--at`.
  ///
  /// `unseen` are the ids of the events that it may not have seen. Without `--as`, the view is
  /// `nil` and no event is unseen.
  private func view() throws(Failure) -> (WriterView?, unseen: Set<String>) {
    guard let name = arguments.value("--as") else { return (nil, []) }
    var (walk, point) = try reader.walkToPoint(wanting: .locations)
    let bound = try reader.bound(of: point)
    var view = WriterView(of: Text(name))
    let segments = walk.stream.segments
    while try walk.nextStep() {
      // After a wrong clock, later steps can stand before the last one that was written by then.
      let time = walk.lines.first.map { reader.time(of: $0) }
      let isLater = bound.flatMap { bound in time.map { $0 > bound } } ?? false
      for line in walk.lines { view.note(line, in: segments, isLater: isLater) }
    }

    guard view.hasEvents else {
      let near = Nearest.hint(name, among: segments.strings)
      throw .usage("--as is \(quoted(name))\(near), which has recorded nothing by then")
    }
    return (view, view.unseen(walk.ledger.names))
  }
}

/// The events that a writer had surely seen: its own, and the lines of other segments that its
/// `day.changed` events name (event-format.md, "What another writer saw").
private struct WriterView {
  let writer: Text
  /// The last `day.changed` of the writer, or `nil` if it has none.
  private(set) var dayChange: StepLine?
  /// Whether the writer has any event.
  private(set) var hasEvents = false
  private var seen: [Text: Int] = [:]
  private var others: [(id: EventKey, segment: Text, line: Int)] = []
  /// The writer's events that were written after the point.
  private var later: [EventKey] = []

  init(of writer: Text) { self.writer = writer }

  /// Adds the event of `line`; events must come in stream order.
  ///
  /// `isLater` is true if the event was written after the point.
  mutating func note(_ line: StepLine, in segments: [Text], isLater: Bool) {
    let item = line.item
    let segment = segments[item.segment]
    guard segment == writer else { return others.append((item.id, segment, item.line)) }
    guard !isLater else { return later.append(item.id) }

    hasEvents = true
    guard case .dayChanged(_, _, let lengths)? = item.event?.payload else { return }
    dayChange = line
    for length in lengths {
      seen[length.segment] = max(seen[length.segment] ?? 0, length.lines)
    }
  }

  /// Returns the ids of the events that the writer may not have seen.
  func unseen(_ names: SymbolTable) -> Set<String> {
    let unseen = others.filter { $0.line > seen[$0.segment] ?? 0 }
    return Set((unseen.map(\.id) + later).map { $0.text(names) })
  }

  var json: JSONValue {
    .object(["writer": .text(writer.string), "dayChanged": .text(dayChange?.item.event?.id)])
  }

  /// Returns a sentence about the events that the writer had surely seen.
  ///
  /// `reader` determines the time at which the writer's last `day.changed` was written.
  func text(in ledger: Ledger, _ reader: LedgerReader) -> String {
    let name = Escaping.visible(writer.string)
    guard let dayChange else {
      return "\(name) had seen at least its own events; it had begun no day by then"
    }
    let minute = RecordedTime.minute(reader.time(of: dayChange), by: ledger.facts.clock)
    return
      "\(name) had seen at least this: its own events, and of others what its new day of "
      + "\(minute), @\(dayChange.position), names"
  }
}

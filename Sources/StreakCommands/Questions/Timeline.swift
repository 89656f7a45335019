import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  /// The options that can't be combined with `-f` and `--after`.
  private static let spans = ["--from", "--to", "--without"]

  package static let timeline = Command(
    name: "timeline", group: .lookBack, words: "[HABIT…]",
    summary: "the events and what each changed; -n, -f follow the newest",
    options: [
      Option("--json", nil, "one JSON object per line, with a cursor"),
      Option("--from", .point, "only events after it, for a day after its end (default: 0)"),
      Option("--to", .point, "only events up to it (default: end)"),
      Option(
        "-n", .count(0...Int.max, of: "events"), "the newest N of them; with --after the first N, then end"),
      Option(
        "-f", nil, "keep following: print every event that is appended, in any segment (-n default: 10)",
        excludes: spans),
      Option(
        "--after",
        .form("CURSOR", mustBe: "a cursor that `streaks timeline --json` printed, or start") {
          Cursor($0) != nil
        },
        "only events that a consumer does not have: a line's cursor, or start", excludes: spans),
    ] + whatIf,
    details: [
      "A row has the position, the time of recording, the day that it is about if that is another one, what happened, and",
      "what it changed. With HABIT, only the events that changed a field of that habit, even if only a sum.",
      "A cursor names the events that a consumer has. After it, each other event is printed once, in stream order; an event",
      "that a late segment inserted before one of them has \"late\":true. If a delivered event is gone, nothing is printed",
      "(exit 3). `start` is the cursor before the first event.", "",
      "  streaks timeline noalc --from 2025-11-01", "  streaks timeline -n 3",
      "  streaks timeline -f noalc", "  streaks timeline --json --after start -n 100",
    ],
    example: Example(
      line: "streaks timeline gym --from 2025-11-19",
      answer: [
        "5136   2025-11-20 11:58  a new day                     …13d7c7  phone  gym 2025-11-19 op…",
        "5148   2025-11-20 17:01  gym 90 min gym                …df97ae  phone  gym run 37 → 38, l…",
      ])
  ) { invocation throws(Failure) in
    try invocation.showTimeline()
    return .done
  }
}

extension Invocation {
  fileprivate func showTimeline() throws(Failure) {
    let count = arguments.count("-n")
    guard arguments.has("-f") || arguments.has("--after") else { return try printTimeline(newest: count) }
    try followTimeline(count)
  }

  private func printTimeline(newest most: Int?) throws(Failure) {
    let habits = try timelineHabits()
    let from = try words.point("--from") ?? .position(0)
    let to = try words.point("--to") ?? .end
    // The brief form leaves out sums, but the rows of one habit include events that changed only sums.
    var timeline = Timeline(isBrief: !isJSON && habits.isEmpty)
    var newest = most.map { NewestLines($0) }
    let output = context.output
    var cursor = isJSON && !hasWhatIfs ? Cursor() : nil
    var difference = Difference()
    var walk = try reader.walk(to: to, wanting: isJSON ? [] : .texts)
    var lines = TimelineLines(self, habits, of: walk.stream)
    let isReached = try walk.advance(to: from) { cursor?.add($0, of: $1) } || from == .position(0)
    if from != .position(0) { timeline.start(with: &walk.ledger) }
    while isReached, try walk.next() {
      cursor?.add(walk.item, of: walk.stream)
      timeline.note(&walk.ledger, in: &difference)
      var event = TimelineRow(walk.item, at: walk.ledger.position, of: walk.stream)
      event.cursor = cursor
      lines.add(event, &difference, &walk.ledger)
      if newest != nil {
        if let line = lines.take() { newest?.add(line) }
      } else if lines.isEnough {
        lines.flush(to: output)
      }
    }
    lines.flush(to: output)
    if let newest { output(newest.all) }
    let loaded = try walk.end()
    try reader.check(to, reached: loaded)
    guard !isReached else { return }
    if to != .end {
      // Nothing was recorded between the two times.
      if let begin = try reader.bound(of: from), let end = try reader.bound(of: to), begin < end { return }
      throw .usage(
        "--from must come before --to, and events after --from are shown: for one day, give the day before as --from"
      )
    }
    try reader.check(from, reached: loaded)
  }

  private func followTimeline(_ count: Int?) throws(Failure) {
    let cursor = arguments.value("--after").flatMap { Cursor($0) }
    var feed = try ChangeFeed(self, after: cursor)
    guard cursor == nil else { return try printChanges(of: &feed, count ?? .max) }
    try printNewestChanges(of: &feed, count ?? 10)
    try printChanges(of: &feed, .max, isRead: true)
  }

  private func printNewestChanges(of feed: inout ChangeFeed, _ count: Int) throws(Failure) {
    var newest = NewestLines(count)
    while try feed.addNext() {
      if let line = feed.lines.take() { newest.add(line) }
    }
    try reader.report(feed.stream)
    context.output(newest.all)
  }

  private func printChanges(of feed: inout ChangeFeed, _ most: Int, isRead: Bool = false) throws(Failure) {
    var count = 0
    var isAtEnd = isRead
    while true {
      while !isAtEnd, count < most, try feed.addNext() {
        if feed.lines.isEnough, let text = feed.lines.take() { context.output(text) }
        count += feed.hasLine ? 1 : 0
      }
      if let text = feed.lines.take() { context.output(text) }
      if !isAtEnd { try reader.report(feed.stream) }
      guard count < most, arguments.has("-f"), context.pause() else { return }
      isAtEnd = try !feed.follow()
    }
  }
}

private struct NewestLines {
  private let most: Int
  private var lines: [[UInt8]] = []
  private var oldest = 0

  init(_ most: Int) { self.most = most }

  mutating func add(_ line: [UInt8]) {
    if lines.count < most {
      lines.append(line)
    } else if most > 0 {
      lines[oldest] = line
      oldest = (oldest + 1) % most
    }
  }

  var all: [UInt8] { Array((lines[oldest...] + lines[..<oldest]).joined()) }
}

extension Invocation {
  /// Returns the habits whose changes are shown.
  ///
  /// The set is empty if all habits are shown.
  func timelineHabits() throws(Failure) -> Set<String> {
    Set(try arguments.positionals.map { (word) throws(Failure) in try words.habit(readFor: word) })
  }
}

struct TimelineRow {
  let item: StreamItem
  let position: Int
  /// The name of the segment that contains the event, or `nil` for an event of the sample ledger of `--guest`.
  let writer: Text?
  /// Whether the event precedes events in the stream that the consumer has already received.
  var isLate = false
  var cursor: Cursor?

  init(_ item: StreamItem, at position: Int, of stream: EventStream) {
    self.item = item
    self.position = position
    writer = stream.writer(of: item)
  }

  /// Writes the row as a line of JSON.
  ///
  /// `habit` is the event's habit, or `nil` if the event isn't about one habit.
  func write(_ difference: Difference, _ names: SymbolTable, habit: String?, into text: inout [UInt8]) {
    var members = members(difference, names)
    members["cursor"] = cursor.map { .text($0.description) }
    members["day"] = .day(item.day)
    members["habit"] = habit.map { .text($0) }
    if isLate { members["late"] = .bool(true) }
    JSON.object(members).write(into: &text)
    text.append(UInt8(ascii: "\n"))
  }

  func members(_ difference: Difference, _ names: SymbolTable) -> JSON.Members {
    var members = JSON.Members(of: difference)
    members["event"] = .text(item.id.text(names))
    members["position"] = .whole(position)
    members["recorded"] = .text(item.recorded.description)
    members["type"] = .text(item.type.rawValue)
    members["writer"] = .text(writer)
    return members
  }
}

/// The lines of `timeline`.
///
/// They are collected, because printing each of them would be slow.
package struct TimelineLines {
  private var text: [UInt8] = []
  private let habits: Set<String>
  private let isJSON: Bool
  private let columns: Int?
  private let showsWriter: Bool
  private let phrases: ChangePhrases
  /// The cached descriptions of entries without text and amount.
  ///
  /// Most entries equal an earlier entry.
  private var entryWords: [EntryWords: String] = [:]
  private var clock: DayClock?
  /// The time zone of the last event that opened the ledger or began a day, or `nil` if there was none.
  private var zone: String?

  init(_ invocation: Invocation, _ habits: Set<String>, of stream: EventStream) {
    self.habits = habits
    isJSON = invocation.isJSON
    columns = invocation.context.columns
    showsWriter = stream.segments.count > 1
    phrases = ChangePhrases(invocation.style)
  }

  /// Adds a row unless its event changed none of `habits`.
  ///
  /// `difference` and `ledger` are `inout` only to avoid copies.
  mutating func add(_ row: TimelineRow, _ difference: inout Difference, _ ledger: inout Ledger) {
    if !habits.isEmpty {
      difference.keepOnly(habits)
      guard !difference.isEmpty else { return }
    }
    if isJSON {
      row.write(difference, ledger.names, habit: row.item.habit(in: ledger), into: &text)
    } else {
      write(row, difference, ledger)
    }
  }

  var isEnough: Bool { text.count >= 1 << 16 }

  var size: Int { text.count }

  package mutating func take() -> [UInt8]? {
    guard !text.isEmpty else { return nil }
    defer { text = [] }
    return text
  }

  mutating func flush(to output: ([UInt8]) -> Void) {
    if !text.isEmpty { output(text) }
    text.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ row: TimelineRow, _ difference: Difference, _ ledger: Ledger) {
    if clock?.zone != ledger.zone {
      clock = ledger.zone.flatMap { DayClock(zone: $0, start: .midnight) }
    }
    let time = RecordedTime(row.item.recorded, by: clock, about: row.item.day)
    let says = Escaping.visible(words(of: row.item, ledger))
    var line = Style.padded("\(row.position)", 5) + "  " + time.text + "  "
    line += columns == nil ? Style.padded(says, 28) + "  " : says + "  "
    line += Event.shortID(row.item.id.text(ledger.names))
    if showsWriter, let writer = row.writer { line += "  " + Escaping.visible(writer) }
    let changes = phrases.text(of: difference, ledger)
    if !changes.isEmpty { line += "  " + changes }
    text += ((columns.map { Layout.wrapped(line, to: $0, hang: 7) } ?? line) + "\n").utf8
  }

  private struct EntryWords: Hashable {
    let habit: Symbol
    let values: EntryValues
  }

  private mutating func words(of item: StreamItem, _ ledger: Ledger) -> String {
    // The description of an entry with an amount isn't cached, because the unit depends on the day.
    if item.isFact, item.fact.values.amount < 0, item.value.isEmpty, item.note.isEmpty {
      let key = EntryWords(habit: item.fact.habit, values: item.fact.values)
      if let known = entryWords[key] { return known }
      let says = EventText(ledger: ledger).text(of: item)
      if entryWords.count < 4096 { entryWords[key] = says }
      return says
    }
    let says = EventText(ledger: ledger, showsRules: true).text(of: item)
    guard let event = item.event, [.ledgerOpened, .dayChanged].contains(event.payload.type) else {
      return says
    }
    defer { zone = event.zone }
    let isMove = event.payload.type == .dayChanged && zone.map { $0 != event.zone } ?? false
    return says + (isMove ? " in \(event.zone)" : "")
  }
}

/// The text for the changes of an event, such as `noalc run 6 → 7, longest 7 · XP 40 → 55`.
struct ChangePhrases {
  private let style: Style

  /// The maximum number of changed verdicts that a row shows per habit; `why` and `--json` show all.
  private static let mostSpans = 6

  init(_ style: Style) { self.style = style }

  /// Returns the changes as text.
  ///
  /// It is empty if only fields changed that `timeline` doesn't show, such as sums.
  func text(of difference: Difference, _ ledger: Ledger) -> String {
    var parts: [String] = []
    var told: Set<String> = []
    func tell(_ habit: String, _ changes: ArraySlice<FieldChange>) {
      told.insert(habit)
      let phrases = phrases(of: habit, changes, difference.verdicts)
      if !phrases.isEmpty { parts.append(Escaping.visible(habit) + " " + phrases.joined(separator: ", ")) }
    }
    // The changes of each habit are consecutive; the changes of the ledger's own fields come last.
    var rest = difference.changes[...]
    while let habit = rest.first?.field.habit {
      let own = rest.prefix { $0.field.habit == habit }
      rest = rest.dropFirst(own.count)
      tell(habit, own)
    }
    for change in difference.verdicts where !told.contains(change.habit) { tell(change.habit, []) }
    parts += rest.filter { $0.field == .ledger(.xp) }.map { "XP " + arrow($0) }
    parts += difference.unlocked.map {
      style.paint(Escaping.visible("+ " + AchievementText.name($0, ledger)), .green)
    }
    parts += difference.revoked.map {
      style.paint(Escaping.visible("- " + AchievementText.name($0, ledger)), .red)
    }
    return parts.joined(separator: " · ")
  }

  private func phrases(
    of habit: String, _ changes: ArraySlice<FieldChange>, _ verdicts: [VerdictChange]
  ) -> [String] {
    if changes.contains(where: \.isDefinition) { return ["is defined"] }
    var phrases = changes.compactMap { change -> String? in
      guard case .habit(_, let field) = change.field else { return nil }
      switch field {
      case .current: return "run " + arrow(change)
      case .held: return "jokers " + arrow(change)
      case .longest where change.before != .null: return "longest \(change.after)"
      default: return nil
      }
    }
    let own = verdicts.filter { $0.habit == habit && ($0.after != .open || $0.before != nil) }
    phrases += own.prefix(ChangePhrases.mostSpans).map(\.text)
    let rest = own.dropFirst(ChangePhrases.mostSpans)
    if !rest.isEmpty { phrases.append("and \(rest.reduce(0) { $0 + $1.days.count }) days more") }
    return phrases
  }

  private func arrow(_ change: FieldChange) -> String { "\(change.before) → \(change.after)" }
}

extension VerdictChange {
  /// The change as text, such as `2025-10-18…2025-10-21 healed → missed`.
  var text: String {
    let span =
      days.lowerBound == days.upperBound ? "\(days.lowerBound)" : "\(days.lowerBound)…\(days.upperBound)"
    return "\(span) " + (before.map { "\($0.rawValue) → " } ?? "") + (after?.rawValue ?? "gone")
  }
}

extension FieldChange {
  var isDefinition: Bool {
    if case .habit(_, .status) = field { before == .null } else { false }
  }
}

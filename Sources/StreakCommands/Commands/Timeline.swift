import EventLog
import Inspection
import StreakDomain

extension Command {
  /// The options that can't be combined with following.
  private static let spans = ["--from", "--to", "--without"]

  package static let timeline = Command(
    name: "timeline", group: .lookBack, words: "[HABIT…]",
    summary: "the events and what each changed; -n, -f follow the newest",
    options: [
      Option("--json", nil, "one JSON object per line, with a cursor"),
      Option("--from", .point, "only events after it (default: 0)"),
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
      "With habits only events that changed something of them are shown. A cursor says which events a consumer has.",
      "After it each other event is printed once, in the order of the stream; one that a late segment put before them has",
      "\"late\":true. If an event that was delivered is no longer there, nothing is printed (exit 3). `start` is before the",
      "first event.", "", "  streaks timeline noalc --from 2025-11-01", "  streaks timeline -n 3",
      "  streaks timeline -f noalc", "  streaks timeline --json --after start -n 100",
    ],
    example: Example(
      line: "streaks timeline gym --from 2025-11-18",
      answer: [
        "5136   2025-11-20  a new day                     …13d7c7  phone  gym 2025-11-19 open → rest",
        "5148   2025-11-20  gym 90 min gym                …df97ae  phone  gym run 37 → 38, l…",
      ])
  ) { invocation throws(Failure) in
    let arguments = invocation.arguments
    let count = arguments.count("-n")
    guard arguments.has("-f") || arguments.has("--after") else {
      return try TimelineRun(invocation: invocation).print(newest: count)
    }
    return try FollowingRun(invocation: invocation).print(count)
  }
}

private struct TimelineRun {
  let invocation: Invocation

  func print(newest most: Int?) throws(Failure) -> ExitStatus {
    let filter = try TimelineFilter(invocation)
    let from = try invocation.words.point("--from") ?? .position(0)
    let to = try invocation.words.point("--to") ?? .end
    let isJSON = invocation.isJSON
    var timeline = Timeline(isBrief: !isJSON)
    var newest = most.map { NewestLines($0) }
    let output = invocation.context.output
    var cursor = isJSON && !invocation.hasWhatIfs ? Cursor() : nil
    var difference = Difference()
    var walk = try invocation.reader.walk(to: to, wanting: isJSON ? [] : .texts)
    var lines = TimelineLines(invocation, filter, of: walk.stream)
    let isReached = try walk.pass(from) { cursor?.add($0, of: $1) } || from == .position(0)
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
    try invocation.reader.check(to, reached: loaded)
    guard !isReached else { return .done }
    if to != .end {
      // Nothing was recorded between the two times.
      if let begin = try invocation.reader.bound(of: from), let end = try invocation.reader.bound(of: to),
        begin < end
      {
        return .done
      }
      throw .usage(
        "--from must come before --to; a day is the point at its end, so one day is `--from` the day before")
    }
    try invocation.reader.check(from, reached: loaded)
    return .done
  }
}

private struct NewestLines {
  private let most: Int
  private var lines: [[UInt8]] = []
  private var oldest = 0

  init(_ most: Int) {
    self.most = most
  }

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

private struct FollowingRun {
  let invocation: Invocation

  func print(_ count: Int?) throws(Failure) -> ExitStatus {
    let cursor = invocation.arguments.value("--after").flatMap { Cursor($0) }
    var feed = try ChangeFeed(invocation, after: cursor)
    guard cursor == nil else { return try printNew(of: &feed, count ?? .max) }
    try printNewest(of: &feed, count ?? 10)
    return try printNew(of: &feed, .max, isRead: true)
  }

  private func printNewest(of feed: inout ChangeFeed, _ count: Int) throws(Failure) {
    var newest = NewestLines(count)
    while try feed.addNext() {
      if let line = feed.lines.take() { newest.add(line) }
    }
    try report(feed)
    invocation.context.output(newest.all)
  }

  private func printNew(
    of feed: inout ChangeFeed, _ most: Int, isRead: Bool = false
  ) throws(Failure) -> ExitStatus {
    var count = 0
    var isAtEnd = isRead
    while true {
      while !isAtEnd, count < most, try feed.addNext() {
        if feed.lines.isEnough, let text = feed.lines.take() { invocation.context.output(text) }
        count += feed.hasLine ? 1 : 0
      }
      if let text = feed.lines.take() { invocation.context.output(text) }
      if !isAtEnd { try report(feed) }
      guard count < most, invocation.arguments.has("-f"), invocation.context.pause() else { return .done }
      isAtEnd = try !feed.follow()
    }
  }

  private func report(_ feed: ChangeFeed) throws(Failure) {
    try invocation.reader.report(feed.stream)
  }
}

struct TimelineFilter {
  /// The habits whose changes are shown; empty for all changes.
  private let habits: Set<String>

  var isOpen: Bool { habits.isEmpty }

  init(_ invocation: Invocation) throws(Failure) {
    var habits: Set<String> = []
    for word in invocation.arguments.positionals {
      habits.insert(try invocation.words.habit(readFor: word))
    }
    self.habits = habits
  }

  func apply(to difference: inout Difference) {
    guard !isOpen else { return }
    difference.changes.removeAll { change in
      if case .habit(let habit, _) = change.field { !habits.contains(habit) } else { true }
    }
    difference.verdicts.removeAll { !habits.contains($0.habit) }
    difference.books.removeAll { !habits.contains($0.habit) }
    (difference.unlocked, difference.revoked) = ([], [])
  }
}

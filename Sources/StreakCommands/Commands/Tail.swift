import EventLog
import Replay
import StreakDomain

extension Command {
  static let tail = Command(
    name: "tail", group: .lookBack, words: "",
    summary: "the newest events and what each changed; -f keeps following",
    options: [
      Option("--json", nil, "one JSON object per line, as in timeline, with a cursor"),
      Option("-n", "N", "the newest N events (default: 10); with --after the first N, then end"),
      Option("--after", "CURSOR", "only events that a consumer does not have: a line's cursor, or start"),
      Option("-f", nil, "keep following: print every event that is appended, in any segment"),
      Option("--habit", "HABIT", "only what changed of this habit"),
    ],
    details: [
      "A cursor says which events a consumer has. After it each other event is printed once, in the",
      "order of the stream; one that a late segment put before them has \"late\":true. If an event that was",
      "delivered is no longer there, nothing is printed (exit 3). `start` is before the first event.", "",
      "  streaks tail -n 3", "  streaks tail -f --habit noalc", "  streaks tail --json --after start -n 100",
    ],
    example: Example(
      line: "streaks tail -n 3",
      answer: [
        "5146   2025-11-20  water 0.3 l                   …9d1d6d",
        "5147   2025-11-20  water 0.5 l                   …eb114e",
        "5148   2025-11-20  gym 90 min gym                …df97ae  gym run 37 → 38, longest 3…",
      ])
  ) { invocation throws(CommandError) in
    let run = TailRun(invocation: invocation)
    let form = "a cursor that `streaks tail --json` printed, or start"
    let cursor = try invocation.arguments.read("--after", form) { Cursor($0) }
    let count = try invocation.arguments.read("-n", "a number of events, 0 or more") { text in
      Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }
    var feed = try ChangeFeed(invocation, after: cursor)
    guard cursor == nil else { return try run.printNew(of: &feed, count ?? .max) }
    try run.printNewest(of: &feed, count ?? 10)
    return invocation.arguments.has("-f") ? try run.printNew(of: &feed, .max, isRead: true) : .done
  }
}

/// The steps of `tail`.
private struct TailRun {
  let invocation: Invocation

  /// Prints the newest of what there is.
  func printNewest(of feed: inout ChangeFeed, _ count: Int) throws(CommandError) {
    var newest: [[UInt8]] = []
    var oldest = 0
    while try feed.addNext() {
      guard let line = feed.lines.take() else { continue }
      if newest.count < count {
        newest.append(line)
      } else if count > 0 {
        newest[oldest] = line
        oldest = (oldest + 1) % count
      }
    }
    try report(feed)
    invocation.context.output(Array((newest[oldest...] + newest[..<oldest]).joined()))
  }

  /// Prints the number asked for and ends; while it follows it waits for them.
  func printNew(
    of feed: inout ChangeFeed, _ most: Int, isRead: Bool = false
  ) throws(CommandError) -> ExitStatus {
    var count = 0
    var isAtEnd = isRead
    while true {
      while !isAtEnd, count < most || feed.isWithinBatch, try feed.addNext() {
        if feed.lines.isEnough, let text = feed.lines.take() { invocation.context.output(text) }
        count += feed.hasLine ? 1 : 0
      }
      if let text = feed.lines.take() { invocation.context.output(text) }
      if !isAtEnd { try report(feed) }
      guard count < most, invocation.arguments.has("-f"), invocation.context.pause() else { return .done }
      isAtEnd = try !feed.follow()
    }
  }

  private func report(_ feed: ChangeFeed) throws(CommandError) {
    do throws(LogError) { try invocation.reader.report(feed.stream) } catch { throw .log(error) }
  }
}

import EventLog
import Replay
import StreakDomain

extension Command {
  static let tail = Command(
    name: "tail", group: .lookBack, words: "", summary: "the newest events and what each changed, following",
    options: [
      Option("--json", nil, "one JSON object a line, as timeline tells it"),
      Option("-n", "N", "how many of the newest events (default: 10)"),
      Option("-f", nil, "go on and tell every event that is appended, in old segments and new ones"),
      Option("--habit", "HABIT", "only what changed of this habit"), wholeIDs,
    ],
    details: ["  streaks tail -n 3", "  streaks tail -f --habit noalc"]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(0, "")
    let count =
      try invocation.arguments.read("-n", "a number of events, 0 or more") { text in
        Int(text).flatMap { $0 >= 0 ? $0 : nil }
      } ?? 10
    let filter = try TimelineFilter(invocation)
    var follower = Follower(filter: filter)
    let lines = try follower.newLines(invocation)
    invocation.context.output(Array(lines.suffix(count).joined()))
    guard invocation.arguments.has("-f") else { return .done }
    while invocation.context.pause() {
      let lines = try follower.newLines(invocation)
      if !lines.isEmpty { invocation.context.output(Array(lines.joined())) }
    }
    return .done
  }
}

/// Tells each event once, however late its segment comes.
private struct Follower {
  private let filter: TimelineFilter
  private var told: Set<String> = []
  /// The segments and their sizes as they were read last.
  private var read: [String] = []

  init(filter: TimelineFilter) {
    self.filter = filter
  }

  /// The lines of events not told before, in stream order; a torn end is no event yet.
  mutating func newLines(_ invocation: Invocation) throws(CommandError) -> [[UInt8]] {
    let there = try invocation.stream().sizes
    guard there != read else { return [] }
    read = there
    var timeline = Timeline(isBrief: !invocation.isJSON)
    var line = TimelineLines(invocation, filter)
    var lines: [[UInt8]] = []
    var told = told
    _ = try invocation.load(wantsTexts: !invocation.isJSON) { ledger, item in
      let isNew = told.insert(item.id.text(ledger.names)).inserted
      guard ledger.folds(item.subject) else { return true }
      var difference = timeline.note(&ledger) ?? Difference()
      guard isNew else { return true }
      line.add(ToldEvent(item, at: ledger.position), &difference, ledger)
      line.flush { lines.append($0) }
      return true
    }
    self.told = told
    return lines
  }
}

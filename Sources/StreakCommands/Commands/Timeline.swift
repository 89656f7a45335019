import EventLog
import Replay
import StreakDomain

extension Command {
  static let timeline = Command(
    name: "timeline", group: .lookBack, words: "", summary: "the events with what each changed",
    options: [
      Option("--json", nil, "one JSON object per line"),
      Option("--habit", "HABIT", "only what changed of this habit"),
      Option("--from", "POINT", "only events after it (default: 0)"),
      Option("--to", "POINT", "only events up to it (default: end)"),
    ] + whatIf,
    details: [
      "With --habit only events that changed something of it are shown.", "",
      "  streaks timeline --habit noalc --from 2025-11-01",
    ],
    example: Example(
      line: "streaks timeline --habit gym --from 2025-11-18",
      answer: [
        "5136   2025-11-20  a new day                     …13d7c7  gym 2025-11-19 open → rest",
        "5148   2025-11-20  gym 90 min gym                …df97ae  gym run 37 → 38, longest 3…",
      ])
  ) { invocation throws(CommandError) in
    let filter = try TimelineFilter(invocation)
    var from = try Gate(invocation.words.point("--from") ?? .position(0), invocation)
    let to = try invocation.words.point("--to") ?? .end
    let isJSON = invocation.isJSON
    var timeline = Timeline(isBrief: !isJSON)
    var lines = TimelineLines(invocation, filter)
    let output = invocation.context.output
    var position = 0
    var difference = Difference()
    var isPassed = from.isOpen
    /// Looks at the state before the first event that is shown.
    func begin(_ fold: inout LedgerFold, _ item: inout StreamItem) {
      if !isPassed, from.isPassed(item, position + 1, fold.names) {
        _ = timeline.turn(to: &fold.settled)
        isPassed = true
      }
    }
    let loaded = try invocation.reader.load(
      to, wantsTexts: !isJSON,
      each: { fold, item in
        position += 1
        guard isPassed, fold.folds(item.subject) else { return true }
        timeline.note(&fold.settled, in: &difference)
        lines.add(ToldEvent(item, at: position), &difference, &fold.settled)
        if lines.isEnough { lines.flush(to: output) }
        return true
      }, before: isPassed ? nil : begin)
    lines.flush(to: output)
    try invocation.reader.check(to, reached: loaded)
    if !from.isOpen, to != .end { throw .usage("--from comes after --to, or nowhere before it") }
    try from.check(invocation, reached: loaded)
    return .done
  }
}

/// What of a timeline is asked for.
struct TimelineFilter {
  let habit: String?

  init(_ invocation: Invocation) throws(CommandError) {
    habit = try invocation.words.habit("--habit")
  }

  func apply(to difference: inout Difference) {
    guard let habit else { return }
    difference.changes.removeAll { change in
      if case .habit(habit, _) = change.field { false } else { true }
    }
    difference.verdicts.removeAll { $0.habit != habit }
    difference.books.removeAll { $0.habit != habit }
    (difference.unlocked, difference.revoked) = ([], [])
  }
}

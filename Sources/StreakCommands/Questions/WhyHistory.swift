import EventLog
import Inspection
import StreakDomain

/// The changes that `why` blames for a value: those of a ledger without what was undone, and
/// without the wrong clocks that were corrected.
extension WhyCommand {
  /// A history, and what its ledger lacks of the one that is read.
  struct CountingHistory {
    var history: ValueHistory
    /// The ids of the events that are left out, because they were undone.
    var undone: Set<String> = []
    /// The facts with the corrections of today that apply from the start, or `nil` for none.
    var corrections: Facts?
  }

  /// Returns the history to blame for the value of `history`, and the one to blame if nothing had
  /// been undone; in both, no wrong clock that was corrected moved today.
  func blamedHistories(
    _ history: ValueHistory, in loaded: LoadedLedger
  ) throws(Failure) -> (blamed: CountingHistory, seen: CountingHistory) {
    let facts = loaded.ledger.facts
    let corrections = facts.hasCorrectedMoves ? facts : nil
    let undone = try loaded.stream?.undoneEvents(in: facts) ?? []
    var seen = CountingHistory(history: history)
    if corrections != nil { seen = try counting(seen, without: [], corrections) }
    let blamed = undone.isEmpty ? seen : try counting(seen, without: undone, corrections)
    return (blamed, seen)
  }

  /// Returns the history without what was `undone` and corrected, or `seen` if that one doesn't
  /// explain the value.
  private func counting(
    _ seen: CountingHistory, without undone: Set<String>, _ corrections: Facts?
  ) throws(Failure) -> CountingHistory {
    var counting = CountingHistory(
      history: seen.history, undone: undone, corrections: corrections)
    counting.history.restart()
    var walk = try walk(of: counting)
    while try walk.nextStep() { counting.history.note(&walk.ledger, walk.lines) }
    return counting.history.explains(seen.history) ? counting : seen
  }

  /// Returns a walk, without notices, through the ledger of `counting`.
  private func walk(of counting: CountingHistory) throws(Failure) -> Walk {
    var reader = reader
    reader.leftOut = counting.undone
    reader.invocation.context.isQuiet = true
    var (walk, _) = try reader.walkToPoint(wanting: .locations)
    if let facts = counting.corrections { walk.ledger.ignoreMoves(correctedIn: facts) }
    return walk
  }

  /// Returns the changes of `turns` of a history, with the times at which they were made.
  ///
  /// If a step began a new day, a second walk finds out whether that day alone made the change.
  func changes(
    _ turns: [ValueHistory.Turn?], of counting: CountingHistory, in loaded: LoadedLedger
  ) throws(Failure) -> [ValueChange?] {
    var changes: [ValueChange?] = []
    for turn in turns {
      var change = try ValueChange(turn, in: loaded.stream)
      if let event = change?.events.last, let position = change?.position {
        change?.made = reader.time(of: StepLine(event, at: position))
      }
      changes.append(change)
    }

    let ends = Set(changes.compactMap { $0?.newDayEnd }).sorted()
    guard !ends.isEmpty else { return changes }
    var walk = try walk(of: counting)
    for end in ends {
      _ = try walk.advance(to: .position(end))
      let value = counting.history.read(&walk.ledger)
      for index in changes.indices where changes[index]?.newDayEnd == end {
        changes[index]?.findCause(valueOfNewDay: value)
      }
    }
    return changes
  }
}

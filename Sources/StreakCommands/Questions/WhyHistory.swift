import EventLog
import Inspection
import StreakDomain

/// The changes that `why` blames for a value.
///
/// They are those of a ledger without what was undone, and without the wrong clocks that were
/// corrected.
extension WhyCommand {
  /// Returns the history to blame for the value of `history`, and the history that includes undone
  /// steps.
  ///
  /// Neither has the moves of today by a wrong clock that was corrected.
  func blamedHistories(
    _ history: ValueHistory, in loaded: LoadedLedger
  ) throws(Failure) -> (blamed: ValueHistory, seen: ValueHistory) {
    let facts = loaded.ledger.facts
    let corrections = facts.hasCorrectedMoves ? facts : nil
    let undone = try loaded.stream?.undoneEvents(in: facts) ?? []
    let seen = corrections == nil ? history : try counting(history, without: [], corrections)
    let blamed = undone.isEmpty ? seen : try counting(seen, without: undone, corrections)
    return (blamed, seen)
  }

  /// Returns the history without what was `undone` and corrected.
  ///
  /// If it doesn't explain the value, returns `seen` instead.
  private func counting(
    _ seen: ValueHistory, without undone: Set<String>, _ corrections: Facts?
  ) throws(Failure) -> ValueHistory {
    var counting = seen.restarted(without: undone, corrections)
    var walk = try walk(of: counting)
    while try walk.nextStep() { counting.note(&walk.ledger, walk.lines) }
    return counting.explains(seen) ? counting : seen
  }

  /// Returns a walk, without notices, through the ledger of `history`.
  private func walk(of history: ValueHistory) throws(Failure) -> Walk {
    var reader = reader
    reader.leftOut = history.undone
    reader.invocation.context.isQuiet = true
    var (walk, _) = try reader.walkToPoint(wanting: .locations)
    if let facts = history.corrections { walk.ledger.ignoreMoves(correctedIn: facts) }
    return walk
  }

  /// Returns the changes of `turns` of `history`, with the times at which they were made.
  ///
  /// If a step began a new day, a second walk finds out whether that day alone made the change.
  func changes(
    _ turns: [ValueHistory.Turn?], of history: ValueHistory, in loaded: LoadedLedger
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
    var walk = try walk(of: history)
    for end in ends {
      _ = try walk.advance(to: .position(end))
      let value = history.read(&walk.ledger)
      for index in changes.indices where changes[index]?.newDayEnd == end {
        changes[index]?.findCause(valueOfNewDay: value)
      }
    }
    return changes
  }
}

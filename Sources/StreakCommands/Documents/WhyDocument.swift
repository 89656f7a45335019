import EventLog
import Replay
import StreakDomain

extension DayAccount {
  func json(without: [(entry: String, current: Int)]) -> JSON {
    var members: JSON.Members = [
      "format": .whole(1), "habit": .text(habit), "day": .day(day), "verdict": .text(verdict.name),
      "outcome": .text(outcome), "rule": JSON(parsing: EventEncoder.rule(definition.rule)),
      "forgiveness": JSON(parsing: EventEncoder.forgiveness(definition.forgiveness ?? .none)),
      "entries": .texts(standing),
      "run": .object(["before": .whole(before.days), "after": .whole(after.days)]),
      "without": .list(
        without.map { .object(["entry": .text($0.entry), "current": .whole($0.current)]) }),
    ]
    if let lot = lines.first(where: { $0.action == .spent })?.lot {
      members["lot"] = .text("\(habit)/\(lot)")
    }
    return .object(members)
  }
}

/// What became of a joker, in sentences.
struct JokerText {
  let habit: String
  let lot: Int
  let ledger: Ledger

  /// The sentences of its lines in the book, of which there is at least one; not escaped.
  func lines(_ lines: [JokerLine], _ first: JokerLine) -> [String] {
    var sentences: [String] = []
    for line in lines {
      let words = EventWords(ledger: ledger)
      let because = line.because.map { words.cause($0, of: habit) }
      let by = because.isEmpty ? "" : " by " + because.joined(separator: ", ")
      switch line.action {
      case .earned:
        let run = ledger.verdicts(of: habit, in: line.day...line.day).first?.run ?? 0
        sentences.append(
          "\(habit)/\(lot) was earned on \(line.day), day \(run) of a run\(by); \(line.held) held then.")
      case .spent:
        let outcome = ledger.verdicts(of: habit, in: line.day...line.day).first?.outcome ?? "missed"
        sentences.append(
          "It was spent on \(line.day) (outcome: \(outcome)\(by)); \(line.held) held then.")
      case .penalised: sentences.append("It was taken away on \(line.day)\(by); \(line.held) held then.")
      case .forfeited: sentences.append("It was forfeited on \(line.day): the maximum was held already.")
      }
    }
    if lines.allSatisfy({ $0.action == .earned }) { sentences.append("It is held.") }
    return sentences
  }
}

import EventLog
import Inspection
import StreakDomain

struct WhyDocument {
  let of: String
  let value: JSON
  let chain: [Step]

  struct Step {
    let day: Day
    let event: String?
    let says: String
  }

  var json: JSON {
    let steps = chain.map { step -> JSON in
      var members: JSON.Members = ["day": .day(step.day), "says": .text(step.says)]
      if let event = step.event { members["event"] = .text(event) }
      return .object(members)
    }
    return .object(["format": .whole(1), "of": .text(of), "value": value, "chain": .list(steps)])
  }
}

extension DayAccount {
  var json: JSON {
    var members: JSON.Members = [
      "format": .whole(1), "habit": .text(habit), "day": .day(day), "verdict": .text(verdict.rawValue),
      "outcome": .text(outcome), "rule": JSON(parsing: EventEncoder.rule(rule.definition.rule)),
      "forgiveness": JSON(parsing: EventEncoder.forgiveness(rule.definition.forgiveness ?? .nothing)),
      "entries": .texts(standing),
      "run": .object(["before": .whole(before.days), "after": .whole(after.days)]),
    ]
    if let lot = jokers.lines.first(where: { $0.action == .spent })?.lot {
      members["lot"] = .text(lot.description)
    }
    return .object(members)
  }
}

struct JokerText {
  let habit: String
  let lot: Int
  let ledger: Ledger

  func sentences(_ lines: [JokerLine]) -> [String] {
    lines.map(sentence) + (lines.allSatisfy { $0.action == .earned } ? ["It is held."] : [])
  }

  func sentence(_ line: JokerLine) -> String {
    let words = EventText(ledger: ledger)
    let because = line.because.map { words.cause($0, of: habit) }
    let by = because.isEmpty ? "" : " by " + because.joined(separator: ", ")
    let day = ledger.verdicts(of: habit, in: line.day...line.day).first
    switch line.action {
    case .earned:
      return
        "\(habit)/\(lot) was earned on \(line.day), \(ledger.runUnit(of: habit, endingOn: line.day)) \(day?.run ?? 0) of a run\(by). Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    case .spent:
      return
        "It was spent on \(line.day) (outcome: \(day?.outcome ?? "missed")\(by)). Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    case .penalised:
      return
        "It was taken away on \(line.day)\(by). Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    case .forfeited: return "It was forfeited on \(line.day): the maximum was held already."
    }
  }
}

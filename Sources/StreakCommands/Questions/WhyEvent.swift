import EventLog
import Inspection
import StreakDomain
import TimeZones

struct EventAccount {
  private let placed: Placed
  private let change: Difference
  private let refersTo: [Placed]
  private let referredBy: [Placed]
  private let ledger: Ledger
  private let showsWriter: Bool

  init(of id: String, _ invocation: Invocation) throws(Failure) {
    var timeline = Timeline()
    var change = Difference()
    var referring: [Placed] = []
    var walk = try invocation.reader.walk()
    let key = EventKey(id, names: &walk.ledger.names)
    while try walk.readNext() {
      let isIt = walk.item.id == key
      if isIt { timeline.start(with: &walk.ledger) }
      guard try walk.foldCurrent() else { continue }
      if isIt {
        change = timeline.note(&walk.ledger)
      } else if let event = walk.item.event, event.references.contains(id) {
        referring.append(
          Placed(position: walk.ledger.position, event: event, writer: walk.stream.writer(of: walk.item)))
      }
    }
    showsWriter = walk.stream.segments.count > 1
    let loaded = try walk.end()
    guard let placed = try invocation.reader.events(of: [id]).first else {
      throw .notFound("there is no event \(quoted(id))")
    }
    (self.placed, self.change, referredBy, ledger) = (placed, change, referring, loaded.ledger)
    let named = Set(placed.event.references)
    refersTo = named.isEmpty ? [] : try invocation.reader.events(of: named)
  }

  var members: JSON.Members {
    [
      "event": .object(placed.event.members), "position": .whole(placed.position),
      "writer": .text(placed.writer), "changes": JSON(of: change),
      "refersTo": .texts(placed.event.references), "referredBy": .texts(referredBy.map(\.event.id)),
    ]
  }

  func print(by invocation: Invocation) {
    let event = placed.event
    let words = EventText(ledger: ledger)
    let style = invocation.style
    invocation.print(style.paint("@\(placed.position)  " + Escaping.visible(words.text(of: event)), .bold))
    invocation.print(
      "for \(event.day), at \(event.at)\(event.by.map { ", by \(Escaping.visible($0))" } ?? "")")
    let writer = showsWriter ? placed.writer.map { " in \(Escaping.visible($0)).jsonl" } ?? "" : ""
    let clock = DayClock(zone: event.zone, start: .midnight)
    invocation.print("recorded \(RecordedTime.minute(event.recorded, by: clock))\(writer)")
    // The line is meant to be copied, so it isn't wrapped.
    invocation.context.output(EventEncoder.line(event))
    let lines = DifferenceText.lines(change, ledger, style)
    invocation.print("")
    invocation.print(lines.isEmpty ? "It changed no streak, joker or achievement." : "It changed")
    for line in lines { invocation.print("  " + line) }
    for (title, others) in [("It refers to", refersTo), ("It is named by", referredBy)] where !others.isEmpty
    {
      invocation.print("")
      invocation.print(title)
      for other in others {
        let says = Escaping.visible(words.text(of: other.event))
        invocation.print(
          "  @\(other.position)  \(says)  \(style.paint(Event.shortID(other.event.id), .grey))")
      }
    }
  }
}

extension Event {
  fileprivate var references: [String] {
    var ids = [payload.removed, payload.redacted].compactMap { $0 }
    if let cause, !ids.contains(cause) { ids.append(cause) }
    return ids
  }
}

extension JSON {
  /// Returns a step of the chain that `why --json` prints.
  static func step(on day: Day, _ event: String?, _ says: String) -> JSON {
    var members: Members = ["day": .day(day), "says": .text(says)]
    members["event"] = event.map { .text($0) }
    return .object(members)
  }
}

extension DayAccount {
  /// The members of the JSON document of `why HABIT DAY`, without the last change of the verdict.
  var jsonMembers: JSON.Members {
    var members: JSON.Members = [
      "habit": .text(habit), "day": .day(day), "verdict": .text(verdict.rawValue),
      "outcome": .text(outcome), "rule": JSON(parsing: EventEncoder.rule(rule.definition.rule)),
      "forgiveness": JSON(parsing: EventEncoder.forgiveness(rule.definition.forgiveness ?? .nothing)),
      "entries": .texts(standing),
      "run": .object(["before": .whole(before.days), "after": .whole(after.days)]),
    ]
    let spent = jokers.lines.first { $0.action == .spent }
    members["lot"] = spent?.lot.map { .text($0.description) }
    return members
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
        "It was spent on \(line.day) (outcome: \(day?.outcome ?? "missed")\(because.isEmpty ? "" : ", because of " + because.joined(separator: ", "))). Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    case .penalised:
      return
        "It was taken away on \(line.day)\(by). Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    case .forfeited: return "It was forfeited on \(line.day): the maximum was held already."
    }
  }
}

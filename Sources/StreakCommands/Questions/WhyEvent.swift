import EventLog
import Inspection
import StreakDomain
import TimeZones

/// The answers of `why` about one event, one joker or one achievement.
extension Invocation {
  func explainEvent(_ id: String) throws(Failure) {
    var timeline = Timeline()
    var change = Difference()
    var referredBy: [Placed] = []
    var walk = try reader.walk()
    let key = EventKey(id, names: &walk.ledger.names)
    while try walk.readNext() {
      let isIt = walk.item.id == key
      if isIt { timeline.start(with: &walk.ledger) }
      guard try walk.foldCurrent() else { continue }
      if isIt {
        change = timeline.note(&walk.ledger)
      } else if let event = walk.item.event, event.references.contains(id) {
        referredBy.append(
          Placed(position: walk.ledger.position, event: event, writer: walk.stream.writer(of: walk.item)))
      }
    }
    let showsWriter = walk.stream.hasSeveralSegments
    let ledger = try walk.end().ledger
    guard let placed = try reader.events(of: [id]).first else {
      throw .notFound("there is no event \(quoted(id))")
    }
    let event = placed.event
    if isJSON {
      return printJSON([
        "event": .object(event.members), "position": .whole(placed.position), "writer": .text(placed.writer),
        "changes": JSON(of: change), "refersTo": .texts(event.references),
        "referredBy": .texts(referredBy.map(\.event.id)),
      ])
    }
    let words = EventText(ledger: ledger)
    print(style.paint("@\(placed.position)  " + Escaping.visible(words.text(of: event)), .bold))
    print("for \(event.day); happened at \(event.at)\(event.by.map { ", by \(Escaping.visible($0))" } ?? "")")
    let segment = showsWriter ? placed.writer.map { " in \(Escaping.visible($0)).jsonl" } ?? "" : ""
    let clock = DayClock(zone: event.zone, start: .midnight)
    print("recorded \(RecordedTime.minute(event.recorded, by: clock))\(segment)")
    // The line is meant to be copied, so it isn't wrapped.
    context.output(EventEncoder.line(event))
    let lines = DifferenceText.lines(change, ledger, style)
    print("")
    print(lines.isEmpty ? "It changed no streak, joker or achievement." : "It changed")
    for line in lines { print("  " + line) }
    let refersTo = try reader.events(of: Set(event.references))
    for (title, others) in [("It refers to", refersTo), ("It is named by", referredBy)] where !others.isEmpty
    {
      print("")
      print(title)
      for other in others {
        let says = Escaping.visible(words.text(of: other.event))
        print("  @\(other.position)  \(says)  \(style.paint(Event.shortID(other.event.id), .grey))")
      }
    }
  }

  func explainJoker(_ lot: Int, of habit: String, _ ledger: Ledger) throws(Failure) {
    let lines = ledger.jokerBook(of: habit).filter { $0.lot?.number == lot }
    guard let last = lines.last else {
      let count = ledger.jokerBook(of: habit).compactMap(\.lot?.number).max() ?? 0
      throw .notFound("there is no joker \(habit)/\(lot); \(habit) has had \(counted(count, "joker"))")
    }
    let isHeld = last.action == .earned
    let sentences = lines.map { sentence(for: $0, of: habit, ledger) }
    let steps = zip(lines, sentences).map { JSON.step(on: $0.day, $0.because.last, $1) }
    answer(
      [
        "of": .text("\(habit)/\(lot)"), "value": .text(isHeld ? "held" : last.action.rawValue),
        "chain": .list(steps),
      ], sentences.map(Escaping.visible) + (isHeld ? ["It is held."] : []))
  }

  /// Returns a line of the joker book as a sentence.
  private func sentence(for line: JokerLine, of habit: String, _ ledger: Ledger) -> String {
    let entries = line.because.map { EventText(ledger: ledger).cause($0, of: habit) }
      .joined(separator: ", ")
    let by = entries.isEmpty ? "" : ", by \(entries)"
    let held = "Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    let day = ledger.verdicts(of: habit, in: line.day...line.day).first
    switch line.action {
    case .earned:
      let unit = ledger.runUnit(of: habit, endingOn: line.day)
      return
        "\(line.lot?.description ?? "") was earned on \(line.day), \(unit) \(day?.run ?? 0) of a run\(by). "
        + held
    case .spent:
      let because = entries.isEmpty ? "" : ", because of \(entries)"
      return "It was spent on \(line.day) (outcome: \(day?.outcome ?? "missed")\(because)). \(held)"
    case .penalised: return "It was taken away on \(line.day)\(by). \(held)"
    case .forfeited: return "It was forfeited on \(line.day): the maximum was held already."
    }
  }

  func explainAchievement(_ key: String, _ loaded: LoadedLedger, _ facts: WhyFacts) throws(Failure) {
    let ledger = loaded.ledger
    let achievement = ledger.achievements().first { $0.key == key }
    let habit = AchievementKey(key)?.habit
    let isAchievable = AchievementKey(key) != nil && habit.map { ledger.definition(of: $0) != nil } ?? true
    guard achievement != nil || !facts.turns.isEmpty || isAchievable else {
      let known = HabitWord.known(in: ledger) + ledger.achievements().map(\.key)
      let near = StateField.hint(key, of: ledger.definedHabits, others: known)
      throw .notFound(
        "there is no habit, field or event \(quoted(key)), and no achievement of that key was ever reached\(near)"
      )
    }
    let words = EventText(ledger: ledger)
    var changes: [Change] = []
    for turn in facts.turns { if let change = try Change(turn, in: loaded) { changes.append(change) } }
    let condition = AchievementText.condition(key, ledger)
    var steps: [JSON] = []
    var lines: [String] = []
    if let condition { lines.append(Escaping.visible("\(AchievementText.name(key, ledger)): \(condition).")) }
    if let achievement {
      lines.append(
        "It was achieved on \(achievement.on)\(achievement.xp > 0 ? ", worth \(achievement.xp) XP" : "").")
      let entries = achievement.because.map { "\(words.entry($0)) (\(Event.shortID($0)))" }
      let list = entries.isEmpty ? "none" : entries.joined(separator: ", ")
      lines.append("The entries of that day: \(Escaping.visible(list)).")
      steps = achievement.because.map { JSON.step(on: achievement.on, $0, words.entry($0)) }
    } else {
      lines.append(changes.isEmpty ? "It was never achieved." : "It is not achieved.")
    }
    for change in changes {
      let verb = change.after == .null ? "revoked" : "achieved"
      steps.append(JSON.step(on: change.day, change.event, "\(change.says): \(verb) it"))
      let writer = change.writer.map { ", \(Escaping.visible($0))" } ?? ""
      let event = "\(change.says) (\(Event.shortID(change.event))\(writer))"
      lines.append("On \(change.time), @\(change.position) \(verb) it: \(event).")
    }
    answer(
      [
        "of": .text(key), "value": .day(achievement?.on), "chain": .list(steps),
        "condition": .text(condition),
      ], lines)
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

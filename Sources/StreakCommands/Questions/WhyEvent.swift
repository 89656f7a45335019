import EventLog
import Inspection
import StreakDomain
import TimeZones

/// The answers of `why` about one event, one joker or one achievement.
extension Invocation {
  /// Explains the step of the event `id`: what it did, what it changed, and what refers to it.
  func explainEvent(_ id: String) throws(Failure) {
    let whole = try reader.whole()
    guard let placed = try reader.events(of: [id]).first, let stream = whole.stream else {
      throw .notFound("there is no event \(quoted(id))")
    }
    let positions = stream.batch(around: placed.position)
    var timeline = Timeline()
    var referredBy: [Placed] = []
    var lines: [StepLine] = []
    var change = Difference()
    var walk = try reader.walk(wanting: .places)

    while try walk.nextStep() {
      if positions.contains(walk.lines[0].position) {
        lines = walk.lines
        change = timeline.note(&walk.ledger)
      } else if positions.lowerBound - 1 == walk.ledger.position {
        timeline.start(with: &walk.ledger)
      }
      for line in walk.lines where !positions.contains(line.position) {
        guard let event = line.item.event, event.references.contains(id) else { continue }
        let writer = walk.stream.writer(of: line.item)
        referredBy.append(Placed(position: line.position, event: event, writer: writer))
      }
    }
    let loaded = try walk.end()
    let ledger = loaded.ledger
    let event = placed.event
    try reader.reportAhead([event.recorded])
    try reader.reportLate(positions)

    if isJSON {
      return printJSON(
        of: EventExplanation(
          event: placed.line, position: placed.position, writer: placed.writer,
          step: lines.map { $0.item.id.text(ledger.names) }, changes: change,
          refersTo: event.references, referredBy: referredBy.map(\.event.id)))
    }
    let events = try reader.events(at: Array(positions))
    let stepLines = events.map { StepLine($0.event, at: $0.position) }
    let text = StepText(stepLines, ledger, loaded.stream)
    let head = "@\(StepText.shown(positions))  " + Escaping.visible(text.says)
    print(style.paint(head, .bold))
    let by = event.by.map { ", by \(Escaping.visible($0))" } ?? ""
    print("day \(text.day ?? event.day), time \(event.at)\(by)")
    let writer = stream.hasSeveralSegments ? placed.writer : nil
    let segment = writer.map { " in \(Escaping.visible($0)).jsonl" } ?? ""
    let clock = DayClock(zone: event.zone, start: .midnight)
    print("recorded \(RecordedTime.minute(event.recorded, by: clock))\(segment)")

    // The lines are meant to be copied, so they aren't wrapped.
    let shown = events.count > Invocation.mostLines ? [placed] : events
    for other in shown { context.output(EventEncoder.line(other.event)) }
    if shown.count < events.count { print("and \(events.count - 1) more of this step") }

    let effects = DifferenceText.lines(change, ledger, style)
    print("")
    print(effects.isEmpty ? "It changed no streak, joker or achievement." : "It changed")
    for line in effects { print("  " + line) }
    let refersTo = try reader.events(of: Set(event.references))
    let words = EventText(ledger: ledger)
    for (title, others) in [("It refers to", refersTo), ("It is named by", referredBy)]
    where !others.isEmpty {
      print("")
      print(title)
      for other in others {
        let says = Escaping.visible(words.text(of: other.event))
        print("  @\(other.position)  \(says)  \(style.paint(Event.shortID(other.event.id), .grey))")
      }
    }
  }

  /// The most lines of a step that `why` prints.
  private static let mostLines = 5

  func explainJoker(_ lot: Int, of habit: String, _ ledger: Ledger) throws(Failure) {
    let book = ledger[habit]?.jokerBook ?? []
    let lines = book.filter { $0.lot?.number == lot }
    guard let last = lines.last else {
      let count = book.compactMap(\.lot?.number).max() ?? 0
      throw .notFound(
        "there is no joker \(habit)/\(lot); \(habit) has had \(counted(count, "joker"))")
    }
    let isHeld = last.action == .earned
    let sentences = lines.map { sentence(for: $0, of: habit, ledger) }
    let steps = zip(lines, sentences).map {
      ChainStep(day: $0.day, event: $0.because.last, says: $1)
    }
    answer(
      JokerExplanation(
        of: "\(habit)/\(lot)", value: isHeld ? "held" : last.action.rawValue, chain: steps),
      sentences.map(Escaping.visible) + (isHeld ? ["It is held."] : []))
  }

  /// Returns a line of the joker book as a sentence.
  private func sentence(for line: JokerLine, of habit: String, _ ledger: Ledger) -> String {
    let entries = line.because.map { EventText(ledger: ledger).cause($0, of: habit) }
      .joined(separator: ", ")
    let by = entries.isEmpty ? "" : ", by \(entries)"
    let held = "Then \(line.held) \(line.held == 1 ? "was" : "were") held."
    let day = ledger[habit]?.calendar(in: line.day...line.day).first
    switch line.action {
    case .earned:
      let unit = ledger[habit]?.runUnit(endingOn: line.day) ?? "day"
      return
        """
        \(line.lot?.description ?? "") was earned on \(line.day), \(unit) \(day?.run ?? 0) of a \
        run\(by). 
        """
          + held
    case .spent:
      let because = entries.isEmpty ? "" : ", because of \(entries)"
      return "It was spent on \(line.day) (outcome: \(day?.outcome ?? "missed")\(because)). \(held)"
    case .penalised: return "It was taken away on \(line.day)\(by). \(held)"
    case .forfeited: return "It was forfeited on \(line.day): the maximum was held already."
    }
  }

  func explainAchievement(_ key: String, _ loaded: LoadedLedger, _ facts: ValueHistory)
    throws(Failure)
  {
    let ledger = loaded.ledger
    let achievement = Achievements(of: ledger).all.first { $0.key == key }
    let habit = AchievementKey(key)?.habit
    let isAchievable =
      AchievementKey(key) != nil && habit.map { ledger.facts.definition(of: $0) != nil } ?? true
    guard achievement != nil || !facts.turns.isEmpty || isAchievable else {
      if DayWord.isDay(key) {
        throw .usage("\(quoted(key)) is a day; say of which habit: why HABIT \(key)")
      }
      let known = HabitWord.known(in: ledger) + Achievements(of: ledger).all.map(\.key)
      let near = StateField.hint(key, of: ledger.facts.definedHabits, others: known)
      throw .notFound(
        """
        there is no habit, field or event \(quoted(key)), and no achievement of that name was ever \
        reached\(near)
        """
      )
    }
    if case .milestone(let habit, let run)? = AchievementKey(key), achievement == nil,
      facts.turns.isEmpty
    {
      let known = ledger.facts.definitions(of: habit).flatMap {
        $0.source.milestones ?? Habit.usualMilestones
      }
      let list = Set(known).sorted().map(String.init).joined(separator: ", ")
      guard known.contains(run) else {
        throw .notFound("\(run) is no milestone of \(habit), only \(list)")
      }
    }
    let words = EventText(ledger: ledger)
    let changes = try facts.turns.map { turn throws(Failure) in
      try ValueChange(turn, in: loaded.stream)
    }
    let condition = AchievementText.condition(key, ledger)
    var steps: [ChainStep] = []
    var lines: [String] = []
    if let condition {
      lines.append(Escaping.visible("\(AchievementText.name(key, ledger)): \(condition)."))
    }
    if let achievement {
      lines.append(
        """
        It was achieved on \
        \(achievement.on)\(achievement.xp > 0 ? ", worth \(achievement.xp) XP" : "").
        """
      )
      let entries = achievement.because.map { "\(words.entry($0)) (\(Event.shortID($0)))" }
      let list = entries.isEmpty ? "none" : entries.joined(separator: ", ")
      lines.append("The entries of that day: \(Escaping.visible(list)).")
      steps = achievement.because.map {
        ChainStep(day: achievement.on, event: $0, says: words.entry($0))
      }
    } else {
      lines.append(changes.isEmpty ? "It was never achieved." : "It is not achieved.")
    }
    for change in changes.compactMap(\.self) {
      let verb = change.after == .null ? "revoked" : "achieved"
      let says = change.says(loaded)
      steps.append(
        ChainStep(
          day: change.events.last?.day ?? Day.first, event: change.event,
          says: "\(says): \(verb) it"))
      let writer = change.writer.map { ", \(Escaping.visible($0))" } ?? ""
      let event = "\(says) (\(Event.shortID(change.event))\(writer))"
      lines.append("On \(change.time), @\(change.shownPosition) \(verb) it: \(event).")
    }
    answer(
      AchievementExplanation(of: key, value: achievement?.on, chain: steps, condition: condition),
      lines)
  }
}

extension Event {
  fileprivate var references: [String] {
    let named = payload.removed ?? payload.redacted
    return [named, cause == named ? nil : cause].compactMap { $0 }
  }
}

private struct JokerExplanation: Encodable {
  let of: String
  let value: String
  let chain: [ChainStep]
}

private struct AchievementExplanation: Encodable {
  let of: String
  let value: Day?
  let chain: [ChainStep]
  let condition: String?
}

/// The explanation of an event: what it changed, and the events that it refers to or that refer to
/// it.
private struct EventExplanation: Encodable {
  let event: JSONValue
  let position: Int
  let writer: Text?
  /// The ids of the events of the step.
  let step: [String]
  let changes: Difference
  let refersTo: [String]
  let referredBy: [String]
}

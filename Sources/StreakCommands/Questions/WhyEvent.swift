import EventLog
import Inspection
import StreakDomain

/// The answers of `why` about one event, one joker or one achievement.
extension WhyCommand {
  /// Explains the step of the event `id`: what it did, what it changed, and what refers to it.
  func explainEvent(_ id: String) throws(Failure) {
    let whole = try reader.whole()
    guard let placed = try reader.events(of: [id]).first, let stream = whole.stream else {
      throw .notFound("there is no event \(quoted(id))")
    }
    let positions = stream.batch(around: placed.position)
    let answer = try EventAnswer(to: placed, at: positions, reader)
    try reader.reportAhead([placed.event.recorded])
    if isJSON { return printJSON(of: answer.explanation) }

    let events = try reader.events(at: Array(positions))
    let written = reader.time(of: StepLine(placed.event, at: placed.position))
    for line in answer.head(events, written, style) { print(line) }
    if let successor = answer.successor { print(replaced(by: successor, answer.loaded.ledger)) }
    // The lines are meant to be copied, so they aren't wrapped.
    let shown = events.count > WhyCommand.maximumLineCount ? [placed] : events
    for other in shown { context.output(EventEncoder.line(other.event)) }
    if shown.count < events.count { print("and \(events.count - 1) more of this step") }

    let effects = DifferenceText.lines(answer.explanation.changes, answer.loaded.ledger, style)
    print("")
    print(effects.isEmpty ? "It changed no streak, joker or achievement." : "It changed")
    for line in effects { print("  " + line) }
    let refersTo = try reader.events(of: Set(placed.event.references))
    printEvents("It refers to", refersTo, answer.loaded.ledger)
    printEvents("It is named by", answer.referredBy, answer.loaded.ledger)
  }

  /// Returns a line such as `replaced on 2025-11-04 by @12  steps 5000`.
  private func replaced(by successor: Placed, _ ledger: Ledger) -> String {
    let clock = ledger.facts.wallClock(at: successor.position)
    let day = clock?.local(successor.event.recorded).localDay ?? successor.event.day
    let words = Escaping.visible(EventText(ledger: ledger).text(of: successor.event))
    return "replaced on \(day) by @\(successor.position)  \(words)"
  }

  /// The most lines of a step that `why` prints.
  private static let maximumLineCount = 5

  /// The most events that `why` prints in a list of references.
  ///
  /// One list has the events that an event refers to, and another those that refer to it.
  private static let maximumReferenceCount = 20

  private func printEvents(_ title: String, _ events: [Placed], _ ledger: Ledger) {
    guard !events.isEmpty else { return }
    let words = EventText(ledger: ledger)
    print("")
    print(title)
    for placed in events.prefix(WhyCommand.maximumReferenceCount) {
      let description = Escaping.visible(words.text(of: placed.event))
      let id = style.paint(Event.shortID(placed.event.id), .grey)
      print("  @\(placed.position)  \(description)  \(id)")
    }
    let rest = events.count - WhyCommand.maximumReferenceCount
    if rest > 0 { print("  and \(rest) more; --json has them") }
  }

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
      ValueExplanation(
        of: "\(habit)/\(lot)", value: .text(isHeld ? "held" : Text(last.action.rawValue)),
        chain: steps),
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
      let lot = line.lot?.description ?? ""
      return "\(lot) was earned on \(line.day), \(unit) \(day?.run ?? 0) of a run\(by). \(held)"
    case .spent:
      let because = entries.isEmpty ? "" : ", because of \(entries)"
      return "It was spent on \(line.day) (outcome: \(day?.outcome ?? "missed")\(because)). \(held)"
    case .penalised: return "It was taken away on \(line.day)\(by). \(held)"
    case .forfeited: return "It was forfeited on \(line.day): the maximum was held already."
    }
  }

  func explainAchievement(
    _ key: String, _ loaded: LoadedLedger, _ history: ValueHistory
  ) throws(Failure) {
    let ledger = loaded.ledger
    let achievement = Achievements(of: ledger).all.first { $0.key == key }
    if achievement == nil, history.turns.isEmpty { try requireAchievable(key, in: ledger) }

    var steps: [ChainStep] = []
    var lines: [String] = []
    let condition = AchievementText.condition(key, ledger)
    if let condition {
      lines.append(Escaping.visible("\(AchievementText.name(key, ledger)): \(condition)."))
    }
    if let achievement {
      let words = EventText(ledger: ledger)
      let grounds = Achievements(of: ledger).grounds(of: achievement).map {
        ledger.facts.id(at: $0)
      }
      lines += self.lines(about: achievement, grounds, words)
      steps = grounds.map { id in
        let day = ledger.facts.entry(of: id)?.day ?? achievement.on
        return ChainStep(day: day, event: id, says: words.entry(id))
      }
    } else {
      lines.append(history.turns.isEmpty ? "It was never achieved." : "It is not achieved.")
    }

    for case let change? in try changes(history.turns, of: history, in: loaded) {
      let effect = effect(of: change)
      let description = change.says(loaded)
      let day = change.events.last?.day ?? Day.first
      steps.append(ChainStep(day: day, event: change.event, says: "\(description): \(effect)"))
      let writer = change.writer.map { ", \(Escaping.visible($0))" } ?? ""
      let event = "\(description) (\(Event.shortID(change.cause))\(writer))"
      let time = time(of: change, loaded)
      lines.append("\(time), @\(change.shownPosition) \(effect): \(event).")
    }
    var explanation = ValueExplanation(
      of: key, value: achievement.map { .day($0.on) } ?? .null, chain: steps)
    explanation.condition = condition
    answer(explanation, lines)
  }

  /// Returns the time of a change of an achievement, whose value is its day, such as `On 2025-11-04
  /// 12:05`.
  private func time(of change: ValueChange, _ loaded: LoadedLedger) -> String {
    if case .day(let day) = change.after, change.precedes(day, in: loaded) {
      return "As the ledger is ordered now"
    }
    return "On \(change.shownTime(in: loaded))"
  }

  /// Returns what a step did to the achievement, whose value is its day, such as `achieved it`.
  private func effect(of change: ValueChange) -> String {
    switch (change.before, change.after) {
    case (.null, _): "achieved it"
    case (_, .null): "revoked it"
    default: "moved it from \(change.before) to \(change.after)"
    }
  }

  private func lines(
    about achievement: Achievement, _ grounds: [String], _ words: EventText
  ) -> [String] {
    let worth = achievement.xp > 0 ? ", worth \(achievement.xp) XP" : ""
    let reached = "It was achieved on \(achievement.on)\(worth)."
    guard !grounds.isEmpty else { return [reached, "It rests on no entry."] }

    let shown = arguments.has("--all") ? grounds[...] : grounds.prefix(10)
    let rest = grounds.count - shown.count
    return [reached, "It rests on \(counted(grounds.count, "entry")):"]
      + shown.map { "  \(Escaping.visible(words.entry($0)))  \(Event.shortID($0))" }
      + (rest > 0 ? ["  and \(rest) more; --all lists them"] : [])
  }

  /// Throws if `key` isn't an achievement that the habits of the ledger can reach.
  private func requireAchievable(_ key: String, in ledger: Ledger) throws(Failure) {
    guard let achievement = AchievementKey(key),
      achievement.habit.map({ ledger.facts.definition(of: $0) != nil }) ?? true
    else {
      if DayWord.isDay(key) {
        throw .usage("\(quoted(key)) is a day; say of which habit: why HABIT \(key)")
      }
      let names = HabitWord.currentNames(in: ledger) + Achievements(of: ledger).all.map(\.key)
      let near = StateField.hint(key, of: ledger.facts.definedHabits, others: names)
      throw .notFound(
        """
        there is no habit, field or event \(quoted(key)), and no achievement of that name was ever \
        reached\(near)
        """)
    }

    if case .milestone(let habit, let run) = achievement {
      let milestones = ledger.facts.definitions(of: habit).flatMap {
        $0.source.milestones ?? Habit.usualMilestones
      }
      guard milestones.contains(run) else {
        let list = Set(milestones).sorted().map(String.init).joined(separator: ", ")
        throw .notFound("\(run) is no milestone of \(habit), only \(list)")
      }
    }
  }
}

/// The answer about an event: its step, the changes of that step, and the events that refer to it.
private struct EventAnswer {
  let loaded: LoadedLedger
  let explanation: EventExplanation
  let referredBy: [Placed]
  /// The entry that replaces the entry to explain, or `nil` if none does.
  let successor: Placed?
  private let placed: Placed
  private let positions: ClosedRange<Int>

  /// Folds all steps, and looks for the step at `positions`, which contains the event `placed`.
  init(
    to placed: Placed, at positions: ClosedRange<Int>, _ reader: LedgerReader
  ) throws(Failure) {
    self.placed = placed
    self.positions = positions

    // The events of the step that count.
    var lines: [StepLine] = []
    var changes = Difference()
    var referredBy: [Placed] = []
    var timeline = Timeline()
    var walk = try reader.walk(wanting: .locations)
    while try walk.nextStep() {
      if positions.contains(walk.lines[0].position) {
        lines = walk.lines
        changes = timeline.note(&walk.ledger)
      } else if positions.lowerBound - 1 == walk.ledger.position {
        timeline.start(with: &walk.ledger)
      }

      for line in walk.lines where !positions.contains(line.position) {
        guard let event = line.item.event, event.references.contains(placed.event.id) else {
          continue
        }
        let writer = walk.stream.writer(of: line.item)
        referredBy.append(Placed(position: line.position, event: event, writer: writer))
      }
    }
    loaded = try walk.end()
    let position = loaded.ledger.facts.replacement(ofEntryAt: placed.position)
    successor = try reader.events(at: position.map { [$0] } ?? []).first
    self.referredBy = referredBy
    let names = loaded.ledger.names
    explanation = EventExplanation(
      event: placed.line, position: placed.position, writer: placed.writer,
      step: lines.map { $0.item.id.text(names) }, changes: changes,
      refersTo: placed.event.references, referredBy: referredBy.map(\.event.id),
      replaced: successor?.event.id)
  }

  /// Returns the first lines of the answer: what the step did, when, and where it is stored.
  ///
  /// `written` is the latest time at which it can have been written.
  func head(_ events: [Placed], _ written: Instant, _ style: Style) -> [String] {
    let event = placed.event
    let text = StepText(
      events.map { StepLine($0.event, at: $0.position) }, loaded.ledger, loaded.stream)
    let title = "@\(StepText.shown(positions))  " + Escaping.visible(text.says)

    let by = event.by.map { ", by \(Escaping.visible($0))" } ?? ""
    let hasSegments = loaded.stream?.hasSeveralSegments ?? false
    let segment = hasSegments ? placed.writer.map { " in \(Escaping.visible($0)).jsonl" } : nil
    let clock = loaded.ledger.facts.wallClock(at: placed.position)
    let time = clock?.local(event.at.instant) ?? event.at
    let recorded = RecordedTime.minute(event.recorded, by: clock)
    let latest = RecordedTime.minute(written, by: clock)
    let correction = latest == recorded ? "" : ", written by \(latest)"
    return [
      style.paint(title, .bold),
      "day \(text.day ?? event.day), time \(time)\(by)",
      "recorded \(recorded)\(segment ?? "")\(correction)",
    ]
  }
}

extension Event {
  fileprivate var references: [String] {
    let named = payload.removed ?? payload.redacted
    return [named, cause == named ? nil : cause].compactMap { $0 } + payload.moved
  }
}

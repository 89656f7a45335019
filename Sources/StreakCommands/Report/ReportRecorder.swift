package import EventLog
import Inspection
import ReportPage
package import StreakDomain

/// A recorder of the data for the slider of `report`.
///
/// A step contains only the changes since the previous step, which the page applies.
package struct ReportRecorder {
  private var timeline = Timeline()
  private var difference = Difference()
  /// The steps so far, as lines of JSON; the last line isn't finished.
  private var steps = Array(opening)
  private static let opening = #"{"steps":["#.utf8
  private static let stepsOfPiece = 1000
  private(set) var count = 0

  // Steps contain the index of a habit, field, day's result or text in one of these lists.
  private var habits = Numbering<String>()
  private var fields = Numbering<String>()
  private var cells = Numbering<Cell>()
  private var texts = Numbering<Text>()

  /// The days that the page knows so far, by the habit's index, in ascending order.
  private var days: [[ShownDay]] = []
  /// The texts on each habit's card.
  ///
  /// The keys are indexes in `habits`, and the values indexes in `texts`.
  private var cards: [Int: [Int]] = [:]
  private var achievements: [Achievement] = []
  /// The condition of each achievement that was reached at any step, by its key.
  private var conditions: JSONValue.Members = [:]
  /// The index of each defined habit in `habits`, in the order of the definitions.
  private var defined: [Int] = []
  private var position = 0
  private var today: Day?
  private var zone: String?
  private var weekStart = Weekday.monday

  /// A day of a habit as the page shows it.
  private struct ShownDay: Equatable {
    let day: Day
    let cell: Cell
  }

  /// The result of a day.
  private struct Cell: Hashable, Encodable {
    let verdict: Verdict
    let outcome: Text
    let lot: Int?
  }

  package init() {}

  /// The size of the steps in bytes, which is most of the page's size.
  var size: Int { steps.count }

  mutating func begin(_ ledger: inout Ledger, after event: Event?) {
    var step = changes(in: &ledger, by: [], of: nil)
    step["last"] = .text(event?.id)
    step["recorded"] = .text(event?.recorded.description)
    add(step)
  }

  /// Adds a step with the changes since the previous step; `lines` is empty if only the date has
  /// advanced.
  package mutating func recordStep(
    _ ledger: inout Ledger, _ lines: [StepLine], of stream: EventStream?
  ) {
    add(changes(in: &ledger, by: lines, of: stream))
  }

  private mutating func add(_ step: JSONValue.Members) {
    let isFull = count > 0 && count.isMultiple(of: ReportRecorder.stepsOfPiece)
    if isFull {
      steps += Array("]}\n".utf8) + ReportRecorder.opening
    } else if count > 0 {
      steps.append(UInt8(ascii: ","))
    }
    JSONValue.object(step).write(into: &steps)
    count += 1
  }

  private mutating func changes(
    in ledger: inout Ledger, by lines: [StepLine], of stream: EventStream?
  ) -> JSONValue.Members {
    for habit in ledger.facts.handles.dropFirst(defined.count) {
      defined.append(habits.number(of: ledger.facts.name(of: habit)))
    }
    let isNewDay = ledger.today != today
    today = ledger.today
    difference = timeline.note(&ledger)

    var step: JSONValue.Members = [:]
    // The page counts a step without a position as one event more than the step before.
    if ledger.position != position + 1 { step["position"] = .whole(ledger.position) }
    if lines.count > 1 { step["count"] = .whole(lines.count) }
    position = ledger.position
    describe(lines, StepText(lines, ledger, stream, showsNames: true), ledger, into: &step)

    let changed = timeline.changedHabits
    // An entry changes only the cards of changed habits; other events and new days may change all.
    let isOfEntry = lines.allSatisfy { [.entryLogged, .entryDeleted].contains($0.item.type) }
    let changesFew = isOfEntry && !lines.isEmpty && !isNewDay
    let lists = [
      "days": changed.compactMap { changedDays(of: $0.habit, in: $0.days, isNewDay, ledger) },
      "fields": changedFields(), "book": changedBooks(),
      "cards": changedCards(of: changesFew ? changed.map(\.habit) : ledger.facts.handles, ledger),
    ]
    for (name, list) in lists where !list.isEmpty { step[Text(name)] = .list(list) }

    weekStart = ledger.facts.weekStart
    if zone != ledger.facts.zone {
      zone = ledger.facts.zone
      step["zone"] = .text(zone)
    }
    step["achievements"] = changedAchievements(ledger, after: lines)
    return step
  }

  /// Describes a step.
  ///
  /// If the person did one thing, the step has its description. Otherwise it has a summary, and
  /// `lines` with a description of each act.
  private mutating func describe(
    _ lines: [StepLine], _ text: StepText, _ ledger: Ledger, into step: inout JSONValue.Members
  ) {
    guard let last = lines.last?.item.event else { return }
    step["id"] = .text(last.id)
    step["recorded"] = .text(last.recorded.description)

    let words = EventText(ledger: ledger, showsNames: true)
    if text.acts.count == 1, let event = text.acts[0].item.event {
      describe(event, words, into: &step)
      // An undo and a replacement are described by what they revert or replace.
      if text.says != words.text(of: event) {
        let member: Text = event.payload.entry == nil ? "says" : "told"
        step[member] = .text(Escaping.visible(text.says))
      } else if let changes = words.changes(by: event) {
        step["says"] = .text(Escaping.visible(text.says + ": " + changes))
      }
    } else {
      let acts = text.acts.compactMap(\.item.event).map { event -> JSONValue in
        var line: JSONValue.Members = ["id": .text(event.id)]
        describe(event, words, into: &line)
        return .object(line)
      }
      step["lines"] = .list(acts)
      step["says"] = .text(Escaping.visible(text.says))
      step["type"] = .text(last.payload.type.rawValue)
      step["day"] = number(text.day ?? last.day)
      if let day = text.day { step["about"] = number(day) }
    }
  }

  /// Adds the description of an event to the members of `step`.
  ///
  /// The description of an entry contains its key. The entry is marked as `stale` if, after its
  /// step, another entry holds the key.
  private mutating func describe(
    _ event: Event, _ words: EventText, into step: inout JSONValue.Members
  ) {
    step["day"] = number(event.day)
    if case .entryLogged(let entry) = event.payload {
      step["entry"] = .whole(habits.number(of: entry.habit))
      let noted = words.noted(entry, on: event.day)
      if !noted.isEmpty { step["says"] = .text(Escaping.visible(noted)) }
      if let key = entry.key { step["key"] = .text(key) }
      if case .replaced = words.ledger.facts.fate(of: event.id) { step["stale"] = .bool(true) }
      return
    }
    step["says"] = .text(Escaping.visible(words.text(of: event)))
    if case .entryDeleted(let entry, _) = event.payload { step["deleted"] = .text(entry) }
    step["type"] = .text(event.payload.type.rawValue)
  }

  private func number(_ day: Day) -> JSONValue { .whole(Int(day.number)) }

  /// Returns the days of a habit whose results changed since the last step, or `nil` if there are
  /// none.
  ///
  /// The list is `[habit, day, result, day, result, …]`. Usually only the days of `closed` and
  /// today are compared. A new day, new jokers or another first day can change more.
  private mutating func changedDays(
    of habit: HabitHandle, in closed: ClosedRange<Day>, _ isNewDay: Bool, _ ledger: Ledger
  ) -> JSONValue? {
    guard let today = ledger.today else { return nil }
    let view = ledger[habit]
    let number = habits.number(of: view.id)
    while days.count <= number { days.append([]) }

    let hasNewStart = days[number].first?.day != view.firstDay
    let hasNewLots = difference.books.contains { $0.habit == view.id }
    let first = hasNewStart ? Day.first : closed.lowerBound
    // Comparing all days up to today after each late entry was four times as slow.
    let areFew = !hasNewStart && !isNewDay && !hasNewLots && closed.upperBound < today
    let spans = areFew ? [closed, today...today] : [first...Day.last]
    let items = spans.flatMap { changedCells(of: view, number, in: $0) }
    return items.isEmpty ? nil : .list([.whole(number)] + items)
  }

  /// Returns the days in `span` that differ from those that the page knows, and stores them.
  ///
  /// The list is `[day, result, day, result, …]`. `number` is the index of the habit.
  private mutating func changedCells(
    of view: HabitView, _ number: Int, in span: ClosedRange<Day>
  ) -> [JSONValue] {
    let shown = days[number]
    let start = shown.partitioningIndex { $0.day >= span.lowerBound }
    let end = shown.partitioningIndex { $0.day > span.upperBound }

    let judged = view.days(in: span)
    let new = zip(judged, view.spentLots(on: judged)).map { day, lot in
      ShownDay(day: day.day, cell: Cell(verdict: day.verdict, outcome: day.outcome, lot: lot))
    }
    let items = changedCells(from: shown[start..<end], to: new[...])
    days[number].replaceSubrange(start..<end, with: new)
    return items
  }

  /// Returns the days that differ between two lists, as `[day, result, day, result, …]`.
  ///
  /// The result of a day that left is null. Both lists are in ascending order.
  private mutating func changedCells(
    from before: ArraySlice<ShownDay>, to after: ArraySlice<ShownDay>
  ) -> [JSONValue] {
    var before = before
    var items: [JSONValue] = []

    for new in after {
      while let old = before.first, old.day < new.day {
        items += [number(old.day), .null]
        before.removeFirst()
      }
      let old = before.first?.day == new.day ? before.popFirst() : nil
      if old != new { items += [number(new.day), .whole(cells.number(of: new.cell))] }
    }
    return items + before.flatMap { [number($0.day), .null] }
  }

  /// Returns a list for each habit: the habit (null for the ledger), then each changed field and
  /// the field's new value.
  private mutating func changedFields() -> [JSONValue] {
    var lists: [(habit: String?, items: [JSONValue])] = []
    for change in difference.changes {
      let value: JSONValue =
        switch change.after {
        case .number(let after): .number(after)
        case .day(let after): number(after)
        default: JSONValue(of: change.after)
        }

      if lists.isEmpty || lists.last?.habit != change.field.habit {
        lists.append((change.field.habit, []))
      }
      lists[lists.count - 1].items += [.whole(fields.number(of: change.field.name)), value]
    }

    return lists.map { habit, items in
      .list([habit.map { .whole(habits.number(of: $0)) } ?? .null] + items)
    }
  }

  private mutating func changedBooks() -> [JSONValue] {
    difference.books.map { book in
      let lists = [book.removed, book.added].map { lines in
        JSONValue.list(
          lines.map { line in
            let lot = line.lot.map { JSONValue.whole($0.number) } ?? .null
            return .list([number(line.day), .text(line.action.rawValue), lot, .whole(line.held)])
          })
      }
      return .list([.whole(habits.number(of: book.habit))] + lists)
    }
  }

  /// Returns a list for each changed card: the habit, then the indexes of the card's texts in the
  /// page's texts.
  private mutating func changedCards(of handles: [HabitHandle], _ ledger: Ledger) -> [JSONValue] {
    handles.compactMap { handle in
      let habit = habits.number(of: ledger.facts.name(of: handle))
      let line = HabitLine(ledger[handle])
      let words = [line.group.rawValue, line.run, line.jokers, line.word] + line.remarks
      let card = words.map { texts.number(of: Text($0)) }
      return cards.updateValue(card, forKey: habit) == card
        ? nil : .list(([habit] + card).map { .whole($0) })
    }
  }

  /// Returns the achievements after a step, or `nil` if none changed.
  ///
  /// The list begins with the number of achievements that are unchanged at its beginning. All
  /// others follow.
  private mutating func changedAchievements(_ ledger: Ledger, after lines: [StepLine]) -> JSONValue?
  {
    guard !difference.isEmpty, mayChangeAchievements(lines) else { return nil }
    let old = achievements
    achievements = Achievements(of: ledger).all
    guard old != achievements else { return nil }
    let kept = zip(old, achievements).prefix { $0 == $1 }.count
    for key in achievements[kept...].map(\.key) {
      conditions[Text(key)] = .text(AchievementText.condition(key, ledger))
    }
    return .list([.whole(kept)] + achievements[kept...].map { JSONValue(of: $0) })
  }

  /// Whether a step may have changed the list of achievements.
  ///
  /// Comparing the list after each step would be slow. An entry with a key may replace one of an
  /// earlier day, on which an achievement rests.
  private func mayChangeAchievements(_ lines: [StepLine]) -> Bool {
    guard !lines.isEmpty, let last = achievements.last?.on else { return true }
    let areLaterEntries = lines.allSatisfy { line in
      line.item.type == .entryLogged && line.item.day > last && !line.item.hasKey
    }
    return !areLaterEntries || !difference.achievements.isEmpty
  }

  /// Returns the page; `settings` say what the page shows besides the steps.
  package mutating func page(_ settings: ReportSettings) -> [UInt8] {
    ReportPage.html(
      title: Escaping.visible(settings.title), data: data(settings),
      isServed: settings.isServed)
  }

  /// Returns the data of the page as lines of JSON: objects with at most 1,000 steps each, then one
  /// object with the data that isn't part of a step.
  mutating func data(_ settings: ReportSettings) -> [UInt8] {
    var members: JSONValue.Members = [
      "format": .whole(1), "title": .text(Escaping.visible(settings.title)),
      "fields": .texts(fields.things), "cells": JSONValue(of: cells.things),
      "texts": .texts(texts.things.strings),
      "groups": .list(HabitLine.Group.allCases.map { .texts([$0.rawValue, $0.title]) }),
      "rings": .texts(settings.rings), "order": .list(defined.map { .whole($0) }),
      "begins": .whole(settings.startsAtFirstStep ? 1 : 0),
      "weekStart": .whole(weekStart.number),
      "habitFields": .texts(HabitField.allCases.map(\.path)),
      "dayFields": .texts(HabitField.allCases.filter { $0.kind == .day }.map(\.path)),
      "verdicts": .texts(Verdict.allCases.map(\.rawValue)),
      "signs": .texts(Verdict.allCases.map(\.sign)), "meanings": Verdict.meanings,
      "actions": .texts(JokerLine.Action.allCases.map(\.rawValue)),
      "conditions": .object(conditions),
      "chains": .list(settings.chains), "habits": .texts(habits.things),
    ]

    if settings.isServed { members["rest"] = .text("/v1/report/steps") }
    return steps + Array("]}\n".utf8) + JSONValue.object(members).line
  }
}

/// The settings of a page of `report`: everything on the page except its steps.
package struct ReportSettings {
  /// The title, not escaped.
  var title: String
  /// The habits that each day of the month shows as rings, the innermost first.
  var rings: [String]
  /// Whether the slider starts at the first step instead of the empty ledger.
  var startsAtFirstStep = false
  /// The explanations of each habit's run and jokers held at the end of the log.
  var chains: [JSONValue] = []
  /// Whether the service shows the page, which loads earlier and new steps from there.
  var isServed = false

  package init(title: String, rings: [String]) {
    self.title = title
    self.rings = rings
  }
}

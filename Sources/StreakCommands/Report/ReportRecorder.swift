import EventLog
import Inspection
import ReportPage
package import StreakDomain

/// A recorder of the data for the slider of `report`.
///
/// It records one step per event. A step contains only the changes since the previous step, which the page adds up.
package struct ReportRecorder {
  private var timeline = Timeline()
  private var difference = Difference()
  private var steps: [JSON] = []
  /// The distinct changes of all steps, as JSON.
  ///
  /// Many steps make the same changes, so each step refers to its changes by index.
  private var changes: [JSON] = []
  private var changeNumbers: [[UInt8]: Int] = [:]

  private var habits = Numbering<String>()
  private var cells = Numbering<Cell>()
  private var marks: [DayMarks] = []
  private var cards = Numbering<PageCard>()
  private var cardNumbers: [Int: Int] = [:]
  private var achievements: [Achievement] = []
  /// The index of each defined habit in `habits`, in the order of the definitions.
  private var defined: [Int] = []
  private var words = Numbering<Text>()
  private var position = 0
  private var day: Int32 = 0
  private var recorded = Instant(microseconds: 0)
  private var today: Day?
  private var zone: String?

  private struct Cell: Hashable {
    let verdict: Verdict
    var outcome: Text
    let lot: Int?
  }

  private struct DayMarks {
    var first: Day?
    var days: [Mark] = []

    struct Mark {
      let look: DayLook
      let cell: Int
    }
  }

  package init() {}

  var count: Int { steps.count }

  /// The size of `changes` in bytes, which is most of the page's size.
  private(set) var size = 0

  mutating func begin(_ ledger: inout Ledger, after event: Event?) {
    var step = changes(in: &ledger, by: nil)
    step["last"] = .text(event?.id)
    add(step, recorded: event?.recorded, id: nil)
  }

  /// Adds a step with the changes since the previous step; `event` is `nil` if only the date has advanced.
  package mutating func recordStep(_ ledger: inout Ledger, _ event: Event?) {
    add(changes(in: &ledger, by: event), recorded: event?.recorded, id: event?.id)
  }

  private mutating func add(_ members: JSON.Members, recorded: Instant?, id: String?) {
    let change = JSON.object(members)
    var bytes: [UInt8] = []
    change.write(into: &bytes)
    let number = changeNumbers[bytes] ?? changes.count
    if number == changes.count {
      size += bytes.count
      changeNumbers[bytes] = number
      changes.append(change)
    }
    let after = recorded.map { JSON.whole(Int($0.microseconds - self.recorded.microseconds)) }
    steps.append(.list([.whole(number), after ?? .null, .text(id)]))
    self.recorded = recorded ?? self.recorded
  }

  private mutating func changes(in ledger: inout Ledger, by event: Event?) -> JSON.Members {
    for habit in ledger.handles.dropFirst(defined.count) {
      defined.append(habits.number(of: ledger.name(of: habit)))
    }
    let isNewDay = ledger.today != today
    today = ledger.today
    difference = timeline.note(&ledger)
    var step: JSON.Members = [:]
    if let event { describe(event, EventText(ledger: ledger, showsNames: true), into: &step) }
    // The position is omitted if it follows from the previous step, which saves a tenth of the page.
    if ledger.position != position + 1 { step["position"] = .whole(ledger.position) }
    position = ledger.position
    for (habit, firstDay) in timeline.changedHabits { note(habit, ledger, from: firstDay, into: &step) }
    noteChanges(into: &step)
    // An entry changes only the cards of changed habits; other events and new days may change all.
    let isOfEntry = [.entryLogged, .entryDeleted].contains(event?.payload.type) && !isNewDay
    noteCards(ledger, of: isOfEntry ? timeline.changedHabits.map(\.habit) : ledger.handles, into: &step)
    noteLists(ledger, after: event, into: &step)
    return step
  }

  private mutating func describe(_ event: Event, _ words: EventText, into step: inout JSON.Members) {
    if event.day.number != day { step["day"] = .whole(Int(event.day.number - day)) }
    day = event.day.number
    if case .entryLogged(let entry) = event.payload {
      step["entry"] = .whole(habits.number(of: entry.habit))
      let noted = words.noted(entry, on: event.day)
      if !noted.isEmpty { step["says"] = .text(Escaping.visible(noted)) }
      return
    }
    step["says"] = .text(Escaping.visible(words.text(of: event)))
    if case .entryDeleted(let entry, _) = event.payload { step["deleted"] = .text(entry) }
    step["type"] = .text(event.payload.type.rawValue)
  }

  private mutating func note(
    _ habit: HabitHandle, _ ledger: Ledger, from start: Day, into step: inout JSON.Members
  ) {
    let number = habits.number(of: ledger.name(of: habit))
    while marks.count <= number { marks.append(DayMarks()) }
    let first = ledger.firstFoldedDay(of: habit)
    let start = first == marks[number].first ? start : Day.first
    let kept = marks[number].first.map { max(0, min(marks[number].days.count, start - $0)) } ?? 0
    // A slice would share the array's memory, so the next change of the array would copy all days.
    let old = Array(marks[number].days[kept...])
    let oldStart = (marks[number].first ?? start) + kept
    let new = ledger.looks(of: habit, from: start)
    let newStart = max(first ?? start, start)
    marks[number].first = first
    marks[number].days.removeLast(old.count)
    var changed: [JSON] = []
    for (offset, look) in new.enumerated() {
      let place = newStart - oldStart + offset
      let known = old.indices.contains(place) ? old[place] : nil
      let mark = known.flatMap { $0.look == look ? $0 : nil } ?? mark(look)
      marks[number].days.append(mark)
      if mark.cell != known?.cell { changed += [relative(newStart + offset), .whole(mark.cell)] }
    }
    for offset in old.indices {
      let place = oldStart - newStart + offset
      if !new.indices.contains(place) { changed += [relative(oldStart + offset), .null] }
    }
    guard !changed.isEmpty else { return }
    step.append(.list([.whole(number)] + changed), to: "days")
  }

  private func relative(_ day: Day) -> JSON { .whole(Int(day.number - self.day)) }

  private mutating func mark(_ look: DayLook) -> DayMarks.Mark {
    let cell = Cell(verdict: look.verdict, outcome: look.outcome, lot: look.lot)
    return DayMarks.Mark(look: look, cell: cells.number(of: cell))
  }

  private mutating func noteChanges(into step: inout JSON.Members) {
    var changed = difference.changes[...]
    while let first = changed.first {
      let own = changed.prefix { $0.field.habit == first.field.habit }
      changed = changed[own.endIndex...]
      let fields = own.flatMap { [.whole($0.field.number), value($0)] }
      if let habit = first.field.habit {
        step.append(.list([.whole(habits.number(of: habit))] + fields), to: "fields")
      } else {
        step["own"] = .list(fields)
      }
    }
    for book in difference.books {
      // The page doesn't show the causes of a line, so lines with different causes count as equal.
      let (old, new) = (Set(book.removed.map(PageLine.init)), Set(book.added.map(PageLine.init)))
      let removed = book.removed.map(PageLine.init).filter { !new.contains($0) }
      let added = book.added.map(PageLine.init).filter { !old.contains($0) }
      guard !removed.isEmpty || !added.isEmpty else { continue }
      let lists = [removed, added].map { lines in JSON.list(lines.map { $0.json(on: relative($0.day)) }) }
      step.append(.list([.whole(habits.number(of: book.habit))] + lists), to: "book")
    }
  }

  private mutating func noteLists(_ ledger: Ledger, after event: Event?, into step: inout JSON.Members) {
    if zone != ledger.zone {
      zone = ledger.zone
      step["zone"] = .text(zone)
    }
    guard !difference.isEmpty, mayChangeAchievements(event) else { return }
    let newAchievements = ledger.achievements()
    if let splice = AchievementSplice(from: achievements, to: newAchievements) {
      step["achievements"] = splice.json
    }
    achievements = newAchievements
  }

  /// Whether the event may have changed the list of achievements.
  ///
  /// Comparing the list after each event would be slow.
  private func mayChangeAchievements(_ event: Event?) -> Bool {
    guard let event, case .entryLogged = event.payload, let last = achievements.last?.on else { return true }
    return event.day <= last || !difference.unlocked.isEmpty || !difference.revoked.isEmpty
  }

  private mutating func noteCards(_ ledger: Ledger, of habits: [HabitHandle], into step: inout JSON.Members) {
    var changed: [JSON] = []
    for habit in habits {
      let number = self.habits.number(of: ledger.name(of: habit))
      let card = cards.number(of: PageCard(HabitLine(ledger.state(of: habit), ledger)))
      if cardNumbers.updateValue(card, forKey: number) != card { changed += [.whole(number), .whole(card)] }
    }
    if !changed.isEmpty { step["cards"] = .list(changed) }
  }

  /// Returns the new value of a field as JSON.
  ///
  /// A number is written as its increase, a day as its distance from the step's day, and a fixed word as its index in
  /// `words`.
  private mutating func value(_ change: FieldChange) -> JSON {
    switch change.after {
    case .number: change.increase.map { .number($0) } ?? .null
    case .day(let day): relative(day)
    case .text(let text) where change.field.words != nil: .whole(words.number(of: text))
    default: JSON(of: change.after)
    }
  }

  package mutating func page(
    title: String, rings: [String], startsAtFirstStep: Bool, chains: [PageChain] = [], live: JSON? = nil
  ) -> [UInt8] {
    let title = Escaping.visible(title)
    let chains = chains.map { $0.json(habits.number(of: $0.habit)) }
    var members = members(title: title, rings: rings, startsAtFirstStep: startsAtFirstStep)
    members["chains"] = .list(chains)
    members["live"] = live
    var data: [UInt8] = []
    JSON.object(members).write(into: &data)
    return ReportPage.html(title: title, data: data, isLive: live != nil)
  }

  /// Returns the page's data.
  ///
  /// `rings` are the habits to draw as rings, the innermost first. If `startsAtFirstStep` is true, the slider starts at
  /// the first step instead of the empty ledger.
  private func members(title: String, rings: [String], startsAtFirstStep: Bool) -> JSON.Members {
    let days = cells.things.map { cell in
      JSON.list([.text(cell.verdict.rawValue), .text(cell.outcome), cell.lot.map { .whole($0) } ?? .null])
    }
    return [
      "format": .whole(1), "title": .text(title), "habits": .texts(habits.things),
      "words": .texts(words.things.strings), "cells": .list(days), "cards": .list(cards.things.map(\.json)),
      "cardFields": .texts(PageCard.fields.map(\.rawValue)),
      "groups": .list(HabitLine.Group.allCases.map { .texts([$0.rawValue, $0.title]) }),
      "rings": .texts(rings), "order": .list(defined.map { .whole($0) }),
      "begins": .whole(startsAtFirstStep ? 1 : 0),
      "ledgerFields": .texts(LedgerField.allCases.map(\.rawValue)),
      "habitFields": .texts(HabitField.allCases.map(\.rawValue)),
      "dayFields": .texts(StateField.names { $0.kind == .day }),
      "wordFields": .texts(StateField.names { $0.words != nil }),
      "verdicts": .texts(Verdict.allCases.map(\.rawValue)),
      "signs": .texts(Verdict.allCases.map(CalendarText.sign)),
      "actions": .texts(JokerLine.Action.allCases.map(\.rawValue)), "changes": .list(changes),
      "steps": .list(steps),
    ]
  }
}

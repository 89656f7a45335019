import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain

/// The page's expected contents, from the JSON of `replay`, `timeline`, `calendar` and `audit`.
struct ExpectedPage {
  static let signs = [
    "good": "●", "healed": "★", "graced": "◐", "missed": "○", "bad": "✗", "restarted": "↻",
    "open": "?",
    "excused": "–", "rest": "·",
  ]

  private let position: Int
  private var state: SaidState
  private let stateText: String
  /// The changes of the three newest events, newest first.
  private let changes: [SaidChanges]
  private let books: [String: [Audit.Line]]
  /// The day of the newest event's entry, even if the event deletes it; otherwise today.
  private let day: Day?
  private let days: [String: [Day: CalendarDay]]

  private struct Calendar: Decodable {
    let habits: [Habit]

    struct Habit: Decodable {
      let habit: String
      let days: [CalendarDay]
    }
  }

  private struct CalendarDay: Decodable {
    let day: String
    let verdict: String
    let outcome: String
    let lot: String?
    let entries: [String]
  }

  private struct Audit: Decodable {
    let habits: [Habit]

    struct Habit: Decodable {
      let habit: String
      let book: [Line]
    }

    struct Line: Decodable {
      let day: String
      let action: String
      let lot: String?
      let held: Int
    }
  }

  /// Removes the celebrations, which are for apps and not on the page.
  static func withoutCelebrations(_ document: String) -> String {
    document.replacing(#/"celebrations":\[[^\]]*\],/#, with: "")
  }

  init(_ lines: ArraySlice<String>) throws {
    // Long ago, so that today is the ledger's own.
    let ledger = try TemporaryLedger(now: "1990-01-01T00:00:00Z")
    let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    if lines.isEmpty {
      try ledger.run(all: "init")
    } else {
      try ledger.write(bytes, to: "main.jsonl")
    }
    position = lines.count
    stateText = ExpectedPage.withoutCelebrations(
      ledger.run("replay --json" + (lines.isEmpty ? " --at 0" : "")).text)
    state = try ExpectedPage.read(stateText)
    let habits = state.habits.map(\.habit)
    let timeline = lines.isEmpty ? [] : ledger.run("timeline --json").text.split(separator: "\n")
    changes = try timeline.suffix(3).reversed().map { try SaidChanges(String($0), habits: habits) }
    let audit: Audit? =
      habits.isEmpty ? nil : try ExpectedPage.read(ledger.run("audit --json").text)
    books = Dictionary(uniqueKeysWithValues: (audit?.habits ?? []).map { ($0.habit, $0.book) })
    day = ExpectedPage.day(lines) ?? state.today.flatMap { Day($0) }
    var days: [String: [Day: CalendarDay]] = [:]
    if !habits.isEmpty, let year = day?.description.prefix(4) {
      let words = ["calendar"] + habits + ["--year", String(year), "--json"]
      let said: Calendar = try ExpectedPage.read(ledger.run(words).text)
      for habit in said.habits {
        days[habit.habit] = Dictionary(
          uniqueKeysWithValues: habit.days.map { (Day($0.day) ?? Day.first, $0) })
      }
    }
    self.days = days
    state.groups = ledger.run("show --all").text.split(separator: "\n").map(String.init)
    for (place, habit) in habits.enumerated() {
      let line = ledger.run(["show", habit, "--all"]).text.split(separator: "\n").dropFirst().first
      state.habits[place].hear(String(line ?? ""))
    }
  }

  private static func read<Document: Decodable>(_ text: String) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(text.utf8))
  }

  private static func day(_ lines: ArraySlice<String>) -> Day? {
    func entry(_ line: String?) -> Output? {
      let event = line.map { Output(text: $0, errors: "", status: .done) }
      return event?["type"] == "entry.logged" ? event : nil
    }
    let last = Output(text: lines.last ?? "{}", errors: "", status: .done)
    let deleted = last["type"] == "entry.deleted" ? last["entry"] : nil
    let found =
      entry(lines.first { $0.contains(#""id":"\#(deleted ?? "none")""#) }) ?? entry(lines.last)
    return found?["day"].flatMap { Day($0) }
  }

  func differences(from page: ShownPage, rings: [String]) throws -> [String] {
    var found: [String] = []
    func compare(_ what: String, _ shown: [String], _ said: [String]) {
      guard shown != said else { return }
      let place =
        zip(shown, said).enumerated().first { $1.0 != $1.1 }?.offset ?? min(shown.count, said.count)
      let (own, other) = (
        shown.dropFirst(place).first ?? "nothing", said.dropFirst(place).first ?? "nothing"
      )
      found.append("\(what) \(place): shows \(own), but \(other) is said")
    }
    let last = page.place.split(separator: " ").dropFirst(3).first ?? ""
    let place = ["Position \(position) of \(last)", state.zone, state.event].compactMap { $0 }
    compare("place", [page.place], [place.joined(separator: " · ")])
    let today = state.today.flatMap { Day($0) }
    compare("title", [page.title], [today.map { "What changed on \(long($0))" } ?? "What changed"])
    compare(
      "today", [page.today],
      [today.map { "\(ExpectedPage.weekdays[$0.weekdayNumber]), \(long($0)):" } ?? ""])
    if position > 0 {
      let lines = changes.first?.lines(name: name(of:), achievement: words(ofAchievement:)) ?? []
      let said = lines.isEmpty ? ["no run and no verdict changed"] : lines
      compare("change", page.told.map(inOrder), said.map(inOrder))
    }
    compare("due", [page.due], [state.due])
    compare("not due", [page.notDue], [state.notDue])
    compare(
      "card", page.cards.map { $0.dropFirst().joined(separator: "|") },
      zip(state.sorted, page.cards).map { $0.card(bar: $1.last ?? "") })
    compare("marked card", page.marked, markedCards())
    compare("achievement", page.achievements, achievements())
    compare("experience", [page.experience], [state.experience])
    if !(try json(page.state).isEqual(json(stateText))) {
      found.append("another state: \(page.state)")
    }
    guard let day else { return found }
    let habits = state.sorted.map(\.habit)
    guard habits.indices.contains(page.chosen), let first = rings.first else { return found }
    let chosen = habits[page.chosen]
    let rings = [chosen] + rings.dropFirst().map { $0 == chosen ? first : $0 }
    let month = span(from: day.description.prefix(7) + "-01", through: { $0.description.prefix(7) })
    compare("month", page.month, month.map { label($0, rings) })
    compare("rings", page.rings, month.flatMap { day in looks(of: day, rings) })
    let shownDay = page.day.filter { $0.count > 2 && $0[2] != "not counted" }
    compare("day", shownDay.map { entries(of: $0, page.ids) }, entries(on: day, first: chosen))
    let year = span(
      from: day.description.prefix(4) + "-01-01", through: { $0.description.prefix(4) })
    compare("year", page.year, year.map { square($0, chosen, isSelected: $0 == day) })
    compare("trend", page.trend, trend(of: chosen, year))
    compare("book", page.book, book(of: chosen))
    compare(
      "detail", page.detail.isEmpty ? [] : [page.detail],
      [state.sorted[page.chosen].detail])
    return found
  }

  private func json(_ text: String) throws -> NSDictionary {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary ?? [:]
  }

  func name(of habit: String) -> String {
    state.habits.first { $0.habit == habit }?.name ?? habit
  }

  /// Sorts the achievements of a line, because `timeline` and the page order them differently.
  private func inOrder(_ line: String) -> String {
    line.replacing(", new: ", with: "\nnew: ").replacing(", gone: ", with: "\ngone: ")
      .split(separator: "\n").sorted().joined(separator: ", ")
  }

  private func words(ofAchievement key: String) -> String {
    let parts = key.split(separator: ":").map(String.init)
    if key == "tri-threat" { return "Tri-threat" }
    guard parts[0] == "milestone" else {
      return (key.prefix(1).uppercased() + key.dropFirst()).replacing(
        "-", with: " ", maxReplacements: 1
      )
      .replacing(":", with: ", ")
    }
    let unit = state.habits.first { $0.habit == parts[1] }?.progress?.per ?? "day"
    return "\(parts[2]) \(unit)\(parts[2] == "1" ? "" : "s") of \(name(of: parts[1]))"
  }

  /// Returns the number of a joker such as `noalc/2`; the page shows the habit's name instead of
  /// its id.
  private func number(ofLot lot: String) -> Substring { lot.split(separator: "/").last ?? "" }

  private func achievements() -> [String] {
    state.achievements.reversed().map { one in
      "\(one.on) \(words(ofAchievement: one.key))" + (one.xp > 0 ? " +\(one.xp) XP" : "")
    }
  }

  private func book(of habit: String) -> [String] {
    (books[habit] ?? []).reversed().map {
      "\($0.day) \($0.lot.map(number(ofLot:)) ?? "–") \($0.action) \($0.held)"
    }
  }

  /// Returns the days from `first` on whose dates have the same prefix.
  private func span(from first: String, through prefix: @escaping (Day) -> Substring) -> [Day] {
    guard let first = Day(first) else { return [] }
    return Array(sequence(first: first) { prefix($0.next) == prefix(first) ? $0.next : nil })
  }

  private static let trail = ["now", "past1", "past2"]

  /// Returns the mark of a habit that changed some steps ago; the newest change decides.
  private func mark(_ isChanged: (SaidChanges) -> Bool) -> String {
    changes.firstIndex(where: isChanged).map { " " + ExpectedPage.trail[$0] } ?? ""
  }

  private func markedCards() -> [String] {
    state.sorted.compactMap { habit in
      let mark = mark { $0.habits.contains(habit.habit) }
      return mark.isEmpty ? nil : "\(habit.name) card\(mark)"
    }
  }

  func look(_ habit: String, _ day: Day) -> String {
    (days[habit]?[day]?.verdict ?? "none")
  }

  private func words(_ habit: String, _ day: Day) -> String {
    guard let said = days[habit]?[day] else { return "not counted" }
    if said.verdict == "open" { return said.outcome == "good" ? "kept so far" : "open" }
    let isQuietRest = said.verdict == "rest" && ["missed", "good"].contains(said.outcome)
    // The page shows no outcome for excused days.
    let isPlain = said.outcome == said.verdict || isQuietRest || said.verdict == "excused"
    return said.verdict + (said.lot.map { " by joker \(number(ofLot: $0))" } ?? "")
      + (isPlain ? "" : " (\(said.outcome))")
  }

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October",
    "November", "December",
  ]

  static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  private func long(_ day: Day) -> String {
    let (year, month, date) = day.date
    return "\(date) \(ExpectedPage.months[month - 1]) \(year)"
  }

  private func label(_ day: Day, _ rings: [String]) -> String {
    "\(long(day)): " + rings.map { "\(name(of: $0)) \(words($0, day))" }.joined(separator: ", ")
  }

  private func looks(of day: Day, _ rings: [String]) -> [String] {
    zip(rings, ["fill", "middle", "outer"]).map { habit, ring in
      "ring-\(ring) \(look(habit, day))" + mark { $0.days[habit]?.contains(day) == true }
    }
  }

  /// Returns a day's square in the year, with one row per weekday and one column per week.
  private func square(_ day: Day, _ habit: String, isSelected: Bool) -> String {
    let verdict = look(habit, day)
    let look =
      verdict + (isSelected ? " selected" : "") + mark { $0.days[habit]?.contains(day) == true }
    let sign = verdict == "good" ? "" : ExpectedPage.signs[verdict] ?? ""
    let place = "\(day.weekdayNumber):\(week(day) + 1)"
    return
      """
      \(ExpectedPage.weekdays[day.weekdayNumber]), \(long(day)): \(words(habit, day)) [\(look)] \(sign) \
      \(place)
      """
  }

  func week(_ day: Day) -> Int {
    (day - (Day(year: day.date.year, month: 1, day: 1).map { $0 + -$0.weekdayNumber } ?? day)) / 7
  }

  private func entries(on day: Day, first: String) -> [String] {
    let habits = state.habits.map(\.habit)
    return ([first] + habits.filter { $0 != first }).compactMap { habit in
      days[habit]?[day].map { said in
        ([ExpectedPage.signs[said.verdict] ?? "", name(of: habit), words(habit, day)]
          + said.entries.sorted())
          .joined(separator: " ")
      }
    }
  }

  private func entries(of shown: [String], _ ids: [[String]]) -> String {
    let own = shown.count > 3 ? ids.first { $0[0] == shown[1] }?.dropFirst().sorted() : nil
    return (Array(shown[0...2]) + (own ?? [])).joined(separator: " ")
  }
}

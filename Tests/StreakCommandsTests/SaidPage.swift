import Foundation
import StreakCommands
import StreakDomain
import TestSupport

/// What `replay`, `calendar` and `audit` say of a ledger that ends at a position, in the words of the page.
struct SaidPage {
  /// The newest event; nil at position 0.
  private let event: Output?
  private let position: Int
  private let state: State
  private let stateText: String
  /// Of each habit the line that `replay` prints.
  private let cards: [String]
  /// The line that `timeline` prints of the newest event.
  private let changes: String
  private let books: [String: [Audit.Line]]
  /// Of each habit the days of this year, and of each day what `calendar` says of it.
  private let days: [String: [String: CalendarDay]]

  private struct State: Decodable {
    let today: String?
    let habits: [Habit]
    let achievements: [Achievement]
    let xp: Int
    let celebrations: [String]

    struct Habit: Decodable {
      let habit: String
      let name: String
    }

    struct Achievement: Decodable {
      let key: String
      let on: String
      let xp: Int
    }
  }

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

  /// - Parameter lines: the events up to the position, one a line, in the order of the stream.
  /// - Throws: what is not a ledger, or not the document that is wanted of it.
  init(_ lines: ArraySlice<String>) throws {
    // Long ago, so that no later today than the ledger's own comes in.
    let ledger = try TemporaryLedger(now: "1990-01-01T00:00:00Z")
    let bytes = lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }
    if lines.isEmpty { try ledger.run(all: "init") } else { try ledger.write(bytes, to: "main.jsonl") }
    let point = lines.isEmpty ? " --at 0" : ""
    event = lines.last.map { Output(text: $0, errors: "", status: .done) }
    position = lines.count
    stateText = ledger.run("replay --json" + point).text
    state = try SaidPage.read(stateText)
    let timeline = lines.isEmpty ? "" : ledger.run("timeline").text
    changes = String(timeline.split(separator: "\n").last ?? "")
    let parts = ledger.run("replay" + point).text.components(separatedBy: "\n\n")
    cards = state.habits.isEmpty ? [] : parts[1].split(separator: "\n").map { SaidPage.words(String($0)) }
    let audit: Audit? = state.habits.isEmpty ? nil : try SaidPage.read(ledger.run("audit --json").text)
    books = Dictionary(uniqueKeysWithValues: (audit?.habits ?? []).map { ($0.habit, $0.book) })
    var days: [String: [String: CalendarDay]] = [:]
    if !state.habits.isEmpty, let year = state.today?.prefix(4) {
      let words = ["calendar"] + state.habits.map(\.habit) + ["--year", String(year), "--json"]
      let said: Calendar = try SaidPage.read(ledger.run(words).text)
      for habit in said.habits {
        days[habit.habit] = Dictionary(uniqueKeysWithValues: habit.days.map { ($0.day, $0) })
      }
    }
    self.days = days
  }

  private static func read<Document: Decodable>(_ text: String) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(text.utf8))
  }

  /// What a page shows otherwise than it is said; empty where it is right.
  func differences(from page: ShownPage, rings: [String]) throws -> [String] {
    var found: [String] = []
    func compare(_ what: String, _ shown: [String], _ said: [String]) {
      guard shown != said else { return }
      let place = zip(shown, said).enumerated().first { $1.0 != $1.1 }?.offset ?? min(shown.count, said.count)
      let (own, other) = (shown.dropFirst(place).first ?? "nothing", said.dropFirst(place).first ?? "nothing")
      found.append("\(what) \(place): shows \(own), but \(other) is said")
    }
    compare("event", [String(page.event.prefix(eventWords(of: page).count))], [eventWords(of: page)])
    compare("change", told(by: page).sorted(), phrases().sorted())
    compare("name", page.cards.map { $0[1] }, state.habits.map(\.name))
    compare("card", page.cards.map(text(of:)).sorted(), cards.sorted())
    compare("achievement", page.achievements, achievements())
    let waiting = state.celebrations.count
    let celebrations = waiting == 0 ? "" : " · \(waiting) celebration\(waiting == 1 ? "" : "s") waiting"
    compare("experience", [page.experience], ["\(state.xp) XP\(celebrations)"])
    if !(try json(page.state).isEqual(json(stateText))) { found.append("another state: \(page.state)") }
    guard let today = state.today.flatMap({ Day($0) }) else { return found }
    let month = span(from: today.description.prefix(7) + "-01", through: { $0.description.prefix(7) })
    compare("month", page.month, month.map { label($0, rings) })
    compare("rings", page.rings, month.flatMap { day in looks(of: day, rings) })
    compare(
      "day", page.day.filter { $0.count > 2 && $0[2] != "not counted" }.map(entries(of:)), entries(on: today))
    guard state.habits.indices.contains(page.chosen) else { return found }
    let habit = state.habits[page.chosen].habit
    compare(
      "year", page.year,
      span(from: today.description.prefix(4) + "-01-01", through: { $0.description.prefix(4) })
        .map { square($0, habit, isSelected: $0 == today) })
    compare("book", page.book, book(of: habit))
    return found
  }

  private func json(_ text: String) throws -> NSDictionary {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary ?? [:]
  }

  private func text(of card: [String]) -> String {
    let remarks = card[4].split(separator: " · ", maxSplits: 1).joined(separator: " ")
    return SaidPage.words((card[..<4] + [remarks]).joined(separator: " "))
  }

  /// The same with one space where there are more.
  private static func words(_ text: String) -> String { text.split(separator: " ").joined(separator: " ") }

  /// How what is shown of the event begins.
  private func eventWords(of page: ShownPage) -> String {
    guard let event, let day = event["day"], let type = event["type"] else { return "The empty ledger" }
    let count = page.event.split(separator: " ").dropFirst(2).first ?? ""
    return "\(position) of \(count) · \(day) · \(type)"
  }

  /// What `timeline` says of the newest event, with the names of habits for their ids.
  private func phrases() -> [String] {
    guard let id = event?["id"] else { return [] }
    let names = Dictionary(uniqueKeysWithValues: state.habits.map { ($0.habit, $0.name) })
    let phrases = changes.components(separatedBy: id).last?.trimmingCharacters(in: .whitespaces) ?? ""
    return phrases.isEmpty
      ? []
      : phrases.components(separatedBy: " · ").map { phrase in
        let words = phrase.split(separator: " ", maxSplits: 1)
        return "\(names[String(words[0])] ?? String(words[0])) \(words[1])"
      }
  }

  /// The same of the page, without the change of a cap, which `timeline` leaves out.
  private func told(by page: ShownPage) -> [String] {
    guard !["", "changed nothing"].contains(page.told) else { return [] }
    return page.told.components(separatedBy: " · ").map {
      $0.replacing(#/most jokers \d+ → \d+, /#, with: "")
        .replacing(/(, | )most jokers \d+ → \d+/, with: "")
    }.filter { $0.contains(" ") }
  }

  private func achievements() -> [String] {
    state.achievements.reversed().map { "\($0.on) \($0.key)" + ($0.xp > 0 ? " +\($0.xp) XP" : "") }
  }

  private func book(of habit: String) -> [String] {
    (books[habit] ?? []).reversed().map { "\($0.day) \($0.lot ?? "–") \($0.action) \($0.held)" }
  }

  /// The days from one on whose dates begin alike.
  private func span(from first: String, through prefix: @escaping (Day) -> Substring) -> [Day] {
    guard let first = Day(first) else { return [] }
    return Array(sequence(first: first) { prefix($0.next) == prefix(first) ? $0.next : nil })
  }

  private func words(_ habit: String, _ day: Day) -> String {
    guard let said = days[habit]?[day.description] else { return "not counted" }
    let isQuietRest = said.verdict == "rest" && ["missed", "good"].contains(said.outcome)
    let isPlain = said.outcome == said.verdict || said.verdict == "open" || isQuietRest
    return said.verdict + (said.lot.map { " by \($0)" } ?? "") + (isPlain ? "" : " (\(said.outcome))")
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  private func long(_ day: Day) -> String {
    let parts = day.description.split(separator: "-").compactMap { Int($0) }
    return "\(parts[2]) \(SaidPage.months[parts[1] - 1]) \(parts[0])"
  }

  private func label(_ day: Day, _ rings: [String]) -> String {
    "\(long(day)): " + rings.map { "\($0) \(words($0, day))" }.joined(separator: ", ")
  }

  private func looks(of day: Day, _ rings: [String]) -> [String] {
    zip(rings, ["fill", "middle", "outer"]).map { habit, ring in
      let said = days[habit]?[day.description]
      let level = ring == "fill" ? said.map { " level-\($0.outcome)" } ?? "" : ""
      return "ring-\(ring) \(said?.verdict ?? "none")\(level)"
    }
  }

  /// A day of the year with its look and its place: a row a weekday, a column a week.
  private func square(_ day: Day, _ habit: String, isSelected: Bool) -> String {
    let look = (days[habit]?[day.description]?.verdict ?? "none") + (isSelected ? " selected" : "")
    let weekday = day - day.monday
    let first = Day(day.description.prefix(4) + "-01-01")?.monday ?? day
    let place = "\(weekday):\((day - first) / 7 + 1)"
    return "\(SaidPage.weekdays[weekday]), \(long(day)): \(words(habit, day)) [\(look)] \(place)"
  }

  /// Of each habit with a verdict on the day its name, verdict and the ids of its entries.
  private func entries(on day: Day) -> [String] {
    state.habits.compactMap { habit in
      days[habit.habit]?[day.description].map { said in
        ([habit.name, words(habit.habit, day)] + said.entries.sorted()).joined(separator: " ")
      }
    }
  }

  /// The same of the page, which says after each entry's words its id.
  private func entries(of shown: [String]) -> String {
    let ids = shown.dropFirst(3).map { $0.components(separatedBy: " · ").last ?? "" }
    return (Array(shown[1...2]) + ids.sorted()).joined(separator: " ")
  }
}

import Foundation
import StreakDomain
public import Streaks

/// A habit's history, written as a text with one character per day, for tests of an app's rules.
///
/// The library's ledger folds the history. The first day is Monday, 2025-09-01, and the last day is
/// today. `.` is a day without an entry and `x` an entry without a measure. A digit is an amount of
/// the rule's measure, or of minutes if the rule has no measure. `C` is completed, `F` failed, `R`
/// failed and then completed; `S`, `E` and `W` are the levels `steady`, `easy` and `wild`.
/// Characters that the app defines take precedence.
///
/// ```swift
/// #expect(try History(Habit(preset: "noalc"), "SSSSSSSE.S").verdicts == "ggggggghmg")
/// ```
///
/// Spaces can separate the weeks. The verdicts then have spaces, too. The printed form aligns the
/// weeks:
///
/// ```swift
/// let sport = Habit("sport", rule: .sum(of: .minutes, atLeast: 10, per: .week))
/// let history = try History(sport, "55..... 5...... ...")
/// #expect(history.verdicts == "rgrrrrr rrrrrrm rr?")
/// print(history)
/// // week      MTWTFSS MTWTFSS MTW
/// // days      55..... 5...... ...
/// // verdicts  rgrrrrr rrrrrrm rr?
/// ```
public struct History: Sendable, CustomStringConvertible {
  /// The ledger with the history, as seen on its last day.
  public let ledger: StreakLedger
  private let habit: Habit.ID
  private let days: ClosedRange<Day>
  /// The printed rows before the verdicts, each with its title and its characters without spaces.
  private let rows: [(name: String, marks: String)]
  /// Whether the days were given with spaces between the weeks.
  private let hasWeeks: Bool

  /// The first day of every history.
  public static let start: Day = "2025-09-01"

  /// Creates a ledger that contains the history.
  ///
  /// - Parameters:
  ///   - habit: The habit to test.
  ///   - days: One character per day, with or without spaces between weeks, or an empty text for a
  ///     composite.
  ///   - excused: One character per day: `e` for an excused day, any other character for a day that
  ///     isn't excused.
  ///   - members: Other habits with their days, such as the members of a composite.
  ///   - marks: The app's own characters, each with the entry that it stands for. The habit in
  ///     these entries is ignored.
  /// - Throws: `StreakError` if a habit or an entry is rejected, or a character has no meaning.
  public init(
    _ habit: Habit, _ days: String, excused: String = "", with members: [(Habit, String)] = [],
    marks: [Unicode.Scalar: Entry] = [:]
  ) throws(StreakError) {
    func joined(_ days: String) -> String { days.parts(at: " ").joined() }
    let rows: [(habit: Habit, days: String)] =
      members.map { ($0, joined($1)) } + [(habit, joined(days))]
    let excused = joined(excused)
    hasWeeks = days.parts(at: " ").count > 1
    self.rows =
      members.map { ($0.0.id, joined($0.1)) }
      + [("days", joined(days)), ("excused", excused)].filter {
        !$0.1.isEmpty
      }

    let count = max(1, (rows.map(\.days) + [excused]).map(\.unicodeScalars.count).max() ?? 1)
    let last = History.start.advanced(by: count - 1)
    let events = try History.events(of: rows, excused: excused, marks)

    var ledger = try StreakLedger(timeZone: .gmt, now: History.noon(History.start))
    try ledger.append(events, now: History.noon(last))
    self.ledger = ledger
    self.habit = habit.id
    self.days = History.start...last
  }

  /// Returns the definitions of the habits, then the excuses, then the entries.
  private static func events(
    of rows: [(habit: Habit, days: String)], excused: String, _ marks: [Unicode.Scalar: Entry]
  ) throws(StreakError) -> [NewEvent] {
    var events: [NewEvent] = []
    for row in rows {
      var definition = NewEvent.habit(row.habit)
      definition.day = start
      events.append(definition)
    }

    for (offset, mark) in excused.unicodeScalars.enumerated() where mark == "e" {
      let day = start.advanced(by: offset)
      events.append(.excuse(day...day))
    }

    for row in rows {
      for (offset, mark) in row.days.unicodeScalars.enumerated() {
        let day = start.advanced(by: offset)
        for entry in try entries(mark, of: row.habit, marks) {
          var event = NewEvent.entry(entry)
          event.at = noon(day)
          event.zone = .gmt
          events.append(event)
        }
      }
    }
    return events
  }

  /// The verdicts of the habit, one letter per day.
  ///
  /// `g` is good, `h` healed, `t` graced, `m` missed, `b` bad, `n` restarted, `?` open, `e`
  /// excused, `r` rest, and `.` a day before the habit's first day.
  public var verdicts: String {
    let verdictsByDay = Dictionary(
      uniqueKeysWithValues: ledger.calendar(of: habit, in: days).map { ($0.day, $0.verdict) })
    let letters = days.map { day in verdictsByDay[day]?.letter ?? "." }.joined()
    return hasWeeks ? History.weeks(letters) : letters
  }

  /// The days, grouped by week, with the verdicts below, and the joker book unless the book is
  /// empty.
  public var description: String {
    let week = String(repeating: "MTWTFSS", count: days.count / 7 + 1).prefix(days.count)
    let letters = verdicts.parts(at: " ").joined()
    let shown =
      [("week", String(week))] + rows.map { ($0.name, $0.marks) } + [("verdicts", letters)]
    let lines = shown.map { ($0.0, History.weeks($0.1)) } + (book.isEmpty ? [] : [("jokers", book)])
    let width = (lines.map(\.0.count).max() ?? 0) + 2
    return lines.map { $0.padding(toLength: width, withPad: " ", startingAt: 0) + $1 }
      .joined(separator: "\n")
  }

  private static func weeks(_ days: String) -> String {
    var parts: [Substring] = []
    var rest = days[...]
    while !rest.isEmpty {
      parts.append(rest.prefix(7))
      rest = rest.dropFirst(7)
    }
    return parts.joined(separator: " ")
  }

  /// The joker book as a text, such as `+7 -9` for a joker that was earned on day 7 and spent on
  /// day 9.
  ///
  /// `+` is earned, `-` spent, `o` forfeited, and `!` penalised.
  public var book: String { ledger.jokerBook(of: habit).letters(from: History.start) }

  /// The state of the habit on the last day.
  public var streak: Streak? { ledger.streak(of: habit) }

  private static func noon(_ day: Day) -> Date {
    let midnight: Day = "1970-01-01"
    return Date(timeIntervalSince1970: Double(midnight.distance(to: day)) * 86_400 + 43_200)
  }

  private static func entries(
    _ mark: Unicode.Scalar, of habit: Habit, _ marks: [Unicode.Scalar: Entry]
  ) throws(StreakError) -> [Entry] {
    if var entry = marks[mark] {
      entry.habit = habit.id
      return [entry]
    }
    if mark == "R" { return try entries("F", of: habit, marks) + entries("C", of: habit, marks) }
    let measure = habit.rule.measure ?? .minutes
    guard let entries = DayMarks.entries(mark, of: habit.id, counting: [measure]) else {
      throw StreakError(.notFound, "\"\(mark)\" stands for no entry; give it one in marks")
    }
    return entries
  }
}

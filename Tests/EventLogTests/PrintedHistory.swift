import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain

/// A history as printed in docs/domain.md, in a block of the language `history`.
///
/// A line is a habit, `NAME` of a preset or `NAME {…}` with the fields of its definition, or a row
/// with one character per day as in `History`. A row's name is `days`, `excused`, `verdict`, `run`
/// or one of the habits above. Text after a row is for readers. Empty lines separate histories.
struct PrintedHistory: Sendable, CustomStringConvertible {
  let description: String
  private var definitions: [Habit] = []
  private var rows: [String: String] = [:]

  private static let own = ["days", "excused", "verdict", "run"]

  static func all(in document: String) throws -> [PrintedHistory] {
    try CodeBlock.all(in: document).filter { $0.language == "history" }.flatMap { block in
      var habits: [Habit] = []
      return try parts(of: block.text).map { text in
        let history = try PrintedHistory(text, habits)
        habits = history.definitions
        return history
      }
    }
  }

  private static func parts(of text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split(separator: "").map { $0.joined(separator: "\n") }
  }

  /// A history without habits uses those of the previous history.
  private init(_ text: String, _ habits: [Habit]) throws {
    description = text
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      let rest = words.count > 1 ? words[1].drop { $0 == " " } : ""
      if !PrintedHistory.own.contains(words[0]), rest.isEmpty || rest.hasPrefix("{") {
        definitions.append(try PrintedHistory.definition(words[0], fields: rest.dropFirst()))
      } else {
        rows[words[0]] = String(rest.prefix { $0 != " " })
      }
    }
    if definitions.isEmpty { definitions = habits }
  }

  private static func definition(_ habit: String, fields: Substring) throws -> Habit {
    if fields.isEmpty, let preset = Preset(rawValue: habit) { return preset.definition }
    let line =
      #"""
      {"id":"d","type":"habit.defined","at":"2025-09-01T00:00:00Z","recorded":"2025-09-01T00:00:\#
      00.000000Z",
      """#
      + #""day":"2025-09-01","zone":"UTC","habit":"\#(habit)",\#(fields)"#
    guard case .habitDefined(let definition) = try EventDecoder.event(Array(line.utf8)).payload
    else {
      throw NoHistory(text: line)
    }
    return definition
  }

  private var habit: String { definitions.last?.id ?? "" }

  func found() throws -> [String: String] {
    let count = rows["verdict"]?.utf8.count ?? 0
    guard count > 0 else { throw NoHistory(text: description) }
    var sequence = Sequence()
    var ledger = Ledger()
    ledger.fold(sequence.event(.ledgerOpened(), on: History.start))
    for definition in definitions {
      ledger.fold(sequence.event(.habitDefined(definition), on: History.start))
    }
    for (offset, mark) in (rows["excused"] ?? "").enumerated() where mark == "e" {
      let day = History.start + offset
      let excuse = Payload.daysExcused(from: day, to: day, habits: nil, reason: nil)
      ledger.fold(sequence.event(excuse, on: History.start))
    }
    for (row, marks) in rows where row == "days" || !PrintedHistory.own.contains(row) {
      guard marks.count == count else { throw NoHistory(text: description) }
      for (offset, mark) in marks.enumerated() {
        for entry in History.entries(row == "days" ? habit : row, mark) {
          ledger.fold(sequence.event(.entryLogged(entry), on: History.start + offset))
        }
      }
    }
    ledger.advance(to: History.start + (count - 1))
    let days = ledger.verdicts(of: habit, in: Day.first...Day.last)
    let found = [
      "verdict": days.letters, "run": days.map { String($0.run) }.joined(),
    ]
    return found.filter { rows[$0.key] != nil }
  }

  var printed: [String: String] { rows.filter { ["verdict", "run"].contains($0.key) } }

  struct NoHistory: Error {
    let text: String
  }
}

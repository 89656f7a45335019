import EventLog
package import StreakDomain

/// A line of comma-separated values (RFC 4180, but with a newline as on Unix).
package enum CSV {
  package static func line(_ fields: [String]) -> String {
    fields.map(Escaping.csv).joined(separator: ",")
  }

  /// Escapes text from the log, also so that a spreadsheet doesn't read it as a formula.
  package static func text(_ text: Text?) -> String { Escaping.cell(text?.string ?? "") }

  /// Joins ids in one field; the first may begin with a minus, which spreadsheets read as a formula.
  static func ids(_ ids: [String]) -> String { Escaping.cell(ids.joined(separator: " ")) }
}

enum EntryTable {
  static let names = [
    "id", "habit", "day", "at", "zone", "recorded", "minutes", "km", "sets", "drinks", "amount", "level",
    "completed", "activity", "value", "note",
  ]

  static func fields(_ event: Event, _ entry: Entry) -> [String] {
    [
      CSV.ids([event.id]), entry.habit, "\(event.day)", "\(event.at)", event.zone, "\(event.recorded)",
      entry.minutes.map { "\($0)" } ?? "", entry.km.map { "\($0)" } ?? "", entry.sets.map { "\($0)" } ?? "",
      entry.drinks.map { "\($0)" } ?? "", entry.amount.map { "\($0)" } ?? "", CSV.text(entry.level),
      entry.completed.map { "\($0)" } ?? "",
      CSV.text(entry.activity), CSV.text(entry.value), CSV.text(entry.note),
    ]
  }
}

/// Collects the entries of a stream that aren't deleted by any event, earlier or later.
struct StandingEntries {
  private var entries: [Event] = []
  private var deleted: Set<String> = []

  mutating func note(_ event: Event) {
    switch event.payload {
    case .entryLogged: entries.append(event)
    case .entryDeleted(let entry, _): deleted.insert(entry)
    default: break
    }
  }

  var all: [Event] { entries.filter { !deleted.contains($0.id) } }
}

extension CalendarDay {
  func fields(of habit: String, _ ledger: Ledger) -> [String] {
    [
      habit, "\(day)", verdict.rawValue, CSV.text(outcome), lot?.description ?? "", "\(run)",
      CSV.ids(entries), ledger.sum(of: habit, on: day).map { "\($0.sum)" } ?? "",
    ]
  }
}

extension JokerLine {
  func fields(of habit: String) -> [String] {
    [habit, "\(day)", action.rawValue, lot?.description ?? "", "\(held)", CSV.ids(because)]
  }
}

extension Escaping {
  /// Quotes a CSV field (RFC 4180) if necessary.
  package static func csv(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.rewriting { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Escapes text for a table that may be opened as a spreadsheet.
  ///
  /// A spreadsheet evaluates text as a formula if the first character after white space is one of the signs
  /// below.
  package static func cell(_ text: String) -> String {
    let visible = visible(text)
    let first = visible.unicodeScalars.first { !$0.properties.isWhitespace }
    return first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false ? "'" + visible : visible
  }
}

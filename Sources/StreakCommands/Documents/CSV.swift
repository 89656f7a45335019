import EventLog
package import StreakDomain

/// A line of comma-separated values (RFC 4180, with a newline alone as everywhere on Unix).
package enum CSV {
  package static func line(_ fields: [String]) -> String {
    fields.map(Escaping.csv).joined(separator: ",")
  }

  /// Text from the log: made visible, and kept from being a formula in a spreadsheet.
  package static func text(_ text: Text?) -> String { Escaping.cell(text?.string ?? "") }

  /// Ids in one field: the first may begin with a minus, which a spreadsheet would take for a formula.
  static func ids(_ ids: [String]) -> String { Escaping.cell(ids.joined(separator: " ")) }
}

/// The table of entries.
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

/// The entries of a stream that no event deletes, wherever the deletion is.
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
  /// The columns of the table of days.
  func fields(of habit: String, _ ledger: Ledger) -> [String] {
    [
      habit, "\(day)", verdict.rawValue, CSV.text(outcome), lot?.description ?? "", "\(run)",
      CSV.ids(entries), ledger.sum(of: habit, on: day).map { "\($0.sum)" } ?? "",
    ]
  }
}

extension JokerLine {
  /// The cells of its row in the table of jokers; nothing in it needs quoting but the entries behind it.
  func fields(of habit: String) -> [String] {
    [habit, "\(day)", action.rawValue, lot?.description ?? "", "\(held)", CSV.ids(because)]
  }
}

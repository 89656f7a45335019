import EventLog
import StreakDomain

/// The meaning of a column of a table; the raw value is the name of the column.
package enum CSVColumn: String, CaseIterable, Sendable {
  case habit, day, at, minutes, km, sets, drinks, amount, level, done, completed, activity, value,
    note, id, key
  case zone
  case nothing = "-"

  package static let names = allCases.map(\.rawValue)

  /// The columns that concern the row and not the answer of one habit.
  static let ofRow: [CSVColumn] = [.habit, .day, .at, .note, .id, .key, .zone, .nothing]

  /// The columns that have the answer of a habit.
  static let ofAnswer: [CSVColumn] = [
    .minutes, .km, .sets, .drinks, .amount, .level, .done, .completed, .value,
  ]

  /// Creates a column from its name in the first row, such as `Date`, or returns `nil` for an
  /// unknown name.
  init?(header: String) {
    let word = CSVColumn.word(of: header)
    switch word {
    case "habitname", "habit name", "habits", "gewohnheit": self = .habit
    case "date", "calendardate", "datum", "fecha", "dia", "jour": self = .day
    case "time", "timestamp", "datetime", "started", "start", "zeitpunkt", "uhrzeit", "heure",
      "hora":
      self = .at
    case "min", "mins", "duration (min)", "duration min": self = .minutes
    case "kilometres", "kilometers", "kilometer", "distance (km)", "distance km": self = .km
    case "notes", "comment", "comments", "commenttext", "notiz", "notizen", "kommentar",
      "bemerkung", "anmerkung":
      self = .note
    case "menge", "anzahl": self = .amount
    case "getränke", "getraenke": self = .drinks
    case "wert": self = .value
    case "type", "sport": self = .activity
    case "checked", "check", "ja/nein", "yes/no", "erledigt", "gemacht", "geschafft", "fait",
      "hecho", "fatto", "feito", "gedaan":
      self = .done
    // In `export csv entries`, these are the time when an entry was recorded and the instant as of
    // which it is known; an imported entry gets new ones.
    case "recorded", "asof": self = .nothing

    default: self.init(rawValue: MeasureUnit.ofColumn(word)?.measure?.rawValue ?? word)
    }
  }

  /// Returns a name of the first row in the form in which names are compared.
  static func word(of header: String) -> String {
    header.trimmed.asciiLowercased.rewriting { $0 == "_" ? " " : nil }
  }
}

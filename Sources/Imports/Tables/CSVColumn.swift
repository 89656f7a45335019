import EventLog
import StreakDomain

/// The meaning of a column of a table; the raw value is the name of the column.
package enum CSVColumn: String, CaseIterable, Sendable {
  case habit, day, at, minutes, km, sets, drinks, amount, level, done, completed, activity, value, note, id
  case zone
  case nothing = "-"

  package static let names = allCases.map(\.rawValue)

  /// Creates a column from its name in the first row, such as `Date`, or returns `nil` for an unknown name.
  init?(header: String) {
    let word = header.trimmed.asciiLowercased.rewriting { $0 == "_" ? " " : nil }
    if let column = CSVColumn(rawValue: word), column != .nothing {
      self = column
      return
    }
    switch word {
    case "habitname", "habit name", "habits": self = .habit
    case "date", "calendardate", "datum": self = .day
    case "time", "timestamp", "datetime", "started", "start": self = .at
    case "min", "mins", "duration (min)", "duration min": self = .minutes
    case "kilometres", "kilometers", "kilometer", "distance (km)", "distance km": self = .km
    case "notes", "comment", "comments", "commenttext": self = .note
    case "type", "sport": self = .activity
    case "checked", "check": self = .done
    // In `export csv entries`, this is the time when an entry was recorded; an imported entry gets a new one.
    case "-", "recorded": self = .nothing
    default: return nil
    }
  }
}

/// The format of days and numbers in a table.
package struct CSVDialect: Sendable {
  package var isDecimalComma = false
  /// The order of day, month and year, such as `dd.mm.yyyy`, or `nil` for `YYYY-MM-DD`.
  package var dates: String?

  package init() {}

  package static let datesForm =
    "an order of yyyy or yy, mm and dd with a sign between them, such as dd.mm.yyyy"

  package static func isDates(_ text: String) -> Bool {
    let words = parts(of: text).words.map {
      $0.count > 2 ? "yy" : String(repeating: $0.first ?? " ", count: 2)
    }
    return words.sorted() == ["dd", "mm", "yy"]
  }

  private static func parts(of text: String) -> (words: [String], signs: [UInt8]) {
    let bytes = Array(text.asciiLowercased.utf8)
    func isWord(_ byte: UInt8) -> Bool { byte.isDigit || (97...122).contains(byte) }
    return (
      bytes.split { !isWord($0) }.map { String(decoding: $0, as: UTF8.self) }, bytes.filter { !isWord($0) }
    )
  }

  var dayForm: String { dates ?? Forms.day + "; --date dd.mm.yyyy names another order" }

  func day(_ text: String) -> Day? {
    guard let dates else { return Day(text) }
    let (form, found) = (CSVDialect.parts(of: dates), CSVDialect.parts(of: text))
    guard found.signs == form.signs, found.words.count == form.words.count else { return nil }
    var numbers: [UInt8: String] = [:]
    for (name, word) in zip(form.words, found.words) {
      guard let first = name.utf8.first, word.utf8.allSatisfy({ $0.isDigit }) else { return nil }
      let width = first == UInt8(ascii: "y") ? 4 : 2
      let digits = name == "yy" && word.utf8.count == 2 ? "20" + word : word
      guard digits.utf8.count <= width, first != UInt8(ascii: "y") || digits.utf8.count == width else {
        return nil
      }
      numbers[first] = String(repeating: "0", count: width - digits.utf8.count) + digits
    }
    return Day("ymd".utf8.map { numbers[$0] ?? "" }.joined(separator: "-"))
  }

  func number(_ text: String) -> Thousandths? {
    guard isDecimalComma else { return JSONValue.number(text) }
    return text.holds(".") ? nil : JSONValue.number(text.rewriting { $0 == "," ? "." : nil })
  }

  var numberHint: String { isDecimalComma ? " after a comma" : "; --decimal , reads a comma" }
}

/// The words with which a table reports whether a habit was done, such as `yes` or `x`.
enum DoneWord {
  static let form = "one of 1, yes, true, x, ✓ or done, or of 0, no, false, failed or nothing"

  static func read(_ text: String) -> Bool? {
    switch text.asciiLowercased {
    case "true", "yes", "y", "1", "x", "✓", "✔", "completed", "done": true
    case "false", "no", "n", "0", "", "failed": false
    default: nil
    }
  }
}

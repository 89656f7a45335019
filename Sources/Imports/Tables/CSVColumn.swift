import EventLog
import StreakDomain

/// The meaning of a column of a table; the raw value is the name of the column.
package enum CSVColumn: String, CaseIterable, Sendable {
  case habit, day, at, minutes, km, sets, drinks, amount, level, done, completed, activity, value,
    note, id
  case zone
  case nothing = "-"

  package static let names = allCases.map(\.rawValue)

  /// Creates a column from its name in the first row, such as `Date`, or returns `nil` for an
  /// unknown name.
  init?(header: String) {
    let word = header.trimmed.asciiLowercased.rewriting { $0 == "_" ? " " : nil }
    switch word {
    case "habitname", "habit name", "habits": self = .habit
    case "date", "calendardate", "datum": self = .day
    case "time", "timestamp", "datetime", "started", "start": self = .at
    case "min", "mins", "duration (min)", "duration min": self = .minutes
    case "kilometres", "kilometers", "kilometer", "distance (km)", "distance km": self = .km
    case "notes", "comment", "comments", "commenttext": self = .note
    case "type", "sport": self = .activity
    case "checked", "check": self = .done
    // In `export csv entries`, this is the time when an entry was recorded; an imported entry gets
    // a new one.
    case "recorded": self = .nothing
    default: self.init(rawValue: word)
    }
  }
}

/// The format of days and numbers in a table.
package struct CSVDialect: Sendable {
  package var isDecimalComma = false
  /// The order of day, month and year, such as `dd.mm.yyyy`, or `nil` for `YYYY-MM-DD`.
  package var dates: String?

  package init() {}

  package static let datesForm = "an order of yyyy or yy, mm and dd, such as dd.mm.yyyy or yyyymmdd"

  package static func isDates(_ order: String) -> Bool {
    let runs = runs(of: order)
    return runs.count < 6
      && runs.filter { isPart($0[0]) }.map { $0[0] }.sorted() == Array("dmy".utf8)
  }

  /// Parses a separator of fields: one ASCII sign, or `tab`.
  package static func separator(_ text: String) -> UInt8? {
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    let isSign =
      text.utf8.count == 1 && text.utf8.allSatisfy { $0 < 0x80 && !"\"\r\n".utf8.contains($0) }
    return isSign ? text.utf8.first : nil
  }

  /// Splits an order such as `dd.mm.yyyy` into runs of equal characters: `dd`, `.`, `mm`, `.` and
  /// `yyyy`.
  private static func runs(of order: String) -> [[UInt8]] {
    order.asciiLowercased.utf8.reduce(into: []) { runs, byte in
      if runs.last?.last == byte { runs[runs.count - 1].append(byte) } else { runs.append([byte]) }
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool { "dmy".utf8.contains(byte) }

  /// Returns a description of valid days, for the error if `text` isn't a day.
  func dayForm(of text: String?) -> String {
    if let text, !text.utf8.contains(where: { $0.isDigit }) {
      return "a day; remove a row that is not an entry, such as a total"
    }
    return dates ?? Syntax.day + "; --date dd.mm.yyyy names another order"
  }

  func day(_ text: String) -> Day? {
    guard let dates else { return Day(text) }
    let runs = CSVDialect.runs(of: dates)
    guard runs.count > 3 || text.utf8.count == dates.utf8.count else { return nil }

    var rest = text.utf8[...]
    var numbers: [UInt8: String] = [:]
    for run in runs {
      guard CSVDialect.isPart(run[0]) else {
        guard rest.starts(with: run) else { return nil }
        rest = rest.dropFirst(run.count)
        continue
      }

      let isYear = run[0] == UInt8(ascii: "y")
      let isShort = run.count == 2
      let digits = rest.prefix(isYear && !isShort ? 4 : 2).prefix { $0.isDigit }
      rest = rest[digits.endIndex...]

      let missing = String(repeating: "0", count: max(0, 2 - digits.count))
      numbers[run[0]] = (isYear && isShort ? "20" : missing) + String(Substring(digits))
    }

    return rest.isEmpty ? Day("ymd".utf8.map { numbers[$0] ?? "" }.joined(separator: "-")) : nil
  }

  func number(_ text: String) -> Thousandths? {
    guard isDecimalComma else { return JSONValue.number(text) }
    return text.holds(".") ? nil : JSONValue.number(text.rewriting { $0 == "," ? "." : nil })
  }

  /// Returns the end of the description of valid numbers, for the error if `text` isn't a number.
  func numberHint(for text: String?) -> String {
    if isDecimalComma { return " after a comma" }
    let other = text?.rewriting { $0 == "," ? "." : nil } ?? ""
    return other != text && JSONValue.number(other) != nil ? "; --decimal , reads a comma" : ""
  }
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

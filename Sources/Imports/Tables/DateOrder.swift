import EventLog
import StreakDomain

/// The order of a day's parts in a table, such as `dd.mm.yyyy`, `yyyymmdd` or `mmm d, yyyy`.
struct DateOrder: Sendable {
  /// A run of equal letters in the order, such as `yyyy`, or a separator.
  private enum Part: Sendable {
    case day, month, monthName
    case year(isShort: Bool)
    case sign(Unicode.Scalar)

    var hasDigits: Bool {
      switch self {
      case .day, .month, .year: true
      case .monthName, .sign: false
      }
    }
  }

  /// The result of reading a text: the day, or `nil` if there is no such day, and what follows.
  typealias Reading = (day: Day?, rest: Substring)

  private var parts: [Part] = []

  /// Creates an order, or returns `nil` unless `text` has a day, a month and a year, each once.
  init?(_ text: String) {
    guard text.utf8.count <= 40 else { return nil }
    var letters = Substring(text.asciiLowercased).unicodeScalars
    var names: [Unicode.Scalar] = []

    while let first = letters.first {
      let count = letters.prefix { $0 == first }.count
      switch (first, count) {
      case ("d", 1...2): parts.append(.day)
      case ("m", 1...2): parts.append(.month)
      case ("m", 3...4): parts.append(.monthName)
      case ("y", 2), ("y", 4): parts.append(.year(isShort: count == 2))
      case ("d", _), ("m", _), ("y", _): return nil
      default: parts += letters.prefix(count).map { .sign($0) }
      }
      if "dmy".unicodeScalars.contains(first) { names.append(first) }
      letters = letters.dropFirst(count)
    }
    guard names.sorted() == ["d", "m", "y"] else { return nil }
  }

  /// Returns the day at the start of `text` and the text after the day, or `nil` if `text` has
  /// another form.
  ///
  /// The name of a weekday may precede the day.
  func read(_ text: String) -> Reading? {
    // `Mar 3` is a day of March, not a Tuesday.
    readPlain(text) ?? WeekdayName.removed(from: text).flatMap { readPlain($0) }
  }

  private func readPlain(_ text: String) -> Reading? {
    var rest = Substring(text)
    var day = 0
    var month = 0
    var year = 0

    for (index, part) in parts.enumerated() {
      switch part {
      case .sign(let sign):
        guard let next = rest.unicodeScalars.first, DateOrder.isSame(next, sign) else { return nil }
        rest = Substring(rest.unicodeScalars.dropFirst())
      case .monthName:
        guard let name = MonthName.read(&rest) else { return nil }
        month = name
        // A shortened name may end with a period.
        let next = index + 1 < parts.count ? parts[index + 1] : nil
        let isOfOrder = if case .sign(".") = next { true } else { false }
        if rest.begins(with: "."), !isOfOrder { rest = rest.droppingBytes(1) }
      case .day:
        guard let number = number(&rest, at: index, most: 2) else { return nil }
        day = number
      case .month:
        guard let number = number(&rest, at: index, most: 2) else { return nil }
        month = number
      case .year(let isShort):
        // People also write a short year, which after day and month is clear.
        let length = rest.utf8.prefix { $0.isDigit }.count
        let isTwoDigits = isShort || length == 2 && index > 0 && !isBesideNumber(index)
        guard let number = number(&rest, at: index, most: isTwoDigits ? 2 : 4) else { return nil }
        year = isTwoDigits ? 2000 + number : number
      }
    }

    if rest.utf8.first?.isDigit ?? false { return nil }
    return (Day(year: year, month: month, day: day), rest)
  }

  /// Removes a number of at most `most` digits from the start of `text`.
  ///
  /// It must have exactly so many digits if these are 4, or if the part is next to another number.
  private func number(_ text: inout Substring, at index: Int, most: Int) -> Int? {
    let digits = Substring(text.utf8.prefix(most).prefix { $0.isDigit })
    let isCompact = most == 4 || isBesideNumber(index)
    guard digits.utf8.count == most || !isCompact && !digits.isEmpty else { return nil }
    text = text.droppingBytes(digits.utf8.count)
    return Int(digits)
  }

  /// Whether the part `index` is next to another number, without a sign between them.
  private func isBesideNumber(_ index: Int) -> Bool {
    [index - 1, index + 1].contains { parts.indices.contains($0) && parts[$0].hasDigits }
  }

  private static func isSame(_ scalar: Unicode.Scalar, _ sign: Unicode.Scalar) -> Bool {
    scalar.properties.lowercaseMapping == sign.properties.lowercaseMapping
      || scalar.properties.isWhitespace && sign.properties.isWhitespace
  }
}

/// A parser for the names of weekdays, also shortened, such as `Mi`, `Wed` or `mercredi`.
enum WeekdayName {
  /// Returns the text after a name, or `nil` if `text` doesn't begin with one.
  static func removed(from text: String) -> String? {
    let letters = Substring(text.unicodeScalars.prefix { $0.properties.isAlphabetic })
    guard letters.unicodeScalars.count >= 2, let word = HabitName.id(String(letters)),
      names.contains(where: { $0.begins(with: word) })
    else { return nil }
    let rest = text.droppingBytes(letters.utf8.count).utf8.drop { ".,".utf8.contains($0) }
    return String(Substring(rest)).trimmed
  }

  /// The names in the languages of `MonthName`, without accents.
  private static let names = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "montag",
    "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag", "lundi",
    "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche", "lunes", "martes", "miercoles",
    "jueves", "viernes", "sabado", "domingo", "lunedi", "martedi", "mercoledi", "giovedi",
    "venerdi", "sabato", "domenica", "segunda", "terca", "quarta", "quinta", "sexta", "maandag",
    "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
  ]
}

/// A parser for the names of months, also shortened, such as `Nov`, `März`, `févr` or `août`.
enum MonthName {
  /// Removes a name from the start of `text`; returns its month, or `nil` if there is none.
  static func read(_ text: inout Substring) -> Int? {
    let letters = Substring(text.unicodeScalars.prefix { $0.properties.isAlphabetic })
    guard letters.unicodeScalars.count >= 3, let word = HabitName.id(String(letters)) else {
      return nil
    }

    let months = names.indices.filter { index in
      names[index].parts(at: " ").contains { $0.begins(with: word) }
    }
    guard months.count == 1, let month = months.first else { return nil }
    text = text.droppingBytes(letters.utf8.count)
    return month + 1
  }

  /// The names in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents.
  private static let names = [
    "january januar janner janvier enero gennaio janeiro januari",
    "february februar fevrier febrero febbraio fevereiro februari",
    "march marz mars marzo marco maart mrz mrt",
    "april avril abril aprile",
    "may mai mayo maggio maio mei",
    "june juni juin junio giugno junho",
    "july juli juillet julio luglio julho",
    "august aout agosto augustus",
    "september septembre septiembre settembre setembro",
    "october oktober octobre octubre ottobre outubro",
    "november novembre noviembre novembro",
    "december dezember decembre diciembre dicembre dezembro",
  ]
}

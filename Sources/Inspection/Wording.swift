import EventLog
package import StreakDomain

extension Schedule {
  /// The schedule in the format of `define --schedule`, such as `mon-fri`, `3/week` or `every:3`.
  package var short: String {
    switch self {
    case .weekdays(let weekdays): weekdays.short
    case .times(let times, let period): "\(times)/\(period.rawValue)"
    case .every(let days): "every:\(days)"
    }
  }

  /// The schedule as a clause, such as `it is asked for 3 times a week`.
  package var words: String {
    switch self {
    case .weekdays(let weekdays): "it is asked for on \(weekdays.short)"
    case .times(let count, let period): "it is asked for \(often(count)) a \(period.rawValue)"
    case .every(days: 2): "it is asked for every other day"
    case .every(let days): "it is asked for one day in \(days)"
    }
  }

  /// Whether the schedule's weekdays include `day`; a schedule without weekdays includes every day.
  package func names(_ day: Day) -> Bool {
    if case .weekdays(let weekdays) = self { weekdays.has(day.weekdayNumber) } else { true }
  }
}

extension Weekdays {
  /// The weekdays as text, such as `mon,wed,fri`; three or more consecutive weekdays are shortened,
  /// such as `mon-fri`.
  package var short: String {
    let spans = Weekday.allCases.split { !has($0.number) }
    return spans.map { span in
      let names = span.map(\.rawValue)
      return names.count > 2
        ? "\(names[0])-\(names[names.count - 1])" : names.joined(separator: ",")
    }.joined(separator: ",")
  }
}

extension Weekday {
  package var name: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][number]
  }

  package init?(named word: String) {
    let weekday = Weekday.allCases.first { [$0.rawValue, $0.name.asciiLowercased].contains(word) }
    guard let weekday else { return nil }
    self = weekday
  }
}

extension Day {
  package var weekdayName: String { weekday.name }

  package var monthName: String {
    [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ][date.month - 1]
  }
}

extension Entry {
  /// Returns the entry's values as unescaped text, such as `5.2 km, 31 min running`; `unit` is the
  /// unit of `amount`.
  package func measureWords(unit: Text?) -> String {
    var words = level?.string ?? ""
    func add(_ more: String?, after separator: String = ", ") {
      guard let more, !more.isEmpty else { return }
      words += words.isEmpty ? more : separator + more
    }
    let unitName = unit.map { " " + Unit.name($0.string, isOne: amount == 1) } ?? ""
    add(amount.map { "\($0)" + unitName })
    add(sets.map { counted($0, "set") })
    add(km.map { "\($0) km" })
    add(minutes.map { "\($0) min" })
    add(drinks.map { counted($0, "drink") })
    add(activity?.string, after: " ")
    add(completed.map { $0 ? "completed" : "failed" }, after: " ")
    add(value?.string, after: " ")
    return words
  }

  /// Returns the entry's values and note as unescaped text, such as `20 pages, “on the train”`.
  package func notedWords(unit: Text?) -> String {
    let words = measureWords(unit: unit)
    guard let note, !note.isEmpty else { return words }
    return words + (words.isEmpty ? "" : ", ") + "“\(note)”"
  }
}

extension Escaping {
  /// Whether a spreadsheet may evaluate `text`, because it starts with a sign such as `=`.
  ///
  /// Spaces and apostrophes before the sign don't prevent this. An exported table has one more `'`
  /// before such a text, which the import removes.
  package static func isFormula(_ text: String) -> Bool {
    let first = text.unicodeScalars.first { $0 != "'" && !$0.properties.isWhitespace }
    return first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
  }
}

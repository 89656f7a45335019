import EventLog
import StreakDomain

/// The CSV export of Loop Habit Tracker: a zip, the folder in it, or a single `Checkmarks.csv`.
///
/// Each habit has a folder such as `001 Meditate`, with a table of its own. The `Checkmarks.csv`
/// beside these folders is the common table, with a column for each habit. In some versions it
/// lacks days, so the folders are preferred. Version 2.0.3 wrote no headers in the folders, and
/// values such as `Entry(timestamp=…, value=2)` in the common table.
struct LoopExport {
  /// The habits in the order of `Habits.csv`.
  ///
  /// Habits that only the tables contain follow.
  private(set) var habits: [LoopHabit] = []
  /// The answers in the order of their days; on each day, answers of the kind `unknown` come last.
  private(set) var answers: [Answer] = []

  /// The answer to a habit on a day: one field of a table.
  struct Answer {
    /// The meaning of an answer.
    enum Kind {
      case done, notDone, skipped
      /// A day on which the habit was not done, and which its frequency doesn't require.
      case implied
      /// A day without an answer.
      case unknown
    }

    /// The index of the habit in `habits`.
    let habit: Int
    let kind: Kind
    let amount: DecimalNumber?
    let note: String
    /// Whether the table has a column for notes.
    let hasNotes: Bool
    let day: Day
    let place: Place
    let text: String
  }

  /// Returns the answer in words, such as `Read of 2025-10-31`.
  func words(of answer: Answer) -> String { "\(habits[answer.habit].name) of \(answer.day)" }

  /// Whether the answers come from the common table of all habits, which lacks some answers.
  let isCommonTable: Bool
  /// The newest day of all tables, including a common table whose answers aren't read.
  private(set) var newestDay: Day?
  /// Whether the export has a `Habits.csv`, which lists all habits.
  let listsHabits: Bool
  /// The habits of a `Habits.csv` beside a single table.
  ///
  /// They tell the units of the table's numbers.
  private var described: [LoopHabit] = []

  init(_ files: ExportFiles) throws(Failure) {
    func name(_ path: String) -> Substring? { ExportFiles.parts(of: path).last }
    let checkmarks = files.names.filter { name($0) == "Checkmarks.csv" }
    let single = checkmarks.filter { LoopExport.position(of: $0) != nil }.sorted {
      Text($0) < Text($1)
    }

    isCommonTable = single.isEmpty
    var tables = single.isEmpty ? Array(checkmarks.prefix(1)) : single
    let list = files.names.first { name($0) == "Habits.csv" }
    // A file with another name is accepted if it is the only file.
    if tables.isEmpty, list == nil, files.names.count == 1 { tables = files.names }

    guard !tables.isEmpty else { throw files.missing("Checkmarks.csv") }
    listsHabits = list != nil
    if let list { habits = try LoopExport.habits(in: LoopExport.table(try files.open(list))) }
    if let list = try files.beside("Habits.csv") {
      described = try LoopExport.habits(in: LoopExport.table(list))
    }
    for path in tables { try readTable(LoopExport.table(try files.open(path)), path: path) }

    var days = answers.map(\.day)
    for path in checkmarks where !tables.contains(path) {
      // Loop doesn't quote the names in it, so a name can make it unreadable.
      let rows = (try? LoopExport.table(try files.open(path)).rows) ?? []
      days += rows.compactMap { $0.fields.first.flatMap { Day($0.text.trimmed) } }
    }
    newestDay = days.max()

    // A column that lacks an answer must not hide that of another column for the same habit.
    answers.sort { ($0.day, $0.kind == .unknown ? 1 : 0) < ($1.day, $1.kind == .unknown ? 1 : 0) }
  }

  private static func table(_ source: ByteSource) throws(Failure) -> CSVTable {
    let bytes = try source.all()
    guard !bytes.starts(with: "SQLite format 3".utf8) else {
      throw Failure(
        .refused, "\(quoted(source.name)) is a full backup of Loop, which is a database",
        remedy: "in Loop, choose Settings, then Export as CSV, and import that zip")
    }

    // A value such as Entry(timestamp=2025-11-03, value=2) is replaced with 2.
    var text: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.firstRange(of: Array("Entry(".utf8)),
      let value = rest[start.upperBound...].firstRange(of: Array("value=".utf8)),
      let end = rest[value.upperBound...].firstIndex(of: UInt8(ascii: ")"))
    {
      text += rest[..<start.lowerBound] + rest[value.upperBound..<end]
      rest = rest[(end + 1)...]
    }
    return try CSVTable(text + rest, file: source.name, separator: UInt8(ascii: ","))
  }

  /// Reads `Habits.csv`, whose rows have the order of the numbers in the folders' names.
  private static func habits(in table: CSVTable) throws(Failure) -> [LoopHabit] {
    var habits: [LoopHabit] = []
    let rows = try table.rows
    let header = rows.first?.fields.map(\.text) ?? []

    for row in rows.dropFirst() {
      func text(_ column: String) -> String? {
        guard let index = header.firstIndex(of: column), index < row.fields.count else {
          return nil
        }
        return row.fields[index].text
      }
      guard let name = text("Name") else { continue }

      var habit = LoopHabit(name: Text(name))
      habit.unit = text("Unit") ?? ""
      habit.isNumerical = text("Type").map { $0.asciiLowercased == "numerical" }

      // The second name of each column is that of older versions.
      if let times = text("FrequencyNumerator") ?? text("NumRepetitions"),
        let days = text("FrequencyDenominator") ?? text("Interval")
      {
        habit.frequency = try LoopExport.frequency(times, days, row)
      }

      habit.target = text("Target Value").flatMap { ForeignNumber.decimal($0) } ?? .zero
      habit.isLimit = text("Target Type") == "AT_MOST"
      habit.isArchived = text("Archived?")?.asciiLowercased == "true"
      habits.append(habit)
    }
    return habits
  }

  private static func frequency(
    _ times: String, _ days: String, _ row: CSVTable.Row
  ) throws(Failure) -> Frequency {
    guard let count = Int(times.trimmed), let span = Int(days.trimmed), count > 0,
      (1...Frequency.maximumDays).contains(span)
    else {
      throw .badField(
        row.place, text: row.text, field: "FrequencyNumerator, FrequencyDenominator",
        value: "\(times), \(days)",
        form: "whole numbers above 0, the days at most \(Frequency.maximumDays)")
    }
    return Frequency(times: count, days: span)
  }

  /// Reads the table of one habit (`Date,Value,Notes`), or the common table with one column per
  /// habit.
  private mutating func readTable(_ table: CSVTable, path: String) throws(Failure) {
    let rows = try table.rows
    guard let first = rows.first else { return }
    let hasHeader = try LoopExport.isHeader(first)
    let answers = hasHeader ? rows.dropFirst() : rows[...]
    let isSingle =
      LoopExport.position(of: path) != nil
      || (hasHeader ? first.fields[1].text == "Value" : first.fields.count == 2)

    for row in answers
    where row.fields.count != first.fields.count && !(isSingle && row.fields.count == 2) {
      throw .ragged(
        row.place, text: row.text, expected: first.fields.count, actual: row.fields.count)
    }

    if isSingle {
      try readColumn(1, of: index(ofFolder: path), answers, hasNotes: true)
    } else {
      try readColumns(answers, first, hasHeader: hasHeader)
    }
  }

  /// Returns whether `first` contains the names of the columns; throws if it isn't the first row of
  /// a `Checkmarks.csv`.
  private static func isHeader(_ first: CSVTable.Row) throws(Failure) -> Bool {
    let start = first.fields[0].text.trimmed
    let isHeader = start.asciiLowercased == "date"
    guard first.fields.count > 1, isHeader || Day(start) != nil else {
      throw Failure(
        .refused,
        """
        expected the header of a Checkmarks.csv, which begins with Date, or a row of it, which \
        begins with a day
        """,
        at: first.place, text: first.text)
    }
    return isHeader
  }

  /// Reads the common table, in which each column has the answers for one habit.
  ///
  /// Without a header, the columns are the habits of `Habits.csv` in the same order.
  private mutating func readColumns(
    _ rows: ArraySlice<CSVTable.Row>, _ first: CSVTable.Row, hasHeader: Bool
  ) throws(Failure) {
    // In the common table, every row ends with a comma.
    let count = first.fields.count - (first.fields.last?.text == "" ? 1 : 0)
    guard hasHeader || count - 1 == habits.count else {
      throw Failure(
        .refused,
        "the table has no header, and no Habits.csv beside it names \(counted(count - 1, "habit"))",
        remedy: "add a first line such as Date,Read,Gym", at: first.place, text: first.text)
    }

    var columns: [Text: Int] = [:]
    for column in 1..<max(2, count) {
      let name = Text(first.fields[column].text)
      let index = hasHeader ? self.index(of: name, after: columns[name]) : column - 1
      columns[name] = index
      try readColumn(column, of: index, rows, hasNotes: false)
    }
  }

  private mutating func readColumn(
    _ column: Int, of habit: Int, _ rows: ArraySlice<CSVTable.Row>, hasNotes: Bool
  ) throws(Failure) {
    // Only numerical habits have numbers above 3. All their numbers are thousandths.
    let isNumerical =
      habits[habit].isNumerical
      ?? rows.contains { row in ForeignNumber.read(row.fields[column].text).map { $0 > 3 } ?? false
      }

    for row in rows {
      let date = row.fields[0]
      let value = row.fields[column]
      guard let day = Day(date.text.trimmed) else {
        throw .badField(
          date.place, text: row.text, field: "Date", value: date.text, form: "\(Syntax.day)")
      }
      guard let answer = LoopExport.answer(value.text.trimmed, isNumerical: isNumerical) else {
        throw .badField(
          value.place, text: row.text, field: "Value", value: value.text,
          form: isNumerical
            ? "a number of thousandths, NO, SKIP or UNKNOWN"
            : "YES_MANUAL, YES_AUTO, NO, SKIP, UNKNOWN, or 2, 1, 0, 3, -1")
      }

      answers.append(
        Answer(
          habit: habit, kind: answer.kind, amount: answer.amount,
          note: hasNotes && row.fields.count > 2 ? row.fields[2].text : "",
          hasNotes: hasNotes && habits[habit].isNumerical != nil, day: day,
          place: value.place, text: row.text))
    }
  }

  private static func answer(
    _ text: String, isNumerical: Bool
  ) -> (kind: Answer.Kind, amount: DecimalNumber?)? {
    switch text {
    case "YES_MANUAL": return (.done, nil)
    case "YES_AUTO": return (.implied, nil)
    case "NO", "0": return (.notDone, nil)
    case "SKIP", "3": return (.skipped, nil)
    case "UNKNOWN", "", "-1": return (.unknown, nil)
    case "1" where !isNumerical: return (.implied, nil)
    case "2" where !isNumerical: return (.done, nil)
    default:
      let number = isNumerical ? ForeignNumber.decimal(text) : nil
      return number.map { (.done, $0.times(1, dividedBy: 1000)) }
    }
  }

  /// Returns the number of a habit's folder, for example 1 for `001 Meditate/Checkmarks.csv`.
  private static func position(of path: String) -> Int? {
    let digits = folder(of: path).utf8.prefix { $0.isDigit }
    return digits.count >= 3 ? Int(Substring(digits)) : nil
  }

  private static func folder(of path: String) -> Substring {
    ExportFiles.parts(of: path).dropLast().last ?? ""
  }

  private mutating func index(ofFolder path: String) -> Int {
    if let position = LoopExport.position(of: path), habits.indices.contains(position - 1) {
      return position - 1
    }
    // Without `Habits.csv`, the habit's name is taken from the folder's name, which lacks some
    // characters.
    let name = LoopExport.folder(of: path).utf8.drop { $0.isDigit }
    return index(of: Text(Substring(name).trimmed), after: nil)
  }

  /// Returns the index of the first habit called `name` after the index `previous`.
  ///
  /// If there is none, a habit is appended.
  private mutating func index(of name: Text, after previous: Int?) -> Int {
    let start = previous.map { $0 + 1 } ?? 0
    if let index = habits[start...].firstIndex(where: { $0.name == name }) { return index }
    var habit = LoopHabit(name: name)
    if let known = described.first(where: { $0.name == name }) {
      habit.unit = known.unit
      habit.isNumerical = known.isNumerical
    }
    habits.append(habit)
    return habits.count - 1
  }
}

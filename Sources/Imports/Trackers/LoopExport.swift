import EventLog
package import StreakDomain

/// The CSV export of Loop Habit Tracker: a zip, its folder, or a single `Checkmarks.csv`.
///
/// Each habit has a folder such as `001 Meditate`. The `Checkmarks.csv` beside the folders has a column for
/// each habit, but lacks days in some versions, so the folders are preferred.
package struct LoopExport {
  private var habits: [Habit] = []
  private var answers: [(name: Text, answer: TrackerAnswer)] = []

  private struct Habit {
    let name: Text
    let unit: String
    let isNumerical: Bool?
    /// The definition, or `nil` if the list of habits contains no frequency.
    var described: TrackerHabit?
  }

  package struct Files {
    fileprivate let names: [String]
    fileprivate let open: (String) throws(Failure) -> ByteSource
    fileprivate let path: String

    package init(_ archive: Archive, path: String) {
      names = archive.names
      self.path = path
      open = { name throws(Failure) in archive.bytes(of: name) }
    }

    package init?(folder path: String) {
      guard let found = ForeignFile.names(in: path) else { return nil }
      var names = found
      for folder in found {
        for name in ForeignFile.names(in: "\(path)/\(folder)") ?? [] { names.append("\(folder)/\(name)") }
      }
      self.names = names
      self.path = path
      open = { name throws(Failure) in try ByteSource(file: "\(path)/\(name)") }
    }

    /// Uses a single `Checkmarks.csv`, whose folder has the habit's name.
    package init(file path: String, _ source: ByteSource) {
      let parts = LoopExport.parts(of: path)
      names = [parts.suffix(2).joined(separator: "/")]
      self.path = path
      open = { _ throws(Failure) in source }
    }
  }

  package static func plan(
    _ files: Files, names: TrackerNames, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    var export = LoopExport()
    try export.read(files)
    var loop = TrackerImport(names: names, into: plan)
    let answered = export.answers.filter { $0.answer.kind != .unknown }
    loop.define(
      export.habits.compactMap(\.described),
      since: Dictionary(answered.map { ($0.name, $0.answer.day) }, uniquingKeysWith: min))
    for item in export.answers { loop.add(item.answer, of: item.name) }
    return loop.finish()
  }

  private mutating func read(_ files: Files) throws(Failure) {
    func name(_ path: String) -> Substring? { LoopExport.parts(of: path).last }
    if let list = files.names.first(where: { name($0) == "Habits.csv" }) {
      try readHabits(CSVTable(try files.open(list)))
    }
    let checkmarks = files.names.filter { name($0) == "Checkmarks.csv" }
    let single = checkmarks.filter { LoopExport.position(of: $0) != nil }.sorted { Text($0) < Text($1) }
    guard let first = single.first ?? checkmarks.first else {
      // Another file is accepted if it was specified by itself.
      guard files.names.count == 1, name(files.names[0]) != "Habits.csv",
        files.names[0].ends(with: ".csv") || !files.names[0].holds(".")
      else {
        throw .notInArchive(archive: files.path, wanted: "Checkmarks.csv", names: files.names)
      }
      return try readTable(CSVTable(try files.open(files.names[0])), path: files.names[0])
    }
    for path in single.isEmpty ? [first] : single {
      try readTable(CSVTable(try files.open(path)), path: path)
    }
    answers = answers.enumerated().sorted {
      ($0.element.answer.day, $0.offset) < ($1.element.answer.day, $1.offset)
    }.map(\.element)
  }

  /// Reads `Habits.csv`, whose rows are in the order of the folders' numbers.
  private mutating func readHabits(_ table: CSVTable) throws(Failure) {
    guard let header = table.rows.first?.fields.map(\.text), let nameAt = header.firstIndex(of: "Name") else {
      return
    }
    func text(_ row: CSVTable.Row, _ column: String) -> String? {
      guard let index = header.firstIndex(of: column), index < row.fields.count else { return nil }
      return row.fields[index].text
    }
    for row in table.rows.dropFirst() where nameAt < row.fields.count {
      let name = Text(row.fields[nameAt].text)
      var habit = Habit(
        name: name, unit: text(row, "Unit") ?? "",
        isNumerical: text(row, "Type").map { $0.asciiLowercased == "numerical" })
      // The names in older versions come second.
      if let times = text(row, "FrequencyNumerator") ?? text(row, "NumRepetitions"),
        let days = text(row, "FrequencyDenominator") ?? text(row, "Interval")
      {
        guard let times = Int(times.trimmed), let days = Int(days.trimmed), times > 0,
          (1...Frequency.most).contains(days)
        else {
          throw .badField(
            table.place(row), text: row.text, field: "FrequencyNumerator, FrequencyDenominator",
            value: "\(times), \(days)", form: "whole numbers above 0, the days at most \(Frequency.most)")
        }
        var described = TrackerHabit(name: name, frequency: Frequency(times: times, days: days))
        if habit.isNumerical ?? false {
          let target = ForeignNumber.read(text(row, "Target Value") ?? "")
          described.goal = TrackerHabit.Goal(
            target: target.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? 0, unit: Text(habit.unit),
            isLimit: text(row, "Target Type") == "AT_MOST")
        }
        if text(row, "Archived?")?.asciiLowercased == "true" { described.isArchived = true }
        habit.described = described
      }
      habits.append(habit)
    }
  }

  /// Reads the table of one habit (`Date,Value,Notes`), or the common table with one column per habit.
  private mutating func readTable(_ table: CSVTable, path: String) throws(Failure) {
    guard let header = table.rows.first else { return }
    guard header.fields.first?.text == "Date", header.fields.count > 1 else {
      throw .otherFormat(
        table.place(header), text: header.text,
        expected: "the header of a Checkmarks.csv, which begins with Date")
    }
    let isSingle = header.fields[1].text == "Value" || LoopExport.position(of: path) != nil
    // In the common table, every row ends with a comma.
    let titles = header.fields.dropFirst().map(\.text)
    let width = titles.last == "" ? titles.count - 1 : titles.count
    for row in table.rows.dropFirst() {
      guard row.fields.count == header.fields.count || isSingle && row.fields.count == 2 else {
        throw .ragged(
          table.place(row), text: row.text, expected: header.fields.count, found: row.fields.count)
      }
    }
    let columns = isSingle ? 1 : width
    for column in 1...max(1, columns) where column < header.fields.count {
      let habit = isSingle ? habit(ofFolder: path) : habit(named: Text(header.fields[column].text))
      try readColumn(column, of: habit, table, hasNotes: isSingle)
    }
  }

  private mutating func readColumn(
    _ column: Int, of habit: Habit, _ table: CSVTable, hasNotes: Bool
  ) throws(Failure) {
    let rows = table.rows.dropFirst()
    // Only numerical habits have numbers above 3; all their numbers are thousandths.
    let isNumerical =
      habit.isNumerical
      ?? rows.contains { row in ForeignNumber.read(row.fields[column].text).map { $0 > 3 } ?? false }
    for row in rows {
      let (date, value) = (row.fields[0], row.fields[column])
      guard let day = Day(date.text.trimmed) else {
        throw .badField(table.place(date), text: row.text, field: "Date", value: date.text, form: Forms.day)
      }
      guard let answer = LoopExport.kind(value.text.trimmed, isNumerical: isNumerical) else {
        throw .badField(
          table.place(value), text: row.text, field: "Value", value: value.text,
          form: isNumerical
            ? "a number of thousandths, NO, SKIP or UNKNOWN"
            : "YES_MANUAL, YES_AUTO, NO, SKIP, UNKNOWN, or 2, 1, 0, 3, -1")
      }
      var made = TrackerAnswer(kind: answer.kind, day: day, place: table.place(value), text: row.text)
      made.amount = answer.amount
      made.unit = habit.unit
      if hasNotes, row.fields.count > 2 { made.note = row.fields[2].text }
      answers.append((habit.name, made))
    }
  }

  private static func kind(
    _ text: String, isNumerical: Bool
  ) -> (kind: TrackerAnswer.Kind, amount: String?)? {
    switch text {
    case "YES_MANUAL": return (.done, nil)
    case "YES_AUTO": return (.implied, nil)
    case "NO": return (.notDone, nil)
    case "SKIP": return (.skipped, nil)
    case "UNKNOWN", "", "-1": return (.unknown, nil)
    case "3" where isNumerical: return (.skipped, nil)
    case "0" where isNumerical: return (.notDone, nil)
    case "2" where !isNumerical: return (.done, nil)
    case "1" where !isNumerical: return (.implied, nil)
    case "0": return (.notDone, nil)
    case "3": return (.skipped, nil)
    default: break
    }
    guard isNumerical, let number = ForeignNumber.read(text), number.isFinite, number >= 0 else { return nil }
    let thousandths = Thousandths(count: Int64(min(number, 1e15).rounded()))
    return (.done, thousandths.description)
  }

  /// Returns the number of a habit's folder, for example 1 for `001 Meditate/Checkmarks.csv`.
  private static func position(of path: String) -> Int? {
    let parts = parts(of: path)
    guard parts.count >= 2 else { return nil }
    let digits = parts[parts.count - 2].utf8.prefix { $0.isDigit }
    return digits.count >= 3 ? Int(Substring(digits)) : nil
  }

  private static func parts(of path: String) -> [Substring] { path.parts(at: "/").filter { !$0.isEmpty } }

  private func habit(ofFolder path: String) -> Habit {
    if let position = LoopExport.position(of: path), habits.indices.contains(position - 1) {
      return habits[position - 1]
    }
    // Without `Habits.csv`, the habit's name is that of the folder, which lacks some characters.
    let parts = LoopExport.parts(of: path)
    let folder = parts.count >= 2 ? parts[parts.count - 2] : ""
    return habit(named: Text(Substring(folder.utf8.drop { $0.isDigit }).trimmed))
  }

  private func habit(named name: Text) -> Habit {
    habits.first { $0.name == name } ?? Habit(name: name, unit: "", isNumerical: nil)
  }
}

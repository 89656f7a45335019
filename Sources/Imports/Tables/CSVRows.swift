import EventLog
import Inspection
import StreakDomain
import TimeZones

/// A reader that makes an entry of each row of a table, according to the columns.
struct CSVRows {
  private var table: CSVTable
  let settings: CSVImport.Settings
  private let ledger: Ledger
  private let zone: String
  private var columns: [CSVColumn] = []
  /// The habit id for each name in the rows that were read so far, or `nil` if no habit has the
  /// name.
  private(set) var habits: [Text: String?] = [:]

  /// A row of the table, with the event that is made from it.
  struct Row {
    let day: Day
    let place: Place
    let id: String?
    /// The id of the habit, or `nil` if the row names no habit of the ledger.
    let habit: String?
    /// The event of the row, or the reason to skip the row.
    let event: Result<Draft, LeftOut.Reason>

    var habitDay: HabitDay? { habit.map { HabitDay(habit: $0, day: day) } }
    var phrase: String { "the row of \(day)" }
  }

  /// Creates a reader after finding the columns of the table, or returns `nil` if the table has no
  /// row.
  init?(_ table: CSVTable, _ settings: CSVImport.Settings, _ plan: inout ImportPlan) throws(Failure)
  {
    self.table = table
    self.settings = settings
    ledger = plan.ledger
    zone = plan.zone

    guard let first = try self.table.next() else { return nil }
    try findColumns(first, &plan)

    // A field for the day without a digit is the name of its column.
    let hasDay = zip(first.fields, columns).contains { field, column in
      (column == .day || column == .at) && field.text.utf8.contains { $0.isDigit }
    }
    if settings.columns != nil, !(settings.hasHeader ?? !hasDay) { self.table = table }

    if settings.separator == nil, table.separator != UInt8(ascii: ",") {
      plan.summary.notes.append(
        "the columns are separated by "
          + (table.separator == 0x09 ? "tabs" : quoted(String(UnicodeScalar(table.separator)))))
    }
  }

  private mutating func findColumns(_ first: CSVTable.Row, _ plan: inout ImportPlan) throws(Failure)
  {
    let unit = settings.names.single.flatMap { ledger.facts.definition(of: $0)?.rule.sum?.unit }?
      .asciiLowercased

    if let names = settings.columns {
      columns = try CSVRows.columns(named: names, unit)
      try checkWidth(first)
    } else if settings.hasHeader != false {
      columns = CSVRows.columns(in: first, unit, &plan)
    }
    try checkColumns(first)
  }

  /// Returns the columns that `--columns` names; the name `unit` also stands for the amounts.
  private static func columns(
    named names: [String], _ unit: Text?
  ) throws(Failure) -> [CSVColumn] {
    var columns: [CSVColumn] = []
    for (index, name) in names.enumerated() {
      guard let column = Text(name) == unit ? .amount : CSVColumn(rawValue: name) else {
        throw Failure(
          .usage,
          """
          there is no column \(quoted(name))\(Nearest.hint(name, among: CSVColumn.names)); \
          columns are \(CSVColumn.names.joined(separator: ", "))
          """,
          at: Place(file: "--columns", line: 1, column: index + 1, isInFile: false))
      }
      columns.append(column)
    }
    return columns
  }

  /// Returns the columns that the header `first` names, and notes the columns with other names.
  private static func columns(
    in first: CSVTable.Row, _ unit: Text?, _ plan: inout ImportPlan
  ) -> [CSVColumn] {
    var unused: [String] = []
    let columns: [CSVColumn] = first.fields.map { field in
      let name = field.text.trimmed
      // A column that has the name of the habit's unit, such as `pages`, contains the amounts.
      if let unit, Text(name.asciiLowercased) == unit { return .amount }
      if let column = CSVColumn(header: name) { return column }
      if !name.isEmpty { unused.append(quoted(field.text)) }
      return .nothing
    }

    let note = "columns not used: \(unused.joined(separator: ", ")); --columns names each column"
    if !unused.isEmpty {
      plan.summary.notes.append(note)
      plan.summary.unusedColumns = note
    }
    return columns
  }

  /// Throws unless each row will have one day and one habit, and no column is named twice.
  private func checkColumns(_ first: CSVTable.Row) throws(Failure) {
    guard columns.contains(.day) || columns.contains(.at) else {
      throw Failure(
        .usage, "no column says the day",
        remedy: .program(
          "name the columns with --columns, one of them day or at, from "
            + CSVColumn.names.joined(separator: ", ")),
        at: first.place, text: first.text)
    }

    for (index, column) in columns.enumerated() where column != .nothing {
      guard columns[..<index].contains(column) else { continue }
      throw .badField(
        first.fields[index].place, text: first.text, field: "columns", value: column.rawValue,
        form: "named once; - is a column that is not used")
    }

    guard columns.contains(.habit) == (settings.names.single == nil) else {
      throw Failure(
        .usage, "import csv needs either --habit HABIT, once, or a column habit",
        remedy: .program(
          "--columns says what each column contains; - is one that is not used"),
        at: first.place, text: first.text)
    }
  }

  /// Throws unless the row has a field for each column, and only empty fields after these.
  private func checkWidth(_ row: CSVTable.Row) throws(Failure) {
    let count = row.fields.count
    let width = columns.count
    guard count < width || row.fields.dropFirst(width).contains(where: { !$0.text.isEmpty }) else {
      return
    }
    throw .ragged(
      count > width ? row.fields[width].place : row.place, text: row.text, expected: width,
      actual: count)
  }

  /// Returns the next row that isn't blank, or `nil` at the end.
  mutating func next() throws(Failure) -> Row? {
    while let row = try table.next() {
      if row.isBlank { continue }
      try checkWidth(row)
      return try self.row(CSVCells(row: row, columns: columns, dialect: settings.dialect))
    }
    return nil
  }

  private mutating func row(_ cells: CSVCells) throws(Failure) -> Row {
    let place = cells.row.place
    let at = try cells.read(.at, CSVRows.timeForm) { text in
      HealthRecord.time(text) ?? localTime(text)
        ?? cells.text(.day).flatMap { localTime("\($0) \(text)") }
    }
    let day = try day(of: cells, at)
    let id = try cells.read(.id, Syntax.id) { Syntax.isID($0) ? $0 : nil }

    let name = Text(cells.text(.habit) ?? "")
    guard let habit = settings.names.single ?? self.habit(named: name) else {
      let reason = LeftOut.Reason.unknownName(name, among: ledger.facts.definedHabits)
      return Row(day: day, place: place, id: id, habit: nil, event: .failure(reason))
    }

    let rule = ledger.facts.definition(of: habit, forRecordsOf: day)?.rule
    guard let entry = try entry(of: habit, rule, cells) else {
      return Row(day: day, place: place, id: id, habit: habit, event: .failure(.notDone))
    }

    var draft = Draft(
      .entryLogged(entry), of: day, at: at, in: zone, by: CSVImport.writer, place: place,
      text: cells.row.text)
    draft.zone = cells.text(.zone)
    return Row(day: day, place: place, id: id, habit: habit, event: .success(draft))
  }

  /// Returns the day of a row: the field `day`, or else the day of the time `at` in the ledger's
  /// zone.
  private func day(of cells: CSVCells, _ at: Timestamp?) throws(Failure) -> Day {
    let dialect = settings.dialect
    let field = try cells.read(.day, dialect.dayForm(of: cells.text(.day))) { dialect.day($0) }
    if let field { return field }

    guard let at else {
      let column = columns.contains(.day) ? CSVColumn.day : .at
      throw Failure(
        .missingField, "\(quoted(column.rawValue)) is missing or empty",
        at: cells.field(column)?.place ?? cells.row.place, text: cells.row.text)
    }
    // A time in UTC is moved to the zone, but a time with another offset has its own local day.
    let local = at.offset == 0 ? Zones.local(at.instant, in: zone) ?? at : at
    return local.localDay(from: ledger.facts.dayStart)
  }

  /// Returns the entry of a row, or `nil` if the habit was not done and its rule doesn't count
  /// failures.
  private func entry(of habit: String, _ rule: Rule?, _ cells: CSVCells) throws(Failure) -> Entry? {
    var entry = try cells.entry(of: habit)
    if columns.contains(.done) {
      // An empty field in this column is an answer, too.
      entry.completed = try cells.read(.done, DoneWord.form) { DoneWord.read($0) } ?? false
    } else if let value = entry.value, !(columns.contains(.completed) && columns.contains(.amount))
    {
      read(value, rule, &entry)
    }
    if rule?.traits.asksForCompleted ?? false { return entry }
    if entry.completed == false { return nil }
    entry.completed = nil
    return entry
  }

  private mutating func habit(named name: Text) -> String? {
    if let habit = habits[name] { return habit }
    let habit = settings.names.habits[name] ?? ledger.facts.habits(named: name).first
    habits[name] = .some(habit)
    return habit
  }

  private static let timeForm = "a time such as 2025-11-03 07:15 or 2025-11-03 07:15:00 +0100"

  /// Parses a day and a clock time without an offset, in the ledger's zone.
  private func localTime(_ text: String) -> Timestamp? {
    let parts = text.parts(at: text.holds("T") ? "T" : " ", most: 2)
    guard parts.count == 2, let day = settings.dialect.day(String(parts[0])) else { return nil }
    // The seconds are 00 if the time has none.
    let clock = "\(parts[1]):00".parts(at: ":")
    guard (3...4).contains(clock.count), let minute = ClockTime(clock[..<2].joined(separator: ":")),
      clock[2].utf8.count == 2, let seconds = Int(clock[2]), (0..<60).contains(seconds),
      let start = Zones.instant(of: day, minute: minute.minutes, in: zone)
    else { return nil }
    return Timestamp(instant: start.instant + Int64(seconds) * 1_000_000, offset: Int(start.offset))
  }

  /// Moves `value` to the measure of `rule` if it is a number; without a measure, an answer (`yes`)
  /// to `completed`.
  private func read(_ value: Text, _ rule: Rule?, _ entry: inout Entry) {
    let measure = rule?.measure ?? .entries
    if measure == .entries, let answer = DoneWord.read(value.string) {
      entry.completed = answer
      entry.value = nil
    } else if [.minutes, .km, .amount].contains(measure), !entry.has(measure),
      let number = settings.dialect.number(value.string)
    {
      entry[measure] = number
      entry.value = nil
    }
  }
}

/// The fields of a row, read by column.
private struct CSVCells {
  let row: CSVTable.Row
  let columns: [CSVColumn]
  let dialect: CSVDialect

  func field(_ column: CSVColumn) -> CSVTable.Field? {
    columns.firstIndex(of: column).map { row.fields[$0] }
  }

  func text(_ column: CSVColumn) -> String? {
    guard let text = field(column)?.text.trimmed, !text.isEmpty else { return nil }
    return text.begins(with: "'") && Escaping.isFormula(text) ? String(text.droppingBytes(1)) : text
  }

  /// Returns a column's text converted by `parse`, or `nil` if there is none; `form` describes
  /// valid texts in errors.
  func read<Value>(
    _ column: CSVColumn, _ form: @autoclosure () -> String, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = text(column), let place = field(column)?.place else { return nil }
    if let value = parse(text) { return value }
    throw .badField(
      place, text: place.line == row.place.line ? row.text : "", field: column.rawValue,
      value: text,
      form: form())
  }

  func entry(of habit: String) throws(Failure) -> Entry {
    var entry = Entry(habit: habit)
    for measure in Measure.allCases.dropFirst() { entry[measure] = try number(measure) }
    entry.level = text(.level).map { Text($0) }
    entry.completed = try read(.completed, DoneWord.form) { DoneWord.read($0) }
    entry.activity = line(.activity)
    entry.value = line(.value)
    entry.note = line(.note)
    return entry
  }

  private func line(_ column: CSVColumn) -> Text? { text(column).map { Text(line: $0) } }

  private func number(_ measure: Measure) throws(Failure) -> Thousandths? {
    guard let column = CSVColumn(rawValue: measure.rawValue) else { return nil }
    let isWhole = [.sets, .drinks].contains(measure)
    return try read(
      column,
      isWhole
        ? "a whole number from 0 to \(measure.most)"
        : """
        a number from 0 to \(measure.most) with at most 3 \
        decimals\(dialect.numberHint(for: text(column)))
        """
    ) { text in
      guard let number = dialect.number(text), number.isWhole || !isWhole else { return nil }
      return number <= Thousandths(measure.most) ? number : nil
    }
  }
}

import EventLog
import StreakDomain
import TimeZones

/// A reader that makes an entry of each row of a table, according to the columns.
struct CSVRows {
  let table: CSVTable
  private(set) var start: CSVTable.Position
  private let settings: CSVImport.Settings
  private let ledger: Ledger
  private let zone: String
  private var columns: [CSVColumn] = []
  private var habits: [Text: String] = [:]
  private(set) var found: Set<Text> = []

  struct Row {
    var day = Day.first
    var at: Timestamp?
    var zone: String?
    var id: String?
    /// The entry, or `nil` if the row names no habit of the ledger.
    var entry: Entry?
    var skipped: LeftOut.Reason?
    let place: Place
    let text: String

    /// The values from which the id of the entry is made; a changed note doesn't make another entry.
    var identity: [String] {
      guard let entry else { return [] }
      return [
        "csv", entry.habit, day.description, at.map { "\($0.instant.microseconds)" } ?? "",
        entry.minutes?.description ?? "", entry.km?.description ?? "", entry.sets?.description ?? "",
        entry.drinks?.description ?? "", entry.amount?.description ?? "", entry.level?.string ?? "",
        entry.completed?.description ?? "", entry.activity?.string ?? "", entry.value?.string ?? "",
      ]
    }
  }

  /// Creates a reader after finding the columns of the table, or returns `nil` if the table has no row.
  init?(_ table: CSVTable, _ settings: CSVImport.Settings, _ plan: inout ImportPlan) throws(Failure) {
    (self.table, self.settings, ledger, zone) = (table, settings, plan.ledger, plan.options.zone)
    start = table.start
    var next = start
    guard let first = try table.next(&next) else { return nil }
    try findColumns(first, &plan)
    let isHeader = settings.columns == nil || settings.hasHeader ?? looksLikeHeader(first)
    if isHeader { start = next }
    if settings.separator == nil, table.separator != UInt8(ascii: ",") {
      plan.notes.append(
        "the columns are separated by "
          + (table.separator == 0x09 ? "tabs" : quoted(String(UnicodeScalar(table.separator)))))
    }
    try findHabits()
  }

  private mutating func findColumns(_ first: CSVTable.Row, _ plan: inout ImportPlan) throws(Failure) {
    if let names = settings.columns {
      for (index, name) in names.enumerated() {
        guard let column = CSVColumn(rawValue: name) else {
          throw Failure(
            .usage,
            "there is no column \(quoted(name))\(Nearest.hint(name, among: CSVColumn.names)); one is \(CSVColumn.names.joined(separator: ", "))",
            at: Place(file: "--columns", line: 1, column: index + 1))
        }
        columns.append(column)
      }
      try checkWidth(first)
    } else {
      guard settings.hasHeader != false else {
        throw .noDayColumn(table.place(first), text: first.text, known: CSVColumn.names)
      }
      let unit = settings.names.single.flatMap { ledger.definition(of: $0)?.rule.sum?.unit }?.asciiLowercased
      columns = first.fields.map { field in
        // A column that has the name of the habit's unit, such as `pages`, contains the amounts.
        if let unit, Text(field.text.trimmed.asciiLowercased) == unit { return .amount }
        return CSVColumn(header: field.text) ?? .nothing
      }
      if columns.contains(where: { $0 != .nothing }) {
        plan.unusedColumns = first.fields.map(\.text)
          .filter { !$0.isEmpty && CSVColumn(header: $0) == nil && Text($0.trimmed.asciiLowercased) != unit }
      }
    }
    guard columns.contains(.day) || columns.contains(.at) else {
      throw .noDayColumn(table.place(first), text: first.text, known: CSVColumn.names)
    }
    for (index, column) in columns.enumerated() where column != .nothing {
      guard columns[..<index].contains(column) else { continue }
      throw .badField(
        table.place(first.fields[index]), text: first.text, field: "columns", value: column.rawValue,
        form: "named once; - is a column that is not used")
    }
    if let index = columns.firstIndex(of: .habit), settings.names.single != nil {
      throw Failure(
        .usage,
        "the column \(quoted(settings.columns == nil ? first.fields[index].text : "habit")) names the habit of each row, and so does --habit",
        remedy:
          "leave --habit out, give --habit NAME=HABIT for names that differ, or - for the column in --columns",
        at: table.place(first.fields[index]), text: first.text)
    }
    if !columns.contains(.habit), settings.names.single == nil {
      throw Failure(
        .usage, "import csv needs --habit HABIT, once, or a column habit", at: table.place(first),
        text: first.text)
    }
  }

  private mutating func findHabits() throws(Failure) {
    let index = columns.firstIndex(of: .habit)
    var position = start
    while let row = try table.next(&position) {
      if row.isBlank { continue }
      try checkWidth(row)
      guard let index, case let name = Text(row.fields[index].text.trimmed), found.insert(name).inserted
      else {
        continue
      }
      habits[name] = settings.names.habits[name] ?? ledger.habits(named: name).first
    }
  }

  /// Whether the row contains column names, because the field for the day contains no digit.
  private func looksLikeHeader(_ row: CSVTable.Row) -> Bool {
    zip(row.fields, columns).contains { field, column in
      (column == .day || column == .at) && !field.text.utf8.contains(where: { $0.isDigit })
    }
  }

  /// Throws unless the row has a field for each column; further fields must be empty.
  private func checkWidth(_ row: CSVTable.Row) throws(Failure) {
    let (count, width) = (row.fields.count, columns.count)
    guard count < width || row.fields.dropFirst(width).contains(where: { !$0.text.isEmpty }) else { return }
    let at = row.fields[min(width, count - 1)]
    throw .ragged(
      Place(file: table.file, line: row.line, column: count > width && at.line == row.line ? at.column : 1),
      text: row.text, expected: width, found: count)
  }

  /// Returns the first row at or after `position` that isn't blank, and moves `position` past it.
  func row(_ position: inout CSVTable.Position) throws(Failure) -> Row? {
    while let row = try table.next(&position) {
      if !row.isBlank { return try entry(of: row) }
    }
    return nil
  }

  private func entry(of row: CSVTable.Row) throws(Failure) -> Row {
    var made = Row(place: table.place(row), text: row.text)
    func cell(_ column: CSVColumn) -> CSVCell? {
      guard let index = columns.firstIndex(of: column) else { return nil }
      let cell = CSVCell(field: row.fields[index], column: column, row: row, table: table, settings.dialect)
      return cell.text.isEmpty ? nil : cell
    }
    made.at = try cell(.at)?.read(CSVRows.timeForm) { HealthRecord.time($0) ?? localTime($0) }
    guard
      let day = try cell(.day)?.read(settings.dialect.dayForm, { settings.dialect.day($0) })
        ?? made.at?.localDay(from: ledger.dayStart)
    else {
      let index = columns.firstIndex(of: .day) ?? columns.firstIndex(of: .at) ?? 0
      throw .missingField(table.place(row.fields[index]), text: row.text, field: columns[index].rawValue)
    }
    made.day = day
    made.zone = cell(.zone)?.text
    made.id = try cell(.id)?.read(Forms.id) { Forms.isID($0) ? $0 : nil }
    guard let habit = settings.names.single ?? cell(.habit).flatMap({ habits[Text($0.text)] }) else {
      made.skipped = .unknownName(Text(cell(.habit)?.text ?? ""), known: ledger.definedHabits)
      return made
    }
    var entry = Entry(habit: habit)
    for column in columns { try cell(column)?.read(into: &entry) }
    let rule = (ledger.definition(of: habit, on: day) ?? ledger.definition(of: habit))?.rule
    let asksForCompleted = rule?.traits.asksForCompleted ?? false
    var isDone = entry.completed
    if let index = columns.firstIndex(of: .done) {
      // An empty field in this column is an answer, too.
      isDone = try CSVCell(field: row.fields[index], column: .done, row: row, table: table, settings.dialect)
        .read(DoneWord.form) { DoneWord.read($0) }
    } else if let value = entry.value, isDone == nil {
      try read(value, rule, &entry, &isDone)
    }
    entry.completed = asksForCompleted ? isDone : nil
    if isDone == false, !asksForCompleted { made.skipped = .notDone }
    made.entry = entry
    return made
  }

  private static let timeForm = "a time such as 2025-11-03 07:15 or 2025-11-03 07:15:00 +0100"

  /// Reads a day and a clock time without an offset, in the ledger's zone.
  private func localTime(_ text: String) -> Timestamp? {
    let parts = text.parts(at: text.holds("T") ? "T" : " ", most: 2)
    guard parts.count == 2, let day = settings.dialect.day(String(parts[0])) else { return nil }
    let clock = parts[1].parts(at: ":", most: 3)
    guard clock.count > 1, let minute = ClockTime(clock[..<2].joined(separator: ":")),
      let start = Zones.instant(of: day, minute: minute.minutes, in: zone)
    else { return nil }
    guard clock.count == 3 else { return start }
    guard clock[2].utf8.count == 2, let seconds = Int(clock[2]), (0..<60).contains(seconds) else {
      return nil
    }
    return Timestamp(instant: start.instant + Int64(seconds) * 1_000_000, offset: Int(start.offset))
  }

  /// Converts `value` to the measure of the rule, or to an answer such as `yes`; any other text remains a value.
  private func read(_ value: Text, _ rule: Rule?, _ entry: inout Entry, _ isDone: inout Bool?) throws(Failure)
  {
    let number = settings.dialect.number(value.string)
    switch rule?.measure {
    case .minutes? where entry.minutes == nil && number != nil: entry.minutes = number
    case .km? where entry.km == nil && number != nil: entry.km = number
    case .amount? where entry.amount == nil && number != nil: entry.amount = number
    default:
      isDone = DoneWord.read(value.string)
      // Any other text is a value of the app that wrote the table.
      guard isDone != nil, rule?.measure == nil || rule?.measure == .entries else {
        isDone = nil
        return
      }
    }
    entry.value = nil
  }
}

struct CSVCell {
  private let field: CSVTable.Field
  private let column: CSVColumn
  private let row: CSVTable.Row
  private let table: CSVTable
  private let dialect: CSVDialect
  let text: String

  init(
    field: CSVTable.Field, column: CSVColumn, row: CSVTable.Row, table: CSVTable, _ dialect: CSVDialect
  ) {
    (self.field, self.column, self.row, self.table, self.dialect) = (field, column, row, table, dialect)
    let text = field.text.trimmed
    // `export csv` writes a ' before a text that a spreadsheet would treat as a formula.
    let rest = String(text.droppingBytes(1))
    let first = rest.trimmed.unicodeScalars.first
    let isEscaped = text.begins(with: "'") && first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
    self.text = isEscaped ? rest : text
  }

  /// Returns the text converted by `parse`; `form` describes a valid text for the failure.
  func read<Value>(_ form: String, _ parse: (String) -> Value?) throws(Failure) -> Value {
    guard let value = parse(text) else {
      throw .badField(
        table.place(field), text: field.line == row.line ? row.text : "", field: column.rawValue, value: text,
        form: form)
    }
    return value
  }

  func read(into entry: inout Entry) throws(Failure) {
    switch column {
    case .minutes: entry.minutes = try measure(.minutes)
    case .km: entry.km = try measure(.km)
    case .amount: entry.amount = try measure(.amount)
    case .sets: entry.sets = try whole(.sets)
    case .drinks: entry.drinks = try whole(.drinks)
    case .level: entry.level = Text(text)
    case .completed: entry.completed = try read(DoneWord.form) { DoneWord.read($0) }
    case .activity: entry.activity = Text(ImportedEvent.line(text))
    case .value: entry.value = Text(ImportedEvent.line(text))
    case .note: entry.note = Text(ImportedEvent.line(text))
    case .habit, .day, .at, .id, .zone, .done, .nothing: break
    }
  }

  private func measure(_ measure: Measure) throws(Failure) -> Thousandths {
    try read("a number from 0 to \(measure.most) with at most 3 decimals\(dialect.numberHint)") { text in
      dialect.number(text).flatMap { $0 <= Thousandths(measure.most) ? $0 : nil }
    }
  }

  private func whole(_ measure: Measure) throws(Failure) -> Int {
    try read("a whole number from 0 to \(measure.most)") { text in
      dialect.number(text).flatMap { $0.isWhole && $0 <= Thousandths(measure.most) ? Int($0.rounded) : nil }
    }
  }
}

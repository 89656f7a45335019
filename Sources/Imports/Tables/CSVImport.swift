import EventLog
package import StreakDomain

package struct CSVImport {
  package enum Column: String, CaseIterable, Sendable {
    case day, at, minutes, km, sets, drinks, amount, level, completed, activity, value, note, id
    case nothing = "-"

    package static let names = allCases.map(\.rawValue)

    init?(header: String) {
      let word = header.trimmed.asciiLowercased
      if let column = Column(rawValue: word) {
        self = column
        return
      }
      switch word {
      case "date": self = .day
      case "time", "timestamp", "datetime", "started", "start": self = .at
      case "min", "mins", "duration (min)", "duration_min": self = .minutes
      case "kilometres", "kilometers", "distance (km)", "distance_km": self = .km
      case "notes", "comment", "comments": self = .note
      case "type", "sport": self = .activity
      case "done": self = .completed
      default: return nil
      }
    }
  }

  package struct Settings: Sendable {
    package var columns: [String]?
    package var separator = UInt8(ascii: ",")
    /// Whether the first row contains the column names; `nil` to guess.
    package var hasHeader: Bool?

    package init() {}
  }

  private let table: CSVTable
  private let habit: String
  private let dayStart: ClockTime
  private var columns: [Column] = []
  private var rows: ArraySlice<CSVTable.Row>
  /// The number of occurrences of each row so far, so that equal rows get different ids.
  private var repeats: [[Text]: Int] = [:]

  private init(_ table: CSVTable, _ habit: String, _ dayStart: ClockTime) {
    self.table = table
    self.habit = habit
    self.dayStart = dayStart
    rows = table.rows[...]
  }

  package static func plan(
    _ table: CSVTable, habit: String, settings: Settings, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    var plan = plan
    try table.checkWidths()
    var rows = CSVImport(table, habit, plan.ledger.dayStart)
    try rows.findColumns(settings, &plan)
    var events: [ImportedEvent] = []
    for row in rows.rows { events.append(try rows.event(row)) }
    // Sorted by day, because late entries make folding slower; rows of one day keep their order.
    let order = events.indices.sorted { (events[$0].day, $0) < (events[$1].day, $1) }
    for index in order { plan.add(events[index], refuses: true) }
    return plan
  }

  private mutating func findColumns(_ settings: Settings, _ plan: inout ImportPlan) throws(Failure) {
    guard let first = rows.first else { return }
    if let names = settings.columns {
      for (index, name) in names.enumerated() {
        guard let column = Column(rawValue: name) else {
          throw Failure(
            .usage,
            "there is no column \(quoted(name))\(Nearest.hint(name, among: Column.names)); one is \(Column.names.joined(separator: ", "))",
            at: Place(file: "--columns", line: 1, column: index + 1))
        }
        columns.append(column)
      }
      guard columns.count == first.fields.count else {
        throw .ragged(
          table.place(first), text: first.text, expected: columns.count, found: first.fields.count)
      }
    } else {
      guard settings.hasHeader != false else {
        throw .noDayColumn(table.place(first), text: first.text, known: Column.names)
      }
      let unit = plan.ledger.definition(of: habit)?.rule.sum?.unit?.string.asciiLowercased
      columns = first.fields.map { field in
        // A column with the name of the habit's unit contains its amounts.
        if let unit, Text(field.text.trimmed.asciiLowercased) == Text(unit) { return .amount }
        return Column(header: field.text) ?? .nothing
      }
      let unused = zip(first.fields, columns).filter { $0.1 == .nothing && $0.0.text != "-" }
      if columns.contains(where: { $0 != .nothing }) { plan.unusedColumns = unused.map(\.0.text) }
    }
    try checkColumns(first)
    let isHeader = settings.columns == nil || settings.hasHeader ?? looksLikeHeader(first)
    if isHeader { rows = rows.dropFirst() }
  }

  private func checkColumns(_ first: CSVTable.Row) throws(Failure) {
    guard columns.contains(.day) || columns.contains(.at) else {
      throw .noDayColumn(table.place(first), text: first.text, known: Column.names)
    }
    for (index, column) in columns.enumerated() where column != .nothing {
      guard columns[..<index].contains(column) else { continue }
      throw .badField(
        table.place(first.fields[index]), text: first.text, field: "columns", value: column.rawValue,
        form: "named once; - is a column that is not used")
    }
  }

  /// Whether the field of the day contains no digit.
  private func looksLikeHeader(_ row: CSVTable.Row) -> Bool {
    zip(row.fields, columns).contains { field, column in
      (column == .day || column == .at) && !field.text.utf8.contains(where: { $0.isDigit })
    }
  }

  private mutating func event(_ row: CSVTable.Row) throws(Failure) -> ImportedEvent {
    var entry = Entry(habit: habit)
    var day: Day?
    var at: Timestamp?
    var id: String?
    for (field, column) in zip(row.fields, columns) {
      let cell = Cell(field: field, column: column, row: row, table: table)
      guard !cell.text.isEmpty else { continue }
      switch column {
      case .nothing: break
      case .day: day = try cell.read(Forms.day) { Day($0) }
      case .at: at = try cell.read(HealthRecord.timeForm) { HealthRecord.time($0) }
      case .id: id = try cell.read(Forms.id) { Forms.isID($0) ? $0 : nil }
      default: try cell.read(into: &entry)
      }
    }
    guard let day = day ?? at?.localDay(from: dayStart) else {
      let index = columns.firstIndex(of: .day) ?? columns.firstIndex(of: .at) ?? 0
      throw .missingField(
        table.place(row.fields[index]), text: row.text, field: columns[index].rawValue)
    }
    let parts = [habit] + zip(columns, row.fields).flatMap { [$0.rawValue, $1.text] }
    let texts = parts.map { Text($0) }
    repeats[texts, default: 0] += 1
    var event = ImportedEvent(
      id: id ?? ImportID.make(["csv"] + parts + ["\(repeats[texts] ?? 1)"]), habit: habit, day: day,
      at: at,
      payload: .entryLogged(entry), by: "csv", what: "the row of \(day)", place: table.place(row))
    event.text = row.text
    event.hasOwnID = id != nil
    return event
  }
}

private struct Cell {
  let field: CSVTable.Field
  let column: CSVImport.Column
  let row: CSVTable.Row
  let table: CSVTable

  var text: String { field.text.trimmed }

  /// Parses the text; `form` describes the expected form for the error.
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
    case .minutes: entry.minutes = try measure(Measure.minutes.most)
    case .km: entry.km = try measure(Measure.km.most)
    case .sets: entry.sets = try whole(Measure.sets.most)
    case .drinks: entry.drinks = try whole(Measure.drinks.most)
    case .amount: entry.amount = try measure(Measure.amount.most)
    case .level: entry.level = Text(text)
    case .completed:
      entry.completed = try read("one of true, yes, y, 1, completed, or of false, no, n, 0, failed") { text in
        switch text.asciiLowercased {
        case "true", "yes", "y", "1", "completed", "done": true
        case "false", "no", "n", "0", "failed": false
        default: nil
        }
      }
    case .activity: entry.activity = Text(ImportedEvent.line(text))
    case .value: entry.value = Text(ImportedEvent.line(text))
    case .note: entry.note = Text(ImportedEvent.line(text))
    case .day, .at, .id, .nothing: break
    }
  }

  private func measure(_ most: Int) throws(Failure) -> Thousandths {
    try read("a number from 0 to \(most) with at most 3 decimals") { text in
      JSONValue.number(text).flatMap { $0 <= Thousandths(most) ? $0 : nil }
    }
  }

  private func whole(_ most: Int) throws(Failure) -> Int {
    try read("a whole number from 0 to \(most)") { text in
      Int(text).flatMap { (0...most).contains($0) ? $0 : nil }
    }
  }
}

import EventLog
import Inspection
import StreakDomain

/// A reader that turns each row of a table into entries, according to the columns.
struct CSVRows {
  private var table: CSVTable
  let settings: CSVImport.Settings
  private let ledger: Ledger
  private let zone: String
  private(set) var columns: CSVColumns
  /// The dialect of the settings, with a decimal point for a table that this program exported.
  private var dialect: CSVDialect
  /// The form of the numbers in each column, by the index of the column.
  private var forms: [Int: CSVColumnForm] = [:]
  /// The ids of habits, by their names in the rows that were read so far.
  ///
  /// The id is `nil` if no habit has the name.
  private(set) var habits: [Text: String?] = [:]
  /// The ids of the habits in the rows, in the order in which they were read.
  private(set) var habitIDs: [String] = []
  /// The number of rows with a number that was rounded.
  private var roundedCount = 0
  /// The first number that was rounded: its text in the table, and its rounded value.
  private var firstRounded: (text: String, value: Millionths)?
  /// The first word for each answer in the table, for each habit with the rule `never`, by its id.
  ///
  /// Words that the user specified with an option aren't included.
  private var wordsOfSlips: [String: [AnswerWords.Answer: String]] = [:]

  /// The answer of a habit in a row of the table, with the event that is made from it.
  struct Row {
    let day: Day
    /// The time of the row, which all its answers share.
    fileprivate let at: Timestamp?
    /// The field `id`, or `nil` if it is blank.
    let id: String?
    /// The field `key`, or `nil` if it is blank.
    let key: String?
    /// The row's note, which all its answers share, or `nil` if it is of no habit.
    fileprivate(set) var note: Text?
    /// Whether the table has a column for notes.
    let saysNote: Bool
    fileprivate(set) var place: Place
    /// The id of the habit, or `nil` if the row names no habit of the ledger.
    fileprivate(set) var habit: String?
    /// The event of the row, or the reason to skip the row.
    fileprivate(set) var event: Result<Draft, LeftOut.Reason>

    /// Whether the event contains the row's note.
    var keepsNote: Bool { (try? event.get())?.event.payload.comment == note }

    var phrase: String { "the row of \(day)" }
  }

  /// A compact reference to an answer in a row, small enough to store a million of them.
  struct Reference {
    let day: Day
    /// The index of the row's habit in `habitIDs`, or -1 if the row names no habit of the ledger.
    let habit: Int16
    /// The number of the answer among the answers of the same habit and day, from 1.
    fileprivate(set) var number: Int32 = 0
    fileprivate let start: CSVTable.Position
    /// The number of the answer in its row, from 0.
    fileprivate let answer: Int16
  }

  /// Creates a reader after finding the columns of the table, or returns `nil` if the table has no
  /// row.
  init?(_ table: CSVTable, _ settings: CSVImport.Settings, _ plan: ImportPlan) throws(Failure) {
    self.table = table
    self.settings = settings
    ledger = plan.ledger
    zone = plan.zone
    dialect = settings.dialect
    columns = CSVColumns(settings.names, plan.ledger)
    try settings.answers.check()

    guard let first = try self.table.next() else { return nil }
    try findColumns(first)

    // A first row without a digit in the columns for day and time contains the column names.
    let hasDay = zip(first.fields, columns.meanings).contains { field, column in
      (column == .day || column == .at) && field.text.utf8.contains { $0.isDigit }
    }
    if settings.columns != nil {
      if settings.hasHeader ?? !hasDay { columns.noteUnits(of: first) } else { self.table = table }
    }
    findForms()
    if settings.columns == nil { try checkUnusedColumns(first) }
  }

  private mutating func findColumns(_ first: CSVTable.Row) throws(Failure) {
    if let names = settings.columns {
      try columns.find(named: names)
      try columns.checkWidth(first)
    } else if settings.hasHeader != false {
      try columns.find(in: first)
      // Only `export csv entries` writes this column.
      let isExport = first.fields.contains { $0.text == "recorded" }
      if isExport, dialect.decimal == nil { dialect.decimal = .point }
    }
    try columns.check(first)
    for answer in columns.answers { habits[answer.name] = .some(answer.habit) }
  }

  /// Reads the table once, up to the first row that can't be read, and finds the form of the
  /// numbers in each column.
  private mutating func findForms() {
    let numbers = columns.meanings.indices.filter { index in
      CSVColumn.ofAnswer.contains(columns.meanings[index])
        || columns.answers.contains { $0.index == index }
    }
    guard !numbers.isEmpty else { return }

    var copy = table
    while let row = try? copy.next() {
      for index in numbers where index < row.fields.count {
        forms[index, default: CSVColumnForm()].add(row.fields[index].text)
      }
    }
  }

  /// Throws if the answers of the table seem to be in an unused column.
  ///
  /// They do if no column is known to have answers, and the unused one has a word for a missed day,
  /// such as `no`.
  private func checkUnusedColumns(_ header: CSVTable.Row) throws(Failure) {
    guard !columns.hasAnswers else { return }
    let unused = columns.meanings.indices.filter { columns.meanings[$0] == .nothing }
    var copy = table
    while let row = try? copy.next() {
      for index in unused where index < row.fields.count {
        let text = row.fields[index].text
        guard settings.answers.answer(text) == .missed, CellNumber(text) == nil else { continue }
        throw Failure(
          .refused,
          """
          the column \(quoted(header.fields[index].text)) is not used, but has answers such as \
          \(quoted(text))
          """,
          remedy: .program("--columns \(columns.namesWithAnswers(in: index)) reads them"),
          at: row.fields[index].place, text: row.text)
      }
    }
  }

  /// Reads all rows, and passes the answers of each to `body` in the order of the file.
  ///
  /// Returns references to the answers, sorted by day and numbered.
  mutating func readAll(_ body: ([Row]) -> Void) throws(Failure) -> [Reference] {
    var rows: [Reference] = []
    while let row = try table.next() {
      if row.isBlank { continue }
      let answers = try answers(in: row)
      body(answers)
      for (index, answer) in answers.enumerated() {
        rows.append(
          Reference(
            day: answer.day, habit: self.index(of: answer.habit), start: row.start,
            answer: Int16(index)))
      }
    }
    rows.sortByDay()
    return rows
  }

  /// Reads the row of `reference` again, and returns the answer that `reference` refers to.
  func row(_ reference: Reference) throws(Failure) -> Row {
    var reader = self
    reader.table.go(to: reference.start)
    guard let row = try reader.table.next() else { preconditionFailure("the row was read before") }
    return try reader.answers(in: row)[Int(reference.answer)]
  }

  private mutating func answers(in row: CSVTable.Row) throws(Failure) -> [Row] {
    try columns.checkWidth(row)
    return try rows(of: CSVCells(row: row, columns: columns, dialect: dialect, forms: forms))
  }

  private mutating func index(of habit: String?) -> Int16 {
    guard let habit else { return -1 }
    if let index = habitIDs.firstIndex(of: habit) { return Int16(index) }
    habitIDs.append(habit)
    return Int16(habitIDs.count - 1)
  }

  /// Returns the answers in a row.
  ///
  /// There is one for each habit that a column is named after. If no column is, or if one habit is
  /// given for all rows, there is a single answer.
  private mutating func rows(of cells: CSVCells) throws(Failure) -> [Row] {
    let at = try cells.read(.at, dialect.timeForm(of: cells.text(.at))) { text in
      HealthRecord.time(text) ?? dialect.time(text, in: zone)
        ?? cells.text(.day).flatMap { dialect.time("\($0) \(text)", in: zone) }
    }
    var row = Row(
      day: try day(of: cells, at), at: at, id: cells.text(.id),
      key: try cells.read(.key, "\(Syntax.id)") { Syntax.isID($0) ? $0 : nil },
      saysNote: columns.contains(.note), place: cells.row.place, event: .failure(.notAsked))

    guard settings.names.single == nil, !columns.answers.isEmpty else {
      let name = Text(cells.text(.habit) ?? "")
      if let habit = settings.names.single ?? self.habit(named: name) {
        return [try answer(of: habit, columns.answers.first?.index, row, cells)]
      }
      row.event = .failure(.unknownName(name, among: ledger.facts.definedHabits))
      return [row]
    }
    return try columns.answers.map { (column) throws(Failure) in
      try answer(of: column.habit, column.index, row, cells)
    }
  }

  /// Returns `row` with its answer for `habit`.
  ///
  /// `index` is the column with the habit's name, or `nil` if there is none.
  private mutating func answer(
    of habit: String, _ index: Int?, _ row: Row, _ cells: CSVCells
  ) throws(Failure) -> Row {
    var row = row
    row.habit = habit
    row.note = cells.line(.note)
    if let index, columns.answers.count > 1 { row.place = cells.row.fields[index].place }

    let rule = ledger.facts.definition(of: habit, forRecordsOf: row.day)?.rule
    var answer = CSVAnswer(
      habit: habit, rule: rule, column: index, words: settings.answers, cells: cells)
    let payload = try answer.payload(on: row.day)
    if let rounded = answer.cells.rounded {
      roundedCount += 1
      firstRounded = firstRounded ?? rounded
    }
    let slips = answer.wordsOfSlips
    if !slips.isEmpty { wordsOfSlips[habit, default: [:]].merge(slips) { first, _ in first } }

    row.event = payload.map { payload in
      // An excuse is of the day, not of a time.
      let at = payload.entry == nil ? nil : row.at
      var draft = Draft(
        payload, of: row.day, at: at, in: zone, by: CSVImport.writer, place: row.place,
        text: cells.row.text)
      draft.zone = cells.text(.zone)
      return draft
    }
    return row
  }

  /// Returns the day of a row: the field `day`, or the local day of the time `at` if there is no
  /// such field.
  ///
  /// A time in UTC is converted to the time zone of the import. A time with another offset isn't.
  private func day(of cells: CSVCells, _ at: Timestamp?) throws(Failure) -> Day {
    let day = try cells.read(.day, dayForm(of: cells.text(.day))) { dialect.day($0) }
    if let day { return day }

    guard let at else {
      let column = columns.contains(.day) ? CSVColumn.day : .at
      throw Failure(
        .missingField, "\(quoted(column.rawValue)) is missing or empty",
        at: cells.index(of: column).map { cells.row.fields[$0].place } ?? cells.row.place,
        text: cells.row.text)
    }
    // A time in UTC is moved to the zone, but a time with another offset has its own local day.
    let local = at.offset == 0 ? Zones.local(at.instant, in: zone) ?? at : at
    return local.localDay(from: ledger.facts.dayStart)
  }

  /// Returns a description of valid days for an error about `text`.
  ///
  /// If `text` also contains a time, the description suggests calling the column `at`.
  private func dayForm(of text: String?) -> Sentence {
    guard let text, HealthRecord.time(text) ?? dialect.time(text, in: zone) != nil else {
      return dialect.dayForm(of: text)
    }
    return """
      a day without a time; a column with both is called at: \
      \(program: "--columns", library: "columns:") \(columns.namesWithTime)
      """
  }

  private mutating func habit(named name: Text) -> String? {
    if let habit = habits[name] { return habit }
    let habit = settings.names.habits[name] ?? ledger.facts.habits(named: name).first
    habits[name] = .some(habit)
    return habit
  }

  /// Whether a row can contain answers of several habits, because the columns are named after
  /// habits.
  var hasSeveralAnswers: Bool { settings.names.single == nil && columns.answers.count > 1 }

  /// The notes on columns and separators, on numbers that were rounded, on minutes that look like
  /// hours, and on words that count as slips.
  var notes: [Sentence] {
    let rounded = firstRounded.map { first -> Sentence in
      let more = roundedCount > 1 ? " and \(counted(roundedCount - 1, "more row"))" : ""
      return "rounded to 6 decimals: \(quoted(first.text)) to \(first.value)\(more)"
    }
    return columns.notes + [columns.unusedNote, noteOnSeparator, rounded].compactMap(\.self)
      + columns.answers.compactMap(noteOnHours)
      + wordsOfSlips.sorted { $0.key < $1.key }.compactMap { noteOnSlips($0.key, $0.value) }
  }

  /// The note on a separator other than a comma, if the table shows it.
  private var noteOnSeparator: Sentence? {
    guard settings.separator == nil, table.separator != UInt8(ascii: ",") else { return nil }
    let isTab = table.separator == UInt8(ascii: "\t")
    let name = isTab ? "tabs" : quoted(String(UnicodeScalar(table.separator)))
    return "the columns are separated by \(name)"
  }

  /// Returns a note if the table has a word for done in the answers of a habit whose entries are
  /// slips.
  ///
  /// The author of the table may have meant that there was no slip.
  private func noteOnSlips(_ habit: String, _ words: [AnswerWords.Answer: String]) -> Sentence? {
    guard let done = words[.done] else { return nil }
    func option(_ name: String, _ word: String) -> String {
      name + " " + Escaping.visible(word.holds(" ") ? Escaping.shell(word) : word)
    }
    let options =
      (words[.missed].map { [option("--done", $0)] } ?? []) + [option("--missed", done)]
    let use = "; if it means that it was kept, use " + options.joined(separator: " ")
    return "\(habit): \(quoted(done)) counts as a slip\(program: use)"
  }

  /// Returns a note if numbers that are read as minutes may be hours, otherwise `nil`.
  ///
  /// They may be if the column has no unit, no number exceeds 24, and the bound of the habit is an
  /// hour or more.
  private func noteOnHours(_ column: CSVColumns.Answers) -> Sentence? {
    guard columns.units[column.index] == nil,
      let bounds = ledger.facts.definition(of: column.habit)?.rule.bounds, bounds.of == .minutes,
      bounds.atLeast ?? bounds.atMost ?? .zero >= Thousandths(60),
      let largest = forms[column.index]?.largest, largest <= Millionths(24)
    else { return nil }
    return "the numbers of \(quoted(column.name)) are read as minutes; with (h) in its name the "
      + "column has hours"
  }
}

extension [CSVRows.Reference] {
  /// Sorts the answers by day, and numbers those of each habit and day from the first to the last.
  ///
  /// The answers are sorted because late entries make folding slower. If the days of the table, or
  /// of one habit, run from new to old, the rows of a day are assumed to do so, too.
  fileprivate mutating func sortByDay() {
    let habits = Set(map(\.habit))
    let isReversed = descends
    let reversedHabits =
      isReversed ? habits : habits.filter { habit in filter { $0.habit == habit }.descends }

    sort { one, other in
      func key(_ row: Element) -> (Day, Int, Int16) {
        let isUp = !reversedHabits.contains(row.habit)
        return (row.day, isUp ? row.start.order : -row.start.order, row.answer)
      }
      return key(one) < key(other)
    }

    var counts: [Int16: Int32] = [:]
    for index in indices {
      if index > 0, self[index].day != self[index - 1].day { counts = [:] }
      counts[self[index].habit, default: 0] += 1
      self[index].number = counts[self[index].habit] ?? 1
    }
  }

  /// Returns the groups of answers that are numbered against the order of the file.
  ///
  /// A group consists of the indices of all answers of a habit on a day, if there are several.
  func groupsFromNewToOld() -> [[Int]] {
    var groups: [[Int]] = []
    var start = startIndex
    while start < endIndex {
      let day = self[start].day
      let end = self[start...].firstIndex { $0.day != day } ?? endIndex
      let ofDay = Dictionary(grouping: start..<end) { self[$0].habit }.values
      groups += ofDay.filter { group in
        group.count > 1 && self[group[0]].start.order > self[group[1]].start.order
      }
      start = end
    }
    return groups
  }

  mutating func reverseNumbers(of group: [Int]) {
    let numbers = group.map { self[$0].number }
    for (index, number) in zip(group, numbers.reversed()) { self[index].number = number }
  }

  /// Whether the days never increase from one answer to the next, and the last day is before the
  /// first one.
  private var descends: Bool {
    guard let first, let last, last.day < first.day else { return false }
    return zip(self, dropFirst()).allSatisfy { $0.day >= $1.day }
  }
}

import EventLog
import Inspection
import StreakDomain

/// The columns of a table, found by `--columns` or by the names in the first row.
struct CSVColumns {
  /// A column with the name of a habit, which has the answers of this habit.
  struct Answers {
    let index: Int
    let habit: String
    /// The name of the column, as the file or the option writes it.
    let name: Text
  }

  /// The meaning of each column; `nothing` for a column of `answers`.
  private(set) var meanings: [CSVColumn] = []
  private(set) var answers: [Answers] = []
  /// The unit that the name of a column contains, such as `mi`, by the index of the column.
  private(set) var units: [Int: String] = [:]

  private let names: GivenNames
  private let ledger: Ledger
  /// The notes on the units in which columns are read.
  private(set) var notes: [Sentence] = []
  /// The names of columns that aren't used, in quotes.
  private var unused: [String] = []
  /// Whether the first row contains the names of the columns.
  private var hasHeader = false

  init(_ names: GivenNames, _ ledger: Ledger) {
    self.names = names
    self.ledger = ledger
  }

  func contains(_ column: CSVColumn) -> Bool { meanings.contains(column) }

  /// Whether a column has the answers of a habit.
  var hasAnswers: Bool { !answers.isEmpty || meanings.contains(where: CSVColumn.ofAnswer.contains) }

  /// A value for `--columns` in which the day's column is called `at`.
  var namesWithTime: String { names { meanings[$0] == .day ? .at : meanings[$0] } }

  /// Returns a value for `--columns` in which the column `index` is called `done`.
  func namesWithAnswers(in index: Int) -> String { names { $0 == index ? .done : meanings[$0] } }

  private func names(_ column: (Int) -> CSVColumn) -> String {
    meanings.indices.map { index in
      let habit = answers.first { $0.index == index }?.habit
      return habit ?? column(index).rawValue
    }.joined(separator: ",")
  }

  /// Whether only the names of columns tell the habits of the answers.
  ///
  /// Then neither an option gives one habit for all rows, nor a column `habit` one for each.
  private var isByHabit: Bool { names.single == nil && !contains(.habit) }

  /// Finds the columns that `--columns` names.
  mutating func find(named words: [String]) throws(Failure) {
    for (index, word) in words.enumerated() {
      let place = Place(file: "--columns", line: 1, column: index + 1, isInFile: false)
      // The plain name of a measure leaves the unit to the column's name in the file.
      if CSVColumn(rawValue: word) == nil { noteUnit(of: word, at: index) }

      if let column = Text(word) == unit ? .amount : CSVColumn(rawValue: word) {
        meanings.append(column)
      } else if let habit = try habit(named: word, place, text: "") {
        meanings.append(.nothing)
        answers.append(Answers(index: index, habit: habit, name: Text(word)))
      } else if units[index] != nil, let column = CSVColumn(header: word) {
        meanings.append(column)
      } else {
        let known = CSVColumn.names + ledger.facts.currentHabits
        throw Failure(
          .usage,
          """
          there is no column \(quoted(word))\(Nearest.hint(word, among: known)); columns are \
          \(CSVColumn.names.joined(separator: ", ")), and the names of habits
          """,
          at: place)
      }
    }
  }

  /// Finds the columns that the row `header` names, and notes the columns with other names.
  mutating func find(in header: CSVTable.Row) throws(Failure) {
    let columns = CSVColumns.meanings(of: header.fields.map(\.text.trimmed))
    let isByHabit = names.single == nil && !columns.contains(.habit)
    hasHeader = true

    for (index, field) in header.fields.enumerated() {
      let name = field.text.trimmed
      noteUnit(of: name, at: index)
      let exact = CSVColumn(rawValue: name.asciiLowercased)
      let isOfRow = columns[index].map(CSVColumn.ofRow.contains) ?? false
      // A column that has the name of the habit's unit, such as `pages`, contains the amounts.
      let fixed: CSVColumn? =
        Text(name.asciiLowercased) == unit ? .amount : isOfRow ? columns[index] : exact
      let habit = try habit(named: name, field.place, text: header.text)

      if let habit, !isOfRow, isByHabit || fixed == nil {
        meanings.append(.nothing)
        answers.append(Answers(index: index, habit: habit, name: Text(name)))
        noteUnknownUnit(of: name, habit)
      } else {
        let duration = columns.contains(.minutes) ? nil : duration(named: name)
        let column = fixed ?? columns[index] ?? duration
        if column == nil, !name.isEmpty { unused.append(quoted(field.text)) }
        meanings.append(column ?? .nothing)
      }
    }

    if answers.count > 1 { ignoreOtherAnswers(of: header) }
  }

  /// Returns the meaning of each column by its name, or `nil` for a name that is not known.
  private static func meanings(of names: [String]) -> [CSVColumn?] {
    let columns = names.map { CSVColumn(header: $0) }
    guard !columns.contains(.day), !columns.contains(.at) else { return columns }
    // A day in German, but beside another day a label in English.
    return zip(names, columns).map { CSVColumn.word(of: $0) == "tag" ? .day : $1 }
  }

  private mutating func noteUnit(of name: String, at index: Int) {
    units[index] =
      MeasureUnit.ofColumn(CSVColumn.word(of: name))?.symbol
      ?? MeasureUnit.parts(ofColumn: name)?.unit
  }

  /// Stores the units in the column names of `header`, such as `km` in `Run (km)`, if `--columns`
  /// specifies the meanings of the columns.
  mutating func noteUnits(of header: CSVTable.Row) {
    hasHeader = true
    for (index, field) in header.fields.enumerated() where units[index] == nil {
      noteUnit(of: field.text.trimmed, at: index)
    }
  }

  /// Notes in which unit the numbers of a column such as `Water (glasses)` are read.
  private mutating func noteUnknownUnit(of name: String, _ habit: String) {
    guard MeasureUnit.parts(ofColumn: name) == nil,
      let (_, word) = MeasureUnit.bracketed(name), !isUnit(word, of: habit),
      let unit = ledger.facts.definition(of: habit)?.rule.unitOfNumbers
    else { return }
    notes.append("the numbers of \(quoted(name)) are read in \(unit)")
  }

  /// Returns `.minutes` for a column called `duration` or the like, if all rows are of a habit in
  /// minutes.
  ///
  /// Otherwise returns `nil`. Adds a note that the numbers are read as minutes.
  private mutating func duration(named name: String) -> CSVColumn? {
    guard ["dauer", "duration", "durée"].contains(CSVColumn.word(of: name)),
      let single = names.single, ledger.facts.definition(of: single)?.rule.measure == .minutes
    else { return nil }
    notes.append("the numbers of \(quoted(name)) are read in min")
    return .minutes
  }

  /// Ignores columns such as `minutes`, in a table whose columns have the answers of several
  /// habits.
  private mutating func ignoreOtherAnswers(of header: CSVTable.Row) {
    for index in meanings.indices where !CSVColumn.ofRow.contains(meanings[index]) {
      meanings[index] = .nothing
      unused.append(quoted(header.fields[index].text))
    }
  }

  /// The note that names the unused columns, or `nil` if there is none.
  var unusedNote: Sentence? {
    guard !unused.isEmpty else { return nil }
    let names = unused.joined(separator: ", ")
    return "columns not used: \(names)\(program: "; --columns names each column")"
  }

  /// The unit of the habit of all rows, in lowercase.
  ///
  /// It is `nil` if there is no such habit, or if it has no unit.
  private var unit: Text? {
    names.single.flatMap { ledger.facts.definition(of: $0)?.rule.sum?.unit }?.asciiLowercased
  }

  /// Returns the habit whose answers a column such as `Sleep` or `Sleep (h)` has.
  ///
  /// Returns `nil` if `name` isn't the name of a habit. With `--habit HABIT`, no other habit has
  /// such a column. If there is a column `habit`, only a habit that an option names for `name` has
  /// one.
  private func habit(
    named name: String, _ place: Place, text: String
  ) throws(Failure) -> String? {
    if let given = names.habits[Text(name)] { return given }
    var ids = leaves(named: name)
    if ids.isEmpty, let plain = MeasureUnit.parts(ofColumn: name)?.name {
      if let given = names.habits[Text(plain)] { return given }
      ids = leaves(named: plain)
    }
    if ids.isEmpty, let (plain, word) = MeasureUnit.bracketed(name) {
      let given = names.habits[Text(plain)].map { [$0] }
      ids = (given ?? leaves(named: plain)).filter { isUnit(word, of: $0) }
    }
    if let single = names.single { return ids.contains(single) ? single : nil }
    guard ids.count > 1, isByHabit else { return contains(.habit) ? nil : ids.first }

    throw Failure(
      .usage, "\(quoted(name)) is the name of \(ids.joined(separator: " and "))",
      remedy: .program("choose one, such as with --habit \(Escaping.shell("\(name)=\(ids[0])"))"),
      at: place, text: text)
  }

  /// Whether `word` is the unit of a habit's amounts, such as `pages`.
  private func isUnit(_ word: String, of habit: String) -> Bool {
    let unit = ledger.facts.definition(of: habit)?.rule.sum?.unit?.string
    return unit.map { NumberWord(digits: "2", unit: word).isIn($0) } ?? false
  }

  /// Returns the habits with this name or id that have entries of their own.
  private func leaves(named name: String) -> [String] {
    ledger.facts.habits(named: Text(name)).filter { id in
      !(ledger.facts.definition(of: id)?.rule.isComposite ?? true)
    }
  }

  /// Throws unless each row will have one day and one habit, and no column is named twice.
  func check(_ first: CSVTable.Row) throws(Failure) {
    guard contains(.day) || contains(.at) else {
      throw Failure(
        .usage, "no column says the day",
        remedy: .program(
          "name the columns with --columns, one of them day or at, from "
            + CSVColumn.names.joined(separator: ", ")),
        at: first.place, text: first.text)
    }

    try checkRepetitions(first)
    let isOneHabit = contains(.habit) == (names.single == nil)
    guard isOneHabit || isByHabit && !answers.isEmpty else {
      throw Failure(
        .usage,
        """
        \(program: "import csv needs either --habit HABIT, once", library: "it needs a habit"), \
        or a column habit, or columns with the names of habits
        """,
        remedy: .program(
          "--columns says what each column contains; - is one that is not used"),
        at: first.place, text: first.text)
    }

    let others = meanings.indices.filter { !CSVColumn.ofRow.contains(meanings[$0]) }
    if answers.count > 1, let index = others.first {
      throw .badField(
        place(of: index, in: first), text: first.text, field: "columns",
        value: meanings[index].rawValue,
        form: "- in a table with a column for each habit, because it belongs to none of them")
    }
  }

  private func checkRepetitions(_ first: CSVTable.Row) throws(Failure) {
    for (index, column) in meanings.enumerated() where column != .nothing {
      guard let other = meanings[..<index].firstIndex(of: column) else { continue }
      let both = [other, index].map { name(of: $0, in: first) }
      throw Failure(
        .refused, "the columns \(both[0]) and \(both[1]) both contain \(column.rawValue)",
        remedy: .program("name the columns with --columns, where - is one that is not used"),
        at: place(of: index, in: first), text: first.text)
    }

    for (number, column) in answers.enumerated() {
      let other = answers[..<number].first { $0.habit == column.habit }
      guard let other else { continue }
      throw Failure(
        .refused,
        """
        the columns \(quoted(other.name)) and \(quoted(column.name)) both answer for \
        \(column.habit), and of two imports the second would replace the first
        """,
        remedy: .program("add them up in one column, or define a habit for each"),
        at: place(of: column.index, in: first), text: first.text)
    }
  }

  /// The place of a field in the row `first`, or of the row itself if it has fewer fields.
  private func place(of index: Int, in first: CSVTable.Row) -> Place {
    first.fields.indices.contains(index) ? first.fields[index].place : first.place
  }

  /// The name of a column in quotes, or its number if the first row has no names.
  private func name(of index: Int, in first: CSVTable.Row) -> String {
    guard hasHeader, first.fields.indices.contains(index) else { return "\(index + 1)" }
    return quoted(first.fields[index].text.trimmed)
  }

  /// Throws unless the row has a field for each column, and only empty fields after these.
  func checkWidth(_ row: CSVTable.Row) throws(Failure) {
    let count = row.fields.count
    let width = meanings.count
    guard count < width || row.fields.dropFirst(width).contains(where: { !$0.text.isEmpty }) else {
      return
    }
    throw .ragged(
      count > width ? row.fields[width].place : row.place, text: row.text, expected: width,
      actual: count)
  }
}

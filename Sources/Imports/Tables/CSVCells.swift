import EventLog
import Inspection
import StreakDomain

/// The fields of a row, read by column.
struct CSVCells {
  let row: CSVTable.Row
  let columns: CSVColumns
  let dialect: CSVDialect
  /// The forms of the numbers of each column, by index.
  let forms: [Int: CSVColumnForm]
  /// The first number of the row that was rounded: its text in the table, and its rounded value.
  private(set) var rounded: (text: String, value: Millionths)?

  func index(of column: CSVColumn) -> Int? { columns.meanings.firstIndex(of: column) }

  func text(_ column: CSVColumn) -> String? { index(of: column).flatMap { text(at: $0) } }

  /// Returns the text of the field `index`, or `nil` if it is empty.
  func text(at index: Int) -> String? {
    let text = row.fields[index].text.trimmed
    guard !text.isEmpty else { return nil }
    return text.begins(with: "'") && Escaping.isFormula(text) ? String(text.droppingBytes(1)) : text
  }

  /// Returns a column's text converted by `parse`, or `nil` if there is none; `form` describes
  /// valid texts in errors.
  func read<Value>(
    _ column: CSVColumn, _ form: @autoclosure () -> Sentence, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let index = index(of: column), let text = text(at: index) else { return nil }
    if let value = parse(text) { return value }
    throw badField(at: index, form())
  }

  /// Returns a failure about the field `index`, whose text doesn't have the form `form`.
  func badField(at index: Int, _ form: Sentence) -> Failure {
    let place = row.fields[index].place
    let habit = columns.answers.first { $0.index == index }?.habit
    return .badField(
      place, text: place.line == row.place.line ? row.text : "",
      field: habit ?? columns.meanings[index].rawValue, value: text(at: index) ?? "", form: form)
  }

  func line(_ column: CSVColumn) -> Text? { text(column).map { Text(line: $0) } }

  /// Returns the number in the field `index`, converted to the unit of `measure`, or `nil` if the
  /// field is blank.
  ///
  /// If `measure` is an amount, `sum` specifies the unit.
  mutating func number(
    at index: Int, _ measure: Measure, _ sum: Sum?
  ) throws(Failure) -> Millionths? {
    guard let text = text(at: index), !AnswerWords.isBlank(text) else { return nil }
    let unit = measure.unit(of: sum)
    let isInSeconds = columns.units[index] == MeasureUnit.minutesAndSeconds
    let takesUnits = ![.sets, .drinks].contains(measure) && !unit.isEmpty
    let columnUnit = takesUnits ? isInSeconds ? "min" : columns.units[index] : nil
    let most = measure.most

    // Most numbers of a table have only digits, and can be read in one way.
    if columnUnit ?? unit == unit, text.utf8.allSatisfy({ $0.isDigit }),
      let number = JSONValue.number(text), number <= Millionths(most)
    {
      return number
    }
    if let number = try duration(text, at: index, unit, of: columnUnit, isInSeconds) {
      guard number <= Millionths(most) else { throw badField(at: index, "at most \(most)") }
      return number
    }

    guard let word = CellNumber(text) else {
      let isWord = Double(text) == nil
      let words: Sentence =
        isWord ? "; \(option: "--missed") and \(option: "--excused") give words a meaning" : ""
      throw badField(at: index, "\(numberForm(measure, unit))\(words)")
    }
    let given = word.unit.isEmpty ? columnUnit ?? "" : word.unit
    let isInUnit = given == word.unit ? word.isIn(unit) : given == unit
    let decimal = try decimal(word, at: index, form: numberForm(measure, unit))

    guard
      let number = isInUnit
        ? decimal.millionths : MeasureUnit.convert(decimal, from: given, to: unit)?.millionths
    else {
      let origin = word.unit.isEmpty ? "; by its name the column is in \(given)" : ""
      throw badField(at: index, "\(numberForm(measure, unit, isUnit: true))\(origin)")
    }
    let isWhole = [.sets, .drinks].contains(measure)
    guard number <= Millionths(most), !isWhole || decimal.isExact && number.isWhole else {
      let asWritten = word.unit.isEmpty ? "\(text) \(given)" : text
      let conversion = isInUnit ? "" : "; \(asWritten) is \(number) \(unit)"
      throw badField(at: index, "\(numberForm(measure, unit))\(conversion)")
    }
    if !decimal.isExact { rounded = rounded ?? (text, number) }
    return number
  }

  /// Returns the value of `word`, the number in the field `index`.
  ///
  /// Throws if its sign may separate decimals or thousands, or if it doesn't have the form `form`.
  private func decimal(
    _ word: CellNumber, at index: Int, form: String
  ) throws(Failure) -> DecimalNumber {
    let sign = dialect.decimal ?? (forms[index]?.showsPoint ?? false ? .point : nil)
    if sign == nil, let (point, comma) = word.readings {
      throw badField(
        at: index,
        """
        clear: \(program: "--decimal .", library: "a decimal point") reads \(point), and \
        \(program: "--decimal ,", library: "isDecimalComma") reads \(comma)
        """)
    }

    guard let decimal = word.value(sign ?? .point) else {
      let isComma = sign == nil && word.value(.comma) != nil
      let hint: Sentence = "; \(program: "--decimal ,", library: "isDecimalComma") reads a comma"
      throw badField(at: index, "\(form)\(isComma ? hint : "")")
    }
    return decimal
  }

  /// Returns a duration such as `31:20` or `1h30m` in `unit`.
  ///
  /// Returns `nil` if `text` isn't a duration, or `unit` isn't a unit of time.
  ///
  /// Throws if `text` can be hours and minutes as well as minutes and seconds, and nothing decides
  /// it. What can decide it is `columnUnit`, `isInSeconds`, or another field of the column `index`.
  private func duration(
    _ text: String, at index: Int, _ unit: String, of columnUnit: String?, _ isInSeconds: Bool
  ) throws(Failure) -> Millionths? {
    let isInHours = columnUnit.flatMap { MeasureUnit.named($0, .time)?.symbol } == "h"
    let namedHours = isInHours ? ClockMeasure.millisecondsOfHours(text) : nil
    guard let milliseconds = namedHours ?? ClockMeasure.milliseconds(text),
      let number = MeasureUnit.convert(
        DecimalNumber(Millionths(milliseconds)), from: "ms", to: unit)?.measure
    else { return nil }

    let isClear = namedHours != nil || isInSeconds || forms[index]?.isInSeconds ?? false
    guard isClear || !ClockMeasure.isAmbiguous(text) else {
      let hours = text.replacingBytes(of: ":", with: "h") + "m"
      let seconds = (text.utf8.count == 4 ? "0:0" : "0:") + text
      throw badField(
        at: index,
        """
        \(hours) or \(seconds), because it may be either of them; (hh:mm) or (mm:ss) in the \
        column's name decides
        """)
    }
    return number
  }

  private func numberForm(_ measure: Measure, _ unit: String, isUnit: Bool = false) -> String {
    let isWhole = [.sets, .drinks].contains(measure)
    let comma = dialect.decimal == .comma ? " after a comma" : ""
    let form = "a \(isWhole ? "whole " : "")number from 0 to \(measure.most)"
    if isUnit {
      return form + (unit.isEmpty ? " without a unit" : ", in \(unit) or a unit of the same kind")
    }
    return form + (isWhole || comma.isEmpty ? "" : " with decimals\(comma)")
  }
}

/// The forms that the numbers of a column have, according to all its rows.
struct CSVColumnForm {
  /// Whether a number of the column, such as `5.2`, only makes sense with a decimal point.
  private(set) var showsPoint = false
  /// The largest number without a unit, or `nil` if there is none.
  private(set) var largest: Millionths?
  /// Whether a duration of the column seems to end with seconds, and whether one certainly does.
  ///
  /// `12:30` only seems to, and `31:20` certainly does.
  private var showsSeconds = (seemingly: false, certainly: false)
  /// Whether a duration of the column is written as hours and minutes mostly are, such as `07:30`.
  private var showsHours = false

  /// Whether durations such as `7:30` of the column are minutes and seconds.
  var isInSeconds: Bool { showsSeconds.certainly || showsSeconds.seemingly && !showsHours }

  mutating func add(_ text: String) {
    let text = text.trimmed
    if let number = CellNumber(text) {
      if number.showsPoint { showsPoint = true }
      let value = number.unit.isEmpty ? number.value(.point) ?? number.value(.comma) : nil
      if let value { largest = max(largest ?? .zero, value.millionths) }
    }
    guard text.holds(":") else { return }
    if ClockMeasure.showsSeconds(text) { showsSeconds.seemingly = true }
    if ClockMeasure.mustHaveSeconds(text) { showsSeconds.certainly = true }
    if ClockMeasure.hasLeadingZero(text) { showsHours = true }
  }
}

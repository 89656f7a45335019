import EventLog
import StreakDomain

/// The answer that a row of a table has for one habit.
struct CSVAnswer {
  let habit: String
  /// The rule of the habit on the day of the row, or `nil` if the habit isn't defined.
  let rule: Rule?
  /// The index of the column with the name of the habit, or `nil` if there is none.
  let column: Int?
  let words: AnswerWords
  private(set) var cells: CSVCells

  /// Returns the entry or excuse of the habit on `day`, or the reason to skip the row.
  mutating func payload(on day: Day) throws(Failure) -> Result<Payload, LeftOut.Reason> {
    let texts = answerColumns.compactMap { cells.text(at: $0) }
    let given = texts.compactMap(words.given)
    if given.contains(.excused) || texts.contains(where: { words.answer($0) == .excused }) {
      // A word of --excused, such as `ill`, is the reason that somebody wrote.
      let word = texts.first { words.given($0) == .excused }.map { Text(line: $0) }
      let reason = cells.line(.note) ?? word ?? Event.skipped
      return .success(.daysExcused(from: day, to: day, habits: [habit], reason: reason))
    }
    if given.contains(.missed) {
      var entry = Entry(habit: habit)
      entry.activity = activity
      entry.note = cells.line(.note)
      return missed(entry)
    }

    var entry = try self.entry()
    var isAnswered = true
    if let column {
      isAnswered = try read(column, &entry)
    } else if let done = cells.index(of: .done) {
      // A number answers a rule that needs one, also beside a blank.
      let hasNumber = needsNumber && rule?.missing(in: entry) == nil
      isAnswered = try readDone(done, &entry) || hasNumber
    } else if let value = cells.index(of: .value), !isExport {
      isAnswered = try read(value, &entry)
    }
    guard isAnswered else { return .failure(.notAsked) }

    if entry.completed == false { return missed(entry) }
    if !asksForCompleted { entry.completed = nil }
    if let reason = blankness(of: entry) { return .failure(reason) }
    return .success(.entryLogged(entry))
  }

  /// The words in the row's answers that this program knows, by their meaning.
  ///
  /// It is empty unless the rule is `never`, so that an entry is a slip. Words of an option aren't
  /// included.
  var wordsOfSlips: [AnswerWords.Answer: String] {
    guard let rule, rule.isLimit, rule.sum == nil else { return [:] }
    let texts = answerColumns.compactMap { cells.text(at: $0) }.filter { words.given($0) == nil }
    let meanings = texts.compactMap { text in words.answer(text).map { ($0, text) } }
    return Dictionary(meanings) { first, _ in first }
  }

  private var asksForCompleted: Bool { rule?.traits.asksForCompleted ?? false }

  /// The columns that answer for the habit, among them those of a measure.
  private var answerColumns: [Int] {
    let meanings = cells.columns.meanings
    return meanings.indices.filter { CSVColumn.ofAnswer.contains(meanings[$0]) }
      + (column.map { [$0] } ?? [])
  }

  /// Returns a failed entry if the rule asks for `completed`, or else a reason to skip the row.
  private func missed(_ entry: Entry) -> Result<Payload, LeftOut.Reason> {
    guard asksForCompleted else { return .failure(.notDone) }
    var entry = entry
    entry.completed = false
    return .success(.entryLogged(entry))
  }

  /// The activity, spelled as in the rule if the rule has it in another case.
  private var activity: Text? {
    cells.line(.activity).map { text in
      let activities = rule?.thresholds.map(\.activity) ?? []
      return activities.first { $0.asciiLowercased == text.asciiLowercased } ?? text
    }
  }

  /// Returns the entry with the measures and texts that the columns have.
  private mutating func entry() throws(Failure) -> Entry {
    var entry = Entry(habit: habit)
    for measure in Measure.allCases.dropFirst() {
      guard let index = CSVColumn(rawValue: measure.rawValue).flatMap({ cells.index(of: $0) })
      else { continue }
      entry[measure] = try cells.number(at: index, measure, rule?.sum)
    }

    entry.level = cells.text(.level).flatMap { AnswerWords.isBlank($0) ? nil : Text($0) }
    if let index = cells.index(of: .completed) { _ = try readDone(index, &entry) }
    entry.activity = activity
    entry.value = cells.line(.value)
    entry.note = cells.line(.note)
    return entry
  }

  /// Whether the table has the columns of `export csv entries`.
  ///
  /// In such a table most fields are blank, and `value` is only a text beside the answer.
  private var isExport: Bool {
    cells.columns.contains(.completed) && cells.columns.contains(.amount)
  }

  /// Stores whether the habit was done, which the field `index` says, in `entry`.
  ///
  /// Returns false if the field is blank.
  private func readDone(_ index: Int, _ entry: inout Entry) throws(Failure) -> Bool {
    guard let text = cells.text(at: index), !isBlank(text) else { return false }
    guard let answer = words.answer(text) else {
      throw cells.badField(at: index, AnswerWords.form(for: text))
    }
    entry.completed = answer == .done
    return true
  }

  /// Stores the field `index` in `entry`: as the measure of the rule, or else as done or not.
  ///
  /// The field is `value`, or in the column with the habit's name. Returns false if that column has
  /// a blank field.
  private mutating func read(_ index: Int, _ entry: inout Entry) throws(Failure) -> Bool {
    let isValue = index != column
    guard let text = cells.text(at: index), !isBlank(text) else {
      if isValue { entry.value = nil }
      return isValue
    }

    if let measure = rule?.measure, measure != .entries {
      if isValue, entry.has(measure) || entry.level != nil { return true }
      let word = Text(text.asciiLowercased)
      if let level = rule?.levels.names.first(where: { $0.asciiLowercased == word }) {
        entry.level = level
      } else if words.answer(text) == .missed, CellNumber(text) == nil {
        entry.completed = false
      } else {
        entry[measure] = try cells.number(at: index, measure, rule?.sum)
      }
      if isValue { entry.value = nil }
      return true
    }

    guard isValue else { return try readDone(index, &entry) }
    guard let answer = words.answer(text) else { return true }
    entry.completed = answer == .done
    entry.value = nil
    return true
  }

  /// Whether the rule asks for a number, a level or a measure of its activity.
  private var needsNumber: Bool {
    rule.map { $0.missing(in: Entry(habit: habit)) != nil && !asksForCompleted } ?? false
  }

  /// Returns the reason to skip `entry` if the row has no answer, otherwise `nil`.
  ///
  /// The row has no answer if two things are true. All its columns for answers are blank, and
  /// `entry` lacks either the measure that the rule needs, or any answer at all. The latter isn't
  /// looked at in an export.
  ///
  /// If the rule needs a number, `done` and `completed` aren't columns for answers. If the table
  /// has no columns for answers, the result is `nil`.
  private func blankness(of entry: Entry) -> LeftOut.Reason? {
    let plainAnswers: [CSVColumn] = [.done, .completed]
    let columns = answerColumns.filter { index in
      !needsNumber || !plainAnswers.contains(cells.columns.meanings[index])
    }
    let isUnanswered = columns.allSatisfy { cells.text(at: $0).map(isBlank) ?? true }
    guard !columns.isEmpty, isUnanswered else { return nil }

    if rule?.missing(in: entry) != nil { return needsNumber ? .noNumber : .notAsked }
    return isExport || entry.hasAnswer ? nil : .notAsked
  }

  /// Whether `text` is no answer, and no word of the options.
  private func isBlank(_ text: String) -> Bool {
    AnswerWords.isBlank(text) && words.given(text) == nil
  }
}

extension Entry {
  /// Whether the entry has a measure, a level, a completion or an activity.
  fileprivate var hasAnswer: Bool {
    Measure.allCases.dropFirst().contains { has($0) } || level != nil || completed != nil
      || activity != nil
  }
}

import EventLog
package import StreakDomain

/// The conversion of a CSV table to entries and excuses, one for each row and habit.
package struct CSVImport {
  /// The `by` of imported entries, from which `timeline` knows that they came from a table.
  static let writer = ImportKind.csv.writer

  /// The settings for reading a table, according to the options of `import csv`.
  package struct Settings: Sendable {
    package var columns: [String]?
    /// The byte between fields, or `nil` to choose a separator that the first row contains.
    package var separator: UInt8?
    /// Whether the first row contains the names of the columns, or `nil` to guess this from the
    /// row.
    package var hasHeader: Bool?
    package var dialect = CSVDialect()
    package var answers = AnswerWords()
    /// Whether the rows replace all entries that earlier imports of tables wrote for the days of
    /// the table.
    package var replaces = false
    package var names = GivenNames()

    package init() {}
  }

  private var reader: CSVRows
  private var plan: ImportPlan
  /// Hashes of the habits and keys of the rows with ids that were planned so far.
  private var seen: Set<EventKey> = []
  /// The entries of this ledger whose ids the rows of the file have, by id.
  private var originals: [String: (habit: String, content: ImportHistory.Content)] = [:]
  /// The days of each habit in the file.
  private var days: Set<HabitDay> = []

  package static func plan(
    _ source: ByteSource, settings: Settings, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let table = try CSVTable(
      try source.all(), file: source.name, separator: settings.separator,
      isDecimalComma: settings.dialect.decimal == .comma)
    var plan = plan
    guard let reader = try CSVRows(table, settings, plan) else { return plan }
    plan.isTable = true
    plan.writer = writer
    var csv = CSVImport(reader: reader, plan: plan)
    try csv.run()
    return csv.plan
  }

  private mutating func run() throws(Failure) {
    var ids: Set<String> = []
    let facts = plan.ledger.facts
    var lostNotes = 0
    var rows = try reader.readAll { [plan] answers in
      guard let row = answers.first else { return }
      for id in [row.id, row.key].compactMap(\.self) where facts.entry(of: id) != nil {
        ids.insert(id)
      }
      let losesNote = row.note != nil && !answers.contains(where: \.keepsNote)
      if losesNote, plan.exclusion(of: row.day) == nil { lostNotes += 1 }
    }
    plan.lostNotes = lostNotes
    reader.notes.forEach { plan.note($0) }
    plan.summary.unusedColumns = reader.columns.unusedNote?.text

    plan.setAge(nil, newestDay: rows.last?.day)
    try findOriginals(ids)
    try keepFormerNumbers(&rows)
    plan.drafts.rowDraft = { [reader, plan, rows] index throws(Failure) in
      guard let record = CSVImport.record(try reader.row(rows[index]), rows[index]) else {
        preconditionFailure("only rows with an event are planned")
      }
      return plan.completed(record)
    }

    for (index, reference) in rows.enumerated() {
      plan.report(.rows, index, rows.count)
      try add(try reader.row(reference), reference, at: index)
    }
    try finish()
  }

  /// Numbers the rows of a day backwards, if more of them then agree with earlier imports.
  ///
  /// A table of a single day doesn't show whether its rows run from new to old. A later table may
  /// show it.
  private func keepFormerNumbers(_ rows: inout [CSVRows.Reference]) throws(Failure) {
    for group in rows.groupsFromNewToOld() {
      var known = (asNumbered: 0, reversed: 0)
      for (index, opposite) in zip(group, group.reversed()) {
        let row = try reader.row(rows[index])
        if row.id != nil || row.key != nil { break }
        if isKnown(row, rows[index]) { known.asNumbered += 1 }
        if isKnown(row, rows[opposite]) { known.reversed += 1 }
      }
      if known.reversed > known.asNumbered { rows.reverseNumbers(of: group) }
    }
  }

  /// Whether an earlier import recorded the content of `row` under the same key.
  ///
  /// The key is the one that the row has with the day and the number of `reference`.
  private func isKnown(_ row: CSVRows.Row, _ reference: CSVRows.Reference) -> Bool {
    CSVImport.record(row, reference).map { plan.isImported($0) } ?? false
  }

  private mutating func findOriginals(_ ids: Set<String>) throws(Failure) {
    guard !ids.isEmpty else { return }
    let eachEvent = plan.eachEvent
    try eachEvent { event in
      guard ids.contains(event.id), let entry = event.payload.entry else { return }
      var plain = event
      plain.payload.entry = entry.asInTable
      originals[event.id] = (entry.habit, ImportHistory.Content(of: plain))
    }
  }

  // MARK: Rows

  /// Returns the key of a row.
  ///
  /// It is the field `key` or `id`. Without these, it is made of the day and the number of the row
  /// among the rows of its habit and day.
  private static func key(of row: CSVRows.Row, _ reference: CSVRows.Reference) -> String {
    if let key = row.key { return key }
    guard let id = row.id else { return "csv:\(reference.day):\(reference.number)" }
    return Syntax.isID(id) ? id : ImportID.make([writer.string, id])
  }

  /// Returns the record of a row, or `nil` if the row has no event.
  private static func record(
    _ row: CSVRows.Row, _ reference: CSVRows.Reference
  ) -> KeyedRecord? {
    guard case .success(let draft) = row.event else { return nil }
    return KeyedRecord(
      key: key(of: row, reference), draft: draft, phrase: row.phrase, saysNote: row.saysNote)
  }

  private mutating func add(
    _ row: CSVRows.Row, _ reference: CSVRows.Reference, at index: Int
  ) throws(Failure) {
    let key = CSVImport.key(of: row, reference)
    if let habit = row.habit {
      if plan.exclusion(of: row.day) == nil { days.insert(HabitDay(habit: habit, day: row.day)) }
      let isNamed = row.id != nil || row.key != nil
      guard !isNamed || seen.insert(ImportID.key([habit, key])).inserted else {
        return plan.skip(row.phrase, row.place, .repeatedID)
      }
    }

    switch row.event {
    case .success:
      guard let record = CSVImport.record(row, reference) else { return }
      if isOriginal(row, record) {
        plan.keep(key, of: record.habit)
        let isDeleted = plan.ledger.facts.fate(of: row.id ?? "") == .deleted
        if isDeleted { plan.summary.deleted += 1 } else { plan.summary.alreadyThere += 1 }
        return
      }
      let isNamedByID = row.id != nil && row.key == nil && !reader.hasSeveralAnswers
      if isNamedByID, plan.isImported(key, ofOtherThan: record.habit) {
        return plan.skip(row.phrase, row.place, .otherContent(row.id ?? ""))
      }
      plan.add(record, row: index)
    case .failure(let reason):
      if let habit = row.habit {
        if reason == .notDone { plan.takeBack(key, of: habit, row.place) }
        // A field that was made blank is missing like a row that was removed.
        if reason != .notAsked, reason != .noNumber { plan.keep(key, of: habit) }
      }
      plan.skip(row.phrase, row.place, reason)
    }
  }

  /// Whether the row is an entry of this ledger, as `export csv entries` writes it.
  private func isOriginal(_ row: CSVRows.Row, _ record: KeyedRecord) -> Bool {
    var event = record.draft.event
    event.payload.entry = event.payload.entry?.asInTable
    let content = ImportHistory.Content(of: event)
    return [row.id, row.key].compactMap { $0.flatMap { originals[$0] } }.contains { original in
      original.habit == record.habit && original.content.isEqual(to: content, by: record)
    }
  }

  // MARK: Missing rows

  private mutating func finish() throws(Failure) {
    let names = reader.habits.keys.flatMap { name in
      [name] + (MeasureUnit.parts(ofColumn: name.string).map { [Text($0.name)] } ?? [])
    }
    plan.noteMissing("habit", reader.settings.names.habits.keys.sorted(), among: Set(names))

    // A table has the days from a habit's first row to its last one. A row of one habit says that
    // it has the day of all its habits.
    let tableDays = Set(days.map(\.day))
    for (habit, own) in Dictionary(grouping: days, by: \.habit).sorted(by: { $0.key < $1.key }) {
      let sorted = own.map(\.day).sorted()
      func isInFile(_ day: Day) -> Bool {
        sorted[0] <= day && day <= sorted[sorted.count - 1] || tableDays.contains(day)
      }
      func missingDays(ofNewerFiles: Bool) -> [Day] {
        plan.missingDays(of: habit, ofNewerFiles: ofNewerFiles, on: isInFile)
      }

      if reader.settings.replaces {
        plan.takeBackMissing(of: habit, on: isInFile)
      } else {
        noteMissing(missingDays(ofNewerFiles: false), of: habit, "--replace deletes them")
      }
      noteMissing(
        missingDays(ofNewerFiles: true), of: habit,
        "they are of a table with a newer day, and stay")
    }
    try plan.finish()
  }

  /// Notes the days on which entries of earlier imports still count that the file lacks.
  private mutating func noteMissing(_ days: [Day], of habit: String, _ remedy: String) {
    guard !days.isEmpty else { return }
    let list = days.prefix(5).map(\.description).joined(separator: ", ")
    let more = days.count > 5 ? " …" : ""
    plan.note(
      """
      \(habit): earlier imports have records that the file lacks, which still count, on \
      \(list)\(more)\(program: "; \(remedy)")
      """)
  }
}

extension Entry {
  /// The entry with its texts escaped as in an exported table, for comparison with an imported one.
  fileprivate var asInTable: Entry {
    var entry = self
    func plain(_ text: Text?) -> Text? {
      text.map { Text(line: Escaping.visible($0.string).trimmed) }
    }
    entry.activity = plain(activity)
    entry.value = plain(value)
    entry.note = plain(note)
    return entry
  }
}

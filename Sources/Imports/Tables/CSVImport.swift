import EventLog
package import StreakDomain

/// The conversion of a CSV table to entries and excuses, one for each row and habit.
package struct CSVImport {
  /// The `by` of imported entries, from which `timeline` knows that they came from a table.
  static let writer: Text = "csv"

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
    /// Whether the rows replace all entries that earlier imports of tables wrote for the same days.
    package var replaces = false
    package var names = GivenNames()

    package init() {}
  }

  private var reader: CSVRows
  private var plan: ImportPlan
  /// The ids in the rows that were read so far.
  private var seen: Set<String> = []
  /// The stored entries that rows of this file would create again, by their ids.
  private var stored: [String: Event] = [:]
  /// The entries of earlier imports on the days of the file, except entries that a row of the file
  /// repeats.
  private var missing: [HabitDay: Set<EventKey>] = [:]
  /// The number of new rows, and of rows that were not done, for each habit and day.
  private var newCounts: [HabitDay: Int] = [:]

  package static func plan(
    _ source: ByteSource, settings: Settings, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let table = try CSVTable(
      try source.all(), file: source.name, separator: settings.separator,
      isDecimalComma: settings.dialect.decimal == .comma)
    var plan = plan
    guard let reader = try CSVRows(table, settings, &plan) else { return plan }
    plan.isTable = true
    var csv = CSVImport(reader: reader, plan: plan)
    try csv.run()
    if let note = csv.reader.note { csv.plan.summary.notes.append(note) }
    return csv.plan
  }

  private mutating func run() throws(Failure) {
    var day = Day.first
    var repeats: [[String]: Int] = [:]
    for row in try readRows() {
      if row.day != day {
        day = row.day
        repeats = [:]
      }

      switch (row.event, row.id) {
      case (.failure(.notDone), let id?): revise(row, nil, id)
      case (.success(let draft), let id?): revise(row, draft, id)
      case (.success(let draft), nil):
        let parts = draft.identity
        repeats[parts, default: 0] += 1
        add(row, draft, parts + ["\(repeats[parts] ?? 1)"])
      case (.failure(let reason), _):
        if reason == .notDone, let day = row.habitDay { newCounts[day, default: 0] += 1 }
        plan.skip(row.phrase, row.place, reason)
      }
    }

    finish()
  }

  /// Returns the rows, sorted by day because late entries make folding slower; also sets `stored`
  /// and `missing`.
  private mutating func readRows() throws(Failure) -> [CSVRows.Row] {
    var rows: [CSVRows.Row] = []
    var days: Set<HabitDay> = []
    var ids: Set<String> = []
    while let row = try reader.next() {
      rows.append(row)
      if let day = row.habitDay, plan.exclusion(of: row.day) == nil { days.insert(day) }
      if let id = row.id,
        let last = plan.revision(of: [CSVImport.writer.string, id], first: id).last
      {
        ids.insert(last)
      }
    }

    rows.sortByDay()

    // The entries of earlier imports that still count on the days of the file.
    let ledger = plan.ledger
    let eachEvent = plan.eachEvent
    try eachEvent { event in
      if ids.contains(event.id) { stored[event.id] = event }
      guard event.by == CSVImport.writer, case .entryLogged(let entry) = event.payload,
        case let day = HabitDay(habit: entry.habit, day: event.day), days.contains(day),
        let key = EventKey.find(plan.latest(event.id), names: ledger.names),
        ledger.facts.fate(of: key) == .standing
      else { return }
      missing[day, default: []].insert(key)
    }
    return rows
  }

  /// Plans a row without an id; the id of the entry is made from the values in the row.
  private mutating func add(_ row: CSVRows.Row, _ draft: Draft, _ parts: [String]) {
    let revision = plan.revision(of: parts)
    let id = revision.standing ?? revision.next
    guard let key = EventKey.find(id, names: plan.ledger.names), let day = row.habitDay else {
      return
    }
    missing[day]?.remove(key)
    if plan.add(draft.with(id: id), row.phrase) { newCounts[day, default: 0] += 1 }
  }

  /// Plans a row with an id; `draft` replaces the entry of an earlier import, or `nil` deletes it.
  private mutating func revise(_ row: CSVRows.Row, _ draft: Draft?, _ id: String) {
    guard seen.insert(id).inserted else { return plan.skip(row.phrase, row.place, .repeatedID) }
    if let standing = plan.revision(of: [CSVImport.writer.string, id], first: id).standing {
      guard let before = stored[standing], let day = row.habitDay,
        before.payload.habit == day.habit, before.day == day.day
      else { return plan.skip(row.phrase, row.place, .otherContent(id)) }
      if let key = EventKey.find(standing, names: plan.ledger.names) { missing[day]?.remove(key) }
      if draft == nil, before.payload.entry?.completed != false {
        plan.withdraw(before, by: CSVImport.writer, row.place, because: "the answer was taken back")
      }
    }

    guard let draft else { return plan.skip(row.phrase, row.place, .notDone) }
    plan.revise(draft, row.phrase, key: [CSVImport.writer.string, id], first: id, stored: stored) {
      before, now in
      before.entry?.asInTable == now.entry?.asInTable
    }
  }

  /// Deletes the entries in `missing` if `replaces` is true, or else notes the days on which they
  /// still count.
  private mutating func finish() {
    plan.noteMissing(
      "habit", reader.settings.names.habits.keys.sorted(), among: Set(reader.habits.keys))
    if reader.settings.replaces {
      deleteMissing()
    } else {
      noteMissing()
    }
  }

  private mutating func deleteMissing() {
    let days = missing.sorted { ($0.key.day, $0.key.habit) < ($1.key.day, $1.key.habit) }
    for (day, keys) in days {
      for key in keys.sorted() {
        let id = key.text(plan.ledger.names)
        let entry = Draft(.entryLogged(Entry(habit: day.habit)), id: id, of: day.day, in: plan.zone)
        plan.withdraw(
          entry.event, by: CSVImport.writer, because: "another table was imported for the day")
      }
    }
  }

  private mutating func noteMissing() {
    let differing = newCounts.filter { !(missing[$0.key]?.isEmpty ?? true) }
    guard !differing.isEmpty else { return }
    let days = Set(differing.keys.map(\.day)).sorted()
    plan.summary.notes.append(
      "earlier imports have entries that the file lacks, which still count, on "
        + days.prefix(5).map(\.description).joined(separator: ", ") + (days.count > 5 ? " …" : "")
        + "; --replace deletes them")
  }
}

extension Draft {
  /// The values from which the id of an entry is made, without the note, so that a changed note
  /// makes no new entry.
  fileprivate var identity: [String] {
    guard let entry = event.payload.entry else {
      let habit = event.payload.habit ?? ""
      return [CSVImport.writer.string, habit, event.day.description, "excused"]
    }
    let time = isOfDay ? nil : at?.instant.microseconds.description
    return [CSVImport.writer.string, entry.habit, event.day.description, time ?? ""]
      + Measure.allCases.dropFirst().map { entry[$0]?.description ?? "" } + [
        entry.level?.string ?? "", entry.completed?.description ?? "", entry.activity?.string ?? "",
        entry.value?.string ?? "",
      ]
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

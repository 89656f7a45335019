import EventLog
package import StreakDomain

/// The conversion of a CSV table to entries, one entry per row.
///
/// The rows are read three times, for days, plan and events, and only their positions are stored in between.
package struct CSVImport {
  package struct Settings: Sendable {
    package var columns: [String]?
    /// The byte between fields, or `nil` to choose a separator that the first row contains.
    package var separator: UInt8?
    /// Whether the first row contains the names of the columns; `nil` to guess that from the row.
    package var hasHeader: Bool?
    package var dialect = CSVDialect()
    /// Whether the rows replace all entries that earlier imports of tables wrote for the same days.
    package var replaces = false
    package var names = GivenNames()

    package init() {}
  }

  private let reader: CSVRows
  private var plan: ImportPlan
  private let settings: Settings
  private var rows: [Planned] = []
  /// The entries of earlier imports on the days of the file, without those that a row of the file repeats.
  private var missing: [HabitDay: Set<EventKey>] = [:]
  /// The number of new rows for each habit and day.
  private var fresh: [HabitDay: Int] = [:]
  private var days: Set<HabitDay> = []

  private struct Planned {
    let position: CSVTable.Position
    let id: EventKey
  }

  package static func plan(
    _ source: ByteSource, settings: Settings, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let table = try CSVTable(try source.all(), file: source.name, separator: settings.separator)
    var plan = plan
    guard let reader = try CSVRows(table, settings, &plan) else { return plan }
    var csv = CSVImport(reader: reader, plan: plan, settings: settings)
    try csv.run()
    let (rows, zone) = (csv.rows, plan.options.zone)
    csv.plan.remade = (
      rows.count,
      { index throws(Failure) in
        var position = rows[index].position
        guard let row = try reader.row(&position) else { return Draft(.entryLogged(Entry(habit: ""))) }
        let event = ImportedEvent(
          row, id: EventKey.uuidText(rows[index].id.high, rows[index].id.low))
        return ImportPlan.draft(of: event, zone: zone)
      }
    )
    return csv.plan
  }

  private init(reader: CSVRows, plan: ImportPlan, settings: Settings) {
    (self.reader, self.plan, self.settings) = (reader, plan, settings)
  }

  private mutating func run() throws(Failure) {
    // The rows are sorted by day, because late entries make folding slower. Rows of the same day keep their order.
    var order: [(day: Day, position: CSVTable.Position)] = []
    var position = reader.start
    var ids: Set<String> = []
    while true {
      let start = position
      guard let row = try reader.row(&position) else { break }
      order.append((row.day, start))
      if let habit = row.entry?.habit { days.insert(HabitDay(habit: habit, day: row.day)) }
      if let id = row.id { ids.insert(plan.revision(of: ["csv", id], first: id).standing ?? id) }
    }
    order.sort { ($0.day, $0.position.offset) < ($1.day, $1.position.offset) }
    let stored = ids.isEmpty ? [:] : try plan.stored { ids.contains($0.id) }
    try readMissing()
    var seen: [String: ImportPlan.Content] = [:]
    var (day, repeats) = (Day.first, [[String]: Int]())
    for (rowDay, start) in order {
      if rowDay != day { (day, repeats) = (rowDay, [:]) }
      position = start
      guard let row = try reader.row(&position) else { continue }
      guard let entry = row.entry, row.skipped == nil else {
        plan.leave("the row of \(day)", row.place, row.skipped ?? .notDone)
        continue
      }
      if row.id == nil {
        let parts = row.identity
        repeats[parts, default: 0] += 1
        add(row, at: start, entry, parts + ["\(repeats[parts] ?? 1)"])
      } else {
        correct(row, entry, stored, &seen)
      }
    }
    finish()
  }

  private mutating func readMissing() throws(Failure) {
    let (days, ledger) = (days, plan.ledger)
    var found: [HabitDay: Set<EventKey>] = [:]
    try plan.options.past { event in
      guard event.by == "csv", case .entryLogged(let entry) = event.payload,
        let key = EventKey.find(event.id, names: ledger.names), ledger.fate(of: key) == .standing
      else { return }
      let day = HabitDay(habit: entry.habit, day: event.day)
      if days.contains(day) { found[day, default: []].insert(key) }
    }
    missing = found
  }

  /// Plans a row without an id; the id of the entry is made from the values in the row.
  private mutating func add(
    _ row: CSVRows.Row, at position: CSVTable.Position, _ entry: Entry, _ parts: [String]
  ) {
    let known = plan.revision(of: parts)
    let id = known.standing ?? known.next
    let day = HabitDay(habit: entry.habit, day: row.day)
    guard let key = EventKey.find(id, names: plan.ledger.names) else { return }
    missing[day]?.remove(key)
    guard plan.admit(ImportedEvent(row, id: id), refuses: true) != nil else { return }
    rows.append(Planned(position: position, id: key))
    fresh[day, default: 0] += 1
  }

  /// Plans a row with an id, whose entry replaces the entry of an earlier import with the same id.
  private mutating func correct(
    _ row: CSVRows.Row, _ entry: Entry, _ stored: [String: ImportPlan.Content],
    _ seen: inout [String: ImportPlan.Content]
  ) {
    guard let id = row.id else { return }
    let known = plan.revision(of: ["csv", id], first: id)
    let content = ImportPlan.Content(day: row.day, payload: .entryLogged(entry))
    guard seen[id] ?? content == content else {
      return plan.leave("the row of \(row.day)", row.place, .otherContent(id))
    }
    let isRepeated = seen.updateValue(content, forKey: id) != nil
    guard let standing = known.standing else {
      return plan.add(ImportedEvent(row, id: known.next), refuses: true)
    }
    if let key = EventKey.find(standing, names: plan.ledger.names) {
      missing[HabitDay(habit: entry.habit, day: row.day)]?.remove(key)
    }
    guard case .entryLogged(let before)? = stored[standing]?.payload, before.habit == entry.habit,
      stored[standing]?.day == row.day
    else { return plan.leave("the row of \(row.day)", row.place, .otherContent(id)) }
    if isRepeated || before.asInTable == entry.asInTable {
      _ = plan.isKnown(standing)
      return
    }
    plan.add(
      ImportedEvent(row, id: known.next), replacing: ImportPlan.Replaced(id: standing, day: row.day),
      refuses: true)
  }

  /// Deletes the earlier entries that the file doesn't contain, or reports the days on which they also count.
  private mutating func finish() {
    plan.notes += settings.names.unused(among: reader.found)
    let place = Place(file: reader.table.file, line: 1, column: 1)
    if settings.replaces {
      for (day, keys) in missing.sorted(by: { ($0.key.day, $0.key.habit) < ($1.key.day, $1.key.habit) }) {
        for key in keys.sorted() {
          plan.takeBack(
            ImportPlan.Replaced(id: key.text(plan.ledger.names), day: day.day), of: day.habit, by: "csv",
            place,
            because: "another table was imported for the day")
        }
      }
    } else {
      let differing = fresh.filter { !(missing[$0.key]?.isEmpty ?? true) }
      guard !differing.isEmpty else { return }
      let days = Set(differing.keys.map(\.day)).sorted()
      let count = differing.values.reduce(0, +)
      plan.notes.append(
        "\(counted(count, "row")) of days imported before "
          + (count == 1 ? "differs" : "differ")
          + " now, and the earlier entries still count: "
          + days.prefix(5).map(\.description).joined(separator: ", ") + (days.count > 5 ? " …" : "")
          + "; --replace deletes what the file doesn't contain of these days")
    }
  }
}

extension ImportedEvent {
  fileprivate init(_ row: CSVRows.Row, id: String) {
    self.init(
      id: id, habit: row.entry?.habit ?? "", day: row.day, at: row.at,
      payload: .entryLogged(row.entry ?? Entry(habit: "")), by: "csv", what: "the row of \(row.day)",
      place: row.place, text: row.text, zone: row.zone)
  }
}

extension Entry {
  /// The entry with its texts as they are after `export csv entries` has written and an import has read them.
  fileprivate var asInTable: Entry {
    var entry = self
    func plain(_ text: Text?) -> Text? { text.map { Text(ImportedEvent.line(Escaping.visible($0.string))) } }
    (entry.activity, entry.value, entry.note) = (plain(activity), plain(value), plain(note))
    return entry
  }
}

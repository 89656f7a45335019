import EventLog
import StreakDomain

/// Turns the records of an export into entries of a ledger.
package struct HealthImport {
  private var plan: ImportPlan
  private let mapping: HealthMapping
  private let selection: Selection
  private var covered: [String: TimeSpans] = [:]
  private var drinks: [HabitDay: DayOfDrinks] = [:]
  private var levelSources: Set<String> = []
  /// The ids of the file so far; a record that stands twice counts once.
  private var seen: Set<String> = []

  package struct Selection: Sendable {
    package var sources: [String] = []
    package var types: [String] = []

    package init() {}
  }

  private struct HabitDay: Hashable {
    let habit: String
    let day: Day
  }

  /// A record and the habit that takes it.
  private struct Item {
    let record: HealthRecord
    let habit: String
    let measure: HealthMapping.Measure
    let unit: String?
    let id: String
  }

  private init(_ plan: ImportPlan, _ mapping: HealthMapping, _ selection: Selection) {
    self.plan = plan
    self.mapping = mapping
    self.selection = selection
  }

  /// Plans the entries of an export.
  package static func plan(
    _ contents: HealthContents, mapping: HealthMapping, selection: Selection, into plan: ImportPlan
  ) -> ImportPlan {
    var health = HealthImport(plan, mapping, selection)
    health.run(contents)
    return health.plan
  }

  private mutating func run(_ contents: HealthContents) {
    for odd in contents.odd { plan.leave(odd.what, odd.place, odd.reason) }
    var items: [Item] = []
    for record in contents.records {
      guard let item = item(record) else { continue }
      guard seen.insert(item.id).inserted else {
        plan.leave(record.phrase, record.place, .duplicate)
        continue
      }
      items.append(item)
    }
    items.sort { $0.record.precedes($1.record) }
    levelSources = HealthImport.levelSources(of: items.filter { $0.measure == .drinks }.map(\.record))
    if !levelSources.isEmpty {
      plan.notes.append(
        "read as one level a day, not as counts that add up: "
          + levelSources.sorted().map(quoted).joined(separator: ", "))
    }
    for item in items where plan.ledger.fate(of: item.id) == .standing { claim(item) }
    for item in items where !plan.isKnown(item.id) { add(item) }
    plan.passedOver = contents.others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, $0.value) }
    noteSources(contents.sources)
  }

  /// A source that is asked for and not there is most often misspelt.
  private mutating func noteSources(_ sources: Set<String>) {
    let known = sources.sorted()
    for wanted in selection.sources where !known.contains(where: { Self.isSame($0, wanted) }) {
      plan.notes.append(
        "no record asked for is from a source \(quoted(wanted))" + Nearest.hint(wanted, among: known)
          + (known.isEmpty ? "" : "; there are " + known.prefix(12).map(quoted).joined(separator: ", ")))
    }
  }

  private mutating func item(_ record: HealthRecord) -> Item? {
    guard let target = mapping.target(of: record.type) else { return nil }
    let habit = target.habits.first { plan.ledger.definition(of: $0) != nil } ?? target.habits[0]
    // Instants, for the same record has other offsets in an export made elsewhere.
    let value = record.number.map { HealthUnit.thousandths($0).description } ?? record.value ?? ""
    let id = ImportID.make([
      "apple-health", record.type, String(record.start.instant.microseconds),
      String(record.end.instant.microseconds), record.minutes?.description ?? value, record.source, habit,
    ])
    return Item(record: record, habit: habit, measure: target.measure, unit: target.unit, id: id)
  }

  /// Takes into account what an earlier import brought, asked for now or not.
  private mutating func claim(_ item: Item) {
    switch item.measure {
    case .minutes where item.record.isSession:
      covered[item.habit, default: TimeSpans()].cover(item.record.start.instant, item.record.end.instant)
    case .drinks:
      drinks[HabitDay(habit: item.habit, day: item.record.day), default: DayOfDrinks()]
        .add(item.record, isLevel: levelSources.contains(item.record.source), isKnown: true)
    default: break
    }
  }

  private mutating func add(_ item: Item) {
    let record = item.record
    func leave(_ reason: LeftOut.Reason) { plan.leave(record.phrase, record.place, reason) }
    if !selection.types.isEmpty, !HealthMapping.names(selection.types, record.type) {
      return leave(.otherType)
    }
    if !selection.sources.isEmpty, !selection.sources.contains(where: { Self.isSame($0, record.source) }) {
      return leave(.otherSource)
    }
    guard plan.ledger.definition(of: item.habit) != nil else {
      return leave(.undefinedHabit(item.habit, preset: Preset(rawValue: item.habit)?.rawValue))
    }
    if let reason = plan.exclusion(of: item.habit, on: record.day) { return leave(reason) }
    var entry = Entry(habit: item.habit)
    var at = record.start
    if let reason = measure(item, into: &entry, at: &at) { return leave(reason) }
    plan.add(
      ImportedEvent(
        id: item.id, habit: item.habit, day: record.day, at: at, payload: .entryLogged(entry),
        by: ImportedEvent.writer("apple-health", record.source), what: record.phrase, place: record.place))
  }

  /// Fills the entry in; what speaks against it otherwise.
  private mutating func measure(
    _ item: Item, into entry: inout Entry, at: inout Timestamp
  ) -> LeftOut.Reason? {
    let record = item.record
    switch item.measure {
    case .entry: break
    case .value:
      entry.value = ImportedEvent.line([record.value, record.unit].compactMap { $0 }.joined(separator: " "))
    case .drinks:
      guard record.number != nil else { return .noNumber }
      let day = HabitDay(habit: item.habit, day: record.day)
      var drunk = drinks[day] ?? DayOfDrinks()
      drunk.add(record, isLevel: levelSources.contains(record.source), isKnown: false)
      guard drunk.total <= 100 else { return .outOfRange(measure: "drinks", most: 100) }
      drinks[day] = drunk
      entry.drinks = drunk.total
      // A record that comes to light later must still be the one that the day ends with.
      if let known = drunk.lastKnown, known.instant > at.instant { at = known }
    case .minutes:
      if let reason = measureMinutes(item, into: &entry) { return reason }
    case .km:
      let unit = record.unit ?? item.unit ?? "km"
      let distance = record.km ?? record.number.flatMap { HealthUnit.kilometres($0, unit) }
      guard let distance else { return record.number == nil ? .noNumber : .unknownUnit(unit) }
      entry.km = distance
    case .workout:
      if let unit = record.unknownUnit { return .unknownUnit(unit) }
      let rule = plan.ledger.definition(of: item.habit, on: record.day)?.rule
      entry.activity = HealthActivity(record.type).name(by: rule)
      entry.minutes = record.minutes
      entry.km = record.km
    }
    if let minutes = entry.minutes, minutes > Thousandths(1440) {
      return .outOfRange(measure: "minutes", most: 1440)
    }
    if let km = entry.km, km > Thousandths(1000) { return .outOfRange(measure: "km", most: 1000) }
    return nil
  }

  private mutating func measureMinutes(_ item: Item, into entry: inout Entry) -> LeftOut.Reason? {
    let record = item.record
    guard record.isSession else {
      let unit = record.unit ?? item.unit ?? "min"
      guard let minutes = record.minutes ?? record.number.flatMap({ HealthUnit.minutes($0, unit) }) else {
        return .unknownUnit(record.unknownUnit ?? unit)
      }
      entry.minutes = minutes
      return nil
    }
    guard record.lasting > .zero else { return .lastsNoTime }
    guard record.lasting <= Thousandths(1440) else { return .outOfRange(measure: "minutes", most: 1440) }
    let fresh = covered[item.habit, default: TimeSpans()].cover(record.start.instant, record.end.instant)
    guard fresh > 0 else { return .overlapped }
    entry.minutes = HealthRecord.minutes(
      from: Instant(microseconds: 0), to: Instant(microseconds: fresh))
    return nil
  }

  /// Names as people type them: without the typographic marks and spaces that phones put in.
  static func isSame(_ a: String, _ b: String) -> Bool { plain(a) == plain(b) }

  private static func plain(_ name: String) -> String {
    name.replacing("\u{A0}", with: " ").replacing("’", with: "'").lowercased()
  }

  /// The sources that keep a level a day and no count: all they ever wrote is 0, 4 and 6, and 0 among it.
  private static func levelSources(of records: [HealthRecord]) -> Set<String> {
    var values: [String: Set<Int64>] = [:]
    for record in records {
      values[record.source, default: []].insert(
        record.number.map { HealthUnit.thousandths($0).count } ?? -1)
    }
    let levels = Set(DrinkLevel.allCases.map { Int64($0.healthValue) * 1000 })
    return Set(values.filter { $0.value.contains(0) && $0.value.isSubset(of: levels) }.keys)
  }
}

extension HealthRecord {
  /// A time that lasted, and no number: a category such as mindfulness.
  fileprivate var isSession: Bool { number == nil && minutes == nil }

  /// In a few words, for a report.
  var phrase: String {
    let name = type.replacing("HKQuantityTypeIdentifier", with: "").replacing(
      "HKCategoryTypeIdentifier", with: ""
    ).replacing(HealthMapping.workout, with: "")
    return "\(name) of \(day)" + (source.isEmpty ? "" : " from \(source)")
  }

  fileprivate func precedes(_ other: HealthRecord) -> Bool {
    if start.instant != other.start.instant { return start.instant < other.start.instant }
    if end.instant != other.end.instant { return end.instant < other.end.instant }
    return (source, type, value ?? "") < (other.source, other.type, other.value ?? "")
  }
}

extension ImportedEvent {
  /// `by` of what an import writes: its name, and the source as far as there is room for it.
  static func writer(_ name: String, _ source: String) -> String {
    let source = line(source).trimmed
    var writer = name + (source.isEmpty ? "" : ":" + source)
    while writer.unicodeScalars.count > 64 { writer.removeLast() }
    return writer
  }

  /// A text in one line, with a blank for each control character.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { Escaping.isPrintable($0) ? $0 : " " })).trimmed
  }
}

extension StringProtocol {
  /// Without blanks around it.
  var trimmed: String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
    while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
    return String(rest)
  }
}

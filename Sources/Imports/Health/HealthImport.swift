import EventLog
package import StreakDomain

package struct HealthImport {
  private var plan: ImportPlan
  private let mapping: HealthMapping
  private let selection: Selection
  private var records: HealthRecords
  private var covered: [String: TimeSpans] = [:]
  private var drinks: [HabitDay: DayOfDrinks] = [:]
  private var levelSources: Set<Text> = []
  private var outlets: [Outlet] = []

  package struct Selection: Sendable {
    package var sources: [String] = []
    package var types: [Text] = []

    package init() {}

    package func exclusion(of type: Text, from source: Text) -> LeftOut.Reason? {
      if !types.isEmpty, !HealthMapping.names(types, type) { return .otherType }
      if !sources.isEmpty, !sources.contains(where: { Self.isSame($0, source.string) }) {
        return .otherSource
      }
      return nil
    }
  }

  private struct HabitDay: Hashable {
    let habit: String
    let day: Day
  }

  private struct Outlet {
    let habit: String
    let measure: HealthMapping.Measure
    let unit: Text?
    let writer: Text
  }

  private struct Item {
    let record: HealthRecord
    let outlet: Outlet
    let id: EventKey
    var habit: String { outlet.habit }
    var measure: HealthMapping.Measure { outlet.measure }
    var unit: Text? { outlet.unit }
  }

  package static func plan(
    _ contents: consuming HealthContents, mapping: HealthMapping, selection: Selection, into plan: ImportPlan
  ) -> ImportPlan {
    var health = HealthImport(
      plan: plan, mapping: mapping, selection: selection,
      records: HealthRecords(file: "", dayStart: contents.records.dayStart))
    swap(&health.records, &contents.records)
    health.run(contents)
    var planned = health.plan
    planned.made = Drafts { body throws(Failure) in
      for index in health.records.indices {
        if let draft = health.draft(at: index) { try body(draft) }
      }
    }
    return planned
  }

  private mutating func run(_ contents: HealthContents) {
    for odd in contents.odd { plan.leave(odd.what, odd.place, odd.reason) }
    let outlets = records.kinds.map(outlet)
    self.outlets = outlets
    let repeats = records.identify { record, kind in HealthImport.id(of: record, for: outlets[kind].habit) }
    for record in repeats { plan.leave(record.phrase, record.place, .duplicate) }
    findLevelSources()
    for index in records.indices where plan.ledger.fate(of: records.id(at: index)) == .standing {
      claim(item(at: index))
    }
    for index in records.indices { add(item(at: index), at: index) }
    plan.passedOver = contents.others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key.string, $0.value) }
    noteSources(contents.sources)
    // The drafts need only the records.
    (covered, drinks) = ([:], [:])
  }

  private func outlet(of kind: HealthRecords.Kind) -> Outlet {
    let target = mapping.target(of: kind.type)
    let habits = target?.habits ?? []
    return Outlet(
      habit: habits.first { plan.ledger.definition(of: $0) != nil } ?? habits.first ?? "",
      measure: target?.measure ?? .entry, unit: target?.unit,
      writer: ImportedEvent.writer("apple-health", kind.source))
  }

  /// Reports requested sources without records, which are probably misspelled.
  private mutating func noteSources(_ sources: Set<Text>) {
    let known = sources.sorted().strings
    for wanted in selection.sources where !known.contains(where: { Selection.isSame($0, wanted) }) {
      plan.notes.append(
        "no record asked for is from a source \(quoted(wanted))\(Nearest.hint(wanted, among: known))"
          + (known.isEmpty ? "" : "; there are " + known.prefix(12).map(quoted).joined(separator: ", ")))
    }
  }

  private func item(at index: Int) -> Item {
    Item(record: records[index], outlet: outlets[records.kind(at: index)], id: records.id(at: index))
  }

  private static func id(of record: HealthRecord, for habit: String) -> EventKey {
    // Instants, because the offsets of a record depend on where it was exported.
    let value = record.number.map { HealthUnit.thousandths($0).description } ?? record.value?.string ?? ""
    return ImportID.key([
      "apple-health", record.type.string, String(record.start.instant.microseconds),
      String(record.end.instant.microseconds), record.minutes?.description ?? value, record.source.string,
      habit,
    ])
  }

  /// Includes a record of an earlier import in the covered times and drinks.
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

  private mutating func add(_ item: Item, at index: Int) {
    let record = item.record
    if let reason = selection.exclusion(of: record.type, from: record.source)
      ?? plan.exclusion(of: record.day)
    {
      return plan.leave(record.phrase, record.place, reason)
    }
    guard !plan.isKnown(item.id) else { return }
    guard plan.ledger.definition(of: item.habit) != nil else {
      return plan.leave(
        record.phrase, record.place,
        .undefinedHabit(item.habit, preset: Preset(rawValue: item.habit)?.rawValue))
    }
    if let reason = plan.exclusion(of: item.habit, on: record.day) {
      return plan.leave(record.phrase, record.place, reason)
    }
    switch measured(item) {
    case .failure(let refused): plan.leave(record.phrase, record.place, refused.reason)
    case .success(let measured):
      guard plan.plansLater(event(item, measured.amount, measured.at)) else { return }
      records.plan(at: index, amount: measured.amount, measured.at)
    }
  }

  private struct Refused: Error {
    let reason: LeftOut.Reason
  }

  /// Returns the computed amount and the time of an entry, or the reason to skip the record.
  private mutating func measured(_ item: Item) -> Result<(amount: Int32, at: Timestamp), Refused> {
    var amount = HealthRecords.Amount.asRecorded
    var at = item.record.start
    switch item.measure {
    case .drinks:
      guard item.record.number != nil else { return .failure(Refused(reason: .noNumber)) }
      let day = HabitDay(habit: item.habit, day: item.record.day)
      var drunk = drinks[day] ?? DayOfDrinks()
      drunk.add(item.record, isLevel: levelSources.contains(item.record.source), isKnown: false)
      guard drunk.total <= Measure.drinks.most else {
        return .failure(Refused(reason: .tooMuch(.drinks)))
      }
      drinks[day] = drunk
      amount = Int32(drunk.total)
      // The running count must be in the day's last entry, even if this record is older than imported ones.
      if let known = drunk.lastKnown, known.instant > at.instant { at = known }
    case .minutes where item.record.isSession:
      switch freshMinutes(item) {
      case .failure(let refused): return .failure(refused)
      case .success(let fresh): amount = Int32(clamping: fresh.count)
      }
    default: break
    }
    if let reason = objection(to: item, entry(item, amount)) { return .failure(Refused(reason: reason)) }
    return .success((amount, at))
  }

  private func objection(to item: Item, _ entry: Entry) -> LeftOut.Reason? {
    let record = item.record
    switch item.measure {
    case .minutes where entry.minutes == nil:
      return .unknownUnit(record.unknownUnit ?? record.unit ?? item.unit ?? "min")
    case .km where entry.km == nil:
      return record.number == nil ? .noNumber : .unknownUnit(record.unit ?? item.unit ?? "km")
    case .workout:
      if let unit = record.unknownUnit { return .unknownUnit(unit) }
    default: break
    }
    if let minutes = entry.minutes, minutes > Thousandths(Measure.minutes.most) {
      return .tooMuch(.minutes)
    }
    if let km = entry.km, km > Thousandths(Measure.km.most) { return .tooMuch(.km) }
    return nil
  }

  private func entry(_ item: Item, _ amount: Int32) -> Entry {
    let record = item.record
    var entry = Entry(habit: item.habit)
    switch item.measure {
    case .entry: break
    case .value:
      entry.value = Text(
        ImportedEvent.line([record.value, record.unit].compactMap { $0?.string }.joined(separator: " ")))
    case .drinks: entry.drinks = Int(amount)
    case .minutes where record.isSession: entry.minutes = Thousandths(count: Int64(amount))
    case .minutes:
      entry.minutes =
        record.minutes
        ?? record.number.flatMap { HealthUnit.minutes($0, (record.unit ?? item.unit)?.string ?? "min") }
    case .km:
      entry.km =
        record.km
        ?? record.number.flatMap { HealthUnit.kilometres($0, (record.unit ?? item.unit)?.string ?? "km") }
    case .workout:
      let rule = plan.ledger.definition(of: item.habit, on: record.day)?.rule
      entry.activity = HealthActivity(record.type).name(by: rule)
      entry.minutes = record.minutes
      entry.km = record.km
    }
    return entry
  }

  private func event(_ item: Item, _ amount: Int32, _ at: Timestamp) -> ImportedEvent {
    ImportedEvent(
      id: EventKey.uuidText(item.id.high, item.id.low), habit: item.habit, day: item.record.day, at: at,
      payload: .entryLogged(entry(item, amount)),
      by: item.outlet.writer, what: plan.options.keepsLines ? item.record.phrase : "",
      place: item.record.place)
  }

  private func draft(at index: Int) -> Draft? {
    guard let amount = records.amount(at: index) else { return nil }
    let item = item(at: index)
    return plan.draft(of: event(item, amount, item.record.start))
  }

  /// Returns the minutes of a session that no other session covers.
  private mutating func freshMinutes(_ item: Item) -> Result<Thousandths, Refused> {
    let record = item.record
    guard record.lasting > .zero else { return .failure(Refused(reason: .lastsNoTime)) }
    guard record.lasting <= Thousandths(Measure.minutes.most) else {
      return .failure(Refused(reason: .tooMuch(.minutes)))
    }
    let fresh = covered[item.habit, default: TimeSpans()].cover(record.start.instant, record.end.instant)
    guard fresh > 0 else { return .failure(Refused(reason: .overlapped)) }
    return .success(
      HealthRecord.minutes(from: Instant(microseconds: 0), to: Instant(microseconds: fresh)))
  }

  /// Finds the sources that record levels instead of counts: their values are only 0, 4 and 6, including 0.
  private mutating func findLevelSources() {
    var values: [Text: Set<Int64>] = [:]
    for record in records where mapping.target(of: record.type)?.measure == .drinks {
      values[record.source, default: []].insert(
        record.number.map { HealthUnit.thousandths($0).count } ?? -1)
    }
    let levels = Set(DrinkLevel.allCases.map { Int64($0.healthValue) * 1000 })
    levelSources = Set(values.filter { $0.value.contains(0) && $0.value.isSubset(of: levels) }.keys)
    guard !levelSources.isEmpty else { return }
    plan.notes.append(
      "read as one level a day, not as counts that add up: "
        + levelSources.sorted().map { quoted($0) }.joined(separator: ", "))
  }
}

extension HealthImport.Selection {
  /// Whether names are equal, ignoring case, non-breaking spaces and typographic apostrophes.
  static func isSame(_ a: String, _ b: String) -> Bool { Text(plain(a)) == Text(plain(b)) }

  private static func plain(_ name: String) -> String {
    name.rewriting { ["\u{A0}": " ", "’": "'"][$0] ?? $0.properties.lowercaseMapping }
  }
}

extension DrinkLevel {
  /// The number of drinks that represents the level in a health store (domain.md, "Presets").
  package var healthValue: Int {
    switch self {
    case .steady: 0
    case .easy: 4
    case .wild: 6
    }
  }
}

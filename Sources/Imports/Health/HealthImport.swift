import EventLog
package import StreakDomain

/// The conversion of the records in a Health export to entries.
package struct HealthImport {
  private var plan: ImportPlan
  private let mapping: HealthMapping
  private let selection: Selection
  private var items: [Item] = []
  /// The sums of amounts, by day and type.
  ///
  /// A sum keeps its first record, whose location and description stand for the sum in reports.
  private var sums: [SumKey: DaySum] = [:]
  private var types: [Text: TypeSummary] = [:]
  private var covered: [String: TimeSpans] = [:]
  private var drinks: [HabitDay: DayOfDrinks] = [:]
  private var levelSources: Set<Text> = []
  /// The numbers of records that don't name their time zone.
  ///
  /// `different` counts those whose start has another UTC offset than the zone of the import at
  /// that time.
  private var offsets = (all: 0, different: 0)

  /// The records of a type in the file.
  private struct TypeSummary {
    let habit: String
    /// The days with records of each source.
    var days: [Text: Set<Day>] = [:]
    /// Whether the import includes a record of the type.
    var isSelected = false

    var allDays: Set<Day> { days.values.reduce(into: []) { $0.formUnion($1) } }
  }

  /// The records to import, according to the options `--source` and `--type`; an empty list selects
  /// all of them.
  package struct Selection: Sendable {
    package var sources: [String] = []
    package var types: [Text] = []

    package init() {}

    fileprivate func exclusion(of record: HealthRecord) -> LeftOut.Reason? {
      let isNamed = types.contains { type in
        let name = HealthMapping.shortNames[type] ?? type
        return name == record.type || name == HealthMapping.workout && record.isWorkout
      }
      if !types.isEmpty, !isNamed { return .otherType }
      let isSource =
        sources.isEmpty || sources.map(Self.plain).contains(Self.plain(record.source.string))
      return isSource ? nil : .otherSource
    }

    /// Returns a source's name in lowercase, with plain spaces and apostrophes, so that typed names
    /// are found.
    static func plain(_ name: String) -> Text {
      Text(name.rewriting { ["\u{A0}": " ", "’": "'"][$0] ?? $0.properties.lowercaseMapping })
    }
  }

  /// A record that becomes an entry of its own.
  private struct Item {
    let record: HealthRecord
    let habit: String
    let measure: HealthMapping.Measure
    let id: EventKey
    var key = ""
  }

  /// The key of the records whose amounts are added up to one entry.
  private struct SumKey: Hashable {
    let day: HabitDay
    let type: Text
  }

  /// The exact sum of the amounts of a type on one day.
  private struct DaySum {
    private(set) var sum = DecimalNumber.zero
    let record: HealthRecord
    private(set) var sources: Set<Text> = []

    mutating func add(_ amount: DecimalNumber, from source: Text) {
      sum = sum + amount
      sources.insert(source)
    }
  }

  package static func plan(
    _ source: ByteSource, mapping: HealthMapping, selection: Selection, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    var health = HealthImport(plan: plan, mapping: mapping, selection: selection)
    health.plan.writer = writer
    try health.read(source)
    health.findLevelSources()

    health.findKeys()
    // What was imported before and stays isn't counted again.
    for item in health.items
    where selection.exclusion(of: item.record) != nil && !health.isTakenBack(item.record)
      && health.plan.isDeleted(item.key, of: item.habit) == false
    {
      _ = try? health.entry(of: item)
    }
    for item in health.items { health.add(item) }
    health.addSums()
    health.noteSharedTimes()
    health.takeBackMissing()
    try health.plan.finish()
    return health.plan
  }

  private mutating func read(_ source: ByteSource) throws(Failure) {
    var reader = try HealthReader(source, dayStart: plan.ledger.facts.dayStart)
    var others: [Text: Int] = [:]
    var sources: Set<Text> = []
    var seen: [EventKey: Bool] = [:]

    func isWanted(_ type: Text) -> Bool {
      if mapping.target(of: type) != nil { return true }
      // A file could contain any number of types.
      if others[type] != nil || others.count < 1000 { others[type, default: 0] += 1 }
      return false
    }

    while let record = try reader.next(&plan, where: isWanted) {
      sources.insert(record.source)
      do throws(LeftOut.Reason) { try collect(record, &seen) } catch {
        plan.skip(record.phrase, record.place, error)
      }
    }

    // The id at the end makes the order independent of the order in the file.
    items.sort {
      ($0.record.start.instant, $0.record.end.instant, $0.id)
        < ($1.record.start.instant, $1.record.end.instant, $1.id)
    }

    // The most frequent types come first.
    plan.summary.passedOver = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { .init(type: $0.key.string, count: $0.value) }

    let newestDay = types.values.compactMap { $0.allDays.max() }.max()
    plan.setAge(reader.exportDate?.instant, newestDay: newestDay)
    noteOffsets(exportDate: reader.exportDate)
    let sourceNames = sources.map { Selection.plain($0.string) }
    let missing = selection.sources.filter { !sourceNames.contains(Selection.plain($0)) }
    plan.noteMissing("source", missing.map { Text($0) }, among: sources)
  }

  /// Adds a record to `items`, or its amount to the sum of the day.
  ///
  /// `seen` contains the id of each record so far. Its value is true if the record with this id was
  /// selected for the import.
  private mutating func collect(
    _ record: HealthRecord, _ seen: inout [EventKey: Bool]
  ) throws(LeftOut.Reason) {
    guard let target = mapping.target(of: record.type) else { return }
    if record.isSleepless { throw .notAsleep }
    let habit =
      target.habits.first { plan.ledger.facts.definition(of: $0) != nil } ?? target.habits[0]
    let item = Item(
      record: record, habit: habit, measure: target.measure, id: Self.id(of: record, habit))

    if !record.namesZone {
      offsets.all += 1
      if isElsewhere(record.start) { offsets.different += 1 }
    }
    types[record.type, default: TypeSummary(habit: habit)].days[record.source, default: []]
      .insert(record.day)
    let exclusion = selection.exclusion(of: record)
    if exclusion == nil, plan.exclusion(of: record.day) == nil {
      types[record.type]?.isSelected = true
    }

    if let isSelected = seen[item.id] {
      // A record that is left out doesn't make a selected copy from another source a duplicate.
      guard exclusion == nil, !isSelected else { throw .duplicate }
      items.removeAll { $0.id == item.id }
    }
    seen[item.id] = exclusion == nil
    guard target.measure == .amount else { return items.append(item) }

    // Amounts of a day are added up.
    if let exclusion { throw exclusion }
    plan.keep(HealthImport.key(record.type, "\(record.day)"), of: habit)
    if let reason = plan.exclusion(of: record.day) { throw reason }
    guard
      let definition = plan.ledger.facts.definition(of: habit, forRecordsOf: record.day)
    else { throw .undefinedHabit(habit) }

    let amount = try record.number(in: definition.rule.sum?.unit?.string)
    let key = SumKey(day: HabitDay(habit: habit, day: record.day), type: record.type)
    sums[key, default: DaySum(record: record)].add(amount, from: record.source)
  }

  // MARK: Keys

  /// Returns the key of a record.
  ///
  /// It contains the type, and the start of the record, or its day if the amounts of a day are
  /// added up. A further record of the same type and start has its number, too.
  private static func key(_ type: Text, _ time: String, number: Int = 1) -> String {
    let key = prefix(of: type) + time + (number > 1 ? ":\(number)" : "")
    return Syntax.isID(key) ? key : ImportID.make(["apple-health", type.string, time, "\(number)"])
  }

  /// Returns the beginning of the keys of a type, such as `health:StepCount:`.
  private static func prefix(of type: Text) -> String {
    let prefixes = [
      "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKWorkoutActivityType",
    ]
    let prefix = prefixes.first { type.string.begins(with: $0) } ?? ""
    return "health:\(type.string.droppingBytes(prefix.utf8.count)):"
  }

  /// Plans an entry with the sum for each day and type.
  private mutating func addSums() {
    let sorted = sums.sorted {
      ($0.key.day.day, $0.key.day.habit, $0.key.type)
        < ($1.key.day.day, $1.key.day.habit, $1.key.type)
    }
    for (sumKey, amount) in sorted {
      let habit = sumKey.day.habit
      let record = amount.record
      let key = HealthImport.key(record.type, "\(sumKey.day.day)")
      let sum = amount.sum.millionths
      guard sum <= Millionths(Limits.amount) else {
        plan.keep(key, of: habit)
        plan.skip(record.phrase, record.place, .tooMuch(.amount))
        continue
      }

      var entry = Entry(habit: habit)
      entry.amount = sum
      var draft = draft(of: record, entry)
      if amount.sources.count > 1 { draft.event.by = HealthImport.writer }
      plan.add(KeyedRecord(key: key, draft: draft, phrase: record.phrase))
    }
    noteSharedDays()
  }

  /// Notes the habits with days on which several sources add up, because the sources may have
  /// recorded the same.
  private mutating func noteSharedDays() {
    let shared = sums.filter { $0.value.sources.count > 1 }
    for (habit, days) in Dictionary(grouping: shared, by: \.key.day.habit).sorted(by: {
      $0.key < $1.key
    }) {
      note(
        habit, Set(days.flatMap(\.value.sources)), "add up", on: days.count,
        Set(days.map(\.key.type)))
    }
  }

  /// Notes the habits with workouts of several sources at the same time.
  private mutating func noteSharedTimes() {
    var last: [String: HealthRecord] = [:]
    var shared: [String: [HealthRecord]] = [:]
    for item in items where item.measure == .workout && selection.exclusion(of: item.record) == nil
    {
      let record = item.record
      if let before = last[item.habit] {
        let overlaps = record.start.instant < before.end.instant && record.source != before.source
        if overlaps { shared[item.habit, default: []] += [before, record] }
        if record.end.instant < before.end.instant { continue }
      }
      last[item.habit] = record
    }

    for (habit, records) in shared.sorted(by: { $0.key < $1.key }) {
      note(
        habit, Set(records.map(\.source)), "overlap and both count",
        on: Set(records.map(\.day)).count, Set(records.map(\.type)))
    }
  }

  /// Notes that records of several sources concern the same days of a habit.
  private mutating func note(
    _ habit: String, _ sources: Set<Text>, _ what: String, on days: Int, _ types: Set<Text>
  ) {
    let sources = sources.sorted()
    // Days without a record of the chosen source lose their entries, so that with the most days is
    // offered.
    func dayCount(_ sources: [Text]) -> Int {
      let days = types.compactMap { self.types[$0]?.days }
      return Set(days.flatMap { days in sources.flatMap { days[$0] ?? [] } }).count
    }
    guard let best = sources.max(by: { dayCount([$0]) < dayCount([$1]) }) else { return }
    let lost = dayCount(sources) - dayCount([best])

    let options =
      types.sorted().map { "--type " + HealthMapping.shortName(of: $0) } + [
        "--source " + Escaping.visible(Escaping.shell(best.string))
      ]
    let loss = lost == 0 ? "" : ", which takes back \(counted(lost, "day")) that only others have"
    let remedy =
      "; if they record the same, import each time with \(options.joined(separator: " "))\(loss)"
    plan.note(
      """
      \(habit): \(sources.map { quoted($0) }.joined(separator: ", ")) \(what) on \
      \(counted(days, "day"))\(program: remedy)
      """)
  }

  /// Whether the import takes back what an earlier import wrote for `record`.
  ///
  /// This is so if only other sources were chosen, and one of them has records of the same type.
  private func isTakenBack(_ record: HealthRecord) -> Bool {
    selection.exclusion(of: record) == .otherSource && types[record.type]?.isSelected ?? false
      && plan.exclusion(of: record.day) == nil
  }

  /// Takes back what earlier imports wrote for records that this import doesn't write.
  ///
  /// These are records that the export lacks, or that aren't of a chosen source. Only days from the
  /// first record of the type to the age of the file are compared. Nothing is taken back for a type
  /// without chosen records.
  private mutating func takeBackMissing() {
    for (type, summary) in types.sorted(by: { $0.key < $1.key }) where summary.isSelected {
      guard let first = summary.allDays.min(), first <= plan.dayOfAge else { continue }
      let span = first...plan.dayOfAge
      plan.takeBackMissing(of: summary.habit, prefix: HealthImport.prefix(of: type)) {
        span.contains($0)
      }
    }
  }

  /// Notes that the export was made in another time zone, which moves records to other days.
  ///
  /// The Health app writes all times with the offset of the phone, so a journey in the past shows
  /// nowhere.
  private mutating func noteOffsets(exportDate: Timestamp?) {
    guard exportDate.map(isElsewhere) ?? true, offsets.different * 2 > offsets.all else { return }
    plan.note(
      """
      \(counted(offsets.different, "record")) of \(offsets.all) are written with another UTC \
      offset than \(plan.zone) had then, and count for the days written; if the export was made on \
      a journey, \(program: "`streaks undo`", library: "undo") this import, and export again at home
      """)
  }

  /// Whether `time` has another offset than the zone of the import at that instant.
  private func isElsewhere(_ time: Timestamp) -> Bool {
    plan.clock.map { $0.local(time.instant).offset != time.offset } ?? false
  }

  /// The value of `by` in imported events, without the source.
  private static let writer = ImportKind.appleHealth.writer

  private static func id(of record: HealthRecord, _ habit: String) -> EventKey {
    // The id contains instants, because the offsets in an export depend on where the export was
    // made.
    let value = record.number?.millionths.description ?? record.value?.string ?? ""
    return ImportID.key([
      "apple-health", record.type.string, String(record.start.instant.microseconds),
      String(record.end.instant.microseconds), record.minutes?.description ?? value,
      record.unit?.string ?? "", habit,
    ])
  }

  private mutating func findKeys() {
    var repeats: [String: Int] = [:]
    for (index, item) in items.enumerated() {
      let start = "\(Timestamp(instant: item.record.start.instant, offset: 0))"
      let first = HealthImport.key(item.record.type, start)
      repeats[first, default: 0] += 1
      items[index].key = HealthImport.key(item.record.type, start, number: repeats[first] ?? 1)
    }
  }

  private mutating func add(_ item: Item) {
    let record = item.record
    if let reason = selection.exclusion(of: record) {
      return plan.skip(record.phrase, record.place, reason)
    }
    plan.keep(item.key, of: item.habit)
    // The time and the drinks of a record that a person deleted don't count for others.
    let counted = plan.isDeleted(item.key, of: item.habit) == true ? (covered, drinks) : nil

    do throws(LeftOut.Reason) {
      guard plan.ledger.facts.definition(of: item.habit) != nil else {
        throw .undefinedHabit(item.habit)
      }
      let draft = draft(of: record, try entry(of: item), at: record.moment)
      let record = KeyedRecord(key: item.key, draft: draft, phrase: record.phrase)
      if plan.add(record), let counted { (covered, drinks) = counted }
    } catch {
      plan.takeBack(item.key, of: item.habit, record.place)
      plan.skip(record.phrase, record.place, error)
    }
  }

  private func draft(of record: HealthRecord, _ entry: Entry, at: Timestamp? = nil) -> Draft {
    Draft(
      .entryLogged(entry), of: record.day, at: at, in: plan.zone, by: record.writer,
      place: record.place
    )
  }

  /// Returns the entry of a record.
  ///
  /// Drinks are added to those of the day, and a session is added to the covered times.
  private mutating func entry(of item: Item) throws(LeftOut.Reason) -> Entry {
    let record = item.record
    var entry = Entry(habit: item.habit)

    switch item.measure {
    case .entry, .amount: break
    case .value:
      entry.value = Text(
        line: [record.value, record.unit].compactMap { $0?.string }.joined(separator: " "))
    case .drinks: entry.drinks = try drinks(item)
    case .minutes where record.isSession: entry.minutes = try uncoveredMinutes(item)
    case .minutes:
      entry.minutes =
        if let minutes = record.minutes { minutes } else { try record.number(in: "min").millionths }
    case .km:
      entry.km = if let km = record.km { km } else { try record.number(in: "km").millionths }
    case .workout:
      let rule = plan.ledger.facts.definition(of: item.habit, on: record.day)?.rule
      entry.activity = HealthActivity(record.type).name(by: rule)
      entry.minutes = record.minutes
      entry.km = record.km
    }

    for measure in [Measure.minutes, .km] {
      if let number = entry[measure], number > Millionths(measure.most) { throw .tooMuch(measure) }
    }
    return entry
  }

  /// Adds the record's drinks to those of its day, and returns the day's total so far.
  ///
  /// The entry gets this total, so the last entry of a day has the total of the whole day.
  private mutating func drinks(_ item: Item) throws(LeftOut.Reason) -> Int {
    guard item.record.number != nil else { throw .noNumber }
    let day = HabitDay(habit: item.habit, day: item.record.day)
    var drunk = drinks[day] ?? DayOfDrinks()
    drunk.add(item.record, isLevel: levelSources.contains(item.record.source))

    guard drunk.total <= Limits.drinks else { throw .tooMuch(.drinks) }
    drinks[day] = drunk
    return drunk.total
  }

  /// Returns the minutes of a session that no earlier session covers, so that no time counts twice.
  private mutating func uncoveredMinutes(_ item: Item) throws(LeftOut.Reason) -> Millionths {
    let record = item.record
    guard record.lasting > .zero else { throw .lastsNoTime }
    guard record.lasting <= Millionths(Limits.minutes) else { throw .tooMuch(.minutes) }
    let microseconds = covered[item.habit, default: TimeSpans()].cover(
      record.start.instant, record.end.instant)
    guard microseconds > 0 else { throw .overlapped }
    return HealthRecord.minutes(microseconds)
  }

  /// Finds the apps and devices that record a level instead of counting drinks: all their values
  /// are 0, 4 or 6 (steady, easy or wild), and at least one is 0.
  private mutating func findLevelSources() {
    var values: [Text: Set<Millionths>] = [:]
    for item in items where item.measure == .drinks {
      values[item.record.source, default: []].insert(item.record.number?.millionths ?? -1)
    }
    levelSources = Set(
      values.filter { $0.value.contains(0) && $0.value.isSubset(of: [0, 4, 6]) }.keys)
    guard !levelSources.isEmpty else { return }
    let sources = levelSources.sorted().map { quoted($0) }.joined(separator: ", ")
    plan.note("read as one level a day, not as counts that add up: \(sources)")
  }
}

/// A set of time spans, stored without overlaps and in order.
struct TimeSpans {
  private var spans: [Range<Int64>] = []

  /// Adds the span from `start` to `end`; returns the number of microseconds in it that weren't
  /// covered before.
  mutating func cover(_ start: Instant, _ end: Instant) -> Int64 {
    let span = start.microseconds..<end.microseconds
    let first = spans.partitioningIndex { $0.upperBound >= span.lowerBound }
    let touching = spans[first...].prefix { $0.lowerBound <= span.upperBound }
    let joinedStart = min(span.lowerBound, touching.first?.lowerBound ?? span.lowerBound)
    let joinedEnd = max(span.upperBound, touching.last?.upperBound ?? span.upperBound)
    spans.replaceSubrange(touching.indices, with: [joinedStart..<joinedEnd])
    return Int64(touching.reduce(span.count) { $0 - $1.clamped(to: span).count })
  }
}

/// The drinks of one day.
///
/// The total is the sum of all counts, and of the latest level of each source that records levels.
struct DayOfDrinks {
  private var counted = DecimalNumber.zero
  private var levels: [Text: (at: Instant, number: DecimalNumber)] = [:]

  mutating func add(_ record: HealthRecord, isLevel: Bool) {
    let number = record.number ?? .zero
    if !isLevel {
      counted = counted + number
    } else if levels[record.source].map({ $0.at <= record.start.instant }) ?? true {
      levels[record.source] = (record.start.instant, number)
    }
  }

  var total: Int { Int(levels.values.reduce(counted) { $0 + $1.number }.rounded) }
}

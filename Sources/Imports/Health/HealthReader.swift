import EventLog
import StreakDomain

/// A reader of the records of a Health export, in the order of the file.
struct HealthReader {
  private var scanner: XMLScanner
  private let mapping: HealthMapping
  private let selection: HealthImport.Selection
  private let dayStart: ClockTime
  private let progress: (_ records: Int) -> Void
  private var count = 0
  /// The types of records that the import doesn't use, with the number of records of each type.
  private(set) var others: [Text: Int] = [:]
  private var pending: (element: String, record: HealthRecord)?
  private var distance: Thousandths?
  private var zone: String?

  init(
    _ source: ByteSource, _ mapping: HealthMapping, _ selection: HealthImport.Selection, dayStart: ClockTime,
    progress: @escaping (Int, Int) -> Void
  ) throws(Failure) {
    scanner = try XMLScanner(source)
    (self.mapping, self.selection, self.dayStart) = (mapping, selection, dayStart)
    self.progress = { progress(source.count, $0) }
    guard case .start(let root)? = try scanner.next(), root.name != "HealthData" else { return }
    throw Failure(
      .refused,
      "the file begins with <\(Escaping.visible(root.name))>, not <HealthData>; it is no export of the Health app",
      at: root.place)
  }

  /// Returns the next record of a type that the import uses; records with invalid values are skipped in `plan`.
  mutating func next(_ plan: inout ImportPlan) throws(Failure) -> HealthRecord? {
    while let step = try scanner.next() {
      switch step {
      case .start(let element): try start(element, &plan)
      case .end(let name):
        guard pending?.element == name, var record = pending?.record else { continue }
        pending = nil
        record.km = record.km ?? distance
        if let zone { record.move(to: zone) }
        return record
      }
    }
    return nil
  }

  private mutating func start(_ element: XMLElement, _ plan: inout ImportPlan) throws(Failure) {
    switch element.name {
    case "Record": try begin(element, "type", &plan)
    case "Workout": try begin(element, "workoutActivityType", &plan)
    case "WorkoutStatistics" where pending?.element == "Workout":
      try pending?.record.addStatistics(element, to: &distance)
    case "MetadataEntry" where element["key"] == "HKTimeZone": zone = element["value"]
    default: break
    }
  }

  private mutating func begin(
    _ element: XMLElement, _ typeField: String, _ plan: inout ImportPlan
  ) throws(Failure) {
    count += 1
    progress(count)
    let type = Text(element[typeField] ?? "")
    guard mapping.target(of: type) != nil || type.isEmpty else {
      // A file could contain any number of types.
      if others[type] != nil || others.count < 1000 { others[type, default: 0] += 1 }
      return
    }
    do throws(Failure) {
      let record = try HealthRecord(element, typeField: typeField, dayStart: dayStart)
      if let number = record.number, number < 0 || !number.isFinite {
        return plan.leave(record.phrase, element.place, .negative)
      }
      pending = (element.name, record)
      (distance, zone) = (nil, nil)
    } catch {
      // Errors in a record that the selection excludes are ignored.
      let day = element["startDate"].flatMap { HealthRecord.time($0)?.localDay(from: dayStart) }
      let reason =
        type.isEmpty
        ? nil
        : selection.exclusion(of: type, from: Text(element["sourceName"] ?? ""))
          ?? day.flatMap { plan.exclusion(of: $0) }
      guard let reason = reason ?? (HealthRecord.isBeyondTheCalendar(element) ? .beyondTheCalendar : nil)
      else { throw error }
      plan.leave("a record", element.place, reason)
    }
  }
}

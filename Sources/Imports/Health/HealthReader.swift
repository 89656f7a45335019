import EventLog
import StreakDomain

/// A reader of the records of a Health export, in the order of the file.
struct HealthReader {
  private var scanner: XMLScanner
  private let dayStart: ClockTime
  private var pending: (element: String, record: HealthRecord)?
  private var zone: String?

  init(_ source: ByteSource, dayStart: ClockTime) throws(Failure) {
    scanner = try XMLScanner(source)
    self.dayStart = dayStart
    guard let root = try scanner.next(), root.name != "HealthData" else { return }
    throw Failure(
      .refused,
      "the file begins with <\(Escaping.visible(root.name))>, not <HealthData>; it is no export of the Health app",
      at: root.place)
  }

  /// Returns the next record of a type that `isWanted`; records with invalid values are skipped in `plan`.
  mutating func next(
    _ plan: inout ImportPlan, where isWanted: (Text) -> Bool
  ) throws(Failure) -> HealthRecord? {
    while let tag = try scanner.next() {
      if tag.isStart {
        do throws(LeftOut.Reason) { try start(tag, where: isWanted) } catch {
          pending = nil
          plan.leave("a record", tag.place, error)
        }
      }
      guard tag.isEnd, pending?.element == tag.name, var record = pending?.record else { continue }
      pending = nil
      if let zone { record.move(to: zone) }
      return record
    }
    return nil
  }

  private mutating func start(
    _ element: XMLTag, where isWanted: (Text) -> Bool
  ) throws(LeftOut.Reason) {
    let typeField = ["Record": "type", "Workout": "workoutActivityType"][element.name]
    if let typeField {
      guard isWanted(Text(element[typeField] ?? "")) else { return }
      pending = (element.name, try HealthRecord(element, typeField: typeField, dayStart: dayStart))
      zone = nil
    } else if element.name == "WorkoutStatistics" {
      try pending?.record.addStatistics(element)
    } else if element.name == "MetadataEntry", element["key"] == "HKTimeZone" {
      zone = element["value"]
    }
  }
}

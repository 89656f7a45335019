import EventLog
import StreakDomain

/// A reader of the records of a Health export, in the order of the file.
struct HealthReader {
  enum Item {
    /// A record of a type that the import doesn't use, with that type.
    case other(Text)
    case record(HealthRecord)
    /// A record that is skipped because a value is invalid.
    case malformed(LeftOut)
  }

  private var scanner: XMLScanner
  private let dayStart: ClockTime
  private let wants: (Text) -> Bool
  /// A function that returns the reason to skip a record, or `nil`; errors in a skipped record are ignored.
  private let excludes: (_ type: Text, _ source: Text, _ day: Day?) -> LeftOut.Reason?
  private var pending: (element: String, record: HealthRecord)?
  private var distance: Thousandths?
  private var zone: String?

  init(
    _ source: ByteSource, dayStart: ClockTime, wants: @escaping (Text) -> Bool,
    excludes: @escaping (Text, Text, Day?) -> LeftOut.Reason?
  ) throws(Failure) {
    scanner = try XMLScanner(source)
    (self.dayStart, self.wants, self.excludes) = (dayStart, wants, excludes)
    guard case .start(let root)? = try scanner.next(), root.name != "HealthData" else { return }
    throw Failure(
      .refused,
      "the file begins with <\(Escaping.visible(root.name))>, not <HealthData>; it is no export of the Health app",
      at: root.place)
  }

  mutating func next() throws(Failure) -> Item? {
    while let step = try scanner.next() {
      switch step {
      case .start(let element):
        if let item = try start(element) { return item }
      case .end(let name):
        guard pending?.element == name, var record = pending?.record else { continue }
        pending = nil
        record.km = record.km ?? distance
        if let zone { record.move(to: zone) }
        return .record(record)
      }
    }
    return nil
  }

  private mutating func start(_ element: XMLElement) throws(Failure) -> Item? {
    switch element.name {
    case "Record": return try begin(element, "type")
    case "Workout": return try begin(element, "workoutActivityType")
    case "WorkoutStatistics" where pending?.element == "Workout":
      try pending?.record.addStatistics(element, to: &distance)
    case "MetadataEntry" where element["key"] == "HKTimeZone": zone = element["value"]
    default: break
    }
    return nil
  }

  private mutating func begin(_ element: XMLElement, _ typeField: String) throws(Failure) -> Item? {
    let type = Text(element[typeField] ?? "")
    guard wants(type) || type.isEmpty else { return .other(type) }
    do throws(Failure) {
      let record = try HealthRecord(element, typeField: typeField, dayStart: dayStart)
      if let number = record.number, number < 0 || !number.isFinite {
        return .malformed(LeftOut(place: element.place, what: record.phrase, reason: .negative))
      }
      pending = (element.name, record)
      (distance, zone) = (nil, nil)
      return nil
    } catch {
      let day = element["startDate"].flatMap { HealthRecord.time($0)?.localDay(from: dayStart) }
      let reason = type.isEmpty ? nil : excludes(type, Text(element["sourceName"] ?? ""), day)
      guard let reason = reason ?? (HealthRecord.isBeyondTheCalendar(element) ? .beyondTheCalendar : nil)
      else { throw error }
      return .malformed(LeftOut(place: element.place, what: "a record", reason: reason))
    }
  }
}

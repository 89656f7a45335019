import EventLog
import StreakDomain

/// A record of a Health export: a workout, or another measurement such as a step count.
struct HealthRecord {
  /// The type of the record, for example `HKQuantityTypeIdentifierStepCount` or
  /// `HKWorkoutActivityTypeYoga`.
  let type: Text
  let source: Text
  private(set) var start: Timestamp
  private(set) var end: Timestamp
  let value: Text?
  let unit: Text?
  /// The duration of a workout in minutes, or `nil` for other records.
  private(set) var minutes: Millionths?
  private var totalKM: DecimalNumber?
  /// The sum of a workout's distances by kind of movement; newer exports contain such distances
  /// instead of a total.
  private var partialKM: DecimalNumber?
  /// Whether the file names the time zone of the record.
  private(set) var namesZone = false
  let place: Place
  private let dayStart: ClockTime

  /// Creates a record from the attributes of an XML element; `typeField` is the name of the
  /// attribute with the type.
  init(_ element: XMLTag, typeField: String, dayStart: ClockTime) throws(LeftOut.Reason) {
    func time(_ field: String) throws(LeftOut.Reason) -> Timestamp {
      guard let time = element[field].flatMap({ Self.time($0) }) else { throw .noTime(field) }
      return time
    }

    place = element.place
    self.dayStart = dayStart
    type = Text(element[typeField] ?? "")
    source = Text(element["sourceName"] ?? "")
    start = try time("startDate")
    end = try time("endDate")
    value = element["value"].map { Text($0) }
    unit = element["unit"].map { Text($0) }

    guard end.instant >= start.instant else { throw .endsBeforeStart }
    if let text = value?.string, ForeignNumber.read(text) != nil, ForeignNumber.finite(text) == nil
    {
      throw .negative
    }

    // Only workouts have a duration and a distance.
    guard typeField == "workoutActivityType" else { return }
    minutes = try element.number("duration", in: "durationUnit", to: "min")?.millionths ?? lasting
    totalKM = try element.number("totalDistance", in: "totalDistanceUnit", to: "km")
  }

  /// Adds the distance in a `WorkoutStatistics` element.
  mutating func addStatistics(_ element: XMLTag) throws(LeftOut.Reason) {
    guard element["type"]?.holds("Distance") ?? false,
      let part = try element.number("sum", in: "unit", to: "km")
    else { return }
    partialKM = (partialKM ?? .zero) + part
  }

  /// Converts start and end to local times of `zone`, because an export has all times in the
  /// phone's current offset.
  mutating func move(to zone: String) {
    namesZone = true
    start = Zones.local(start.instant, in: zone) ?? start
    end = Zones.local(end.instant, in: zone) ?? end
  }

  /// The distance of a workout, or `nil` if there is none.
  var km: Millionths? { (totalKM == .zero ? partialKM : totalKM ?? partialKM)?.millionths }

  var lasting: Millionths {
    HealthRecord.minutes(end.instant.microseconds - start.instant.microseconds)
  }

  static func minutes(_ microseconds: Int64) -> Millionths {
    Millionths(count: (microseconds + 30) / 60)
  }

  /// The number of a quantity, or `nil` for a category, whose value is only a code.
  var number: DecimalNumber? { isCategory ? nil : ForeignNumber.decimal(value?.string ?? "") }

  private var isCategory: Bool { type.string.begins(with: "HKCategoryType") }

  /// Returns the number converted to `wanted`, or unchanged if one of the two units is missing.
  func number(in wanted: String?) throws(LeftOut.Reason) -> DecimalNumber {
    guard !isCategory else { throw .noNumber }
    // A count, for example of steps, has no unit that could differ.
    return try ForeignNumber.read(
      value?.string ?? "", in: unit == "count" ? nil : unit?.string, to: wanted)
  }

  /// Whether the record only measures the time from start to end, such as a session of mindfulness.
  var isSession: Bool { number == nil && minutes == nil }

  var isWorkout: Bool { type.string.begins(with: HealthMapping.workout.string) }

  /// The day of the start, or for sleep the day on which the night ends.
  ///
  /// A night is from noon to noon.
  var day: Day {
    isSleep ? start.localDay(from: HealthRecord.noon).next : start.localDay(from: dayStart)
  }

  /// The time of the record's entry: the start, or for sleep the end.
  ///
  /// If sleep ends before its day begins, its entry is at the start of that day. An afternoon nap
  /// is an example, because it belongs to the next day.
  var moment: Timestamp {
    guard isSleep else { return start }
    let minutes = Int64(day.number) * Int64(Day.minutes) + Int64(dayStart.minutes)
    let dawn = Instant(microseconds: (minutes - Int64(end.offset)) * 60_000_000)
    return end.instant >= dawn ? end : Timestamp(instant: dawn, offset: Int(end.offset))
  }

  private static let noon = ClockTime(minutes: 12 * 60)

  private var isSleep: Bool { type == HealthMapping.sleep }

  /// Whether the record is of a time in bed or awake.
  ///
  /// Other records of the same night overlap such a time.
  var isSleepless: Bool {
    isSleep && !(value?.string.begins(with: "HKCategoryValueSleepAnalysisAsleep") ?? false)
  }

  var phrase: String {
    "\(type) of \(day)" + (source.isEmpty ? "" : " from \(source)")
  }

  /// The field `by` of the record's event, such as `apple-health:Watch`, cut to its maximum length.
  var writer: Text {
    let name = Text(line: source.string.trimmed)
    let writer = "apple-health" + (name.isEmpty ? "" : ":\(name)")
    return Text(String(writer.unicodeScalars.prefix(Limits.writer.upperBound)))
  }

  /// Parses a time such as `2025-11-03 07:15:00 +0100`, or in the form of the log; returns `nil` if
  /// `text` is invalid.
  static func time(_ text: String) -> Timestamp? {
    let parts = text.parts(at: " ")
    guard parts.count == 3, parts[2].utf8.count == 5 else { return Timestamp(text) }
    let zone = parts[2].utf8
    return Timestamp(
      "\(parts[0])T\(parts[1])\(Substring(zone.prefix(3))):\(Substring(zone.suffix(2)))")
  }
}

extension XMLTag {
  /// Returns the number in the attribute `field`, or `nil` if there is no such attribute.
  ///
  /// The number is converted from the unit in the attribute `unitField` to `wanted`.
  fileprivate func number(
    _ field: String, in unitField: String, to wanted: String
  ) throws(LeftOut.Reason) -> DecimalNumber? {
    guard let text = self[field] else { return nil }
    return try ForeignNumber.read(text, in: self[unitField], to: wanted)
  }
}

/// A reader of the records of a Health export, in the order of the file.
struct HealthReader {
  private var scanner: XMLScanner
  private let dayStart: ClockTime
  private var pending: (element: String, record: HealthRecord)?
  private var zone: String?
  /// The time at which the export was made, once it was read; `nil` if the file doesn't say it.
  private(set) var exportDate: Timestamp?

  init(_ source: ByteSource, dayStart: ClockTime) throws(Failure) {
    scanner = try XMLScanner(source)
    self.dayStart = dayStart
    guard let root = try scanner.next(), root.name != "HealthData" else { return }
    throw Failure(
      .refused,
      """
      the file begins with <\(Escaping.visible(root.name))>, not <HealthData>; it is not an export \
      of the Health app
      """,
      at: root.place)
  }

  /// Returns the next valid record whose type `isWanted` accepts, or `nil` at the end; `plan`
  /// counts invalid records.
  mutating func next(
    _ plan: inout ImportPlan, where isWanted: (Text) -> Bool
  ) throws(Failure) -> HealthRecord? {
    while let tag = try scanner.next() {
      if tag.isStart {
        do throws(LeftOut.Reason) { try start(tag, where: isWanted) } catch {
          pending = nil
          plan.skip("a record", tag.place, error)
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
    if let typeField = ["Record": "type", "Workout": "workoutActivityType"][element.name] {
      guard isWanted(Text(element[typeField] ?? "")) else { return }
      pending = (element.name, try HealthRecord(element, typeField: typeField, dayStart: dayStart))
      zone = nil
    } else if element.name == "ExportDate" {
      exportDate = element["value"].flatMap { HealthRecord.time($0) }
    } else if element.name == "WorkoutStatistics" {
      try pending?.record.addStatistics(element)
    } else if element.name == "MetadataEntry", element["key"] == "HKTimeZone" {
      zone = element["value"]
    }
  }
}

import EventLog
package import StreakDomain
import TimeZones

package struct HealthRecord: Sendable {
  /// The type of the record, for example `HKQuantityTypeIdentifierStepCount` or `HKWorkoutActivityTypeYoga`.
  package let type: Text
  package let source: Text
  private(set) var start: Timestamp
  private(set) var end: Timestamp
  package let value: Text?
  package let unit: Text?
  /// The duration of a workout in minutes; `nil` for other records.
  private(set) var minutes: Thousandths?
  var km: Thousandths?
  /// The unit of a workout's duration or distance if it is unknown.
  private(set) var unknownUnit: Text?
  package let place: Place
  private let dayStart: ClockTime

  /// Creates a record from the attributes of an XML element; `typeField` is the name of the attribute with the type.
  package init(_ attributes: XMLElement, typeField: String, dayStart: ClockTime) throws(Failure) {
    place = attributes.place
    self.dayStart = dayStart
    let place = place
    func text(_ field: String) throws(Failure) -> String {
      guard let text = attributes[field], !text.isEmpty else {
        throw .missingField(place, text: "", field: field)
      }
      return text
    }
    func time(_ field: String) throws(Failure) -> Timestamp {
      let value = try text(field)
      guard let time = Self.time(value) else {
        throw .badField(place, text: "", field: field, value: value, form: Self.timeForm)
      }
      return time
    }
    type = Text(try text(typeField))
    source = Text(attributes["sourceName"] ?? "")
    start = try time("startDate")
    end = try time("endDate")
    value = attributes["value"].map { Text($0) }
    unit = attributes["unit"].map { Text($0) }
    guard end.instant >= start.instant else {
      let (start, end) = (attributes["startDate"] ?? "", attributes["endDate"] ?? "")
      throw Failure(
        .refused,
        "it ends at \(Escaping.visible(end)), before it starts, at \(Escaping.visible(start)), so "
          + "nothing was imported",
        remedy: "correct it, or exclude it with --source, --type or --until", at: place)
    }
    guard typeField == "workoutActivityType" else { return }
    try readWorkout(attributes)
  }

  private mutating func readWorkout(_ attributes: XMLElement) throws(Failure) {
    if let text = attributes["duration"] {
      let duration = try Self.number(text, "duration", place)
      let unit = attributes["durationUnit"] ?? "min"
      minutes = MeasureUnit.convert(duration, from: unit, to: "min")
      if minutes == nil { unknownUnit = Text(unit) }
    } else {
      minutes = lasting
    }
    guard let text = attributes["totalDistance"] else { return }
    let distance = try Self.number(text, "totalDistance", place)
    guard distance > 0 else { return }
    let unit = attributes["totalDistanceUnit"] ?? "km"
    km = MeasureUnit.convert(distance, from: unit, to: "km")
    if km == nil { unknownUnit = Text(unit) }
  }

  /// Adds the distance in a `WorkoutStatistics` element to `total`; newer exports have one per kind of movement.
  package mutating func addStatistics(_ attributes: XMLElement, to total: inout Thousandths?)
    throws(Failure)
  {
    guard let type = attributes["type"], type.holds("Distance"), let text = attributes["sum"] else {
      return
    }
    let distance = try Self.number(text, "sum", place)
    let unit = attributes["unit"] ?? "km"
    guard let part = MeasureUnit.convert(distance, from: unit, to: "km") else {
      unknownUnit = Text(unit)
      return
    }
    // An implausible sum is skipped later; this limit only avoids an overflow.
    total = min((total ?? .zero) + part, Thousandths(1_000_000))
  }

  /// Converts start and end to local times of `zone`, because an export has all times in the phone's current offset.
  package mutating func move(to zone: String) {
    start = Zones.local(start.instant, in: zone) ?? start
    end = Zones.local(end.instant, in: zone) ?? end
  }

  package var lasting: Thousandths {
    HealthRecord.minutes(from: start.instant, to: end.instant)
  }

  static func minutes(from start: Instant, to end: Instant) -> Thousandths {
    Thousandths(count: (end.microseconds - start.microseconds + 30_000) / 60_000)
  }

  package var number: Double? { value.flatMap { ForeignNumber.read($0.string) } }

  package var day: Day { start.localDay(from: dayStart) }

  /// Whether the start or the end is invalid only because its year isn't in the supported range, 1900 to 2199.
  package static func isBeyondTheCalendar(_ attributes: XMLElement) -> Bool {
    ["startDate", "endDate"].contains { field in
      guard let text = attributes[field], time(text) == nil, let year = Int(text.prefix(4)),
        !(1900...2199).contains(year)
      else { return false }
      // The year 2000 is a leap year, so every day of another year exists in it.
      return time("2000" + text.dropFirst(4)) != nil
    }
  }

  static let timeForm = "a time with its zone, such as 2025-11-03 07:15:00 +0100"

  package static func time(_ text: String) -> Timestamp? {
    var bytes = Array(text.utf8)
    guard bytes.count >= 25, bytes[10] == UInt8(ascii: " "), bytes[bytes.count - 6] == UInt8(ascii: " ")
    else {
      return Timestamp(text)
    }
    bytes[10] = UInt8(ascii: "T")
    bytes.remove(at: bytes.count - 6)
    bytes.insert(UInt8(ascii: ":"), at: bytes.count - 2)
    return Timestamp(bytes: bytes.span)
  }

  private static func number(_ text: String, _ field: String, _ place: Place) throws(Failure) -> Double {
    guard let number = ForeignNumber.read(text), number.isFinite, number >= 0 else {
      throw .badField(place, text: "", field: field, value: text, form: "a number, 0 or more")
    }
    return number
  }
}

extension HealthRecord {
  /// Whether the record only measures the time from start to end, such as a session of mindfulness.
  var isSession: Bool { number == nil && minutes == nil }

  package var phrase: String {
    let prefixes = ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", HealthMapping.workout.string]
    let name =
      prefixes.first { type.string.begins(with: $0) }.map { type.string.droppingBytes($0.utf8.count) }
      ?? type.string[...]
    return "\(name) of \(day)" + (source.isEmpty ? "" : " from \(source)")
  }
}

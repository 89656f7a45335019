import CommandFixtures
import Foundation

enum HealthXML {
  static let documentType = """
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 14 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!ATTLIST Record
      type CDATA #REQUIRED
      unit CDATA #IMPLIED
    >
    ]>
    """

  static func export(
    _ elements: [String], documentType: String = documentType,
    at age: String = "2025-11-03 11:00:00 +0100"
  ) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(documentType)\n<HealthData locale=\"de_DE\">\n"
      + " <ExportDate value=\"\(age)\"/>\n"
      + elements.map { " \($0)\n" }.joined() + "</HealthData>\n"
  }

  static func time(_ text: String) -> String { "\(text):00 +0100" }

  static func drinks(_ at: String, _ count: String, from source: String = "Diary") -> String {
    record(
      "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages", at, at, from: source, count,
      unit: "count")
  }

  static func mindful(_ start: String, _ end: String, from source: String = "Sitting") -> String {
    record(
      "HKCategoryTypeIdentifierMindfulSession", start, end, from: source,
      "HKCategoryValueNotApplicable")
  }

  static func record(
    _ type: String, _ start: String, _ end: String, from source: String = "Watch", _ value: String,
    unit: String? = nil
  ) -> String {
    "<Record type=\"\(type)\" sourceName=\"\(source)\"" + (unit.map { " unit=\"\($0)\"" } ?? "")
      + " startDate=\"\(time(start))\" endDate=\"\(time(end))\" value=\"\(value)\"/>"
  }

  static func workout(
    _ activity: String, _ start: String, _ end: String, _ more: String,
    from source: String = "Watch", inside: String = ""
  ) -> String {
    "<Workout workoutActivityType=\"HKWorkoutActivityType\(activity)\" \(more)"
      + " sourceName=\"\(source)\" startDate=\"\(time(start))\" endDate=\"\(time(end))\">\(inside)</Workout>"
  }
}

extension TemporaryLedger {
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(folder)/\(name)"
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
      withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

  func importHealth(_ elements: [String], _ options: String = "") throws -> Output {
    let path = try file("export.xml", HealthXML.export(elements))
    return run(["import", "apple-health", path] + TemporaryLedger.words(options))
  }

  func entries(of habit: String, _ field: String) -> [String] {
    stored().filter { $0["habit"] == habit && $0["type"] == "entry.logged" }.map {
      $0[field] ?? "-"
    }
  }

  /// The values of a field in the entries of a habit that count, in the order of their days and
  /// times.
  func standing(_ habit: String, _ field: String) -> [String] {
    let output = run(["entries", habit, "--json"])
    var values: [String] = []
    while output["entries.\(values.count).id"] != nil {
      values.append(output["entries.\(values.count).\(field)"] ?? "-")
    }
    return values
  }

  func state(_ path: String) -> String? { run("replay --json")["habits.\(path)"] }
}

enum StoredZip {
  static func make(_ files: [(name: String, text: String)]) -> [UInt8] {
    var zip: [UInt8] = []
    var directory: [UInt8] = []
    for file in files {
      let (name, data) = (Array(file.name.utf8), Array(file.text.utf8))
      let offset = zip.count
      var head: [UInt8] = []
      // Version 2.0, UTF-8 names, stored, no time.
      for value in [20, 0x800, 0, 0, 0] { head += bytes(value, 2) }
      head += bytes(Int(crc(data)), 4) + bytes(data.count, 4) + bytes(data.count, 4)
      head += bytes(name.count, 2) + bytes(0, 2)
      zip += bytes(0x0403_4B50, 4) + head + name + data
      directory += bytes(0x0201_4B50, 4) + bytes(20, 2) + head + [UInt8](repeating: 0, count: 10)
      directory += bytes(offset, 4) + name
    }
    let start = zip.count
    zip += directory + bytes(0x0605_4B50, 4) + bytes(0, 4)
    zip +=
      bytes(files.count, 2) + bytes(files.count, 2) + bytes(directory.count, 4) + bytes(start, 4)
    return zip + bytes(0, 2)
  }

  private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func crc(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(~0 as UInt32) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in
        value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0)
      }
    }
  }
}

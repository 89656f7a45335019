import Foundation

/// A generated ledger of any size, with seven habits over ten years.
///
/// The entries depend only on `count`, so each benchmark measures the same ledger.
struct SampleLedger {
  let count: Int
  /// The dates of the ten years, followed by the date on which late entries are recorded.
  private let dates = (0...3650).map { day in
    Date(timeIntervalSince1970: 1_420_070_400 + Double(day) * 86_400).formatted(.iso8601.year().month().day())
  }

  /// The presets with which `streaks init` creates the ledger.
  static let habits = ["meditation", "workout", "noalc", "awareness", "game", "strength", "cardio"]

  /// The order and the format of the lines, and the number of files.
  enum Shape: String, CaseIterable {
    case asLived = "as lived"
    case newestFirst = "newest first"
    case randomOrder = "random order"
    case manySegments = "300 segments"
    case otherProgram = "lines of another program"
  }

  /// Adds the entries to the ledger that `streaks init` created in `folder`.
  func write(_ shape: Shape, into folder: String) throws {
    let segments = shape == .manySegments ? 300 : 1
    for segment in 0..<segments {
      let path = "\(folder)/\(segment == 0 ? "main" : "s\(segment)").jsonl"
      try SampleLedger.write(stride(from: segment, to: count, by: segments), to: path) { index in
        switch shape {
        case .asLived, .manySegments: line(index)
        case .newestFirst: line(count - 1 - index, recordedLate: index)
        case .randomOrder: line(Int(SampleLedger.random(index + 1) % UInt64(count)), recordedLate: index)
        case .otherProgram: otherLine(index)
        }
      }
    }
  }

  /// Writes the entries as lines for `streaks append`.
  func writeLines(to path: String) throws {
    try SampleLedger.write(0..<count, to: path) { line($0) }
  }

  /// Writes the entries as rows of a CSV file.
  func writeRows(to path: String) throws {
    try SampleLedger.write(0..<count, to: path) { index in
      let value = value(index).replacing("\"", with: "\"\"")
      return "row\(index),\(date(index)),\(habit(index)),\"\(value)\"\n"
    }
  }

  private static func write(
    _ indices: some Sequence<Int>, to path: String, _ line: (Int) -> String
  ) throws {
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    var text = ""
    for index in indices {
      text += line(index)
      guard text.utf8.count > 1 << 20 else { continue }
      try file.write(contentsOf: Data(text.utf8))
      text = ""
    }
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  /// Returns the line of an entry as `streaks` writes it.
  ///
  /// `number` is the position of a late entry in the file, which determines its id and the time at which it was
  /// recorded.
  private func line(_ index: Int, recordedLate number: Int? = nil) -> String {
    let id = SampleLedger.digits(number ?? index, 12)
    let recorded = number.map { time(dates[3650], $0 * 1000, isExact: true) } ?? time(index, isExact: true)
    return "{\"id\":\"0194a1b2-c3d4-7e5f-8a9b-\(id)\",\"type\":\"entry.logged\","
      + "\"at\":\"\(time(index))\",\"recorded\":\"\(recorded)\",\"day\":\"\(date(index))\",\"zone\":\"UTC\","
      + "\"habit\":\"\(habit(index))\",\(value(index))}\n"
  }

  /// Returns the line of an entry as another program could write it, with ids of its own and spaces as in Python's
  /// `json.dumps`.
  private func otherLine(_ index: Int) -> String {
    let value = value(index).replacing(":", with: ": ").replacing(",", with: ", ")
    return "{\"at\": \"\(time(index))\", \"by\": \"watch-sync\", \"day\": \"\(date(index))\", "
      + "\"habit\": \"\(habit(index))\", \"id\": \"watch-\(index)\", \(value), "
      + "\"recorded\": \"\(time(index, isExact: true))\", \"type\": \"entry.logged\", \"zone\": \"UTC\"}\n"
  }

  private func habit(_ index: Int) -> String {
    SampleLedger.habits[Int(SampleLedger.random(index) % UInt64(SampleLedger.habits.count))]
  }

  /// Returns the fields that depend on the habit, as members of a JSON object.
  private func value(_ index: Int) -> String {
    let roll = Int(SampleLedger.random(index) >> 32) % 100
    return switch habit(index) {
    case "noalc": "\"level\":\"\(roll < 97 ? "steady" : roll < 99 ? "easy" : "wild")\""
    case "game": "\"completed\":\(roll < 98)"
    case "strength": "\"sets\":\(roll % 6)"
    case "cardio": "\"minutes\":\(roll),\"activity\":\"\(["running", "yoga", "cycling"][roll % 3])\""
    case "awareness": "\"value\":\"\(roll)\""
    default: "\"minutes\":\(roll)"
    }
  }

  private func date(_ index: Int) -> String { dates[index * 3650 / count] }

  /// Returns the time of an entry on its day, which is later than the times of all entries before it.
  ///
  /// If `isExact` is true, the time has microseconds.
  private func time(_ index: Int, isExact: Bool = false) -> String {
    let fraction = Double(index * 3650 % count) / Double(count)
    return time(date(index), Int(fraction * 86_399e6) + 1, isExact: isExact)
  }

  private func time(_ date: String, _ microseconds: Int, isExact: Bool) -> String {
    let seconds = microseconds / 1_000_000
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { SampleLedger.digits($0, 2) }
    let rest = isExact ? "." + SampleLedger.digits(microseconds % 1_000_000, 6) : ""
    return "\(date)T\(parts.joined(separator: ":"))\(rest)Z"
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// Returns a pseudorandom number that depends only on `index`, by SplitMix64.
  private static func random(_ index: Int) -> UInt64 {
    var mixed = UInt64(index + 8) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

import EventLog
import StreakDomain

/// The `habits` file of harsh, which is beside its log: `Gym: 3/7`, a line for each.
enum HarshHabits {
  /// What is beside a log; nothing where the log came alone.
  static func beside(_ log: ByteSource) throws(Failure) -> [TrackerHabit] {
    guard log.name != "-" else { return [] }
    let parts = log.name.parts(at: "/")
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "./"
    guard (ForeignFile.names(in: folder) ?? []).contains(where: { $0 == "habits" }),
      ForeignFile.names(in: folder + "habits") == nil
    else { return [] }
    return try read(ByteSource(file: parts.count > 1 ? folder + "habits" : "habits"))
  }

  private static func read(_ source: ByteSource) throws(Failure) -> [TrackerHabit] {
    var bytes = try source.all()
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    try UTF8Check.refuseOther(bytes, file: source.name)
    var habits: [TrackerHabit] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      // Headings begin with an exclamation mark.
      if text.trimmed.isEmpty || text.begins(with: "#") || text.begins(with: "!") { continue }
      habits.append(try habit(text, source.place(index + 1, 1)))
    }
    return habits
  }

  /// `NAME: FREQUENCY`, in newer versions followed by `: LASTDAY`.
  private static func habit(_ text: String, _ place: Place) throws(Failure) -> TrackerHabit {
    let bytes = Array(text.utf8)
    let colon = bytes.indices.first { bytes[$0] == 0x3A && $0 + 1 < bytes.count && bytes[$0 + 1] == 0x20 }
    guard let colon else {
      throw .otherFormat(place, text: text, expected: "HABIT: FREQUENCY, such as Gym: 3/7")
    }
    let name = Text(String(decoding: bytes[..<colon], as: UTF8.self).trimmed)
    let rest = String(decoding: bytes[(colon + 1)...], as: UTF8.self).parts(at: ":").map(\.trimmed)
    let numbers = (rest.first ?? "").parts(at: "/").map { Int($0.trimmed) ?? -1 }
    guard (1...2).contains(numbers.count), numbers.allSatisfy({ (0...Frequency.most).contains($0) }),
      numbers.count == 1 || numbers[1] > 0
    else {
      throw .badField(
        place, text: text, field: "frequency", value: rest.first ?? "",
        form: "0, a number of days, or times/days such as 3/7")
    }
    let frequency = Frequency(times: numbers.count == 1 ? 1 : numbers[0], days: numbers.last ?? 1)
    var habit = TrackerHabit(name: name, frequency: numbers[0] == 0 ? nil : frequency)
    habit.ended = rest.count > 1 && !rest[1].isEmpty ? "ends on \(rest[1])" : nil
    return habit
  }
}

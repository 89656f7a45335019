import EventLog
package import StreakDomain

/// The log file of harsh: `2021-01-05 : Gym : y : comment : amount`, a line for each answer.
package enum HarshLog {
  private static let form = "DAY : HABIT : y, n or s : COMMENT : AMOUNT, such as 2021-01-05 : Gym : y"

  /// Plans what the answers become; of several for a habit's day the last counts, as in harsh.
  package static func plan(
    _ source: ByteSource, names: TrackerNames, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    var bytes = try source.all()
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    try UTF8Check.refuseOther(bytes, file: source.name)
    var answers: [(name: Text, answer: TrackerAnswer)] = []
    for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      if text.isEmpty || text.begins(with: "#") { continue }
      answers.append(try answer(text, line: index + 1, source))
    }
    var last: [Text: Int] = [:]
    for (index, item) in answers.enumerated() { last["\(item.answer.day) \(item.name)"] = index }
    var harsh = TrackerImport("harsh", names: names, into: plan)
    harsh.define(
      try HarshHabits.beside(source),
      since: Dictionary(answers.map { ($0.name, $0.answer.day) }, uniquingKeysWith: min))
    // By day, as what comes after later days is dearer to fold for ever.
    let order = answers.indices.sorted { (answers[$0].answer.day, $0) < (answers[$1].answer.day, $1) }
    for index in order {
      let item = answers[index]
      if last["\(item.answer.day) \(item.name)"] == index {
        harsh.add(item.answer, of: item.name)
      } else {
        harsh.leave(item.answer, of: item.name, .replaced)
      }
    }
    return harsh.finish()
  }

  private static func answer(
    _ text: String, line: Int, _ source: ByteSource
  ) throws(Failure) -> (Text, TrackerAnswer) {
    let parts = split(text)
    func place(_ index: Int) -> Place {
      let blanks = parts[index].utf8.prefix { $0 == 0x20 }.count
      return source.place(
        line, text.utf8.distance(from: text.startIndex, to: parts[index].startIndex) + blanks + 1)
    }
    func bad(_ index: Int, _ field: String, _ form: String) -> Failure {
      .badField(place(index), text: text, field: field, value: parts[index].trimmed, form: form)
    }
    guard parts.count >= 3 else {
      throw .otherFormat(source.place(line, 1), text: text, expected: form)
    }
    guard let day = Day(parts[0].trimmed) else { throw bad(0, "day", Forms.day) }
    let name = Text(parts[1].trimmed)
    guard !name.isEmpty else { throw bad(1, "habit", "the name of a habit") }
    let kind: TrackerAnswer.Kind
    switch parts[2].trimmed {
    case "y": kind = .done
    case "n": kind = .notDone
    case "s": kind = .skipped
    default: throw bad(2, "answer", "y, n or s")
    }
    var answer = TrackerAnswer(kind: kind, day: day, place: source.place(line, 1), text: text)
    guard parts.count > 3 else { return (name, answer) }
    // A comment may hold colons of its own; the amount is what follows the last.
    let amountAt = max(4, parts.count - 1)
    answer.note = text[parts[3].startIndex..<parts[amountAt - 1].endIndex].trimmed
    if parts.count > 4, !parts[amountAt].trimmed.isEmpty {
      let amount = parts[amountAt].trimmed
      guard let number = ForeignNumber.read(amount), number.isFinite, number >= 0 else {
        throw bad(amountAt, "amount", "a number, 0 or more")
      }
      answer.amount = number == 0 ? nil : amount
    }
    return (name, answer)
  }

  /// The parts between colons on their own; two of them may share the blank between them.
  private static func split(_ text: String) -> [Substring] {
    let bytes = Array(text.utf8)
    func isBlank(_ index: Int) -> Bool { !bytes.indices.contains(index) || bytes[index] == 0x20 }
    var parts: [Substring] = []
    var start = text.startIndex
    for index in bytes.indices
    where bytes[index] == UInt8(ascii: ":") && isBlank(index - 1) && isBlank(index + 1) {
      let colon = text.utf8.index(text.startIndex, offsetBy: index)
      parts.append(text[start..<colon])
      start = text.utf8.index(after: colon)
    }
    parts.append(text[start...])
    return parts
  }
}

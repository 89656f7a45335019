import CommandFixtures
import EventLog
import StreakDomain
import Synchronization

enum LineLaws {
  private static let checked = Mutex(CheckedLines())

  static func check(_ input: [UInt8]) throws(Finding) {
    var lines: [LineDecoding.SlowLine] = []
    for bytes in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let bytes = Array(bytes)
      if let known = checked.withLock({ $0.find(bytes) }) {
        lines.append(known)
      } else {
        let line = LineDecoding.SlowLine(bytes)
        try check(line)
        checked.withLock { $0.add(line) }
        lines.append(line)
      }
    }
    try demand(
      !LineDecoding.compare(input, lines).contains(.differ),
      "both readers must read the same fields")
  }

  private static func check(_ line: LineDecoding.SlowLine) throws(Finding) {
    try demand(line.agreesWithJSON, "the fields are not the members that the JSON reader reads")
    let event: Event
    switch line.event {
    case .success(let read): event = read
    case .failure(let error):
      try checkPlace(of: error, in: line.bytes)
      try demand(!error.sentence.isEmpty, "an error without a sentence")
      return
    }
    try checkTexts(of: line.bytes)
    let canonical = EventEncoder.line(event)
    let text = Array(canonical.dropLast())
    try demand(!text.contains(UInt8(ascii: "\n")), "a canonical line is more than one line")
    // Escaping can make a line too long, and then `append` rejects it.
    guard text.count <= LineLimits.bytes else { return }
    let again = text == line.bytes ? line : LineDecoding.SlowLine(text)
    guard case .success(let second) = again.event else {
      throw Finding("the canonical line is refused: \(again.event)")
    }
    if text != line.bytes {
      try demand(second == event, "the canonical line is another event")
      try demand(
        EventEncoder.line(second) == canonical, "the canonical line's canonical line is another")
    }
    try demand(
      !LineDecoding.compare(canonical, [again]).contains(.differ),
      "the roads differ on the canonical line")
    try checkAppending(text, as: event)
  }

  /// Expects an error at the location that the strict reader reports.
  ///
  /// If that reader accepts the line, the error must be at the start, a key or a value.
  private static func checkPlace(of error: Failure, in line: [UInt8]) throws(Finding) {
    let column = error.column
    try demand((1...line.count + 1).contains(column), "column \(column) is not in the line")
    guard column > 1 else { return }
    let first = line.firstIndex { !" \t\r".utf8.contains($0) } ?? 0
    guard line[first] == UInt8(ascii: "{") else {
      return try demand(column == first + 1, "no object begins at \(first + 1), not at \(column)")
    }
    switch Result(catching: { () throws(Failure) in try JSONValue(parsing: line) }) {
    case .failure(let strict):
      try demand(
        strict.column == column, "the strict reader stops at column \(strict.column), not \(column)"
      )
    case .success(let value):
      let isPlace = isKey(line, at: column) || has(value, at: column)
      try demand(isPlace, "nothing begins at column \(column)")
    }
  }

  private static func isKey(_ line: [UInt8], at column: Int) -> Bool {
    let before = line[..<(column - 1)].last { !" \t\r".utf8.contains($0) }
    return line[(column - 1)...].first == UInt8(ascii: "\"")
      && (before == UInt8(ascii: "{") || before == UInt8(ascii: ","))
  }

  private static func has(_ value: JSONValue, at column: Int) -> Bool {
    if value.column == column { return true }
    return switch value.kind {
    case .null, .bool, .number, .text, .raw: false
    case .list(let items): items.contains { has($0, at: column) }
    case .object(let members): members.contains { has($0.value, at: column) }
    }
  }

  /// Expects that the text reader finds the same texts, and that redacting them doesn't change the
  /// digest.
  private static func checkTexts(of line: [UInt8]) throws(Finding) {
    let plain = PlainDigest.texts(of: line)
    let found = RedactableTexts(line).texts
    try demand(
      plain.map(\.field) == found.map(\.field.rawValue)
        && plain.map(\.range) == found.map(\.content),
      "the texts are not where a plain reader finds them")
    func tail(_ line: [UInt8]) -> String { SHA256(of: RedactableTexts.digest(of: line)).digest() }
    // A `day.changed` line begins a new span.
    guard BytePattern("day.changed").first(in: line) == nil else { return }
    try demand(
      tail(line) == PlainDigest.of(lines: [line]), "the digest is not the one of the contract")
  }

  private static func checkAppending(_ line: [UInt8], as event: Event) throws(Finding) {
    let draft = Result { () throws(Failure) in
      try Draft(line: line, file: "-", number: 1, isLenient: true)
    }
    guard case .success(let draft) = draft else {
      throw Finding("append refuses a canonical line: \(draft)")
    }
    let isSame =
      draft.id == event.id && draft.at == event.at && draft.day == event.day
      && draft.zone == event.zone
    try demand(isSame, "append reads another envelope")
  }
}

/// Lines that broke no law: most lines of a mutated input have been checked before.
private struct CheckedLines {
  private var slots = [LineDecoding.SlowLine?](repeating: nil, count: 1 << 14)

  func find(_ line: [UInt8]) -> LineDecoding.SlowLine? {
    guard let found = slots[slot(of: line)], found.bytes == line else { return nil }
    return found
  }

  mutating func add(_ line: LineDecoding.SlowLine) { slots[slot(of: line.bytes)] = line }

  /// Returns a hash that is equal in all processes, so that a seed repeats a run.
  private func slot(of line: [UInt8]) -> Int {
    let hash = line.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return Int(hash % UInt64(slots.count))
  }
}

package import StreakDomain

/// One line decoded on its own, and the two roads compared: for tests, fuzzers and tools.
package enum LineDecoding {
  /// Decodes the line of a segment, without its newline.
  package static func event(_ line: [UInt8]) throws(Failure) -> Event {
    try EventDecoder.event(line)
  }

  /// Decodes a line of a stream that has the events of several people, and returns the person's id beside the event.
  package static func personalEvent(_ line: [UInt8]) throws(Failure) -> (subject: String?, event: Event) {
    var fields = try LineFields(line)
    let subject = try fields.optional(.subject, .id)
    fields.drop(.subject)
    return (subject, try EventDecoder.event(fields))
  }

  package enum Comparison: Sendable {
    /// Both read the same entry.
    case agree
    /// The fast road left the line to the slow one.
    case leftToSlow
    /// The fast road read what the slow one refuses or reads otherwise: a bug.
    case differ
  }

  /// A line without its newline, as the slow road reads it.
  package struct SlowLine: Sendable {
    package let bytes: [UInt8]
    /// Whether the fields found in it are the members that the strict JSON reader reads, and none where that refuses.
    package let agreesWithJSON: Bool
    package let event: Result<Event, Failure>

    package init(_ line: [UInt8]) {
      bytes = line
      let fields = Result { () throws(Failure) in try LineFields(line) }
      agreesWithJSON = LineDecoding.agree(try? fields.get(), try? JSONValue(parsing: line), on: line)
      event = fields.flatMap { fields in Result { () throws(Failure) in try EventDecoder.event(fields) } }
    }
  }

  /// Reads lines with their newlines on the fast road and on the slow one, line by line.
  package static func compare(_ lines: [UInt8]) -> [Comparison] {
    let whole = lines.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...]
    return compare(
      lines,
      whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { SlowLine(Array($0)) }
    )
  }

  /// Compares lines that the slow road has read already; what it says of a line does not depend on its place.
  ///
  /// They go down the fast road as in a segment: one scanner reads all of them, in one buffer, and remembers.
  package static func compare(_ bytes: [UInt8], _ lines: [SlowLine]) -> [Comparison] {
    let buffer = LineBuffer(bytes)
    var names = SymbolTable()
    var scanner = EntryScanner()
    var fast = EntryScanner.Scanned()
    var start = 0
    return lines.map { line in
      defer { start += line.bytes.count + 1 }
      let window = buffer.window(at: start)
      let length = scanner.scan(window, into: &fast, names: &names)
      guard length > 0 else { return .leftToSlow }
      let texts = [Field.value, .note].map { scanner.text($0, window) }
      let isSame = length == line.bytes.count + 1 && reads(line, as: fast, texts, &names)
      return isSame ? .agree : .differ
    }
  }

  /// Whether the slow road reads the same entry.
  private static func reads(
    _ line: SlowLine, as fast: EntryScanner.Scanned, _ texts: [[UInt8]], _ names: inout SymbolTable
  ) -> Bool {
    guard case .success(let event) = line.event, case .entryLogged(let entry) = event.payload,
      !(event.by?.string.begins(with: "streaks-") ?? false)
    else { return false }
    return fast.id == EventKey(event.id, names: &names) && fast.recorded == event.recorded.microseconds
      && fast.fact.isEqual(
        EntryFact(entry, of: event, dayStart: .midnight, names: &names))
      && Int(fast.second) / 60 == event.at.localMinute
      && texts == [entry.value, entry.note].map { Array(($0?.string ?? "").utf8) }
  }

  private static func agree(_ fields: LineFields?, _ strict: JSONValue?, on line: [UInt8]) -> Bool {
    guard let fields else {
      guard case .object? = strict?.kind else { return true }
      return line.count > LineLimits.bytes
    }
    guard case .object(let members)? = strict?.kind else { return false }
    let found = fields.given(except: FieldSet([])).map(\.field)
    let isSame =
      found.count == members.count
      && zip(found, members).allSatisfy {
        $0.key == $1.key && $0.json == Text($1.value.json)
      }
    guard isSame else { return false }
    return members.allSatisfy { key, value in
      guard case .string(let text) = value.kind, let field = Field(stringValue: key.string) else {
        return true
      }
      return Text(fields.string(fields[field])) == Text(text)
    }
  }
}

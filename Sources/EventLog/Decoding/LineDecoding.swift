package import StreakDomain

/// Decodes single lines, and compares the two decoders for tests and fuzzers.
package enum LineDecoding {
  package static func event(_ line: [UInt8]) throws(Failure) -> Event {
    try EventDecoder.event(line)
  }

  /// Decodes a line of a stream with events of several people; returns the person's id and the event.
  package static func personalEvent(_ line: [UInt8]) throws(Failure) -> (subject: String?, event: Event) {
    var fields = try LineFields(line)
    let subject = try fields.optional(.subject, .id)
    fields.drop(.subject)
    return (subject, try EventDecoder.event(fields))
  }

  package enum Comparison: Sendable {
    case agree
    /// The fast scanner left the line to `EventDecoder`.
    case leftToSlow
    /// The fast scanner read a line that `EventDecoder` refuses or reads differently, which is a bug.
    case differ
  }

  package struct SlowLine: Sendable {
    package let bytes: [UInt8]
    /// Whether `LineFields` and the strict JSON reader find the same members, or both refuse the line.
    package let agreesWithJSON: Bool
    package let event: Result<Event, Failure>

    package init(_ line: [UInt8]) {
      bytes = line
      let fields = Result { () throws(Failure) in try LineFields(line) }
      agreesWithJSON = LineDecoding.agree(try? fields.get(), try? JSONValue(parsing: line), on: line)
      event = fields.flatMap { fields in Result { () throws(Failure) in try EventDecoder.event(fields) } }
    }
  }

  package static func compare(_ lines: [UInt8]) -> [Comparison] {
    let whole = lines.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...]
    return compare(
      lines,
      whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { SlowLine(Array($0)) }
    )
  }

  /// Compares the fast scanner, which reads all lines from one buffer with its caches, with decoded lines.
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

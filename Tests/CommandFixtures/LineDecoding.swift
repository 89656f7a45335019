import EventLog
package import StreakDomain

/// A comparison of the two decoders of lines, and of the fields of a line with the strict JSON
/// reader.
package enum LineDecoding {
  package enum Comparison: Sendable {
    case agree
    /// The fast scanner left the line to `EventDecoder`.
    case leftToSlow
    /// The fast scanner read a line that `EventDecoder` refuses or reads differently, which is a
    /// bug.
    case differ
  }

  package struct SlowLine: Sendable {
    package let bytes: [UInt8]
    /// Whether `LineFields` and the strict JSON reader find the same members, or both refuse the
    /// line.
    package let agreesWithJSON: Bool
    package let event: Result<Event, Failure>

    package init(_ line: [UInt8]) {
      bytes = line
      let fields = Result { () throws(Failure) in try LineFields(line) }
      agreesWithJSON = LineDecoding.agree(
        try? fields.get(), try? JSONValue(parsing: line), on: line)
      event = fields.flatMap { fields in
        Result { () throws(Failure) in try EventDecoder.event(fields) }
      }
    }
  }

  package static func compare(_ lines: [UInt8]) -> [Comparison] {
    let whole = lines.last == UInt8(ascii: "\n") ? lines.dropLast() : lines[...]
    return compare(
      lines,
      whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        SlowLine(Array($0))
      }
    )
  }

  /// Compares the fast scanner, which reads all lines from one buffer with its caches, with decoded
  /// lines.
  package static func compare(_ bytes: [UInt8], _ lines: [SlowLine]) -> [Comparison] {
    let padded = bytes.padded
    var names = SymbolTable()
    var scanner = EntryScanner()
    var fast = StreamItem()
    var start = 0
    var comparisons: [Comparison] = []
    for line in lines {
      let length = scanner.scan(
        padded.span.extracting(droppingFirst: start), into: &fast, names: &names)
      if length > 0 {
        scanner.readTexts(padded.span.extracting(droppingFirst: start), into: &fast)
        let isSame = length == line.bytes.count + 1 && reads(line, as: fast, &names)
        comparisons.append(isSame ? .agree : .differ)
      } else {
        comparisons.append(.leftToSlow)
      }
      start += line.bytes.count + 1
    }
    return comparisons
  }

  private static func reads(_ line: SlowLine, as fast: StreamItem, _ names: inout SymbolTable)
    -> Bool
  {
    guard case .success(let event) = line.event, case .entryLogged(let entry) = event.payload,
      !(event.by?.string.hasPrefix("streaks-") ?? false)
    else { return false }
    let key = entry.key.map { EventKey($0, names: &names) }
    let asOf = key == nil ? nil : entry.asOf ?? event.recorded
    return fast.id == EventKey(event.id, names: &names) && fast.recorded == event.recorded
      && fast.claim?.key == key && fast.claim?.asOf == asOf
      && fast.fact.isEqual(EntryFact(entry, of: event, dayStart: .midnight, names: &names))
      && Int(fast.second) / 60 == event.at.localMinute
      && [fast.value, fast.note] == [entry.value ?? "", entry.note ?? ""]
  }

  private static func agree(_ fields: LineFields?, _ strict: JSONValue?, on line: [UInt8]) -> Bool {
    guard let fields else {
      guard case .object? = strict?.kind else { return true }
      return line.count > LineLimits.bytes
    }
    guard case .object(let members)? = strict?.kind else { return false }
    let found = fields.members
    let isSame =
      found.count == members.count
      && zip(found, members).allSatisfy {
        $0.key == $1.key && $0.json == Text($1.value.json)
      }
    guard isSame else { return false }
    return members.allSatisfy { key, value in
      guard case .text(let text) = value.kind, let field = Field(stringValue: key.string) else {
        return true
      }
      return (try? fields.text(field)).map { Text($0) } == Text(text)
    }
  }
}

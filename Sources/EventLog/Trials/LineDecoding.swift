package import StreakDomain

/// One line decoded on its own, and the two roads compared: for tests, fuzzers and tools.
package enum LineDecoding {
  /// Decodes the line of a segment, without its newline.
  package static func event(_ line: [UInt8]) throws(LineError) -> Event {
    try EventDecoder.event(line)
  }

  package enum Comparison: Sendable {
    /// Both read the same entry.
    case agree
    /// The fast road left the line to the slow one.
    case leftToSlow
    /// The fast road read what the slow one refuses or reads otherwise: a bug.
    case differ
  }

  /// Reads lines with their newlines on the fast road and on the slow one, line by line.
  ///
  /// They go down the fast road as in a segment: one scanner reads all of them, in one buffer, and remembers.
  package static func compare(_ lines: [UInt8]) -> [Comparison] {
    let buffer = LineBuffer(capacity: lines.count)
    buffer.append(lines)
    var names = Names()
    var scanner = EntryScanner()
    var fast = EntryScanner.Scanned()
    var comparisons: [Comparison] = []
    var start = 0
    while start < lines.count {
      let end = lines[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? lines.count
      let length = scanner.scan(buffer.window(at: start), into: &fast, names: &names)
      if length == 0 {
        comparisons.append(.leftToSlow)
      } else {
        let window = buffer.window(at: start)
        let texts = [Field.value, .note].map { scanner.text($0, window) }
        let isSame = length == end - start && reads(Array(lines[start..<end - 1]), as: fast, texts, &names)
        comparisons.append(isSame ? .agree : .differ)
      }
      start = end
    }
    return comparisons
  }

  /// Whether the slow road reads the same entry of a line without its newline.
  private static func reads(
    _ line: [UInt8], as fast: EntryScanner.Scanned, _ texts: [[UInt8]], _ names: inout Names
  ) -> Bool {
    guard let event = try? EventDecoder.event(line), case .entryLogged(let entry) = event.payload,
      event.subject == nil
    else { return false }
    let id = fast.namedID.isEmpty ? fast.id : EventKey(names.intern(Array(line[fast.namedID]).span))
    return id == EventKey(event.id, names: &names) && fast.recorded == event.recorded.microseconds
      && fast.fact.isEqual(
        EntryFact(entry, of: event, dayStart: .midnight, names: &names))
      && Int(fast.second) / 60 == event.at.localMinute
      && texts == [entry.value, entry.note].map { Array(($0 ?? "").utf8) }
  }

  /// Whether the fields found in a line are the members that the strict JSON reader reads, and none where it refuses.
  package static func agreesWithJSON(_ line: [UInt8]) -> Bool {
    let strict = try? JSONValue(parsing: line)
    guard let fields = try? LineFields(line) else {
      guard case .object? = strict?.kind else { return true }
      return line.count > LineLimits.bytes
    }
    guard case .object(let members)? = strict?.kind else { return false }
    let found = fields.given(except: FieldSet([])).map {
      "\($0.field.key.spelling) \($0.field.json.spelling)"
    }
    guard found == members.map({ "\($0.key.spelling) \($0.value.json.spelling)" }) else { return false }
    return members.allSatisfy { key, value in
      guard case .string(let text) = value.kind, let field = Field.all.first(where: { $0.key == key }) else {
        return true
      }
      return fields.string(fields[field]).spelling == text.spelling
    }
  }
}

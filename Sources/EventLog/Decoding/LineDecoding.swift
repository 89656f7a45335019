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

  /// Reads a line with its newline on the fast road and on the slow one.
  package static func compare(_ line: [UInt8]) -> Comparison {
    let buffer = LineBuffer(capacity: line.count)
    buffer.append(line)
    var names = Names()
    var scanner = EntryScanner()
    var fast = EntryScanner.Scanned()
    let length = scanner.scan(buffer.window(at: 0), into: &fast, names: &names)
    guard length > 0 else { return .leftToSlow }
    guard length == line.count, let event = try? EventDecoder.event(Array(line.dropLast())),
      case .entryLogged(let entry) = event.payload, event.subject == nil
    else { return .differ }
    let slow = EntryFact(entry, of: event, names: &names)
    let isSame =
      fast.id == EventKey(event.id, names: &names) && fast.recorded == event.recorded.microseconds
      && fast.more == event.more && fast.fact.isEqual(slow)
    return isSame ? .agree : .differ
  }
}

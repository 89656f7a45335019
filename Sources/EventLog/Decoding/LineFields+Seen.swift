import StreakDomain

/// What writers saw of each other's segments.
extension LineFields {
  /// By segment, the number of its lines and the id of the last of them; none where the field is absent.
  func seen() throws(LineError) -> [SeenSegment] {
    guard let value = try value(.seen) else { return [] }
    guard case .object(let members) = value.kind else {
      throw fail(.seen, .wrongType(field: "seen", expected: "an object", found: value.kindName))
    }
    var seen: [SeenSegment] = []
    for (segment, value) in members {
      func bad(_ text: String, _ form: String) -> LineError {
        LineError(column: value.column, problem: .badForm(field: "seen", value: text, form: form))
      }
      guard Forms.isWriter(segment) else { throw bad(segment, Forms.writer) }
      guard case .array(let pair) = value.kind, pair.count == 2, case .number(let text) = pair[0].kind,
        let lines = Thousandths(json: text), lines.isWhole,
        LineFields.lines.contains(Int(lines.count / 1000)), case .string(let last) = pair[1].kind,
        Forms.isID(last)
      else { throw bad(value.json, "the number of its lines and the id of the last, such as [312,\"e1\"]") }
      seen.append(SeenSegment(segment: segment, lines: Int(lines.count / 1000), last: last))
    }
    return seen
  }

  /// A segment of which no more is missed.
  func drop() throws(LineError) -> Payload {
    let type = EventType.segmentDropped.rawValue
    let segment = try required(.segment, of: type) { (field) throws(LineError) in
      try form(field, Forms.isWriter, Forms.writer)
    }
    let lines = try required(.lines, of: type) { (field) throws(LineError) in
      try whole(field, LineFields.lines)
    }
    let last = try required(.last, of: type, id)
    return .segmentDropped(
      SeenSegment(segment: segment, lines: lines, last: last), reason: try printable(.reason))
  }

  private static let lines = 1...1_000_000_000_000
}

import StreakDomain

extension LineFields {
  /// Which texts of which event were taken out.
  func redaction() throws(LineError) -> Redaction {
    let type = EventType.eventRedacted.rawValue
    let event = try required(.event, of: type, id)
    let value = try required(.texts, of: type, value)
    guard case .object(let members) = value.kind, !members.isEmpty else {
      throw fail(
        .texts,
        .wrongType(
          field: "texts", expected: "an object with at least one text",
          found: value.json == "{}" ? "an empty one" : value.kindName))
    }
    var texts: [RedactedText] = []
    for (key, value) in members {
      func bad(_ text: String, _ form: String) -> LineError {
        LineError(column: value.column, problem: .badForm(field: "texts", value: text, form: form))
      }
      guard let field = TextField(rawValue: key) else {
        throw bad(key, "one of " + TextField.allCases.map(\.rawValue).joined(separator: ", "))
      }
      guard case .string(let digest) = value.kind, Forms.isDigest(digest) else {
        throw bad(value.json, Forms.digest)
      }
      texts.append(RedactedText(field, digest: digest))
    }
    return Redaction(event: event, texts: texts, reason: try printable(.reason))
  }
}

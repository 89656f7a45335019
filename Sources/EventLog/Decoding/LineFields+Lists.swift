import StreakDomain

/// The forms that are lists and objects.
extension LineFields {
  func habits(_ field: Field) throws(LineError) -> [String]? {
    try list(field, of: "habit", Forms.isHabit, Forms.habit)
  }

  func ids(_ field: Field) throws(LineError) -> [String]? {
    try list(field, of: "id", Event.isID, Forms.id)
  }

  /// A list of names of one form, at least one; nil where it is absent.
  private func list(
    _ field: Field, of what: String, _ isForm: (String) -> Bool, _ form: String
  ) throws(LineError) -> [String]? {
    guard let value = try value(field) else { return nil }
    guard case .array(let items) = value.kind, !items.isEmpty else {
      throw fail(
        field,
        .wrongType(
          field: field.key, expected: "a list of at least one \(what)",
          found: value.json == "[]" ? "an empty one" : value.kindName))
    }
    var names: [String] = []
    for item in items {
      guard case .string(let name) = item.kind, isForm(name) else {
        throw LineError(
          column: item.column, problem: .badForm(field: field.key, value: item.json, form: form))
      }
      names.append(name)
    }
    return names
  }

  /// Texts that were taken out, by their fields.
  func texts(_ field: Field) throws(LineError) -> [RedactedText]? {
    guard let value = try value(field) else { return nil }
    guard case .object(let members) = value.kind, !members.isEmpty else {
      throw fail(
        field,
        .wrongType(
          field: field.key, expected: "an object with at least one text",
          found: value.json == "{}" ? "an empty one" : value.kindName))
    }
    var texts: [RedactedText] = []
    for (key, value) in members {
      func bad(_ text: String, _ form: String) -> LineError {
        LineError(column: value.column, problem: .badForm(field: field.key, value: text, form: form))
      }
      guard let text = TextField(rawValue: key) else {
        throw bad(key, "one of " + TextField.allCases.map(\.rawValue).joined(separator: ", "))
      }
      guard case .string(let digest) = value.kind, Forms.isDigest(digest) else {
        throw bad(value.json, Forms.digest)
      }
      texts.append(RedactedText(text, digest: digest))
    }
    return texts
  }

  /// By segment, the number of its lines, the id of the last of them and, if it is said, the digest of its tail.
  func seen(_ field: Field) throws(LineError) -> [SeenSegment]? {
    guard let value = try value(field) else { return nil }
    guard case .object(let members) = value.kind else {
      throw fail(field, .wrongType(field: field.key, expected: "an object", found: value.kindName))
    }
    var seen: [SeenSegment] = []
    for (segment, value) in members {
      func bad(_ text: String, _ form: String) -> LineError {
        LineError(column: value.column, problem: .badForm(field: field.key, value: text, form: form))
      }
      guard Forms.isWriter(segment) else { throw bad(segment, Forms.writer) }
      guard case .array(let said) = value.kind, (2...3).contains(said.count),
        case .number(let text) = said[0].kind, let lines = Thousandths(json: text), lines.isWhole,
        LineFields.lines.contains(Int(lines.count / 1000)), case .string(let last) = said[1].kind,
        Forms.isID(last)
      else { throw bad(value.json, LineFields.seenForm) }
      var tail: String?
      if said.count > 2 {
        guard case .string(let digest) = said[2].kind, Forms.isDigest(digest) else {
          throw bad(value.json, LineFields.seenForm)
        }
        tail = digest
      }
      seen.append(SeenSegment(segment: segment, lines: Int(lines.count / 1000), last: last, tail: tail))
    }
    return seen
  }

  private static let seenForm =
    "the number of its lines, the id of the last and the tail's digest, such as [312,\"e1\",\"9f86…\"]"

  static let lines = 1...1_000_000_000_000
}

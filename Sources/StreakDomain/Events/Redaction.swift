/// A field that holds a person's own words, which can be taken out of a line (event-format.md, "Redaction").
package enum TextField: String, CaseIterable, Sendable {
  case note, value, reason, name
}

/// What an `event.redacted` says: which texts of which event were taken out.
package struct Redaction: Sendable, Equatable {
  @Spelled package private(set) var event: String
  /// One for each field at the most, in the order of `TextField`.
  package let texts: [RedactedText]
  @Spelled package var reason: String?

  package init(event: String, texts: [RedactedText], reason: String?) {
    self.texts = TextField.allCases.compactMap { field in texts.first { $0.field == field } }
    self.event = event
    self.reason = reason
  }
}

/// A text that was taken out.
package struct RedactedText: Sendable, Equatable {
  package let field: TextField
  /// SHA-256 of the bytes that were between its quotes, as 64 hexadecimal digits.
  @Spelled package private(set) var digest: String

  package init(_ field: TextField, digest: String) {
    self.field = field
    self.digest = digest
  }
}

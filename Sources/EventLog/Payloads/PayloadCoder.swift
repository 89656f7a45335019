package import StreakDomain

/// A visitor of a payload's fields in canonical order: a reader, a writer or a replacer of texts.
protocol PayloadCoder {
  associatedtype Thrown: Error

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) throws(Thrown)

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) throws(Thrown)

  /// Visits a text written by a person, which can be redacted.
  mutating func text(_ field: TextField, _ text: inout Text?) throws(Thrown)
}

extension PayloadCoder {
  mutating func text(_ field: TextField, _ text: inout Text?) throws(Thrown) {
    try optional(Field(field), &text, .printable)
  }

  /// Visits a list that is absent if it is empty.
  mutating func list<Item>(_ field: Field, _ items: inout [Item], _ form: Form<[Item]>) throws(Thrown) {
    var given = items.isEmpty ? nil : items
    try optional(field, &given, form)
    items = given ?? []
  }
}

struct PayloadReader: PayloadCoder {
  let line: LineFields
  let type: EventType
  /// The fields that the type may have, once the payload is read.
  private(set) var fields = FieldSet()

  init(_ line: LineFields, _ type: EventType) {
    self.line = line
    self.type = type
  }

  mutating func payload() throws(Failure) -> Payload {
    var payload = Payload(blank: type)
    try payload.code(with: &self)
    return payload
  }

  mutating func required<Value>(
    _ field: Field, _ value: inout Value, _ form: Form<Value>
  ) throws(Failure) {
    fields.formUnion(FieldSet(field.rawValue))
    value = try line.required(field, of: type, form)
  }

  mutating func optional<Value>(
    _ field: Field, _ value: inout Value?, _ form: Form<Value>
  ) throws(Failure) {
    fields.formUnion(FieldSet(field.rawValue))
    value = try line.optional(field, form)
  }
}

private struct TextReplacer: PayloadCoder {
  let replacement: (TextField, Text) -> Text

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) {}

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) {}

  mutating func text(_ field: TextField, _ text: inout Text?) {
    text = text.map { replacement(field, $0) }
  }
}

private struct FieldLister: PayloadCoder {
  var names: [String] = []

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) {
    names.append(field.key)
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) {
    // The store adds these fields.
    if field != .seal, field != .seen { names.append(field.key + "?") }
  }
}

extension EventType {
  /// The payload fields of the type; a question mark follows optional ones.
  package var fieldNames: [String] {
    var (payload, lister) = (Payload(blank: self), FieldLister())
    payload.code(with: &lister)
    return lister.names
  }
}

extension Payload {
  package mutating func replaceTexts(_ replacement: @escaping (TextField, Text) -> Text) {
    // The fold depends on this reason, so it can't be redacted.
    if case .daysExcused(_, _, _, "zone"?) = self { return }
    var replacer = TextReplacer(replacement: replacement)
    code(with: &replacer)
  }
}

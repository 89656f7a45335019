package import StreakDomain

/// What goes through the description of a payload (`Payload.code`), field by field in canonical order: a line that is
/// read, a line that is written, or what replaces texts.
protocol PayloadCoder {
  associatedtype Thrown: Error

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) throws(Thrown)

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) throws(Thrown)

  /// A person's own words, which may be taken out of the line.
  mutating func text(_ field: TextField, _ text: inout Text?) throws(Thrown)
}

extension PayloadCoder {
  mutating func text(_ field: TextField, _ text: inout Text?) throws(Thrown) {
    try optional(Field(field), &text, .printable)
  }

  /// A list that is absent where it is empty.
  mutating func list<Item>(_ field: Field, _ items: inout [Item], _ form: Form<[Item]>) throws(Thrown) {
    var given = items.isEmpty ? nil : items
    try optional(field, &given, form)
    items = given ?? []
  }
}

/// Reads a payload from a line.
struct PayloadReader: PayloadCoder {
  let line: LineFields
  let type: EventType
  /// The fields that the type has, once all of it is read.
  private(set) var fields = FieldSet([])

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

/// Replaces the texts of a payload.
private struct TextReplacer: PayloadCoder {
  let replacement: (TextField, Text) -> Text

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) {}

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) {}

  mutating func text(_ field: TextField, _ text: inout Text?) {
    text = text.map { replacement(field, $0) }
  }
}

/// Lists the fields that a caller may give.
private struct FieldLister: PayloadCoder {
  var names: [String] = []

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) {
    names.append(field.key)
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) {
    // These the store adds.
    if field != .seal, field != .seen { names.append(field.key + "?") }
  }
}

extension EventType {
  /// The fields of its events behind those that every event has; one that may be absent ends with a question mark.
  package var fieldNames: [String] {
    var (payload, lister) = (Payload(blank: self), FieldLister())
    payload.code(with: &lister)
    return lister.names
  }
}

extension Payload {
  /// Replaces each text that a person wrote.
  package mutating func replaceTexts(_ replacement: @escaping (TextField, Text) -> Text) {
    // The fold looks at this reason, so it is never taken out.
    if case .daysExcused(_, _, _, "zone"?) = self { return }
    var replacer = TextReplacer(replacement: replacement)
    code(with: &replacer)
  }
}

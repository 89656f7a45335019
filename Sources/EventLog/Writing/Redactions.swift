package import StreakDomain

/// The texts of a line that `redact` can remove and that no seal covers: `note`, `value`, `reason`
/// and `name`.
package struct RedactableTexts: Sendable {
  package struct Found: Sendable {
    package let field: TextField
    /// The range of the text's bytes in the line, without the quotes.
    package let content: Range<Int>
    /// The range from the start of the content to the end of the white space after the closing
    /// quote.
    package let extent: Range<Int>

    /// Whether the text looks redacted: it is empty, and white space follows the closing quote.
    package var isRedacted: Bool { content.isEmpty && extent.count > 1 }
  }

  package private(set) var found: [Found] = []

  package init(_ line: [UInt8]) { self.init(try? LineFields(line)) }

  init(_ fields: LineFields?) {
    guard let fields else { return }
    for field in TextField.allCases where fields[Field(field)].kind.isText {
      let content = fields[Field(field)].range
      var end = content.upperBound + 1
      while end < fields.bytes.count, RedactableTexts.isSpace(fields.bytes[end]) { end += 1 }
      found.append(Found(field: field, content: content, extent: content.lowerBound..<end))
    }
    found.sort { $0.content.lowerBound < $1.content.lowerBound }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0D
  }

  package var redacted: Set<TextField> { Set(found.filter(\.isRedacted).map(\.field)) }

  /// Returns a SHA-256 of `line` that doesn't depend on its redactable texts (event-format.md,
  /// "Seals").
  package static func digest(of line: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    var start = 0
    for text in RedactableTexts(line).found {
      hash.update(line[start..<text.content.lowerBound])
      hash.update([UInt8(ascii: "\"")])
      start = text.extent.upperBound
    }
    hash.update(line[start...])
    hash.update([UInt8(ascii: "\n")])
    return hash.bytes()
  }
}

/// The redacted text fields, keyed by event id; readers hide these texts, because copies of
/// segments may contain them.
package struct Redactions: Sendable {
  private var fields: [String: Set<TextField>] = [:]

  package init() {}

  package var isEmpty: Bool { fields.isEmpty }

  package func fields(of event: String) -> Set<TextField> { fields[event] ?? [] }

  mutating func add(_ event: Event) {
    guard case .eventRedacted(let redacted, let fields, _) = event.payload else { return }
    self.fields[redacted, default: []].formUnion(fields)
  }

  /// Removes the redacted texts from the event in `item`, which may have been read from an
  /// unredacted copy.
  func apply(to item: inout StreamItem, _ names: SymbolTable) {
    guard let box = item.boxed else { return }
    if let event = item.event { return item.boxed = StreamItem.Box(applied(to: event)) }

    let fields = fields(of: item.id.text(names))
    guard !fields.isEmpty else { return }
    item.boxed = StreamItem.Box(
      fields.contains(.value) ? "" : box.value, fields.contains(.note) ? "" : box.note, by: box.by)
  }

  func applied(to event: Event) -> Event {
    let fields = fields(of: event.id)
    guard !fields.isEmpty else { return event }
    var event = event
    event.payload.replaceTexts { fields.contains($0) ? "" : $1 }
    return event
  }
}

extension EventStream {
  /// Returns the redactions of all segments, also those that the stream hasn't read yet.
  package func storedRedactions() throws(Failure) -> Redactions {
    var redactions = Redactions()
    for event in try storedEvents(ofType: .eventRedacted) { redactions.add(event) }
    return redactions
  }
}

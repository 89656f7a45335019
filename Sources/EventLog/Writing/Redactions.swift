package import StreakDomain

/// The redacted text fields, by the ids of their events.
///
/// Readers hide these texts, because copies of segments may still contain them.
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

package import StreakDomain

/// The redacted texts of events, which readers also hide in copies that still contain them.
package struct Redactions: Sendable {
  private var fields: [String: Set<TextField>] = [:]
  private var events = ChosenEvents([])

  package init() {}

  package var isEmpty: Bool { fields.isEmpty }

  package func fields(of event: String) -> Set<TextField> { fields[event] ?? [] }

  mutating func add(_ event: Event) {
    guard case .eventRedacted(let redacted, let fields, _) = event.payload else { return }
    self.fields[redacted, default: []].formUnion(fields)
    events.add(redacted)
  }

  /// Removes redacted texts from an event that was read from an unredacted copy.
  func apply(to item: inout StreamItem, _ names: SymbolTable) {
    guard events.has(item.id, names), let box = item.boxed else { return }
    if let event = item.event { return item.boxed = StreamItem.Box(applied(to: event)) }
    let fields = fields(of: item.id.text(names))
    item.boxed = box.with(
      fields.contains(.value) ? "" : box.value, fields.contains(.note) ? "" : box.note)
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
  /// The redactions in all segments.
  package func storedRedactions() throws(Failure) -> Redactions {
    var redactions = Redactions()
    for event in try storedEvents(ofType: .eventRedacted) { redactions.add(event) }
    return redactions
  }

  /// Searches all segments for the events of a rare type, and decodes only the lines that may be of that type.
  package func storedEvents(ofType type: EventType) throws(Failure) -> [Event] {
    let mark = BytePattern("\"\(type.rawValue)\"")
    var events: [Event] = []
    for reader in readers {
      var cutter = LineCutter()
      func add(_ line: LineCutter.Line) {
        guard mark.first(in: line.bytes) != nil, let event = try? EventDecoder.event(line.bytes),
          event.payload.type == type
        else { return }
        events.append(event)
      }
      for start in stride(from: 0, to: reader.size, by: 1 << 18) {
        var rest = try reading { () throws(SystemError) in
          try reader.bytes.file().bytes(start..<min(reader.size, start + 1 << 18))
        }[...]
        while let line = cutter.next(&rest) { add(line) }
      }
      if let line = cutter.end() { add(line) }
    }
    return events
  }
}

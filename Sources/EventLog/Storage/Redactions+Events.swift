import StreakDomain

extension Redactions {
  /// Takes the texts out of an event as it came from a copy that still has them.
  func apply(to item: inout StreamItem, _ names: Names) {
    guard events.has(item.id, names), let box = item.boxed else { return }
    if let event = item.event { return item.boxed = StreamItem.Box(applied(to: event)) }
    let fields = Set(texts(of: item.id.text(names)).map(\.field))
    item.boxed = StreamItem.Box(
      fields.contains(.value) ? "" : box.value, fields.contains(.note) ? "" : box.note)
  }

  /// An event without the texts that were taken out of it.
  func applied(to event: Event) -> Event {
    let texts = isEmpty ? [] : texts(of: event.id)
    return texts.isEmpty ? event : event.without(Set(texts.map(\.field)))
  }
}

extension Event {
  /// The same without some texts: each empty, and a name absent.
  fileprivate func without(_ texts: Set<TextField>) -> Event {
    func left(_ field: TextField, _ text: String?) -> String? {
      texts.contains(field) ? text.map { _ in "" } : text
    }
    var event = self
    switch payload {
    case .entryLogged(var entry):
      (entry.note, entry.value) = (left(.note, entry.note), left(.value, entry.value))
      event.payload = .entryLogged(entry)
    case .habitDefined(var definition):
      if texts.contains(.name) { definition.name = nil }
      event.payload = .habitDefined(definition)
    case .entryDeleted(let entry, let reason):
      event.payload = .entryDeleted(entry: entry, reason: left(.reason, reason))
    case .daysExcused(let from, let to, let habits, let reason):
      // The fold looks at this one, so it is never taken out.
      let kept = reason == "zone" ? reason : left(.reason, reason)
      event.payload = .daysExcused(from: from, to: to, habits: habits, reason: kept)
    case .excuseWithdrawn(let excuse, let reason):
      event.payload = .excuseWithdrawn(excuse: excuse, reason: left(.reason, reason))
    case .segmentDropped(let segment, let reason):
      event.payload = .segmentDropped(segment, reason: left(.reason, reason))
    case .eventRedacted(var redaction):
      redaction.reason = left(.reason, redaction.reason)
      event.payload = .eventRedacted(redaction)
    case .ledgerOpened, .habitRetired, .dayChanged, .reminderSet, .celebrationSeen, .expectationStated: break
    }
    return event
  }
}

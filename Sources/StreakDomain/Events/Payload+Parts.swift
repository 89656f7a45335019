extension Payload {
  /// Whether an event of a batch is of the store and true whatever becomes of the rest.
  package var staysTrue: Bool {
    switch self {
    case .dayChanged, .dayCorrected, .segmentDropped, .daysExcused(_, _, _, "zone"?): true
    default: false
    }
  }

  /// Whether another event can always make up for it; a definition may be the first of its habit.
  package var hasCounterpart: Bool {
    switch counterpart {
    case .deletion, .withdrawal, .entry, .excuse, .formerReminder: true
    case .formerDefinition, nil: false
    }
  }

  /// The entry or excuse that the event takes back.
  package var removed: String? {
    switch counterpart {
    case .entry(let id), .excuse(let id): id
    case .deletion, .withdrawal, .formerDefinition, .formerReminder, nil: nil
    }
  }

  /// Why the event takes an entry or excuse back.
  package var reason: Text? {
    switch self {
    case .entryDeleted(_, let reason), .excuseWithdrawn(_, let reason): reason
    default: nil
    }
  }

  /// The event that the event took texts out of.
  package var redacted: String? {
    if case .eventRedacted(let redaction) = self { redaction.event } else { nil }
  }

  /// Whether it is an entry or an excuse, which another event can take back.
  package var isRemovable: Bool {
    switch counterpart {
    case .deletion, .withdrawal: true
    case .entry, .excuse, .formerDefinition, .formerReminder, nil: false
    }
  }
}

extension Event {
  /// What it defines; nil of any other event.
  package var defined: Definition? {
    if case .habitDefined(let definition) = payload { definition } else { nil }
  }
}

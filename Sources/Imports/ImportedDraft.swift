import EventLog
import StreakDomain

extension Draft {
  /// Creates the event of an imported record, or a deletion or definition that an import needs.
  ///
  /// Without `at`, the record has only a day. The event is then at noon in `zone`, so that every
  /// device that imports the record writes the same event. Without `id`, `ImportPlan.completed`
  /// sets the id.
  init(
    _ payload: Payload, id: String = "", of day: Day, at: Timestamp? = nil, in zone: String,
    by: Text? = nil, place: Place? = nil, text: String = ""
  ) {
    self.init(payload, command: "import")
    self.id = id
    event.id = id
    self.day = day
    event.day = day
    event.by = by
    self.at = at ?? Zones.instant(of: day, minute: 12 * 60, in: zone)
    event.at = self.at ?? event.at
    isOfDay = at == nil
    if let place { self.place = place }
    line = Array(text.utf8)
  }
}

extension Payload {
  /// The habit of an entry or of an excuse that an import made.
  package var habit: String? {
    if case .daysExcused(_, _, let habits, _) = self { habits?.first } else { entry?.habit }
  }

  /// The note of an entry or the reason of an excuse.
  var comment: Text? {
    get { if case .daysExcused(_, _, _, let reason) = self { reason } else { entry?.note } }
    set {
      entry?.note = newValue
      if case .daysExcused(let from, let to, let habits, _) = self {
        self = .daysExcused(from: from, to: to, habits: habits, reason: newValue)
      }
    }
  }
}

extension Text {
  /// Creates a text of one line, in which blanks replace control characters.
  init(line text: String) { self.init(text.rewriting { Escaping.isPrintable($0) ? nil : " " }) }
}

/// Ids that are computed from the content of a record, so that repeated imports create the same
/// events.
enum ImportID {
  /// Returns an id computed from a SHA-256 of `parts`: a UUID of version 8 (RFC 9562), which
  /// ledgers store compactly.
  static func make(_ parts: [String]) -> String {
    let key = key(parts)
    return EventKey.uuidText(key.high, key.low)
  }

  static func key(_ parts: [String]) -> EventKey {
    var bytes: [UInt8] = []
    // The length before each part makes different parts give different bytes.
    for part in parts { bytes += "\(part.utf8.count):\(part)".utf8 }
    let words = SHA256(of: bytes).words()
    let high = UInt64(words[0]) << 32 | UInt64(words[1])
    let low = UInt64(words[2]) << 32 | UInt64(words[3])
    return EventKey(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}

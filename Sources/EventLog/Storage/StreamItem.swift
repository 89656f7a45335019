package import StreakDomain

/// One event as it came from a segment.
package struct StreamItem: Sendable {
  /// The event in full; nil for an entry that came down the fast road.
  package var event: Event? { boxed?.event }
  package var isFact: Bool { boxed.map { !$0.isEvent } ?? true }
  package var type: EventType { boxed?.event?.payload.type ?? .entryLogged }
  package var day: Day { boxed?.event?.day ?? fact.day }
  /// A reference, so that the many items that are only a fact stay small.
  var boxed: Box?
  /// The entry, where `event` is nil.
  package internal(set) var fact = EntryFact()
  /// Of the day that the person's clock showed, where `event` is nil.
  package internal(set) var second: Int32 = 0
  package internal(set) var id = EventKey(high: 0, low: 0)
  package internal(set) var recorded = Instant(microseconds: Int64.min)
  /// Index into the stream's segments.
  package internal(set) var segment = 0
  /// From 1.
  package internal(set) var line = 0
  /// Where the line begins in its segment, in bytes.
  package internal(set) var offset = 0
  /// Its value and note, where `event` is nil and texts are wanted; empty without.
  package var value: Text { boxed?.value ?? "" }
  package var note: Text { boxed?.note ?? "" }
  /// Who it was written by, and whether its batch goes on; of a fact only where texts are wanted.
  package var by: Text? { boxed?.by }
  package var isContinued: Bool { boxed?.isContinued ?? false }

  package init() {}

  /// An event, or the texts of an entry.
  final class Box: Sendable {
    let event: Event?
    let isEvent: Bool
    let value: Text
    let note: Text
    let by: Text?
    let isContinued: Bool

    init(_ event: Event) {
      (self.event, isEvent, value, note) = (event, true, "", "")
      (by, isContinued) = (event.by, event.more)
    }

    init(_ value: Text, _ note: Text, by: Text?, isContinued: Bool) {
      (event, isEvent) = (nil, false)
      (self.value, self.note, self.by, self.isContinued) = (value, note, by, isContinued)
    }

    /// A copy of an entry's box with other texts.
    func with(_ value: Text, _ note: Text) -> Box {
      Box(value, note, by: by, isContinued: isContinued)
    }

    var isEmpty: Bool { value.isEmpty && note.isEmpty && by == nil }
  }
}

package import StreakDomain

/// An event of the stream, and where it was read.
///
/// It is a complete `Event`, or an entry that `EntryScanner` read as an `EntryFact`.
package struct StreamItem: Sendable {
  /// The complete event, or `nil` if `EntryScanner` read the line and filled `fact` instead.
  package var event: Event? { boxed?.event }
  package var isFact: Bool { boxed.map { !$0.isEvent } ?? true }
  package var type: EventType { boxed?.event?.payload.type ?? .entryLogged }
  package var day: Day { boxed?.event?.day ?? fact.day }
  /// The day to which the event moves the ledger's today, or `nil` if it doesn't move today.
  package var dayReached: Day? { type == .entryLogged ? day : event?.newToday }
  /// The time at which the event happened.
  package var at: Instant { boxed?.event?.at.instant ?? Instant(microseconds: fact.at) }
  /// The complete event, or the texts of an entry.
  ///
  /// It is a reference, so that the many items without either stay small.
  var boxed: Box?
  package internal(set) var fact = EntryFact()
  /// The claim of `fact` to its key, or `nil` if it has no key.
  package internal(set) var claim: KeyClaim?
  /// The local time of the field `at` in seconds since midnight, if `event` is `nil`.
  package internal(set) var second: Int32 = 0
  package internal(set) var id = EventKey(high: 0, low: 0)
  package internal(set) var recorded = Instant(microseconds: Int64.min)
  package internal(set) var segment = 0
  package internal(set) var line = 0
  package internal(set) var offset = 0
  /// Whether the event is hypothetically omitted (`--without`): it keeps its position, but has no
  /// effect.
  package internal(set) var isOmitted = false
  /// The field `value` of an entry, if `event` is `nil` and `ReadingOptions.wantsTexts` is true.
  package var value: Text { boxed?.value ?? "" }
  package var note: Text { boxed?.note ?? "" }
  /// Whether the event is an entry with a key.
  package var hasKey: Bool { claim != nil || boxed?.event?.payload.entry?.key != nil }
  /// The name of the program that wrote the event; for an entry only if `ReadingOptions.wantsTexts`
  /// is true.
  package var by: Text? { boxed?.by }
  /// Whether the event's batch goes on with the next line.
  package internal(set) var isContinued = false
  /// Whether the event is the first readable event of its batch (step).
  package internal(set) var beginsStep = true

  package init() {}

  init(_ event: Event) {
    boxed = Box(event)
    recorded = event.recorded
    isContinued = event.more
  }

  /// The complete event, or the texts of an entry.
  final class Box: Sendable {
    let event: Event?
    let isEvent: Bool
    let value: Text
    let note: Text
    let by: Text?

    init(_ event: Event) {
      self.event = event
      isEvent = true
      value = ""
      note = ""
      by = event.by
    }

    init(_ value: Text, _ note: Text, by: Text?) {
      event = nil
      isEvent = false
      self.value = value
      self.note = note
      self.by = by
    }

    var isEmpty: Bool { value.isEmpty && note.isEmpty && by == nil }
  }
}

extension StreamItem {
  /// Whether the batch that `a` begins comes before the batch that `b` begins.
  ///
  /// Batches are ordered by `recorded`, then by `id`, then by segment.
  static func precedes(_ a: StreamItem, _ b: StreamItem, _ names: SymbolTable) -> Bool {
    guard a.recorded == b.recorded else { return a.recorded < b.recorded }
    guard a.id != b.id else { return a.segment < b.segment }
    if a.id.sortsAsText, b.id.sortsAsText { return a.id < b.id }
    return a.id.text(names).utf8.lexicographicallyPrecedes(b.id.text(names).utf8)
  }
}

extension Ledger {
  /// Folds the next event.
  ///
  /// If an earlier event has the same id, nothing is folded, and the position of that event is
  /// returned. Otherwise the result is `nil`.
  @discardableResult
  @inline(__always)
  package mutating func apply(_ item: StreamItem) -> Int? {
    if item.isOmitted { return keepPosition(of: item.id) }
    return item.isFact
      ? apply(item.fact, id: item.id, second: item.second, item.claim) : applyEvent(of: item)
  }

  /// Folds a complete event; separate from `apply`, so that the common case needs no stack space
  /// for an `Event`.
  @inline(never)
  private mutating func applyEvent(of item: StreamItem) -> Int? {
    item.event.flatMap { apply($0) }
  }
}

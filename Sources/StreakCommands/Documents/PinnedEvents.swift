import EventLog
import StreakDomain

/// The events of a pin: a short digest each, in the order of the stream, and one of them all; texts are no part of it.
struct PinnedEvents: Equatable {
  /// By the date on which they were recorded, in UTC, so that one more event is one more word in one line.
  private var days: [(day: Day, prints: [String])] = []
  private var hash = SHA256()
  /// That of a file.
  private var read: String?

  static func == (a: PinnedEvents, b: PinnedEvents) -> Bool {
    a.digest == b.digest && a.prints == b.prints
  }

  /// The digest of all, in full.
  var digest: String {
    get { read ?? hash.digest() }
    set { read = newValue }
  }

  var prints: [String] { days.flatMap(\.prints) }

  mutating func add(_ event: Event) {
    let print = PinnedEvents.print(of: event)
    hash.update(Array(print.utf8))
    enter(String(decoding: print.utf8.prefix(8), as: UTF8.self), Day(of: event.recorded))
  }

  private mutating func enter(_ print: String, _ day: Day) {
    if days.last?.day != day { days.append((day, [])) }
    days[days.count - 1].prints.append(print)
  }

  var lines: [String] { days.map { (["recorded", "\($0.day)"] + $0.prints).joined(separator: " ") } }

  /// Reads a line of the file.
  mutating func take(_ words: [String]) -> Bool {
    guard words.count > 1, let day = Day(words[0]) else { return false }
    for word in words.dropFirst() {
      guard word.utf8.count == 8, word.utf8.allSatisfy({ UInt8($0).hexDigit != nil }) else { return false }
      enter(word, day)
    }
    return true
  }

  /// The digest of an event's id and facts: without texts, and without the fields about its segment.
  private static func print(of event: Event) -> String {
    var event = event
    event.more = false
    event.payload.replaceTexts { _, _ in nil }
    if case .dayChanged(let to, _, _) = event.payload { event.payload = .dayChanged(to: to, seal: nil) }
    return SHA256(of: EventEncoder.line(event)).digest()
  }
}

extension PinnedEvents {
  /// How the events of now differ from those pinned.
  struct Change {
    enum Kind: String {
      case added, gone, moved, altered
    }

    let kind: Kind
    /// The place among the events of now, from 0; of a gone one where it was.
    let place: Int
    /// The places of those of now that were not pinned.
    let added: [Int]
    /// Whether nothing but added events differs.
    let isOnlyAdded: Bool
  }

  /// The first difference; nil where they are the same.
  func change(to now: PinnedEvents) -> Change? {
    let (old, new) = (prints, now.prints)
    let place = zip(old, new).prefix { $0 == $1 }.count
    guard place < max(old.count, new.count) || digest != now.digest else { return nil }
    let (pinned, there) = (Set(old), Set(new))
    let added = new.indices.filter { !pinned.contains(new[$0]) }
    let rest = new.enumerated().filter { pinned.contains($0.element) }.map(\.element)
    let isNew = place < new.count && !pinned.contains(new[place])
    let isGone = place < old.count && !there.contains(old[place])
    let kind: Change.Kind =
      place >= max(old.count, new.count) || isNew && isGone
      ? .altered : isNew ? .added : isGone ? .gone : .moved
    return Change(kind: kind, place: place, added: added, isOnlyAdded: rest == old && !added.isEmpty)
  }
}

extension Day {
  /// The date of an instant in UTC.
  fileprivate init(of instant: Instant) {
    self = Timestamp(instant: instant, offset: 0).localDay
  }
}

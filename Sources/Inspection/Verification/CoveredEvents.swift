import EventLog
import StreakDomain

/// An event, and where it is stored.
struct Stored {
  let event: Event
  let item: StreamItem
  let segment: Text
}

extension Finding {
  init(
    _ check: Check, _ says: String, _ stored: Stored, onlyInforms: Bool = false
  ) {
    self.init(
      check: check, says: says, segment: stored.segment, line: stored.item.line,
      event: stored.event.id, onlyInforms: onlyInforms)
  }
}

/// The part of a segment that an earlier output of `verify --heads` covers.
struct CoveredPart {
  /// The number of bytes that the heads certainly cover.
  ///
  /// If covered bytes have changed, these are the bytes through the last seal in the heads. Where
  /// the covered lines after it are now is unknown.
  let bytes: Int
  let isUnchanged: Bool
}

/// The events that an earlier output of `verify --heads` covers.
///
/// A segment whose covered bytes changed has a finding of its own, so none of its events is
/// reported as late.
///
/// Its events can still show that an event of another segment is late, because that one is stamped
/// before them. Only its events up to the last seal in the heads count for this. Later ones may be
/// forged, and an unchanged file must not be blamed. Without such a seal, none counts.
struct CoveredEvents {
  /// The covered part of each segment, or `nil` for a segment that the heads don't have.
  private let parts: [CoveredPart?]
  /// The ids of the events that count and have a line that the heads cover.
  private var ids: Set<EventKey> = []
  /// The covered events that don't count, because another line has the same id.
  ///
  /// The other line may be forged.
  private var superseded: [Stored] = []

  init(_ parts: [Text: CoveredPart], of segments: [Text]) {
    self.parts = segments.map { parts[$0] }
  }

  var isEmpty: Bool { ids.isEmpty && superseded.isEmpty }

  /// Whether the heads cover the line of this event, or of a copy of it.
  private func covers(_ stored: Stored) -> Bool { ids.contains(stored.item.id) }

  /// Whether the heads cover the line of `item`.
  func coversLine(of item: StreamItem) -> Bool { item.offset < parts[item.segment]?.bytes ?? 0 }

  /// Whether the heads certainly don't cover the line of `item`.
  func isNew(_ item: StreamItem) -> Bool {
    !coversLine(of: item) && parts[item.segment]?.isUnchanged ?? true
  }

  /// Adds an event that counts, or a copy of one.
  mutating func note(_ item: StreamItem) {
    if coversLine(of: item) { ids.insert(item.id) }
  }

  /// Adds an event that doesn't count, because an earlier one has its id.
  mutating func noteSuperseded(_ stored: Stored) {
    if coversLine(of: stored.item) { superseded.append(stored) }
  }

  /// Returns a finding about each segment with late events.
  ///
  /// An event is late if the heads don't cover it, and one of these is true:
  ///
  /// - Its stamp isn't later than the newest stamp that the heads cover.
  /// - It was written before the newest covered event, although a wrong clock stamped it later.
  ///
  /// The newest stamp is searched without the events that a covered `day.corrected` names, because
  /// their stamps are wrong, and without those whose stamps only continue a wrong stamp. A
  /// `day.corrected` that isn't covered may be forged, like the event. The newest covered event is
  /// searched without all named events, and without events that were written at an unknown time.
  func lateEvents(among events: [Stored], _ times: WrittenTimes) -> [Finding] {
    let moved = Set(events.flatMap(\.event.payload.moved))
    let coveredMoved = Set(events.filter(covers).flatMap(\.event.payload.moved))
    var stamps: [Instant] = []
    var wrongStamp: Instant?
    for stored in events.filter(covers) + superseded {
      let recorded = stored.item.recorded
      let isContinuing = wrongStamp.map { $0 < recorded && recorded <= $0 + 1 } ?? false
      if isContinuing || coveredMoved.contains(stored.event.id) {
        wrongStamp = recorded
      } else {
        stamps.append(recorded)
      }
    }
    guard let newestStamp = stamps.max() else { return [] }

    let newest = events.enumerated().compactMap { index, stored -> Instant? in
      guard covers(stored), !moved.contains(stored.event.id) else { return nil }
      return times.time(at: index + 1, recorded: stored.item.recorded)
    }.max()

    let late = events.enumerated().compactMap { index, stored -> (stored: Stored, time: Instant)? in
      guard !covers(stored), isNew(stored.item) else { return nil }
      let recorded = stored.item.recorded
      let written = times.written(at: index + 1)
      let isOlder = newest.map { newest in written.map { $0 <= newest } ?? false } ?? false
      return recorded <= newestStamp || isOlder ? (stored, written ?? recorded) : nil
    }
    let zone = events.last { [.ledgerOpened, .dayChanged].contains($0.item.type) }?.event.zone
    let clock = zone.flatMap { DayClock(zone: $0, start: .midnight) }
    func time(_ instant: Instant) -> String { RecordedTime.minute(instant, by: clock) }

    let bySegment = Dictionary(grouping: late, by: \.stored.item.segment)
    return bySegment.sorted { $0.key < $1.key }.compactMap { _, events in
      guard let first = events.first, let last = events.last else { return nil }
      let hasOlderStamp = events.contains { $0.stored.item.recorded <= newestStamp }
      let limit = hasOlderStamp ? newestStamp : newest ?? newestStamp
      let from = time(first.time)
      let to = time(last.time)
      let times = from == to ? from : "\(from) to \(to)"
      let span =
        events.count == 1
        ? "an event written \(times) is" : "\(events.count) events written \(times) are"
      return Finding(
        .late,
        span + " not in the heads, which have events up to \(time(limit)); a file "
          + "that arrived late (`streaks audit --interventions` has what it changed), or one with "
          + "false stamps",
        first.stored)
    }
  }

  /// Returns a finding about each correction of a clock that the heads don't cover, if the
  /// correction names events that the heads cover.
  ///
  /// If that is true, the named events don't prove that another event is late.
  func discounted(among events: [Stored]) -> [Finding] {
    let covered = Set(events.filter(covers).map(\.event.id))
    return events.compactMap { stored in
      let count = stored.event.payload.moved.count { covered.contains($0) }
      guard count > 0, !covers(stored) else { return nil }
      return Finding(
        .clock,
        """
        says that a wrong clock stamped \(counted(count, "event")) of the heads; if it did not, \
        somebody forged this line, and if it did, what is late by them may be on time
        """, stored)
    }
  }
}

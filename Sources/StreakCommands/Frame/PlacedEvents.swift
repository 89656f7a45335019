import EventLog
import StreakDomain

/// An event in full and its position in the stream.
struct Placed {
  let position: Int
  let event: Event
}

extension Invocation {
  /// The events of these ids, in the order of the stream; O(events).
  func events(of ids: Set<Spelling>) throws(CommandError) -> [Placed] {
    var found: [Placed] = []
    try eachPlacedEvent { placed in
      if ids.contains(placed.event.id.spelling) { found.append(placed) }
      return found.count < ids.count
    }
    return found
  }

  /// Reads every event in full with its position, each once, until `body` returns false.
  func eachPlacedEvent(_ body: (Placed) -> Bool) throws(CommandError) {
    var stream = try stream(inFull: true)
    let isMerged = stream.segments.count > 1
    do throws(LogError) {
      var names = Names()
      var item = StreamItem()
      var known: Set<EventKey> = []
      var position = 0
      while try stream.next(&item, names: &names) {
        if isMerged, !known.insert(item.id).inserted { continue }
        position += 1
        if let event = item.event, !body(Placed(position: position, event: event)) { return }
      }
    } catch { throw .log(error) }
  }

  /// The events that a word may mean, a line each, as a list behind an error.
  func candidates(_ ids: [String], of count: Int) throws(CommandError) -> String {
    let shown = Set(ids.map(\.spelling))
    let ledger = try load().ledger
    let lines = try events(of: shown).map { placed in
      let words = EventWords(ledger: ledger).text(of: placed.event)
      return "\n  @\(placed.position)  \(placed.event.id)  \(placed.event.day)  \(Escaping.visible(words))"
    }
    return lines.joined() + (count > ids.count ? "\n  and \(count - ids.count) more" : "")
  }

  /// An id as screens show it.
  func shown(_ id: String) -> String { arguments.has("--ids") ? id : Event.shortID(id) }
}

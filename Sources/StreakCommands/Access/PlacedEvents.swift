import EventLog
import StreakDomain

/// An event in full and its position in the stream.
struct Placed {
  let position: Int
  let event: Event
}

extension LedgerReader {
  /// The events of these ids, in the order of the stream; O(events).
  func events(of ids: Set<Spelling>) throws(CommandError) -> [Placed] {
    var found: [Placed] = []
    var keys: Set<EventKey> = []
    try eachPlacedEvent { item, names in
      if keys.isEmpty { keys = Set(ids.map { EventKey($0.text, names: &names) }) }
      return keys.contains(item.id)
    } _: { placed in
      found.append(placed)
      return found.count < ids.count
    }
    return found
  }

  /// Reads each event that `isWanted` in full, with its position and once, until `body` returns false.
  func eachPlacedEvent(
    where isWanted: (StreamItem, inout SymbolTable) -> Bool, _ body: (Placed) -> Bool
  ) throws(CommandError) {
    var stream = try stream(.lookedUp)
    let isMerged = stream.segments.count > 1
    do throws(LogError) {
      var names = SymbolTable()
      var item = StreamItem()
      var known: Set<EventKey> = []
      var position = 0
      while try stream.next(&item, names: &names) {
        if isMerged, !known.insert(item.id).inserted { continue }
        position += 1
        guard isWanted(item, &names) else { continue }
        if !body(Placed(position: position, event: try stream.event(of: item, names))) { return }
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
}

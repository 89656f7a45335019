import EventLog
import Inspection
import StreakDomain

/// The events that changed closed days (`audit --interventions`).
struct InterventionsRun {
  let invocation: Invocation

  /// Prints them in the order of the stream.
  func print() throws(Failure) -> ExitStatus {
    let habit = try invocation.arguments.positionals.first.map { (word) throws(Failure) in
      try invocation.words.habit(readFor: word)
    }
    var interventions = Interventions(of: habit)
    var segments = SegmentTodays()
    var list: [UInt8] = []
    var text = InterventionText(invocation)
    let isJSON = invocation.isJSON
    var walk = try invocation.reader.walk(wanting: isJSON ? [] : .texts)
    while try walk.read() {
      let item = walk.item
      let isOwn = true
      if isOwn { interventions.expect(item.event, on: item.day, in: &walk.fold) }
      guard try walk.take(), isOwn else { continue }
      let ownToday = segments.pass(item)
      let found = interventions.note(item.event, on: item.day, in: &walk.fold)
      if isJSON, let found {
        if !list.isEmpty { list.append(UInt8(ascii: ",")) }
        let event = TimelineRow(item, at: walk.fold.position)
        found.json(
          event, walk.fold.names, isOwnClosed: ownToday.map { found.days.lowerBound < $0 } ?? false
        )
        .write(into: &list)
      } else if !isJSON {
        text.pass(item, found, ownToday: ownToday, &walk.fold)
      }
    }
    let loaded = try walk.end()
    if isJSON {
      invocation.context.output(Array("{\"format\":1,\"interventions\":[".utf8) + list + Array("]}\n".utf8))
    } else {
      text.finish(loaded.ledger)
    }
    return .done
  }
}

/// The today of each segment as its own events have it.
private struct SegmentTodays {
  private var todays: [Day?] = []

  /// Takes note of an event, and returns the today of its segment before it.
  mutating func pass(_ item: StreamItem) -> Day? {
    while todays.count <= item.segment { todays.append(nil) }
    let today = todays[item.segment]
    let day: Day? = item.type == .entryLogged ? item.day : item.event?.newToday
    if let day { todays[item.segment] = max(today ?? day, day) }
    return today
  }
}

extension Intervention {
  fileprivate func json(_ event: TimelineRow, _ names: SymbolTable, isOwnClosed: Bool) -> JSON {
    var members = difference.members
    members["position"] = .whole(event.position)
    members["event"] = .text(event.item.id.text(names))
    members["type"] = .text(event.item.type.rawValue)
    members["recorded"] = .text(event.item.recorded.description)
    members["days"] = .list([.day(days.lowerBound), .day(days.upperBound)])
    members["lateDays"] = .whole(lateDays)
    members["ownClosed"] = .bool(isOwnClosed)
    return .object(members)
  }
}

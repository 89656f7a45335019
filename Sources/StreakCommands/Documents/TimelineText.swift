import EventLog
import Replay
import StreakDomain

/// The lines of `timeline` and `tail` for people, an event each, as bytes.
struct TimelineText {
  private let phrases: Phrases
  /// Whether an event is left out that changed nothing worth telling.
  private let onlyChanges: Bool
  /// The line up to its id as it was last, `1204   2025-11-03  entry.logged        `: mostly only the number grows.
  private var head: [UInt8] = []
  private var position = 0
  /// How many digits the number has.
  private var digits = 0
  private var day = Day.first
  private var type = EventType.entryLogged

  init(_ style: Style, onlyChanges: Bool) {
    phrases = Phrases(style)
    self.onlyChanges = onlyChanges
  }

  /// Adds the line of an event.
  mutating func write(
    _ event: ToldEvent, _ difference: Difference?, _ names: Names, into text: inout [UInt8]
  ) {
    let start = text.count
    if event.position != position + 1 || event.day != day || event.type != type || !countUp() {
      renewHead(event)
    }
    position = event.position
    text += head
    event.id.write(into: &text, names)
    let end = text.count
    if let difference { phrases.write(difference, into: &text) }
    if onlyChanges, text.count == end {
      text.removeLast(end - start)
    } else {
      text.append(UInt8(ascii: "\n"))
    }
  }

  /// Adds one to the number; false where it takes another digit.
  private mutating func countUp() -> Bool {
    for place in stride(from: digits - 1, through: 0, by: -1) {
      if head[place] < UInt8(ascii: "9") {
        head[place] += 1
        return true
      }
      head[place] = UInt8(ascii: "0")
    }
    return false
  }

  private mutating func renewHead(_ event: ToldEvent) {
    (day, type) = (event.day, event.type)
    head.removeAll(keepingCapacity: true)
    head.append(decimal: event.position)
    digits = head.count
    TimelineText.fill(&head, to: 7)
    let middle = head.count
    event.day.write(into: &head)
    head += "  ".utf8
    head += event.type.rawValue.utf8
    TimelineText.fill(&head, to: middle + 32)
  }

  /// Adds spaces up to a length, at least one.
  private static func fill(_ text: inout [UInt8], to length: Int) {
    text.append(UInt8(ascii: " "))
    while text.count < length { text.append(UInt8(ascii: " ")) }
  }
}

/// An event as the lines tell it.
struct ToldEvent {
  let position: Int
  let id: EventKey
  let type: EventType
  let day: Day
  let recorded: Instant

  init(_ item: StreamItem, at position: Int) {
    self.position = position
    id = item.id
    type = item.type
    day = item.day
    recorded = item.recorded
  }
}

extension ToldEvent {
  /// Adds the event's line as `timeline --json` has it.
  func write(_ difference: Difference, _ names: Names, into text: inout [UInt8]) {
    var members = difference.members
    members["day"] = .day(day)
    members["event"] = .text(id.text(names))
    members["position"] = .whole(position)
    members["recorded"] = .text(recorded.description)
    members["type"] = .text(type.rawValue)
    JSON.object(members).write(into: &text)
    text.append(UInt8(ascii: "\n"))
  }
}

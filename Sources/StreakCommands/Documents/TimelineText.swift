import EventLog
import Replay
import StreakDomain

/// The lines of `timeline` and `tail` for people, an event each, as bytes.
struct TimelineText {
  private let phrases: Phrases
  /// Whether an event is left out that changed nothing worth telling.
  private let onlyChanges: Bool
  /// The line as it was last, without changes: mostly only the number grows and the id is another.
  private var line: [UInt8] = []
  /// Where its id begins.
  private var idStart = 0
  private var hasUUID = false
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
    _ event: ToldEvent, _ difference: Difference, _ names: Names, into text: inout [UInt8]
  ) {
    let start = text.count
    let isLikeLast = event.position == position + 1 && event.day == day && event.type == type
    if !isLikeLast || !countUp() { renewHead(event) }
    position = event.position
    renewID(event.id, names)
    text += line
    if difference.isEmpty, !onlyChanges { return }
    text.removeLast()
    let end = text.count
    phrases.write(difference, into: &text)
    if onlyChanges, text.count == end {
      text.removeLast(end - start)
    } else {
      text.append(UInt8(ascii: "\n"))
    }
  }

  private mutating func renewID(_ id: EventKey, _ names: Names) {
    if hasUUID, !id.isName { return id.overwrite(&line, at: idStart) }
    line.removeLast(line.count - idStart)
    id.write(into: &line, names)
    line.append(UInt8(ascii: "\n"))
    hasUUID = !id.isName
  }

  /// Adds one to the number; false where it takes another digit.
  private mutating func countUp() -> Bool {
    for place in stride(from: digits - 1, through: 0, by: -1) {
      if line[place] < UInt8(ascii: "9") {
        line[place] += 1
        return true
      }
      line[place] = UInt8(ascii: "0")
    }
    return false
  }

  private mutating func renewHead(_ event: ToldEvent) {
    (day, type) = (event.day, event.type)
    hasUUID = false
    line.removeAll(keepingCapacity: true)
    line.append(decimal: event.position)
    digits = line.count
    TimelineText.fill(&line, to: 7)
    let middle = line.count
    event.day.write(into: &line)
    line += "  ".utf8
    line += event.type.rawValue.utf8
    TimelineText.fill(&line, to: middle + 32)
    idStart = line.count
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

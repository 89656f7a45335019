import DomainFixtures
import EventLog
import StreakDomain

/// Formats in which other programs write lines.
enum LineForm: String, CaseIterable, Sendable {
  case canonical
  /// Payload fields before the habit, in reverse order.
  case payloadOrder
  case shuffledFields
  /// Fields sorted by name, like Python's `sort_keys`.
  case sortedFields
  case version
  /// A space after each comma and colon, like Python's `json.dumps`.
  case spaces
  case otherIDs
  /// Ids from a counter and a program's number, and a text in every entry.
  case counterIDs
  case uppercaseIDs
  /// Notes with non-ASCII characters, unescaped or escaped.
  case notes, escapedNotes
  case ownFields, byOthers
  /// One line in eight begins with its activity.
  case oneInEight

  func line(of event: Event, _ number: Int, _ random: inout SeededRandom) -> [UInt8] {
    if self == .canonical { return EventEncoder.line(event) }
    var event = event
    var isEntry = false
    if case .entryLogged(var entry) = event.payload {
      isEntry = true
      if self == .counterIDs { entry.value = "ok" }
      if self == .notes || self == .escapedNotes {
        entry.note = LineForm.texts[number % LineForm.texts.count]
      }
      event.payload = .entryLogged(entry)
    }
    if self == .byOthers { event.by = "watch-sync" }
    if self == .otherIDs { event.id = "import-\(number)-\(random.next() >> 40)" }
    if self == .counterIDs {
      let digits = String(number, radix: 16)
      event.id =
        "0194" + String(repeating: "0", count: 12 - digits.utf8.count) + digits + "-3a0fc7bd"
    }
    if self == .uppercaseIDs {
      let high = random.next() & ~0xF000 | 0x4000
      let lowercase = EventKey.uuidText(high, random.next() >> 2 | 1 << 63)
      event.id = String(decoding: lowercase.utf8.map { $0 >= 97 ? $0 - 32 : $0 }, as: UTF8.self)
    }
    var members = LineForm.members(of: EventEncoder.line(event))
    let head = members.prefix { $0.key != "habit" }.count
    switch self {
    case .canonical, .otherIDs, .counterIDs, .uppercaseIDs, .byOthers, .notes, .spaces: break
    case .payloadOrder where isEntry: members[head...].reverse()
    case .oneInEight where isEntry && number % 8 == 0: members[head...].reverse()
    case .payloadOrder, .oneInEight: break
    case .shuffledFields:
      for index in members.indices.reversed() {
        members.swapAt(index, Int(random.next() % UInt64(index + 1)))
      }
    case .sortedFields: members.sort { $0.key < $1.key }
    case .version: members.insert(("v", "1"), at: 2)
    case .escapedNotes: members = members.map { ($0.key, LineForm.escaped($0.json)) }
    case .ownFields:
      members += [("x_source", "\"watch\""), ("x_number", "\(number)")]
      if !isEntry { members.removeLast(2) }
    }
    let space = self == .spaces ? " " : ""
    let text = members.map { "\"\($0.key)\":\(space)\($0.json)" }.joined(separator: "," + space)
    return Array("{\(text)}\n".utf8)
  }

  private static let texts: [Text] = [
    "Grüße aus Köln", "schön — später", "10 km 🏃 \"mit\" Anna", "день хорош",
  ]

  private static func members(of line: [UInt8]) -> [(key: Text, json: String)] {
    guard case .object(let members)? = try? JSONValue(parsing: line).kind else { return [] }
    return members.map { ($0.key, $0.value.json) }
  }

  private static func escaped(_ json: String) -> String {
    json.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return unit < 0x80
        ? String(decoding: [unit], as: UTF16.self)
        : "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }.joined()
  }
}

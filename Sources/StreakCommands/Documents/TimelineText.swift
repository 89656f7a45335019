import EventLog
import Inspection
import StreakDomain

/// The lines of `timeline` as text: position, day, description, short id and changes.
struct TimelineText {
  private let phrases: Phrases
  /// Whether events without visible changes are omitted.
  private let onlyChanges: Bool
  private let columns: Int?
  private let showsWriter: Bool
  /// A cache of the descriptions of entries, because most entries repeat an earlier description.
  private var known: [FactWords: [UInt8]] = [:]
  /// The time zone of the previous day, or `nil` before the first day.
  private var zone: String?

  /// The properties of an entry that determine its description.
  private struct FactWords: Hashable {
    let habit: Symbol
    let values: EntryValues

    init(_ fact: EntryFact) { (habit, values) = (fact.habit, fact.values) }
  }

  init(_ style: Style, onlyChanges: Bool, columns: Int?, showsWriter: Bool) {
    self.showsWriter = showsWriter
    phrases = Phrases(style)
    self.onlyChanges = onlyChanges
    self.columns = columns
  }

  mutating func write(
    _ event: TimelineRow, _ difference: Difference, _ ledger: Ledger, into text: inout [UInt8]
  ) {
    let start = text.count
    text.append(decimal: event.position)
    TimelineText.fill(&text, from: start, to: 7)
    event.day.write(into: &text)
    text += "  ".utf8
    let words = text.count
    writeWords(event.item, ledger, into: &text)
    if columns == nil { TimelineText.fill(&text, from: words, to: 30) } else { text += "  ".utf8 }
    writeID(event.item.id, ledger.names, into: &text)
    if showsWriter, let writer = event.writer { text += ("  " + Escaping.visible(writer)).utf8 }
    let end = text.count
    if !difference.isEmpty || onlyChanges { phrases.write(difference, ledger, into: &text) }
    if onlyChanges, text.count == end { return text.removeLast(text.count - start) }
    text.append(UInt8(ascii: "\n"))
    guard let columns, text.count - start > columns else { return }
    let line = String(decoding: text[start..<text.count - 1], as: UTF8.self)
    text.removeLast(text.count - start)
    text += (Layout.wrapped(line, to: columns, hang: 7) + "\n").utf8
  }

  private mutating func writeWords(_ item: StreamItem, _ ledger: Ledger, into text: inout [UInt8]) {
    // The unit of an amount depends on the day, and texts are seldom repeated.
    let isCommon = item.isFact && item.fact.values.amount < 0 && item.value.isEmpty && item.note.isEmpty
    guard isCommon else {
      text += Escaping.visible(EventText(ledger: ledger, showsRules: true).text(of: item)).utf8
      if let event = item.event, [.ledgerOpened, .dayChanged].contains(event.payload.type) {
        let isMove = event.payload.type == .dayChanged && zone.map { $0 != event.zone } ?? false
        if isMove { text += Escaping.visible(" in \(event.zone)").utf8 }
        zone = event.zone
      }
      return
    }
    let key = FactWords(item.fact)
    if let words = known[key] { return text += words }
    let words = Array(Escaping.visible(EventText(ledger: ledger, showsRules: true).text(of: item)).utf8)
    if known.count > 4096 { known.removeAll(keepingCapacity: true) }
    known[key] = words
    text += words
  }

  private func writeID(_ id: EventKey, _ names: SymbolTable, into text: inout [UInt8]) {
    let start = text.count
    id.write(into: &text, names)
    let shown = Event.shownIDLength
    guard text.count - start > 2 * shown else { return }
    text.replaceSubrange(start..<text.count - shown, with: "…".utf8)
  }

  private static func fill(_ text: inout [UInt8], from place: Int, to columns: Int) {
    let isPlain = text[place...].allSatisfy { $0 < 0x80 }
    let taken =
      isPlain ? text.count - place : Layout.columns(of: String(decoding: text[place...], as: UTF8.self))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: max(2, columns - taken)))
  }
}

struct TimelineRow {
  let item: StreamItem
  let position: Int
  /// The segment that contains the event; `nil` for a supposed event.
  let writer: Text?
  /// Whether the event was inserted before one that was delivered earlier.
  var isLate = false
  var cursor: Cursor?

  init(_ item: StreamItem, at position: Int, of stream: EventStream) {
    self.item = item
    self.position = position
    writer = stream.writer(of: item)
  }

  var day: Day { item.day }
}

extension TimelineRow {
  func write(_ difference: Difference, _ names: SymbolTable, into text: inout [UInt8]) {
    var members = JSON.Members(of: difference)
    if let cursor { members["cursor"] = .text(cursor.description) }
    members["day"] = .day(day)
    members["event"] = .text(item.id.text(names))
    if isLate { members["late"] = .bool(true) }
    members["position"] = .whole(position)
    members["recorded"] = .text(item.recorded.description)
    members["type"] = .text(item.type.rawValue)
    members["writer"] = .text(writer)
    JSON.object(members).write(into: &text)
    text.append(UInt8(ascii: "\n"))
  }
}

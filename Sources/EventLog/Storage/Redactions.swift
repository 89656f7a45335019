package import StreakDomain

package struct Redactions: Sendable {
  private var texts: [String: [RedactedText]] = [:]
  private(set) var events = ChosenEvents([])

  package init() {}

  package var isEmpty: Bool { texts.isEmpty }

  /// Adds a redaction; if a text was already redacted, the earlier digest is kept.
  mutating func add(_ redaction: Redaction) {
    let known = texts[redaction.event] ?? []
    texts[redaction.event] =
      known + redaction.texts.filter { text in !known.contains { $0.field == text.field } }
    events.add(redaction.event)
  }

  package mutating func add(_ other: Redactions) {
    for (event, texts) in other.texts {
      add(Redaction(event: event, texts: texts, reason: nil))
    }
  }

  package func texts(of event: String) -> [RedactedText] { texts[event] ?? [] }
}

extension Redactions {
  init(in file: File, _ range: Range<Int>) throws(SystemError) {
    var scan = RedactionScan()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 18) {
      scan.update(try file.bytes(start..<min(range.upperBound, start + 1 << 18)))
    }
    self = scan.end()
  }

  package init(of path: String, on disk: any Disk = SystemDisk()) throws(Failure) {
    var scan = RedactionScan()
    try JSONLines.pieces(of: path, on: disk) { scan.update($0) }
    self = scan.end()
  }

  init(in bytes: [UInt8]) {
    var scan = RedactionScan()
    scan.update(bytes)
    self = scan.end()
  }
}

/// A search for redactions that decodes only lines which may contain one.
private struct RedactionScan {
  private var found = Redactions()
  private var begun: [UInt8] = []
  private var isTooLong = false

  mutating func update(_ bytes: [UInt8]) {
    guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return begin(bytes[...]) }
    if isTooLong {
      let first = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? last
      (begun, isTooLong) = ([], false)
      look(in: Array(bytes[(first + 1)..<(last + 1)]))
    } else {
      look(in: begun.isEmpty && last + 1 == bytes.count ? bytes : begun + bytes[...last])
    }
    begun = []
    begin(bytes[(last + 1)...])
  }

  mutating func end() -> Redactions {
    if !isTooLong { look(in: begun) }
    return found
  }

  private mutating func begin(_ bytes: ArraySlice<UInt8>) {
    if begun.count + bytes.count > LineLimits.bytes { (begun, isTooLong) = ([], true) }
    if !isTooLong { begun += bytes }
  }

  private mutating func look(in bytes: [UInt8]) {
    var place = 0
    while let mark = RedactionScan.mark.first(in: bytes, from: place) {
      let start = bytes[..<mark].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      let end = bytes[mark...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if let event = try? EventDecoder.event(Array(bytes[start..<end])),
        case .eventRedacted(let redaction) = event.payload
      {
        found.add(redaction)
      }
      place = end
    }
  }

  private static let mark = BytePattern("\"\(EventType.eventRedacted.rawValue)\"")
}

/// A byte pattern for searching with Horspool's algorithm.
package struct BytePattern: Sendable {
  private let bytes: [UInt8]
  /// The skip table: how far the pattern can advance, indexed by the byte under its last byte.
  private let shifts: [Int]

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package init(_ bytes: [UInt8]) {
    var shifts = [Int](repeating: max(1, bytes.count), count: 256)
    for (index, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = bytes.count - 1 - index }
    (self.bytes, self.shifts) = (bytes, shifts)
  }

  package func first(in text: [UInt8], from start: Int = 0) -> Int? {
    guard let last = bytes.last else { return nil }
    var end = start + bytes.count - 1
    while end < text.count {
      let byte = text[end]
      let begin = end - bytes.count + 1
      if byte == last, text[begin...end].elementsEqual(bytes) { return begin }
      end += shifts[Int(byte)]
    }
    return nil
  }
}

extension Redactions {
  /// Removes redacted texts from an event that was read from an unredacted copy.
  func apply(to item: inout StreamItem, _ names: SymbolTable) {
    guard events.has(item.id, names), let box = item.boxed else { return }
    if let event = item.event { return item.boxed = StreamItem.Box(applied(to: event)) }
    let fields = Set(texts(of: item.id.text(names)).map(\.field))
    item.boxed = box.with(
      fields.contains(.value) ? "" : box.value, fields.contains(.note) ? "" : box.note)
  }

  func applied(to event: Event) -> Event {
    let texts = isEmpty ? [] : texts(of: event.id)
    guard !texts.isEmpty else { return event }
    let fields = texts.map(\.field)
    var event = event
    event.payload.replaceTexts { fields.contains($0) ? "" : $1 }
    return event
  }
}

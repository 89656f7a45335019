import EventLog
import StreakDomain
import TimeZones

/// The ledger read by an invocation, cached so that all its reads see the same events.
struct ReadLedger {
  let folder: String
  var stream: EventStream?
  /// The complete ledger without and with what-ifs; their streams can look up events by position.
  var stored: LoadedLedger?
  var supposed: LoadedLedger?
}

extension LedgerReader {
  /// A reader that ignores `--without` and `--guest`.
  var ofStored: LedgerReader {
    var reader = self
    reader.hasWhatIfs = false
    return reader
  }

  func opened() throws(Failure) -> EventStream {
    let inputs = invocation.context.inputs
    if inputs.ledger.map({ Text($0.folder) }) != Text(invocation.folder) {
      inputs.ledger = ReadLedger(folder: invocation.folder)
    }
    if let stream = inputs.ledger?.stream { return stream }
    let stream = try EventStream(folder: invocation.folder, options: storedOptions, mayBegin: true)
    inputs.ledger?.stream = stream
    return stream
  }

  /// Reads the complete ledger without warnings, once per invocation.
  func whole() throws(Failure) -> LoadedLedger {
    if let known, known.stream != nil { return known }
    _ = try opened()
    var quiet = self
    quiet.invocation.context.isQuiet = true
    let loaded = try quiet.finish(quiet.walk(wanting: .places))
    let inputs = invocation.context.inputs
    if isOfStored { inputs.ledger?.stored = loaded } else { inputs.ledger?.supposed = loaded }
    return loaded
  }

  /// The complete ledger if this invocation has already read it; otherwise `nil`.
  var known: LoadedLedger? {
    guard let known = invocation.context.inputs.ledger, Text(known.folder) == Text(invocation.folder)
    else { return nil }
    return isOfStored ? known.stored : known.supposed
  }

  private var isOfStored: Bool { !hasWhatIfs || !invocation.hasWhatIfs }

  /// Returns the day clock at the end of the stream.
  func lastClock() throws(Failure) -> DayClock {
    let ledger = try whole().ledger
    return try clock(in: ledger.zone ?? "UTC", from: ledger.dayStart)
  }

  func event(_ id: String) throws(Failure) -> Event? {
    try events(of: [id]).first?.event
  }

  func events(of ids: Set<String>) throws(Failure) -> [Placed] {
    let ledger = try whole().ledger
    return try events(at: ids.compactMap { ledger.position(of: $0) })
  }

  func events(at positions: [Int]) throws(Failure) -> [Placed] {
    guard !positions.isEmpty, let stream = try whole().stream else { return [] }
    var found: [Placed] = []
    try stream.eachEvent(at: positions.sorted()) {
      found.append(Placed(position: $0, event: $1, writer: stream.writer(at: $0)))
    }
    return found
  }

  func candidates(_ ids: [String], of count: Int) throws(Failure) -> String {
    let words = EventText(ledger: try whole().ledger)
    let lines = try events(of: Set(ids)).map { placed in
      let says = Escaping.visible(words.text(of: placed.event))
      return "\n  @\(placed.position)  \(placed.event.id)  \(placed.event.day)  \(says)"
    }
    return lines.joined() + (count > ids.count ? "\n  and \(count - ids.count) more" : "")
  }
}

struct Placed {
  let position: Int
  let event: Event
  /// The segment that contains the event; `nil` for a supposed event.
  let writer: Text?

  /// The event's line as JSON, with the writer.
  var json: JSON {
    guard case .object(var members) = JSON(parsing: String(decoding: EventEncoder.line(event), as: UTF8.self))
    else { return .null }
    members["writer"] = .text(writer)
    return .object(members)
  }
}

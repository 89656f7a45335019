import EventLog
import StreakDomain

/// What a run has read of its ledger: however often it looks, it sees the same events.
struct ReadLedger {
  let folder: String
  /// The segments as they were opened, if they were; no event is read of it.
  var stream: EventStream?
  /// Folded to its end, as it is stored and as the what-ifs say; with the places of its events where it was read.
  var stored: LoadedLedger?
  var supposed: LoadedLedger?
}

// The whole ledger, which words, clocks and single events are looked up in.
extension LedgerReader {
  /// This reader without `--with`, `--without` and `--guest`.
  var ofStored: LedgerReader {
    var reader = self
    reader.hasWhatIfs = false
    return reader
  }

  /// The segments as this run opened them.
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

  /// The whole ledger with the places of its events, read once a run and without a word about what was left out.
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

  /// The complete ledger if this run has already read it; otherwise `nil`.
  var known: LoadedLedger? {
    guard let known = invocation.context.inputs.ledger, Text(known.folder) == Text(invocation.folder)
    else { return nil }
    return isOfStored ? known.stored : known.supposed
  }

  private var isOfStored: Bool { !hasWhatIfs || !invocation.hasWhatIfs }

  /// When the ledger's days begin at the end of its stream, which is read but not folded for that.
  func lastClock() throws(Failure) -> DayClock {
    if let ledger = known?.ledger {
      return try clock(in: ledger.zone ?? "UTC", from: ledger.dayStart)
    }
    let settings = try stream().lastSettings()
    return try clock(in: settings.zone ?? "UTC", from: settings.dayStart)
  }

  /// The stored event of an id, nil where there is none.
  func event(_ id: String) throws(Failure) -> Event? {
    try events(of: [id]).first?.event
  }

  /// The events of these ids, in the order of the stream.
  func events(of ids: Set<String>) throws(Failure) -> [Placed] {
    let ledger = try whole().ledger
    return try events(at: ids.compactMap { ledger.position(of: $0) })
  }

  /// The events at these positions in full, in the order of the stream.
  func events(at positions: [Int]) throws(Failure) -> [Placed] {
    guard !positions.isEmpty, let stream = try whole().stream else { return [] }
    var found: [Placed] = []
    try stream.eachEvent(at: positions.sorted()) { found.append(Placed(position: $0, event: $1)) }
    return found
  }

  /// The events that a word may mean, a line each, as a list behind an error.
  func candidates(_ ids: [String], of count: Int) throws(Failure) -> String {
    let words = EventText(ledger: try whole().ledger)
    let lines = try events(of: Set(ids)).map { placed in
      let says = Escaping.visible(words.text(of: placed.event))
      return "\n  @\(placed.position)  \(placed.event.id)  \(placed.event.day)  \(says)"
    }
    return lines.joined() + (count > ids.count ? "\n  and \(count - ids.count) more" : "")
  }
}

/// An event in full and its position in the stream.
struct Placed {
  let position: Int
  let event: Event
}

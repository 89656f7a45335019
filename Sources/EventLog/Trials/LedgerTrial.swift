import StreakDomain

/// A copy of a ledger in memory, on which the worst is tried; nothing real is touched.
///
/// Each trial counts what it tried and says in a sentence what did not hold; a sound ledger gives none.
package struct LedgerTrial {
  /// Of each kind of trial, how often it was made.
  package internal(set) var cuts = 0
  package internal(set) var appends = 0
  package internal(set) var flips = 0
  package internal(set) var interleavings = 0
  /// What did not hold.
  package internal(set) var failures: [String] = []

  static let folder = "events"
  let segments: [(name: String, bytes: [UInt8])]
  /// How many bytes at the end of each segment are cut, and how many of sealed days are flipped.
  let reach: Int
  var random: any RandomNumberGenerator

  /// Copies every segment of a folder.
  package init(
    of folder: String, reach: Int, random: any RandomNumberGenerator
  ) throws(LogError) {
    var segments: [(name: String, bytes: [UInt8])] = []
    for name in try EventStream(folder: folder).segments {
      // What is torn does not count, and a missing newline is written by the next append.
      let whole = MemoryDisk([
        LedgerTrial.path(name).spelling: try JSONLines.bytes(of: "\(folder)/\(name).jsonl")
      ])
      let end = try LedgerTrial.stream(on: whole).size
      var bytes = Array((whole.contents[LedgerTrial.path(name).spelling] ?? []).prefix(end))
      if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
      segments.append((name, bytes))
    }
    self.segments = segments
    self.reach = reach
    self.random = random
  }

  static func path(_ segment: String) -> String { "\(folder)/\(segment).jsonl" }

  /// A disk with some segments only, or with all of them.
  func disk(_ chosen: [(name: String, bytes: [UInt8])]? = nil) -> MemoryDisk {
    MemoryDisk(
      Dictionary(
        uniqueKeysWithValues: (chosen ?? segments).map { (LedgerTrial.path($0.name).spelling, $0.bytes) }))
  }

  static func stream(on disk: MemoryDisk, wantsEvents: Bool = false) throws(LogError) -> EventStream {
    var options = ReadingOptions()
    options.disk = disk
    options.wantsEvents = wantsEvents
    return try EventStream(folder: folder, options: options, mayBegin: true)
  }

  /// Calls back for each event of a stream that counts, in order.
  static func each(
    _ stream: EventStream, _ body: (StreamItem, SymbolTable) throws(LogError) -> Void
  ) throws(LogError) {
    var stream = stream
    var names = SymbolTable()
    var index = EventIndex()
    var item = StreamItem()
    while try stream.next(&item, names: &names) {
      if let known = index.insert(item.id) {
        try stream.passRepeat(of: known, item, names: names)
        continue
      }
      stream.keepPlace(of: item)
      try body(item, names)
    }
  }
}

/// Random numbers from a seed (SplitMix64: Steele, Lea and Flood, 2014), the same everywhere, so that a run can be
/// made again.
package struct TrialRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

package import StreakDomain

/// The stream of a ledger: its segments merged by (`recorded`, `id`), read once, forward.
package struct EventStream {
  package let options: ReadingOptions
  private(set) var folder = ""
  var readers: [SegmentReader] = []
  package private(set) var leftovers = FolderLeftovers()
  private var scanner = EntryScanner()
  /// The next event of each segment except `current`, the earliest last; used only if there are several segments.
  private var waiting: [StreamItem] = []
  private var current: Int?
  /// The segment and offset of each event, packed; filled only if `isMerging` or `keepsPlaces`.
  var places: [UInt64] = []
  package var keepsPlaces = false {
    didSet { if keepsPlaces { places.reserveCapacity(capacity) } }
  }
  var isMerging: Bool { readers.count > 1 || !options.supposed.isEmpty }
  private var isStarted = false
  /// The segments except `current` that have grown since they were read to their ends.
  private var grown: [Int] = []
  var repeats: [SkippedLine] = []
  /// The events whose id an earlier event of another segment has, with other contents.
  package internal(set) var reusedIDs: [ReusedID] = []
  /// The supposed events still to be read, in reverse order.
  private var supposed: [SupposedEvent]
  /// The supposed events already read; filled only with `keepsPlaces`.
  var taken: [SupposedEvent] = []
  /// The redactions in all segments, which hide the texts in unredacted copies of the lines.
  private(set) var redactions = Redactions()
  private var lastRecorded = Instant(microseconds: 0)

  /// Opens every segment of a folder; throws if there is no event, unless `mayBegin` is true.
  package init(
    folder: String, options: ReadingOptions = ReadingOptions(), mayBegin: Bool = false
  ) throws(Failure) {
    self.init(options: options)
    self.folder = folder
    let names = try EventStream.names(in: folder, on: options.disk)
    let segments = EventStream.segments(among: names ?? [])
    for (index, name) in segments.enumerated() {
      readers.append(
        try reading { () throws(SystemError) in
          let path = "\(folder)/\(name).jsonl"
          do throws(SystemError) {
            return try SegmentReader(
              name: name, path: path, index: index, isOneOfMany: segments.count > EventStream.few, options)
          } catch  where error.isNotFound && name.string.hasReplacedBytes {
            throw SystemError.notUTF8(path)
          }
        })
    }
    leftovers = FolderLeftovers(names ?? [], readers.map { ($0.name, $0.tail) })
    try prepare(mayBegin: mayBegin)
  }

  /// Returns a stream of the same opened segments from their first event, with other options.
  package func restarted(_ options: ReadingOptions) throws(Failure) -> EventStream {
    var stream = EventStream(options: options)
    (stream.folder, stream.readers, stream.leftovers) = (folder, readers.map(\.rewound), leftovers)
    try stream.prepare(mayBegin: false)
    return stream
  }

  private mutating func prepare(mayBegin: Bool) throws(Failure) {
    if size == 0, supposed.isEmpty, !mayBegin { throw .noLedger(folder: folder, leftovers) }
    // Only a copy of a redacted segment still contains the texts.
    if readers.count > 1, options.wantsTexts || options.wantsEvents || options.endsEarly {
      redactions = try storedRedactions()
    }
  }

  package init(options: ReadingOptions) {
    self.options = options
    supposed = options.supposed.enumerated().sorted { a, b in
      EventStream.precedes(a.element, b.element)
        || !EventStream.precedes(b.element, a.element) && a.offset < b.offset
    }.map(\.element).reversed()
  }

  package var size: Int { readers.reduce(0) { $0 + $1.size } }

  /// The number of events to reserve memory for; rather too high, because untouched memory costs nothing.
  package var capacity: Int { size / EventStream.shortLine }

  package static let shortLine = 150

  /// The number of segments up to which files stay open, so that a segment can be read even if it is renamed.
  private static let few = 64

  package var segments: [Text] { readers.map(\.name) }

  /// The size of a segment's file, including an unfinished end.
  package func bytes(ofSegment name: Text) -> Int { readers.first { $0.name == name }?.tail.size ?? 0 }

  /// The torn ends of segments, left by crashes and ignored.
  package var tornTails: [TornTail] {
    readers.filter { $0.tail.isTorn }.map {
      TornTail(
        path: $0.path, offset: $0.tail.validEnd, bytes: $0.tail.size - $0.tail.validEnd,
        isOfWriter: Forms.isWriter($0.name.string))
    }
  }

  package var skipped: [SkippedLine] {
    readers.flatMap(\.skipped) + repeats
  }

  package struct TornTail: Sendable {
    package let path: String
    package let offset: Int
    package let bytes: Int
    /// Whether a device can write this segment, unlike a copy such as `phone (1).jsonl`.
    package let isOfWriter: Bool
  }

  /// Reads the next event, even if an earlier event has the same id; returns false at the end.
  package mutating func next(_ item: inout StreamItem, names: inout SymbolTable) throws(Failure) -> Bool {
    if !isStarted { try start(&names) }
    guard try merged(&item, &names) else { return false }
    item.isOmitted = !options.omitted.isEmpty && options.omitted.contains(item.id.text(names))
    if !redactions.isEmpty { redactions.apply(to: &item, names) }
    return true
  }

  /// Folds an event that `next` returned; returns false if it doesn't count, because its id is known.
  @inline(__always)
  package mutating func fold(_ item: StreamItem, into ledger: inout Ledger) throws(Failure) -> Bool {
    if let known = ledger.apply(item) {
      try passRepeat(of: known, item, names: ledger.names)
      return false
    }
    keepPlace(of: item)
    return true
  }

  private mutating func merged(_ item: inout StreamItem, _ names: inout SymbolTable) throws(Failure) -> Bool {
    guard isMerging else { return readers.isEmpty ? false : try read(0, &item, &names) }
    while let index = grown.popLast() { try wait(for: index, &names) }
    if let current, try pull(current, &item, &names) {
      // As long as the earliest events come from one segment, each event costs one comparison.
      if let earliest = waiting.last, StreamItem.precedes(earliest, item, names) {
        waiting.removeLast()
        wait(item, names)
        item = earliest
      }
    } else if let earliest = waiting.popLast() {
      item = earliest
    } else {
      guard takeSupposed(&item, &names) else { return false }
    }
    current = item.segment
    lastRecorded = item.recorded
    return true
  }

  private mutating func start(_ names: inout SymbolTable) throws(Failure) {
    isStarted = true
    guard isMerging else { return }
    for index in 0...readers.count { try wait(for: index, &names) }
  }

  /// Reads the next event of a segment, and adds it to those that wait.
  private mutating func wait(for index: Int, _ names: inout SymbolTable) throws(Failure) {
    var item = StreamItem()
    if try pull(index, &item, &names) { wait(item, names) }
  }

  private mutating func wait(_ item: StreamItem, _ names: SymbolTable) {
    // A search from the end, because the next event of a segment usually is one of the earliest.
    let later = waiting.lastIndex { StreamItem.precedes(item, $0, names) }
    waiting.insert(item, at: later.map { $0 + 1 } ?? 0)
  }

  @inline(__always)
  private mutating func pull(
    _ index: Int, _ item: inout StreamItem, _ names: inout SymbolTable
  ) throws(Failure) -> Bool {
    try index < readers.count ? read(index, &item, &names) : takeSupposed(&item, &names)
  }

  /// Reads the next supposed event; one without `recorded` comes after all other events.
  private mutating func takeSupposed(_ item: inout StreamItem, _ names: inout SymbolTable) -> Bool {
    guard var next = supposed.last else { return false }
    if next.isLast {
      guard waiting.isEmpty else { return false }
      next.event.recorded = lastRecorded + 1
    }
    supposed.removeLast()
    item.offset = taken.count
    if keepsPlaces { taken.append(next) }
    item.boxed = StreamItem.Box(next.event)
    item.id = EventKey(next.event.id, names: &names)
    item.recorded = next.event.recorded
    item.segment = readers.count
    item.line = next.place.line
    return true
  }

  /// Extends the stream to lines appended to its segments; returns false if anything else may have changed.
  mutating func grow(_ names: SymbolTable) throws(Failure) -> Bool {
    guard isStarted, options.isAsStored, options.ends?.isEmpty ?? true else { return false }
    scanner.forgetNames()
    let found = try EventStream.names(in: folder, on: options.disk) ?? []
    guard EventStream.segments(among: found) == segments else { return false }
    do throws(SystemError) {
      for index in readers.indices {
        guard let stamp = try options.disk.stamp(of: readers[index].path) else { return false }
        if stamp == readers[index].source.stamp { continue }
        guard try readers[index].grow(stamp, names, options) else { return false }
        // It may have grown before by a part of a batch, of which nothing was read.
        if isMerging, index != current, !grown.contains(index) { grown.append(index) }
      }
    } catch { throw .system(error) }
    leftovers = FolderLeftovers(found, readers.map { ($0.name, $0.tail) })
    return true
  }

  private static func precedes(_ a: SupposedEvent, _ b: SupposedEvent) -> Bool {
    guard !a.isLast, !b.isLast else { return !a.isLast && b.isLast }
    return (a.event.recorded, a.event.id) < (b.event.recorded, b.event.id)
  }

  @inline(__always)
  private mutating func read(
    _ index: Int, _ item: inout StreamItem, _ names: inout SymbolTable
  ) throws(Failure) -> Bool {
    try readers[index].next(&item, names: &names, &scanner, options)
  }

  /// The segments whose last batch lacks its final newline, with the range of that batch.
  package var unended: [(path: Text, batch: Range<Int>)] {
    readers.compactMap { reader in
      reader.tail.unendedFrom.map { (Text(reader.path), $0..<reader.tail.validEnd) }
    }
  }

  package var ends: [Text: Int] {
    Dictionary(uniqueKeysWithValues: readers.map { ($0.name, $0.size) })
  }

  var stamps: [Text: FileStamp] {
    Dictionary(uniqueKeysWithValues: readers.map { (Text($0.path), $0.source.stamp) })
  }

  func segment(named name: Text) -> (source: SegmentReader.Source, progress: SegmentReader.Progress)? {
    readers.indices.first { readers[$0].name == name }.map { (readers[$0].source, progress(of: $0)) }
  }

  func progress(of index: Int) -> SegmentReader.Progress { readers[index].progress }

  var newest: (recorded: Instant, place: Place)? {
    let stored = readers.indices.compactMap(newest)
    let supposed = options.supposed.last.map { [(lastRecorded, $0.place)] } ?? []
    return (stored + supposed)
      .max { $0.0 < $1.0 }
  }

  private func newest(_ index: Int) -> (recorded: Instant, place: Place)? {
    let progress = progress(of: index)
    return progress.newestRecorded.map {
      ($0, Place(file: readers[index].path, line: progress.line, column: 1))
    }
  }
}

/// An event that doesn't count, because an earlier event of another segment has its id.
package struct ReusedID: Sendable {
  package let id: String
  /// The position of the event that counts.
  package let position: Int
  /// The location of the event that doesn't count.
  package let segment: Text
  package let line: Int
}

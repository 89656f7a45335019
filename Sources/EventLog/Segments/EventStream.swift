package import StreakDomain

/// The stream of a ledger: the batches of all segments, merged by the `recorded` and `id` of their
/// first lines, and read once from start to end.
///
/// A batch is a step: what one command wrote. Its lines follow each other in the stream, whatever
/// other segments recorded meanwhile, so `recorded` can decrease from one batch to the next:
///
///     phone    20:00.1 more   20:00.3          20:00.1 (phone)
///     laptop   20:00.2                  gives  20:00.3 (phone)
///                                              20:00.2 (laptop)
package struct EventStream {
  package let options: ReadingOptions
  private(set) var folder = ""
  var readers: [SegmentReader] = []
  package private(set) var leftovers = FolderLeftovers()
  private var scanner = EntryScanner()
  /// The first event of the next batch of each segment except `current`, and of `supposed`; the
  /// earliest is the last element.
  private var waiting: [StreamItem] = []
  /// The index of the segment with the event that was read last.
  private var current: Int?
  /// The location of each event, see `EventLocation`; filled only if `isMerging` or `keepsPlaces`
  /// is true.
  var places: [EventLocation] = []
  /// Whether a step has begun of which `places` has no event yet.
  var isStepNew = false
  package var keepsPlaces = false {
    didSet { if keepsPlaces { places.reserveCapacity(capacity) } }
  }
  var isMerging: Bool { readers.count > 1 || !options.supposed.isEmpty }
  private var isStarted = false
  /// The indexes of the segments except `current` that have grown since they were read to their
  /// ends.
  private var grown: [Int] = []
  var repeats: [SkippedLine] = []
  package internal(set) var reusedIDs: [ReusedID] = []
  /// The hypothetical events that haven't been read yet, in reverse order.
  private var supposed: [SupposedEvent]
  /// The hypothetical events that have been read; stored only if `keepsPlaces` is true.
  var taken: [SupposedEvent] = []
  /// The redactions of all segments, which hide redacted texts that a copy of a segment may still
  /// contain.
  private(set) var redactions = Redactions()
  /// The largest `recorded` of the events read so far.
  private var newestRecorded = Instant(microseconds: 0)

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
              name: name, path: path, index: index, isOneOfMany: segments.count > EventStream.few,
              options)
          } catch  where error.isNotFound && name.string.hasReplacedBytes {
            throw SystemError.notUTF8(path)
          }
        })
    }
    leftovers = FolderLeftovers(names ?? [], readers.map { ($0.name, $0.tail) })
    try prepare(mayBegin: mayBegin)
  }

  /// Returns a stream that reads the same open segments from their first event on, with other
  /// options.
  package func restarted(_ options: ReadingOptions) throws(Failure) -> EventStream {
    var stream = EventStream(options: options)
    (stream.folder, stream.readers, stream.leftovers) = (folder, readers.map(\.rewound), leftovers)
    try stream.prepare(mayBegin: false)
    return stream
  }

  private mutating func prepare(mayBegin: Bool) throws(Failure) {
    if size == 0, supposed.isEmpty, !mayBegin { throw .noLedger(folder: folder, leftovers) }
    // A redacted text can remain only in a copy of its segment, so one segment alone needs no
    // check.
    let wantsTexts = options.wantsTexts || options.wantsEvents || options.wantsLines
    if readers.count > 1, wantsTexts || options.endsEarly {
      redactions = try storedRedactions()
    }
  }

  package init(options: ReadingOptions) {
    self.options = options
    supposed = EventStream.inStreamOrder(options.supposed).reversed()
  }

  /// Returns hypothetical events with the batches in stream order.
  private static func inStreamOrder(_ events: [SupposedEvent]) -> [SupposedEvent] {
    var batches: [[SupposedEvent]] = []
    var isContinued = false
    for var event in events {
      event.beginsStep = !isContinued
      isContinued = event.event.more

      if event.beginsStep { batches.append([]) }
      batches[batches.count - 1].append(event)
    }

    return batches.enumerated().sorted { a, b in
      precedes(a.element[0], b.element[0])
        || !precedes(b.element[0], a.element[0]) && a.offset < b.offset
    }.flatMap(\.element)
  }

  package var size: Int { readers.reduce(0) { $0 + $1.size } }

  /// The number of events to reserve memory for: a high estimate, because unused memory costs
  /// nothing.
  package var capacity: Int { size / EventStream.shortLine }

  package static let shortLine = 150

  /// The maximum number of segments for which all files stay open; an open file can be read even
  /// after it is renamed.
  private static let few = 64

  package var segments: [Text] { readers.map(\.name) }
  package var hasSeveralSegments: Bool { readers.count > 1 }

  /// Returns the size in bytes of a segment's file, including a torn end.
  package func bytes(ofSegment name: Text) -> Int {
    readers.first { $0.name == name }?.tail.size ?? 0
  }

  /// The torn ends of all segments: incomplete batches that a crash left, which readers skip.
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
    /// Whether the segment has a name that a writer can have, unlike a copy such as `phone
    /// (1).jsonl`.
    package let isOfWriter: Bool
  }

  /// Reads the next event into `item`, even if an earlier event has the same id; returns false at
  /// the end.
  package mutating func next(_ item: inout StreamItem, names: inout SymbolTable) throws(Failure)
    -> Bool
  {
    if !isStarted { try start(&names) }
    guard try merged(&item, &names) else { return false }
    item.isOmitted = !options.omitted.isEmpty && options.omitted.contains(item.id.text(names))
    if !redactions.isEmpty { redactions.apply(to: &item, names) }
    return true
  }

  /// Folds an event that `next` has read; returns false if an earlier event has the same id and
  /// counts instead.
  @inline(__always)
  package mutating func fold(_ item: StreamItem, into ledger: inout Ledger) throws(Failure) -> Bool
  {
    if let known = ledger.apply(item) {
      try passRepeat(of: known, item, names: ledger.names)
      return false
    }
    keepPlace(of: item)
    return true
  }

  private mutating func merged(_ item: inout StreamItem, _ names: inout SymbolTable) throws(Failure)
    -> Bool
  {
    guard isMerging else { return readers.isEmpty ? false : try read(0, &item, &names) }
    while let index = grown.popLast() { try wait(for: index, &names) }
    if let current, try pull(current, &item, &names) {
      // As long as the earliest events come from one segment, each batch costs one comparison. A
      // batch that has begun isn't interrupted.
      if item.beginsStep, let earliest = waiting.last, StreamItem.precedes(earliest, item, names) {
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
    newestRecorded = max(newestRecorded, item.recorded)
    return true
  }

  private mutating func start(_ names: inout SymbolTable) throws(Failure) {
    isStarted = true
    guard isMerging else { return }
    for index in 0...readers.count { try wait(for: index, &names) }
  }

  /// Reads the next event of the segment with the index `index`, and inserts the event into
  /// `waiting`.
  private mutating func wait(for index: Int, _ names: inout SymbolTable) throws(Failure) {
    var item = StreamItem()
    if try pull(index, &item, &names) { wait(item, names) }
  }

  private mutating func wait(_ item: StreamItem, _ names: SymbolTable) {
    // The search starts at the end, because the next event of a segment usually is one of the
    // earliest.
    let later = waiting.lastIndex { StreamItem.precedes(item, $0, names) }
    waiting.insert(item, at: later.map { $0 + 1 } ?? 0)
  }

  @inline(__always)
  private mutating func pull(
    _ index: Int, _ item: inout StreamItem, _ names: inout SymbolTable
  ) throws(Failure) -> Bool {
    try index < readers.count ? read(index, &item, &names) : takeSupposed(&item, &names)
  }

  /// Reads the next hypothetical event, or returns false; events without `recorded` come after all
  /// stored events.
  private mutating func takeSupposed(_ item: inout StreamItem, _ names: inout SymbolTable) -> Bool {
    guard var next = supposed.last else { return false }
    if next.isLast {
      guard waiting.isEmpty || !next.beginsStep else { return false }
      next.event.recorded = newestRecorded + 1
    }
    supposed.removeLast()
    item.offset = taken.count
    if keepsPlaces { taken.append(next) }
    item.boxed = StreamItem.Box(next.event)
    item.isContinued = next.event.more
    item.beginsStep = next.beginsStep
    item.id = EventKey(next.event.id, names: &names)
    item.recorded = next.event.recorded
    item.segment = readers.count
    item.line = next.place.line
    return true
  }

  /// Extends the stream to appended lines; returns false if the stream must be opened again.
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
        // The segment is already in `grown` if it has grown before by an incomplete batch, which
        // wasn't read.
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
    // Passing all options for each line would copy them.
    let wantsTexts = options.wantsTexts
    if !options.wantsEvents,
      readers[index].scanEntry(&item, &names, &scanner, wantsTexts: wantsTexts)
    {
      return true
    }
    return try readers[index].next(&item, &names, &scanner, options)
  }

  /// The segments that end without a newline, each with the byte range of its last batch.
  package var unended: [(path: Text, batch: Range<Int>)] {
    readers.compactMap { reader in
      reader.tail.unendedFrom.map { (Text(reader.path), $0..<reader.tail.validEnd) }
    }
  }

  package var ends: [Text: Int] {
    Dictionary(uniqueKeysWithValues: readers.map { ($0.name, $0.size) })
  }

  package var stamps: [Text: FileStamp] {
    Dictionary(uniqueKeysWithValues: readers.map { (Text($0.path), $0.source.stamp) })
  }

  /// The largest `recorded` of any line, and a location of it; a writer's next `recorded` is later.
  var newest: (recorded: Instant, place: Place)? {
    let stored = readers.compactMap { reader in
      reader.progress.newestRecorded.map {
        ($0, Place(file: reader.path, line: reader.progress.line, column: 1))
      }
    }
    let supposed = options.supposed.last.map { [(newestRecorded, $0.place)] } ?? []
    return (stored + supposed).max { $0.0 < $1.0 }
  }
}

/// An event that doesn't count, because an earlier event of another segment has the same id.
package struct ReusedID: Sendable {
  package let id: String
  /// The position of the earlier event with the same id, which counts.
  package let position: Int
  /// The segment of the event that doesn't count.
  package let segment: Text
  package let line: Int
}

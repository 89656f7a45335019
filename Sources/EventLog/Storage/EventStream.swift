package import StreakDomain

/// The stream of a ledger: its segments merged by (`recorded`, `id`), read once, forward.
package struct EventStream {
  package let options: ReadingOptions
  /// Where its segments are; empty where it has none.
  private(set) var folder = ""
  var readers: [SegmentReader] = []
  /// What the folder holds that is no event.
  package private(set) var leftovers = FolderLeftovers()
  private let pieces: PieceSource
  /// The next event of each segment but that of the last event; only kept when there are several.
  private var waiting = NextEvents(segments: 0)
  /// The segment that the last event came from.
  private var current: Int?
  /// Where each event is, packed; only kept when there are several segments, or somebody asks for it.
  var places: [UInt64] = []
  /// Whether events are looked up by their positions later.
  package var keepsPlaces = false {
    didSet { if keepsPlaces { places.reserveCapacity(capacity) } }
  }
  var isMerging: Bool { readers.count > 1 || !options.supposed.isEmpty }
  private var isStarted = false
  /// Segments that went on after they were read to their ends, but for that of the last event.
  private var grown: [Int] = []
  /// One segment and nothing supposed or omitted: each of its events is the next.
  private var isPlain = false
  var repeats: [SkippedLine] = []
  /// Supposed events in their order, the next one last.
  private var supposed: [SupposedEvent]
  /// Those that were read, where places are kept.
  var taken: [SupposedEvent] = []
  private let omitted: ChosenEvents
  /// The texts that were taken out; a copy may still have them.
  private(set) var redactions = Redactions()
  private var lastRecorded = Instant(microseconds: 0)

  /// Opens every segment of a folder.
  ///
  /// A folder without an event is no ledger, unless one `mayBegin` there.
  package init(
    folder: String, options: ReadingOptions = ReadingOptions(), mayBegin: Bool = false
  ) throws(Failure) {
    self.init(options: options)
    self.folder = folder
    let names = try EventStream.names(in: folder, on: options.disk)
    let segments = EventStream.segments(among: names ?? [])
    let room = Room(segments: segments.count, pieceBytes: options.pieceBytes)
    for (index, name) in segments.enumerated() {
      readers.append(
        try reading { () throws(SystemError) in
          let path = "\(folder)/\(name).jsonl"
          do throws(SystemError) {
            return try SegmentReader(name: name, path: path, index: index, room, options)
          } catch  where error.isNotFound && name.string.hasReplacedBytes {
            throw SystemError.notUTF8(path)
          }
        })
    }
    leftovers = FolderLeftovers(names ?? [], readers.map { ($0.name, $0.tail) })
    try prepare(mayBegin: mayBegin)
  }

  /// The segments as they were opened, from their first event, of which none was read here.
  ///
  /// The options may differ in what is wanted, supposed or left out.
  package func restarted(_ options: ReadingOptions) throws(Failure) -> EventStream {
    var stream = EventStream(options: options)
    (stream.folder, stream.readers, stream.leftovers) = (folder, readers, leftovers)
    try stream.prepare(mayBegin: false)
    return stream
  }

  /// A stream of segments that were opened before.
  init(_ folder: String, _ readers: [SegmentReader], _ options: ReadingOptions) throws(Failure) {
    self.init(options: options)
    (self.folder, self.readers) = (folder, readers)
    try prepare(mayBegin: false)
  }

  private mutating func prepare(mayBegin: Bool) throws(Failure) {
    if size == 0, supposed.isEmpty, !mayBegin { throw .noLedger(folder: folder, leftovers) }
    if options.wantsTexts || options.wantsEvents || options.endsEarly && readers.count > 1 {
      redactions = try storedRedactions()
    }
  }

  /// A stream of nothing but the supposed events.
  package init(options: ReadingOptions) {
    self.options = options
    pieces = PieceSource(options)
    supposed = options.supposed.enumerated().sorted { a, b in
      EventStream.precedes(a.element, b.element)
        || !EventStream.precedes(b.element, a.element) && a.offset < b.offset
    }.map(\.element).reversed()
    omitted = ChosenEvents(options.omitted)
  }

  /// The size of all that counts, in bytes.
  package var size: Int { readers.reduce(0) { $0 + $1.size } }

  /// How many events to make room for, on the high side: memory that is never used is never touched.
  package var capacity: Int { size / EventStream.shortLine }

  /// Few lines have fewer bytes.
  package static let shortLine = 150

  /// How many comparisons it took so far to bring the segments together.
  package var comparisons: Int { waiting.comparisons }

  package var segments: [Text] { readers.map(\.name) }

  /// Each segment with how far it counts, to see whether anything was added.
  package var sizes: [String] { readers.map { "\($0.name) \($0.size)" } }

  /// Torn tails that are left out: what a crash left behind.
  package var tornTails: [TornTail] {
    readers.filter { $0.tail.isTorn }.map {
      TornTail(path: $0.path, offset: $0.tail.validEnd, bytes: $0.tail.size - $0.tail.validEnd)
    }
  }

  /// Lines read around.
  package var skipped: [SkippedLine] {
    readers.flatMap(\.skipped) + repeats
  }

  package struct TornTail: Sendable {
    package let path: String
    package let offset: Int
    package let bytes: Int
  }

  /// Reads the next event of the stream; false at its end.
  package mutating func next(_ item: inout StreamItem, names: inout SymbolTable) throws(Failure) -> Bool {
    if isPlain { return try read(0, &item, &names) }
    if !isStarted { try start(&names) }
    while try merged(&item, &names) {
      guard omitted.isEmpty || !omitted.has(item.id, names) else { continue }
      if !redactions.isEmpty { redactions.apply(to: &item, names) }
      return true
    }
    return false
  }

  private mutating func merged(_ item: inout StreamItem, _ names: inout SymbolTable) throws(Failure) -> Bool {
    guard isMerging else { return readers.isEmpty ? false : try read(0, &item, &names) }
    while let index = grown.popLast() {
      var next = StreamItem()
      if try pull(index, &next, &names) { waiting.put(next, names) }
    }
    if let current, try pull(current, &item, &names) {
      waiting.exchange(&item, names)
    } else if !waiting.take(&item, names) {
      guard takeSupposed(&item, &names) else { return false }
    }
    current = item.segment
    lastRecorded = item.recorded
    return true
  }

  private mutating func start(_ names: inout SymbolTable) throws(Failure) {
    isStarted = true
    if size >= options.readAheadFrom { pieces.begin(readers) }
    guard isMerging else { return isPlain = omitted.isEmpty && redactions.isEmpty && readers.count == 1 }
    waiting = NextEvents(segments: readers.count + 1)
    for index in 0...readers.count {
      var item = StreamItem()
      if try pull(index, &item, &names) { waiting.put(item, names) }
    }
  }

  @inline(__always)
  private mutating func pull(
    _ index: Int, _ item: inout StreamItem, _ names: inout SymbolTable
  ) throws(Failure) -> Bool {
    try index < readers.count ? read(index, &item, &names) : takeSupposed(&item, &names)
  }

  /// Takes the next supposed event; one without a `recorded` waits until all others are read.
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

  /// Takes what was appended to the segments since the stream was read to its end; false where it must be read again,
  /// because anything else has changed, or may have.
  mutating func grow(_ names: SymbolTable) throws(Failure) -> Bool {
    guard isStarted, options.isAsStored, options.ends?.isEmpty ?? true else { return false }
    pieces.end()
    let found = try EventStream.names(in: folder, on: options.disk) ?? []
    guard EventStream.segments(among: found) == segments else { return false }
    do throws(SystemError) {
      for index in readers.indices {
        guard let stamp = try options.disk.stamp(of: readers[index].path) else { return false }
        if stamp == readers[index].source.stamp { continue }
        guard try readers[index].grow(stamp, names, options) else { return false }
        if isMerging, index != current { grown.append(index) }
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
    try readers[index].next(&item, names: &names, from: pieces)
  }

  /// The segments whose last batch has no newline, and where it is.
  package var unended: [(path: Text, batch: Range<Int>)] {
    readers.compactMap { reader in
      reader.tail.unendedFrom.map { (Text(reader.path), $0..<reader.tail.validEnd) }
    }
  }

  /// How many bytes of each segment count, by its name.
  package var ends: [Text: Int] {
    Dictionary(uniqueKeysWithValues: readers.map { ($0.name, $0.size) })
  }

  /// The segments as they were opened, by their paths.
  var stamps: [Text: FileStamp] {
    Dictionary(uniqueKeysWithValues: readers.map { (Text($0.path), $0.source.stamp) })
  }

  /// A segment by its name: how it ends, and what was learnt of it so far; nil where there is none.
  func segment(named name: Text) -> (source: SegmentReader.Source, progress: SegmentReader.Progress)? {
    readers.indices.first { readers[$0].name == name }.map { (readers[$0].source, progress(of: $0)) }
  }

  /// What was learnt of a segment so far.
  func progress(of index: Int) -> SegmentReader.Progress { readers[index].progress }

  /// The newest `recorded` read so far, and the segment and line that has it.
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

package import StreakDomain

/// The stream of a ledger, read once from start to end.
///
/// It merges the batches of all segments by the `recorded` and `id` of their first lines. A batch
/// is a step: what one command wrote. The lines of a batch follow each other in the stream,
/// whatever other segments recorded meanwhile. So `recorded` can decrease from one batch to the
/// next:
///
///     phone    20:00.1 more   20:00.3          20:00.1 (phone)
///     laptop   20:00.2                  gives  20:00.3 (phone)
///                                              20:00.2 (laptop)
package struct EventStream {
  package let options: ReadingOptions
  private(set) var folder = ""
  /// The files of the folder that contain no events.
  package private(set) var leftovers = FolderLeftovers()
  private(set) var readers: [SegmentReader] = []
  private var scanner = EntryScanner()
  private var merge: StreamMerge
  private(set) var supposed: SupposedEvents
  private(set) var locations = EventLocations()
  /// The events that don't count, because an earlier event has the same id.
  ///
  /// The earlier event is in another segment and has different content. Copies of the earlier event
  /// aren't listed.
  package private(set) var reusedIDs: [ReusedID] = []
  /// The lines that were skipped with `--skip`, because they repeat an id of their own segment.
  private var skippedRepeats: [SkippedLine] = []
  /// The redactions of all segments, which hide redacted texts that a copy of a segment may still
  /// contain.
  private(set) var redactions = Redactions()

  /// Opens every segment of a folder.
  ///
  /// Throws if there is no event, unless `mayBegin` is true.
  package init(
    folder: String, options: ReadingOptions = ReadingOptions(), mayBegin: Bool = false
  ) throws(Failure) {
    self.init(options: options)
    self.folder = folder
    let names = try EventStream.names(in: folder, on: options.disk)

    let segments = EventStream.segments(among: names)
    let isOneOfMany = segments.count > EventStream.few
    for (index, name) in segments.enumerated() {
      let path = "\(folder)/\(name).jsonl"
      readers.append(
        try Failure.converting { () throws(SystemError) in
          do throws(SystemError) {
            return try SegmentReader(
              name: name, path: path, index: index, isOneOfMany: isOneOfMany, options)
          } catch  where error.isNotFound && name.string.hasReplacedBytes {
            throw SystemError.notUTF8(path)
          }
        })
    }

    leftovers = FolderLeftovers(names, readers.map { ($0.name, $0.tail) })
    try prepare(mayBegin: mayBegin)
  }

  /// Returns a stream that reads the same open segments from their first event on, with other
  /// options.
  package func restarted(_ options: ReadingOptions) throws(Failure) -> EventStream {
    var stream = EventStream(options: options)
    stream.folder = folder
    stream.readers = readers.map(\.rewound)
    stream.leftovers = leftovers
    try stream.prepare(mayBegin: false)
    return stream
  }

  /// Prepares the merge of the opened segments.
  ///
  /// Throws if there is no event, unless `mayBegin` is true.
  private mutating func prepare(mayBegin: Bool) throws(Failure) {
    if size == 0, options.supposed.isEmpty, !mayBegin {
      throw .noLedger(folder: folder, leftovers)
    }
    merge = StreamMerge(of: readers.count)

    // A redacted text can remain only in a copy of its segment, so one segment alone needs no
    // check.
    let wantsTexts = options.wantsTexts || options.wantsEvents || options.wantsLines
    if readers.count > 1, wantsTexts || options.endsEarly {
      redactions = try storedRedactions()
    }
  }

  package init(options: ReadingOptions) {
    self.options = options
    supposed = SupposedEvents(options.supposed)
    merge = StreamMerge(of: 0)
  }

  /// Whether the locations of events are always stored.
  ///
  /// If false, they are stored only if events of several sources are merged.
  package var keepsLocations: Bool {
    get { locations.isRequested }
    set {
      locations.isRequested = newValue
      if newValue { locations.reserveCapacity(capacity) }
    }
  }

  package var size: Int { readers.reduce(0) { $0 + $1.size } }

  /// The number of events to reserve memory for: a high estimate, because unused memory costs
  /// nothing.
  package var capacity: Int { size / EventStream.shortLine }

  private static let shortLine = 150

  /// The maximum number of segments for which all files stay open; an open file can be read even
  /// after it is renamed.
  private static let few = 64

  package var segments: [Text] { readers.map(\.name) }
  package var hasSeveralSegments: Bool { readers.count > 1 }

  /// Returns the size in bytes of a segment's file, including a torn end.
  package func bytes(ofSegment name: Text) -> Int { reader(of: name)?.tail.size ?? 0 }

  /// Returns the reader of a segment, or `nil` if there is no such segment.
  ///
  /// The readers are sorted by name and searched by bisection, because there may be thousands.
  func reader(of name: Text) -> SegmentReader? {
    let index = readers.partitioningIndex { $0.name >= name }
    return index < readers.count && readers[index].name == name ? readers[index] : nil
  }

  /// The torn ends of all segments: incomplete batches that a crash left, which readers skip.
  package var tornTails: [TornTail] {
    readers.filter { $0.tail.isTorn }.map {
      TornTail(
        path: $0.path, offset: $0.tail.validEnd, bytes: $0.tail.size - $0.tail.validEnd,
        isOfWriter: Syntax.isWriter($0.name.string))
    }
  }

  /// The skipped lines, which can't be read or repeat an id.
  ///
  /// If a segment has many, only the first ones are listed.
  package var skipped: [SkippedLine] { readers.flatMap(\.skipped) + skippedRepeats }

  /// The number of lines that were skipped.
  package var skippedCount: Int {
    readers.reduce(skippedRepeats.count) { $0 + $1.progress.skipped.lines }
  }

  /// Whether events of several sources are merged; if not, the only segment is read without
  /// comparisons.
  var isMerging: Bool { readers.count > 1 || !options.supposed.isEmpty }

  /// Reads the next event into `item`, or returns false at the end.
  ///
  /// The event is read even if an earlier event has the same id.
  package mutating func next(_ item: inout StreamItem, names: inout SymbolTable) throws(Failure)
    -> Bool
  {
    guard try merged(&item, &names) else { return false }
    item.isOmitted = !options.omitted.isEmpty && options.omitted.contains(item.id.text(names))
    if !redactions.isEmpty { redactions.apply(to: &item, names) }
    return true
  }

  private mutating func merged(_ item: inout StreamItem, _ names: inout SymbolTable) throws(Failure)
    -> Bool
  {
    guard isMerging else { return readers.isEmpty ? false : try read(0, &item, &names) }

    if merge.hasUnread { try readUnread(&names) }

    if let current = merge.current, try pull(current, &item, &names) {
      merge.exchangeForEarlier(&item, names)
    } else if let earliest = merge.takeEarliest() {
      item = earliest
    } else {
      guard readSupposed(&item, &names) else { return false }
    }
    merge.advance(past: item)
    return true
  }

  /// Reads the next event of each segment that has no event waiting in the merge, and adds these
  /// events to the merge.
  private mutating func readUnread(_ names: inout SymbolTable) throws(Failure) {
    var firsts: [StreamItem] = []
    while let index = merge.takeUnread() {
      if index == readers.count {
        // A hypothetical event without a time comes after all waiting events.
        merge.wait(for: firsts, names)
        firsts = []
      }
      var first = StreamItem()
      if try pull(index, &first, &names) { firsts.append(first) }
    }
    merge.wait(for: firsts, names)
  }

  /// Reads the next event of the segment with the index `index`, or the next hypothetical event.
  @inline(__always)
  private mutating func pull(
    _ index: Int, _ item: inout StreamItem, _ names: inout SymbolTable
  ) throws(Failure) -> Bool {
    try index < readers.count ? read(index, &item, &names) : readSupposed(&item, &names)
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

  private mutating func readSupposed(_ item: inout StreamItem, _ names: inout SymbolTable) -> Bool {
    item.segment = readers.count
    return supposed.next(
      &item, &names, isEndOfSegments: !merge.isWaiting, newest: merge.newestRecorded)
  }

  /// Folds an event that `next` has read.
  ///
  /// Returns false if an earlier event has the same id and counts instead.
  @inline(__always)
  package mutating func fold(_ item: StreamItem, into ledger: inout Ledger) throws(Failure) -> Bool
  {
    if let position = ledger.apply(item) {
      try passRepeat(of: position, item, names: ledger.names)
      return false
    }
    keepLocation(of: item)
    return true
  }

  /// Stores the location of the event in `item`, so that a later event with the same id can be
  /// compared with it.
  @inline(__always)
  package mutating func keepLocation(of item: StreamItem) {
    guard isMerging || locations.isRequested else { return }
    locations.append(item)
  }

  /// Handles an event whose id is already that of the event at `position`.
  ///
  /// If both events are equal, the later one is a copy and is skipped. Otherwise it is added to
  /// `reusedIDs`. If both are in the same segment, an error is thrown; with `--skip`, the line is
  /// added to `skipped` instead.
  package mutating func passRepeat(of position: Int, _ item: StreamItem, names: SymbolTable)
    throws(Failure)
  {
    locations.skip(item)
    do throws(Failure) {
      guard try !isCopy(item, of: position, names: names) else { return }
      reusedIDs.append(
        ReusedID(
          id: item.id.text(names), position: position, segment: readers[item.segment].name,
          line: item.line))
    } catch {
      guard options.skipsUnreadable, error.kind == .reusedID, !isSupposed(item) else { throw error }
      skippedRepeats.append(SkippedLine(segment: readers[item.segment].name, failure: error))
    }
  }

  /// Extends the stream by the lines that were appended to its segments since they were opened.
  ///
  /// Returns false if the stream can't be extended and must be opened again.
  mutating func grow(_ names: SymbolTable) throws(Failure) -> Bool {
    guard options.isAsStored, options.ends?.isEmpty ?? true else { return false }
    scanner.forgetNames()
    let files = try EventStream.names(in: folder, on: options.disk)
    guard EventStream.segments(among: files) == segments else { return false }

    do throws(SystemError) {
      for index in readers.indices {
        guard let stamp = try options.disk.stamp(of: readers[index].path) else { return false }
        if stamp == readers[index].source.stamp { continue }
        guard try readers[index].grow(stamp, names, options) else { return false }
        merge.grow(index)
      }
    } catch { throw .system(error) }

    leftovers = FolderLeftovers(files, readers.map { ($0.name, $0.tail) })
    return true
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

  /// The largest `recorded` of any line that was read, or `nil` if none was.
  var newestRecorded: Instant? {
    let supposed = options.supposed.isEmpty ? [] : [merge.newestRecorded]
    return (readers.compactMap(\.progress.newestRecorded) + supposed).max()
  }
}

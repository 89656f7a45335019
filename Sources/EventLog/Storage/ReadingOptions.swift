package import StreakDomain

/// How a stream is read, and what if it were another.
package struct ReadingOptions: Sendable {
  /// Every event in full, entries too.
  package var wantsEvents = false
  /// The value and the note beside the fact of an entry, which does not keep them.
  package var wantsTexts = false
  /// The stream may not be read to its end, where it says which names a copy should not have any more.
  package var endsEarly = false
  /// Read around corrupt lines.
  package var salvage = false
  /// Read around types and versions that this program does not know.
  package var skipUnknown = false
  /// Streams of this many bytes or more are decoded on the other cores, too; smaller ones are read before those have
  /// begun.
  package var readAheadFrom = 4 << 20
  /// How many bytes of a segment are decoded at once, at the most.
  package var pieceBytes = 1 << 18
  /// Events sorted in as if they were in the log.
  package var supposed: [SupposedEvent] = []
  /// Ids of events left out as if they had never been.
  package var omitted: Set<String> = []
  /// How many bytes of each segment count, by its name; nil where every event counts that is there.
  ///
  /// A segment that is not named counts up to the newline of its last batch.
  package var ends: [Text: Int]?

  /// Where the segments are.
  package var disk: any Disk = SystemDisk()

  package init() {}

  /// Whether all that the segments hold is read, and nothing else.
  var isAsStored: Bool { supposed.isEmpty && omitted.isEmpty && !salvage && !skipUnknown }

  /// Whether a line with this failure is read around.
  package func skips(_ failure: Failure) -> Bool {
    salvage || skipUnknown && failure.kind.isWrittenByNewer
  }
}

/// An event that is in no segment.
package struct SupposedEvent: Sendable {
  package var event: Event
  /// Where it was read, for errors.
  package let place: Place
  /// Whether it comes after everything that is recorded because it has no `recorded` of its own.
  package let isLast: Bool

  /// An event at its `recorded`.
  package init(_ event: Event) {
    self.init(event, place: Place(file: "event", line: 0, column: 0), isLast: false)
  }

  package init(_ event: Event, place: Place, isLast: Bool) {
    self.event = event
    self.place = place
    self.isLast = isLast
  }
}

/// A line read around.
package struct SkippedLine: Sendable {
  package let segment: Text
  package let failure: Failure
}

/// Events of a stream that are meant, by id: those to be left out, or those that lost texts.
struct ChosenEvents {
  private var keys: Set<EventKey> = []
  private var names: Set<String> = []

  init(_ ids: Set<String>) {
    for id in ids { add(id) }
  }

  mutating func add(_ id: String) {
    // Without any names only an id that is its own key is found.
    if let key = EventKey.find(id, names: SymbolTable()) {
      keys.insert(key)
    } else {
      names.insert(id)
    }
  }

  var isEmpty: Bool { keys.isEmpty && names.isEmpty }

  func has(_ key: EventKey, _ known: SymbolTable) -> Bool {
    keys.contains(key) || !names.isEmpty && key.hasStem && names.contains(key.text(known))
  }
}

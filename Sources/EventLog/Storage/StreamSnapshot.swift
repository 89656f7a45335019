package import StreakDomain

/// A stream as it was read to its end: its segments, and where its events are, to be read again.
///
/// What is appended later is not in it. It keeps no event, so it takes eight bytes for each.
package struct StreamSnapshot: Sendable {
  private let folder: String
  private let readers: [SegmentReader]
  private let places: LongList<UInt64>
  private let disk: any Disk

  /// Of a stream that keeps places.
  package init(of stream: EventStream) {
    (folder, readers, places) = (stream.folder, stream.readers.map(\.withoutPiece), stream.places)
    disk = stream.options.disk
  }

  /// The stream from its first event on, or another that is supposed in its place.
  package func stream(_ options: ReadingOptions = ReadingOptions()) throws(Failure) -> EventStream {
    try EventStream(folder, readers.map(\.rewound), on(disk, options))
  }

  /// The events at some positions, ascending, without the texts that were taken out; O(their bytes).
  package func events(at positions: [Int]) throws(Failure) -> [Event] {
    var stream = try EventStream(folder, readers, on(disk, ReadingOptions()))
    stream.places = places
    var events: [Event] = []
    events.reserveCapacity(positions.count)
    try stream.eachEvent(at: positions) { events.append($1) }
    return events
  }

  private func on(_ disk: any Disk, _ options: ReadingOptions) -> ReadingOptions {
    var options = options
    options.disk = disk
    return options
  }
}

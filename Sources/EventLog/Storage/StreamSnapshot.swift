package import StreakDomain

/// A stream as it was read to its end: its segments, and where its events are, to be read again.
///
/// What is appended later is not in it. It keeps no event, so it takes eight bytes for each.
package struct StreamSnapshot: Sendable {
  private let folder: String
  private let readers: [SegmentReader]
  private let places: [UInt64]
  private let disk: any Disk
  /// Whether corrupt lines were read around.
  private let salvage: Bool

  /// Of a stream that keeps places.
  package init(of stream: EventStream) {
    (folder, readers, places) = (stream.folder, stream.readers.map(\.withoutPiece), stream.places)
    (disk, salvage) = (stream.options.disk, stream.options.salvage)
  }

  /// The stream from its first event on, or another that is supposed in its place.
  package func stream(_ options: ReadingOptions = ReadingOptions()) throws(Failure) -> EventStream {
    try EventStream(folder, readers.map(\.rewound), read(options))
  }

  /// The events at some positions, ascending, without the texts that were taken out; O(their bytes).
  package func events(at positions: [Int]) throws(Failure) -> [Event] {
    var stream = try EventStream(folder, readers, read(ReadingOptions()))
    stream.places = places
    var events: [Event] = []
    events.reserveCapacity(positions.count)
    try stream.eachEvent(at: positions) { events.append($1) }
    return events
  }

  /// The options, on the disk and around the lines that it was read on and around.
  private func read(_ options: ReadingOptions) -> ReadingOptions {
    var options = options
    (options.disk, options.salvage) = (disk, salvage)
    return options
  }
}

package import StreakDomain

/// A snapshot of a stream that was read to its end: its segments and the locations of its events.
///
/// Later events aren't included. It needs eight bytes per event.
package struct StreamSnapshot: Sendable {
  private let folder: String
  private let readers: [SegmentReader]
  private let places: [UInt64]
  private let disk: any Disk
  private let salvage: Bool

  package init(of stream: EventStream) {
    (folder, readers, places) = (stream.folder, stream.readers.map(\.withoutBuffers), stream.places)
    (disk, salvage) = (stream.options.disk, stream.options.salvage)
  }

  package func stream(_ options: ReadingOptions = ReadingOptions()) throws(Failure) -> EventStream {
    try EventStream(folder, readers.map(\.rewound), read(options))
  }

  /// Reads the events at ascending `positions`, without redacted texts.
  package func events(at positions: [Int]) throws(Failure) -> [Event] {
    var stream = try EventStream(folder, readers, read(ReadingOptions()))
    stream.places = places
    var events: [Event] = []
    events.reserveCapacity(positions.count)
    try stream.eachEvent(at: positions) { events.append($1) }
    return events
  }

  private func read(_ options: ReadingOptions) -> ReadingOptions {
    var options = options
    (options.disk, options.salvage) = (disk, salvage)
    return options
  }
}

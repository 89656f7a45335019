package import StreakDomain

/// The options for reading a stream, including hypothetical changes to its events.
package struct ReadingOptions: Sendable {
  package var wantsEvents = false
  /// Whether to read the texts of entries (`value`, `note`, `by`), which an `EntryFact` doesn't contain.
  package var wantsTexts = false
  /// Whether the caller may stop before the end; if so, all redactions are read beforehand.
  package var endsEarly = false
  /// Whether lines that cannot be read are left out.
  package var skipsUnreadable = false
  /// Hypothetical events, merged into the stream.
  package var supposed: [SupposedEvent] = []
  package var omitted: Set<String> = []
  /// The number of bytes to read of each segment, or `nil` for all valid bytes.
  ///
  /// A segment without a number is read up to its last batch with a final newline.
  package var ends: [Text: Int]?

  package var disk: any Disk = SystemDisk()

  package init() {}

  var isAsStored: Bool { supposed.isEmpty && omitted.isEmpty && !skipsUnreadable }
}

/// A hypothetical event, which isn't in any segment.
package struct SupposedEvent: Sendable {
  package var event: Event
  package let place: Place
  /// Whether the event comes after all recorded ones because it has no `recorded`.
  package let isLast: Bool

  package init(_ event: Event) {
    self.init(event, place: Place(file: "event", line: 0, column: 0), isLast: false)
  }

  package init(_ event: Event, place: Place, isLast: Bool) {
    self.event = event
    self.place = place
    self.isLast = isLast
  }
}

package struct SkippedLine: Sendable {
  package let segment: Text
  package let failure: Failure
}

package import StreakDomain

/// The options for reading a stream, including hypothetical changes to its events.
package struct ReadingOptions: Sendable {
  package var wantsEvents = false
  /// Whether `EntryScanner` also reads `value`, `note` and `by` of entries, which an `EntryFact`
  /// doesn't contain.
  package var wantsTexts = false
  /// Whether the caller asks for the stored lines of events (`EventStream.line(of:)`).
  package var wantsLines = false
  /// Whether the caller may stop before the end of the stream; if so, all redactions are read
  /// beforehand.
  package var endsEarly = false
  /// Whether lines that can't be read are skipped, rather than reported as errors.
  package var skipsUnreadable = false
  /// The hypothetical events to merge into the stream, for example those of `--guest`.
  package var supposed: [SupposedEvent] = []
  /// The ids of the events that have no effect, for example those of `--without`.
  package var omitted: Set<String> = []
  /// The number of bytes to read of each segment, keyed by the segment's name, or `nil` to read all
  /// valid bytes.
  ///
  /// A segment that isn't in the dictionary is read up to its last batch with a final newline.
  package var ends: [Text: Int]?

  package var disk: any Disk = SystemDisk()

  package init() {}

  /// Whether the stream has the stored events, without hypothetical changes.
  var isAsStored: Bool { supposed.isEmpty && omitted.isEmpty && !skipsUnreadable }
}

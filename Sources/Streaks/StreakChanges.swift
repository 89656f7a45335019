import EventLog
import StreakDomain

extension StreakFolder {
  /// Returns the changes of the events after a cursor, then those of new events as they are appended.
  ///
  /// Each event is delivered once, with a cursor for continuing after it. The events of a segment that is
  /// copied in later are delivered when it arrives; if they precede others delivered before, they are marked
  /// ``StreakChange/isLate``. The sum of all changes is the state. If the folder cannot be read, or delivered
  /// events are missing, the sequence delivers the error in place of a change, and continues when the problem
  /// is fixed. It ends when its task is cancelled.
  /// - Parameter cursor: The cursor of the last change handled.
  /// - Returns: A sequence that can be iterated several times, each time from `cursor`. It buffers at most
  ///   65,536 changes for a slow consumer.
  /// - Complexity: O(events) to begin, then O(events appended). A late event costs the events after it again.
  public func changes(after cursor: StreakCursor = .start) -> StreakChanges {
    StreakChanges(folder: self, cursor: cursor)
  }

  /// Returns the cursor after the last event, from which ``changes(after:)`` delivers only new events.
  ///
  /// - Complexity: O(events).
  public func cursor() async throws(StreakError) -> StreakCursor {
    try await elsewhere { () throws(Failure) in
      var options = ReadingOptions()
      (options.disk, options.wantsTexts) = (shared.disk, false)
      var deliveries = try Deliveries(folder: shared.path, after: Cursor(), options: options)
      var item = StreamItem()
      while try deliveries.next(&item) {}
      return StreakCursor(deliveries.cursor)
    }
  }
}

/// The changes of a folder's events as they are appended; see ``StreakFolder/changes(after:)``.
public struct StreakChanges: AsyncSequence, Sendable {
  /// The changes of an event, or the reason why the ledger cannot be read.
  public typealias Element = Result<StreakChange, StreakError>
  /// The sequence never throws.
  public typealias Failure = Never

  let folder: StreakFolder
  let cursor: StreakCursor
  /// The maximum number of changes that are read ahead.
  package var most = 65_536

  /// Creates an iterator that begins after the cursor.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Delivers each event once, new ones in stream order as of the time of reading.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let folder: StreakFolder
    private let watch: FolderWatch
    private let reader: ChangeReader
    private var cursor: StreakCursor
    /// The changes to deliver, in reverse order.
    private var waiting: [StreakChange] = []
    /// The folder's stamp when it was last read to its end.
    private var seen: FolderStamp?
    private var problem: StreakError?

    fileprivate init(_ changes: StreakChanges) {
      (folder, cursor) = (changes.folder, changes.cursor)
      watch = FolderWatch(folder)
      reader = ChangeReader(folder, most: changes.most)
    }

    /// Waits for the next event, and returns `nil` when the task is cancelled.
    public mutating func next() async -> Element? {
      while !Task.isCancelled {
        if let change = waiting.popLast() { return .success(change) }
        let (watch, reader, cursor, seen) = (watch, reader, cursor, seen)
        let found = await untilCancelled {
          watch.arm()
          return reader.read(after: cursor, since: seen)
        }
        guard let found else { break }
        self.seen = found.seen
        switch found.changes {
        case .success(let new):
          problem = nil
          self.cursor = new.last?.cursor ?? cursor
          waiting = new.reversed()
          if new.isEmpty { await watch.wait() }
        case .failure(let error):
          if error != problem {
            problem = error
            return .failure(error)
          }
          await watch.wait()
        }
      }
      return nil
    }
  }
}

import EventLog
import StreakDomain

extension StreakFolder {
  /// What each event changes that a cursor has not had, and then as they are appended.
  ///
  /// Each event comes once, with a cursor to go on after it. One of a segment that is copied in later comes when it
  /// arrives, as ``StreakChange/isLate`` if it comes before others that were given. The sum of all changes is the
  /// state. Where the folder cannot be read, or events that were given are gone, what is wrong comes in place of a
  /// change, and the sequence goes on when that is mended. It ends when its task is cancelled.
  /// - Parameter cursor: that of the change handled last.
  /// - Returns: a sequence that many may iterate, each from its beginning. A slow consumer has at most 65,536 changes
  ///   waiting.
  /// - Complexity: O(events) to begin, then O(events appended); an event that is late costs once more those after it.
  public func changes(after cursor: StreakCursor = .start) -> StreakChanges {
    StreakChanges(folder: self, cursor: cursor)
  }

  /// The cursor behind the last event, from which ``changes(after:)`` gives what comes from now on.
  ///
  /// - Complexity: O(events).
  public func cursor() async throws(StreakError) -> StreakCursor {
    try await elsewhere { () throws(Failure) in
      var options = ReadingOptions()
      (options.disk, options.wantsTexts) = (shared.disk, false)
      var deliveries = try Deliveries(folder: shared.path, after: Cursor(), options: options)
      var item = StreamItem()
      while try deliveries.next(&item) {}
      return StreakCursor(deliveries.cursor())
    }
  }
}

/// What each event of a folder changes, as they are appended; see ``StreakFolder/changes(after:)``.
public struct StreakChanges: AsyncSequence, Sendable {
  /// What an event changed, or why the ledger cannot be read.
  public typealias Element = Result<StreakChange, StreakError>
  /// Nothing ends the sequence early.
  public typealias Failure = Never

  let folder: StreakFolder
  let cursor: StreakCursor
  /// How many changes are read ahead of who iterates.
  package var most = 65_536

  /// Begins to read after the cursor.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Gives each event once, the new ones in the order of the stream as it is when it is read.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let folder: StreakFolder
    private let watch: FolderWatch
    private let reader: ChangeReader
    private var cursor: StreakCursor
    /// The newest first, so that the next one is taken off the end.
    private var waiting: [StreakChange] = []
    /// The folder as it was when it was last read to its end.
    private var seen: FolderStamp?
    private var problem: StreakError?

    fileprivate init(_ changes: StreakChanges) {
      (folder, cursor) = (changes.folder, changes.cursor)
      watch = FolderWatch(folder)
      reader = ChangeReader(folder, most: changes.most)
    }

    /// Waits for the next event; nil once the task is cancelled.
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

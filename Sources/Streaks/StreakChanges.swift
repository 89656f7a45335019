package import EventLog
import Foundation
import Inspection
import StreakDomain

extension StreakFolder {
  /// What each event changes that a cursor has not had, and then as they are appended.
  ///
  /// Each event comes once, with a cursor to go on after it. One of a segment that is copied in later comes when it
  /// arrives, as ``StreakChange/isLate`` if it comes before others that were given. The sum of all changes is the
  /// state. It ends when its task is cancelled, or with a `StreakError`; of kind `corrupt` where events that were
  /// given are gone. A folder that was there and is gone as a whole is waited for.
  /// - Parameter cursor: that of the change handled last.
  /// - Returns: a sequence that many may iterate, each from its beginning. A slow consumer has at most 65,536 changes
  ///   waiting.
  /// - Complexity: O(events) where something is new; an event that is late costs once more those after it.
  public func changes(after cursor: StreakCursor = .start) -> StreakChanges {
    StreakChanges(folder: self, cursor: cursor)
  }
}

/// What each event of a folder changes, as they are appended; see ``StreakFolder/changes(after:)``.
public struct StreakChanges: AsyncSequence, Sendable {
  let folder: StreakFolder
  let cursor: StreakCursor
  /// How many changes are read ahead of who iterates; each time that there are more, the ledger is folded again.
  package var most = 65_536
  /// Where the folder is, and how many seconds go by between two looks of which nothing tells.
  package var disk: any Disk = SystemDisk()
  package var pause = StreakFolder.pause

  /// Begins to read after the cursor.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Gives each event once, the new ones in the order of the stream as it is when it is read.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let changes: StreakChanges
    private let watch: FolderWatch
    private var cursor: StreakCursor
    /// The newest first, so that the next one is taken off the end.
    private var waiting: [StreakChange] = []
    /// The folder as it was when it was last read to its end.
    private var seen: FolderStamp?
    private var hasRead = false

    fileprivate init(_ changes: StreakChanges) {
      self.changes = changes
      cursor = changes.cursor
      watch = FolderWatch(changes.folder.url.path, every: changes.pause)
    }

    /// Waits for the next event; nil once the task is cancelled.
    ///
    /// - Throws: `StreakError` where the log cannot be read, or its past is not that of the cursor.
    public mutating func next() async throws(StreakError) -> StreakChange? {
      while !Task.isCancelled {
        if let change = waiting.popLast() { return change }
        let (changes, watch, cursor, seen, hasRead) = (changes, watch, cursor, seen, hasRead)
        let (stamp, new) = try await elsewhere { () throws(StreakError) -> (FolderStamp?, [StreakChange]) in
          watch.arm()
          let stamp = FolderStamp(changes.folder.url.path, on: changes.disk)
          if let stamp, stamp == seen { return (seen, []) }
          do throws(StreakError) { return (stamp, try changes.new(after: cursor)) } catch {
            guard hasRead, error.mayPass(in: changes.folder.url.path, since: stamp, on: changes.disk) else {
              throw error
            }
            return (seen, [])
          }
        }
        // There may be more where as many came as may wait.
        self.seen = new.count < changes.most ? stamp : nil
        self.hasRead = true
        self.cursor = new.last?.cursor ?? cursor
        waiting = new.reversed()
        if new.isEmpty { await watch.wait() }
      }
      return nil
    }
  }
}

extension StreakFolder {
  /// How many seconds go by between two looks at a folder of which nothing is heard.
  static let pause = 5.0
}

extension StreakChanges {
  /// What each event changed that a cursor has not had.
  fileprivate func new(after cursor: StreakCursor) throws(StreakError) -> [StreakChange] {
    do throws(Failure) {
      var options = ReadingOptions()
      options.disk = disk
      var deliveries = try Deliveries(folder: folder.url.path, after: cursor.cursor, options: options)
      var timeline = Timeline()
      _ = timeline.turn(to: &deliveries.fold.settled)
      var changes: [StreakChange] = []
      var item = StreamItem()
      while changes.count < most || changes.last?.cursor == nil, try deliveries.next(&item) {
        let difference =
          deliveries.isContinued
          ? timeline.note(&deliveries.fold.settled) : timeline.turn(to: &deliveries.fold.settled)
        changes.append(
          StreakChange(
            difference ?? Difference(), event: item.id.text(deliveries.fold.names), type: item.type,
            recorded: item.recorded, day: item.day, at: deliveries.position, isLate: deliveries.isLate,
            cursor: deliveries.cursor().map { StreakCursor($0) }))
      }
      return changes
    } catch { throw StreakError(error) }
  }
}

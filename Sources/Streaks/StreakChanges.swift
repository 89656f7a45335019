import EventLog
import Foundation
import Replay
import StreakDomain

/// What each event of a folder changes, as they are appended; see ``StreakFolder/changes(after:every:)``.
public struct StreakChanges: AsyncSequence, Sendable {
  let folder: StreakFolder
  let cursor: StreakCursor
  let interval: Duration

  public func makeAsyncIterator() -> Iterator { Iterator(folder: folder, cursor: cursor, interval: interval) }

  /// Gives each event once, the new ones in the order of the stream as it is when it is read.
  public struct Iterator: AsyncIteratorProtocol {
    private let folder: StreakFolder
    private let interval: Duration
    private var cursor: StreakCursor
    /// The newest first, so that the next one is taken off the end.
    private var waiting: [StreakChange] = []
    private var read: [String] = []

    fileprivate init(folder: StreakFolder, cursor: StreakCursor, interval: Duration) {
      self.folder = folder
      self.cursor = cursor
      self.interval = interval
    }

    /// Waits for the next event; nil once the task is cancelled.
    ///
    /// - Throws: `StreakError` where the log cannot be read, or its past is not that of the cursor.
    public mutating func next() async throws(StreakError) -> StreakChange? {
      while !Task.isCancelled {
        if let change = waiting.popLast() { return change }
        let sizes = try folder.sizes()
        if sizes == read {
          try? await Task.sleep(for: interval)
          continue
        }
        read = sizes
        let new = try folder.newChanges(after: cursor)
        cursor = new.last?.cursor ?? cursor
        waiting = new.reversed()
      }
      return nil
    }
  }
}

extension StreakFolder {
  /// What each event changed that a cursor has not had.
  fileprivate func newChanges(after cursor: StreakCursor) throws(StreakError) -> [StreakChange] {
    do throws(LogError) {
      var deliveries = try Deliveries(folder: url.path, after: cursor.cursor)
      var timeline = Timeline()
      _ = timeline.turn(to: &deliveries.ledger)
      var changes: [StreakChange] = []
      var item = StreamItem()
      while try deliveries.next(&item) {
        let difference =
          deliveries.isContinued
          ? timeline.note(&deliveries.ledger) : timeline.turn(to: &deliveries.ledger)
        changes.append(
          StreakChange(
            difference ?? Difference(), event: item.id.text(deliveries.ledger.names), type: item.type,
            day: item.day, at: deliveries.position, isLate: deliveries.isLate,
            cursor: StreakCursor(deliveries.cursor())))
      }
      return changes
    } catch { throw StreakError(error) }
  }
}

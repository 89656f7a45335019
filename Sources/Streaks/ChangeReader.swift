import EventLog
import Inspection
import StreakDomain
import Synchronization

/// Reads the changes after a cursor; between calls it keeps the ledger folded up to the last change returned.
final class ChangeReader: Sendable {
  private struct Folded {
    var deliveries: Deliveries
    var timeline = Timeline()
    var cursor: StreakCursor

    mutating func next() throws(Failure) -> StreakChange? {
      var item = StreamItem()
      guard try deliveries.next(&item) else { return nil }
      let difference = timeline.note(&deliveries.ledger, replacing: deliveries.replacedLedger)
      return StreakChange(
        position: deliveries.position, event: item.id.text(deliveries.ledger.names), type: item.type,
        recorded: item.recorded, day: item.day,
        writer: deliveries.stream.writer(of: item)?.string, difference: difference,
        isLate: deliveries.isLate, cursor: StreakCursor(deliveries.cursor))
    }
  }

  private let folder: SharedLedger
  private let most: Int
  private let folded = Mutex<Folded?>(nil)

  init(_ folder: StreakFolder, most: Int) { (self.folder, self.most) = (folder.shared, most) }

  /// Reads the changes after a cursor; there are none if the folder still has the stamp `seen`.
  ///
  /// - Returns: The changes, and the stamp for the next call, which is `nil` if that must read again.
  func read(
    after cursor: StreakCursor, since seen: FolderStamp?
  ) -> (changes: Result<[StreakChange], StreakError>, seen: FolderStamp?) {
    var stamp: FolderStamp?
    do throws(Failure) {
      let new = try FolderStamp.reading(folder.path, on: folder.disk) { (found) throws(Failure) in
        stamp = found
        return found != nil && found == seen ? [] : try changes(after: cursor)
      }
      // If the result is full, there may be more changes.
      return (.success(new), new.count < most ? stamp : nil)
    } catch {
      return (.failure(StreakError(error)), error.mayPass ? nil : stamp)
    }
  }

  private func changes(after cursor: StreakCursor) throws(Failure) -> [StreakChange] {
    try folded.withLock { (folded) throws(Failure) in
      var current: Folded
      if let known = folded.take(), known.cursor == cursor {
        current = known
      } else {
        var options = ReadingOptions()
        options.disk = folder.disk
        current = Folded(
          deliveries: try Deliveries(folder: folder.path, after: cursor.cursor, options: options),
          cursor: cursor)
        current.timeline.start(with: &current.deliveries.ledger)
      }
      var changes: [StreakChange] = []
      while changes.count < most {
        if let change = try current.next() {
          changes.append(change)
        } else if try !current.deliveries.follow() {
          break
        }
      }
      current.cursor = changes.last?.cursor ?? cursor
      folded = current
      return changes
    }
  }
}

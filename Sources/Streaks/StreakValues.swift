package import EventLog
public import Foundation

extension StreakFolder {
  /// A value of the ledger as it is, and then each different one, whichever program appends, and when a day ends.
  ///
  /// The first comes at once. What changes while nobody asks for the next is passed over: a slow consumer gets the
  /// latest value, never a queue of old ones. It ends when its task is cancelled, or with a `StreakError` where the
  /// ledger cannot be read; a folder that was there and is gone is waited for.
  ///
  /// ```swift
  /// for try await streak in folder.values(of: { $0.streak(of: "noalc") }) {
  ///   print(streak?.current ?? 0)
  /// }
  /// ```
  /// - Parameters:
  ///   - value: what to read off the ledger; it runs on no actor.
  ///   - now: the clock.
  /// - Returns: a sequence that many may iterate, each for itself.
  /// - Complexity: O(events + days) each time that something was written.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (StreakLedger) -> Value, now: @escaping @Sendable () -> Date = { Date() }
  ) -> StreakValues<Value> {
    StreakValues(folder: self, value: value, now: now)
  }
}

/// A value of a folder's ledger as it changes; see ``StreakFolder/values(of:now:)``.
public struct StreakValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The value that is followed.
  public typealias Element = Value
  /// What ends the sequence early.
  public typealias Failure = StreakError

  let folder: StreakFolder
  let value: @Sendable (StreakLedger) -> Value
  let now: @Sendable () -> Date
  /// Where the folder is, and how many seconds go by between two looks of which nothing tells.
  package var disk: any Disk = SystemDisk()
  package var pause = StreakFolder.pause

  /// Begins with the value as it is now.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: self, watch: FolderWatch(folder.url.path, every: pause))
  }

  /// Gives the value as it is when it is asked for, and afterwards only what differs from the one before.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let values: StreakValues
    private let watch: FolderWatch
    private var seen: Seen?
    private var latest: Value?

    fileprivate init(values: StreakValues, watch: FolderWatch) {
      self.values = values
      self.watch = watch
    }

    /// Waits for a value that differs from the latest; nil once the task is cancelled.
    ///
    /// - Throws: `StreakError` where the ledger cannot be read.
    public mutating func next() async throws(StreakError) -> Value? {
      while !Task.isCancelled {
        let (values, watch, before) = (values, watch, seen)
        let (seen, value) = try await elsewhere { () throws(StreakError) in
          watch.arm()
          let seen = try values.look(after: before)
          return (seen, values.value(seen.ledger))
        }
        self.seen = seen
        if latest != value {
          latest = value
          return value
        }
        await watch.wait()
      }
      return nil
    }
  }

  /// A ledger that was read, and the folder as it was then.
  fileprivate struct Seen: Sendable {
    let stamp: FolderStamp?
    let ledger: StreakLedger
  }

  /// The ledger as it is now; as it was read last where nothing was written since, or the folder is away.
  private func look(after seen: Seen?) throws(StreakError) -> Seen {
    let stamp = FolderStamp(folder.url.path, on: disk)
    let now = now()
    if let seen, stamp == seen.stamp { return Seen(stamp: stamp, ledger: seen.ledger.seen(now: now)) }
    do throws(StreakError) {
      return Seen(stamp: stamp, ledger: try StreakLedger(contentsOf: folder.url, now: now, on: disk))
    } catch {
      guard let seen, error.mayPass(in: folder.url.path, since: stamp, on: disk) else { throw error }
      return Seen(stamp: seen.stamp, ledger: seen.ledger.seen(now: now))
    }
  }
}

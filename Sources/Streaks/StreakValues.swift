import EventLog
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

  /// Begins with the value as it is now.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: self, watch: FolderWatch(folder.url.path, every: StreakFolder.pause))
  }

  /// Gives the value as it is when it is asked for, and afterwards only what differs from the one before.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let values: StreakValues
    let watch: FolderWatch
    private var stamp: FolderStamp?
    private var ledger: StreakLedger?
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
        let before = self
        let (after, value) = try await elsewhere { () throws(StreakError) in
          var after = before
          return (after, try after.look())
        }
        self = after
        if latest != value {
          latest = value
          return value
        }
        await watch.wait()
      }
      return nil
    }

    /// The value as it is now; the latest where the folder is away.
    private mutating func look() throws(StreakError) -> Value? {
      watch.arm()
      let found = FolderStamp(values.folder.url.path)
      let now = values.now()
      do throws(StreakError) {
        if let ledger, found != nil, found == stamp {
          self.ledger = ledger.seen(now: now)
        } else {
          ledger = try StreakLedger(contentsOf: values.folder.url, now: now)
        }
        stamp = found
      } catch {
        guard error.kind == .notFound, ledger != nil else { throw error }
      }
      return ledger.map(values.value) ?? latest
    }
  }
}

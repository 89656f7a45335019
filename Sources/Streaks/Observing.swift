import EventLog
public import Foundation
import Inspection
import StreakDomain

extension StreakFolder {
  /// Returns a sequence of the current value and of each new value of a function of the ledger.
  ///
  /// The value can change because a program appends events, or because time passes. The first value
  /// arrives at once. A slow consumer skips all values but the latest. If the ledger can't be read,
  /// the sequence delivers the error in place of a value, and continues when the problem is fixed.
  /// The sequence ends when the consumer's task is cancelled. Each consumer needs a sequence of its
  /// own.
  ///
  /// ```swift
  /// for await reading in folder.values(of: { $0.streak(of: "noalc") }) {
  ///   switch reading {
  ///   case .success(let streak): print(streak?.current ?? 0)
  ///   case .failure(let problem): print(problem)
  ///   }
  /// }
  /// ```
  /// - Parameters:
  ///   - value: The function that computes the value from the ledger. It is called on a background
  ///     thread, at least once a second.
  ///   - now: The function that returns the current time.
  /// - Returns: The sequence of values, for one consumer.
  /// - Complexity: O(events appended) after each write, once for all observers of the folder.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (StreakLedger) -> Value,
    now: @escaping @Sendable () -> Date = { Date() }
  ) -> AsyncStream<Result<Value, StreakError>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let watch = FolderWatch(self, checking: Result<Value, StreakError>?.none) { folder, latest in
        let reading = Result { () throws(Failure) in value(try folder.read(now: now())) }
          .mapError(StreakError.init)
        guard reading != latest else { return }
        latest = reading
        continuation.yield(reading)
      }
      continuation.onTermination = { _ in watch.cancel() }
    }
  }

  /// Returns a sequence of the changes made by each step after a cursor, which continues with newly
  /// appended steps.
  ///
  /// A step is what one command wrote. Each of its events is delivered once; the last one has the
  /// changes of the step, and a cursor for continuing after it. If a segment is copied into the
  /// folder later, its steps are delivered when it arrives. They are marked
  /// ``StreakChange/isLate`` if they precede a step that was delivered earlier. The changes of all
  /// steps add up to the current state. If the folder can't be read, or delivered events are
  /// missing, the sequence delivers the error in place of a change, and continues when the problem
  /// is fixed. The sequence ends when the consumer's task is cancelled.
  ///
  /// - Parameter cursor: The cursor of the last change that was handled.
  /// - Returns: The sequence of changes, for one consumer. A slow consumer gets all changes, which
  ///   wait in a buffer.
  /// - Complexity: O(events) to begin, then O(events appended). A late event also costs O(events
  ///   after it).
  public func changes(after cursor: StreakCursor = .start) -> AsyncStream<
    Result<StreakChange, StreakError>
  > {
    AsyncStream { continuation in
      let watch = FolderWatch(self, checking: ChangeReader(after: cursor.cursor)) {
        folder, reader in
        reader.read(folder) { change in
          if case .terminated = continuation.yield(change) { false } else { true }
        }
      }
      continuation.onTermination = { _ in watch.cancel() }
    }
  }

  /// Returns the cursor after the last event, from which ``changes(after:)`` delivers only new
  /// events.
  ///
  /// - Complexity: O(events).
  public func cursor() async throws(StreakError) -> StreakCursor {
    try await elsewhere { () throws(Failure) in
      var options = self.reading
      options.wantsTexts = false
      return StreakCursor(try ChangeFeed.end(of: self.path, options: options))
    }
  }
}

/// A reader that delivers the changes of a folder to one consumer, each change once.
private struct ChangeReader: Sendable {
  private var cursor: Cursor
  private var feed: ChangeFeed?
  /// The folder's stamp from before the last read, or `nil` if the next call must read the folder
  /// in any case.
  private var seen: FolderStamp?
  /// The error that was delivered last, or `nil` after a successful read.
  private var problem: StreakError?

  init(after cursor: Cursor) { self.cursor = cursor }

  /// Calls `deliver` with each new change, until it returns false.
  ///
  /// If reading fails, `deliver` gets the error, but not twice in a row the same one.
  mutating func read(_ folder: StreakFolder, _ deliver: (Result<StreakChange, StreakError>) -> Bool)
  {
    let stamp = FolderStamp(folder.path, on: folder.disk)
    guard stamp == nil || stamp != seen else { return }
    seen = stamp
    do throws(Failure) {
      try readOn(folder) { deliver(.success($0)) }
      problem = nil
    } catch {
      feed = nil
      if error.isTransient { seen = nil }
      let error = StreakError(error)
      guard error != problem else { return }
      problem = error
      _ = deliver(.failure(error))
    }
  }

  private mutating func readOn(
    _ folder: StreakFolder, _ deliver: (StreakChange) -> Bool
  ) throws(Failure) {
    var current = if let feed = feed.take() { feed } else { try openFeed(of: folder) }

    repeat {
      while let change = try current.next() {
        // After a change, a repeated problem is reported again.
        cursor = current.cursor
        problem = nil
        guard deliver(change) else { return }
      }
    } while try current.deliveries.follow()
    feed = current
  }

  private func openFeed(of folder: StreakFolder) throws(Failure) -> ChangeFeed {
    try ChangeFeed(folder: folder.path, after: cursor, options: folder.reading, wantsLines: true)
  }
}

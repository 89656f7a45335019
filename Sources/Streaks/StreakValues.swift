public import Foundation
import StreakDomain

extension StreakFolder {
  /// A value of the ledger as it is, and then each different one, whichever program appends, and when a day ends.
  ///
  /// The first comes at once. What changes while nobody asks for the next is passed over: a slow consumer gets the
  /// latest value, never a queue of old ones. Where the ledger cannot be read, what is wrong comes in place of a value,
  /// and the sequence goes on when that is mended. It ends when its task is cancelled.
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
  ///   - value: what to read off the ledger; it runs on no actor.
  ///   - now: the clock.
  /// - Returns: a sequence that many may iterate, each for itself.
  /// - Complexity: O(events appended) each time that something was written, for all who observe the folder together.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (StreakLedger) -> Value, now: @escaping @Sendable () -> Date = { Date() }
  ) -> StreakValues<Value> {
    StreakValues(folder: self, value: value, now: now)
  }
}

/// A value of a folder's ledger as it changes; see ``StreakFolder/values(of:now:)``.
public struct StreakValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The value that is followed, or why the ledger cannot be read.
  public typealias Element = Result<Value, StreakError>
  /// Nothing ends the sequence early.
  public typealias Failure = Never

  let folder: StreakFolder
  let value: @Sendable (StreakLedger) -> Value
  let now: @Sendable () -> Date

  /// Begins with the value as it is now.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self, watch: FolderWatch(folder)) }

  /// Gives the value as it is when it is asked for, and afterwards only what differs from the one before.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let values: StreakValues
    private let watch: FolderWatch
    private var latest: Element?

    fileprivate init(values: StreakValues, watch: FolderWatch) { (self.values, self.watch) = (values, watch) }

    /// Waits for a value that differs from the latest; nil once the task is cancelled.
    public mutating func next() async -> Element? {
      while !Task.isCancelled {
        let (values, watch) = (values, watch)
        let found = await untilCancelled { () -> Element in
          watch.arm()
          return Result { () throws(StreakDomain.Failure) in
            values.value(try values.folder.shared.ledger(now: values.now()))
          }.mapError(StreakError.init)
        }
        guard let found else { break }
        if latest != found {
          latest = found
          return found
        }
        await watch.wait()
      }
      return nil
    }
  }
}

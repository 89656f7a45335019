public import Foundation
import StreakDomain

extension StreakFolder {
  /// Returns a value of the ledger now, and again whenever it changes, because of any program's append or a
  /// new day.
  ///
  /// The first value arrives at once. A slow consumer gets the latest value and skips the ones between. If
  /// the ledger cannot be read, the sequence delivers the error in place of a value, and continues when the
  /// problem is fixed. It ends when its task is cancelled.
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
  ///   - value: The function that computes the value from the ledger; it runs on no actor.
  ///   - now: The clock.
  /// - Returns: A sequence that can be iterated several times independently.
  /// - Complexity: O(events appended) after each write, once for all observers of the folder.
  public func values<Value: Equatable & Sendable>(
    of value: @escaping @Sendable (StreakLedger) -> Value, now: @escaping @Sendable () -> Date = { Date() }
  ) -> StreakValues<Value> {
    StreakValues(folder: self, value: value, now: now)
  }
}

/// A value of a folder's ledger as it changes; see ``StreakFolder/values(of:now:)``.
public struct StreakValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  /// The value, or the reason why the ledger cannot be read.
  public typealias Element = Result<Value, StreakError>
  /// The sequence never throws.
  public typealias Failure = Never

  let folder: StreakFolder
  let value: @Sendable (StreakLedger) -> Value
  let now: @Sendable () -> Date

  /// Creates an iterator that begins with the current value.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self, watch: FolderWatch(folder)) }

  /// Delivers the current value, and then only values that differ from the one before.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let values: StreakValues
    private let watch: FolderWatch
    private var latest: Element?

    fileprivate init(values: StreakValues, watch: FolderWatch) { (self.values, self.watch) = (values, watch) }

    /// Waits for a value that differs from the latest, and returns `nil` when the task is cancelled.
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

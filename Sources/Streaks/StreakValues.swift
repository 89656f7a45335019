import EventLog
public import Foundation
public import StreakDomain

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

/// A point in a ledger's history.
public enum Point: Hashable, Sendable {
  /// The point after this number of events; 0 is the empty ledger.
  case position(Int)
  /// The point after the event with this id.
  case event(String)
  /// All events recorded up to a date, as seen on its day.
  ///
  /// Events recorded by a clock that was ahead come later.
  case time(Date)
  /// All events recorded up to the end of a day, as seen on that day; compare ``time(_:)``.
  case day(Day)
  /// The point after the last event.
  case end
}

extension Habit {
  /// Creates a ready-made habit, under its own id or another one.
  ///
  /// - Throws: `StreakError` of kind `notFound` if there is no such preset.
  public init(preset: String, as id: String? = nil) throws(StreakError) {
    guard let known = Preset(rawValue: preset) else {
      let hint = Nearest.hint(preset, among: Preset.allCases.map(\.rawValue))
      throw StreakError(.notFound, "there is no preset \(quoted(preset))\(hint)", nearest: hint.nearest)
    }
    self = known.definition(for: id ?? preset)
  }

  /// All ready-made habits.
  public static var presets: [Habit] { Preset.allCases.map { $0.definition(for: $0.rawValue) } }
}

/// A definition of a habit together with the day from which it applies, or the retirement of a habit.
public struct HabitDefinition: Equatable, Sendable {
  /// The first day to which the definition applies; for a retirement, the last required day.
  public let day: Day
  /// The id of the event that defined or retired the habit.
  public let event: String
  /// The definition, or `nil` for a retirement.
  public let habit: Habit?
}

/// An entry as it is stored in the log.
public struct LoggedEntry: Equatable, Sendable, Identifiable {
  let event: Event
  /// The entry's habit, measures and note.
  public let entry: Entry
  /// Whether the entry was deleted later.
  public let isDeleted: Bool

  /// The event's id, which `NewEvent.delete` takes.
  public var id: String { event.id }
  /// The day that the entry counts for.
  public var day: Day { event.day }
  /// The time at which the logged activity happened.
  public var at: Date { Date(event.at.instant) }
  /// The time at which the entry was recorded.
  public var recorded: Date { Date(event.recorded) }
  /// The identifier of the time zone in which the entry was logged.
  public var zone: String { event.zone }

  /// Returns events that delete this entry and log `entry` with the same day and time; append them together.
  public func replaced(by entry: Entry) -> [NewEvent] {
    var event = NewEvent.entry(entry)
    (event.day, event.at, event.zone, event.cause) = (day, at, TimeZone(identifier: zone), id)
    return [.delete(id), event]
  }
}

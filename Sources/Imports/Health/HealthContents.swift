package import StreakDomain

/// The requested records of an export.
package struct HealthContents {
  package var records: HealthRecords
  /// The number of records of each type that wasn't requested.
  package var others: [Text: Int] = [:]
  /// The requested records that can't become entries.
  package var odd: [LeftOut] = []
  package var sources: Set<Text> = []
  /// The number of all `Record` and `Workout` elements.
  package var count = 0

  /// A function that returns the reason to skip a record, or `nil`; `day` is `nil` if it is unknown.
  package typealias Filter = (_ type: Text, _ source: Text, _ day: Day?) -> LeftOut.Reason?

  /// The maximum depth of elements; an export needs 4, and the parser stores all open ones.
  package static let depth = 64

  package init(file: String, dayStart: ClockTime) {
    records = HealthRecords(file: file, dayStart: dayStart)
  }

  package struct Question {
    package let dayStart: ClockTime
    package let wants: (Text) -> Bool
    /// Returns the reason to skip a record, whose errors are then ignored.
    package let leavesOut: Filter
    /// Called regularly with the number of bytes and records read.
    package let progress: (Int, Int) -> Void

    package init(
      dayStart: ClockTime, wants: @escaping (Text) -> Bool, leavesOut: @escaping Filter,
      progress: @escaping (Int, Int) -> Void
    ) {
      self.dayStart = dayStart
      self.wants = wants
      self.leavesOut = leavesOut
      self.progress = progress
    }
  }

  package typealias Reader = (ByteSource, Question) throws(Failure) -> HealthContents
}

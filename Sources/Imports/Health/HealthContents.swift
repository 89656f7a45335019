package import StreakDomain

/// What an export holds of the types that are asked for.
package struct HealthContents {
  package var records: HealthRecords
  /// How many records there are of each type that nobody asks for.
  package var others: [Text: Int] = [:]
  /// Records that are asked for and that no entry can be made of.
  package var odd: [LeftOut] = []
  package var sources: Set<Text> = []
  /// Every `Record` and `Workout`.
  package var count = 0

  /// What is asked of the records, by their type, source and day; the day is nil where it is not known.
  package typealias Filter = (_ type: Text, _ source: Text, _ day: Day?) -> LeftOut.Reason?

  /// How deep elements may be nested, of which an export needs 4; the parser remembers all that are open.
  package static let depth = 64

  package init(file: String, dayStart: ClockTime) {
    records = HealthRecords(file: file, dayStart: dayStart)
  }

  /// What an export is read for.
  package struct Question {
    package let dayStart: ClockTime
    /// Whether records of a type are asked for.
    package let wants: (Text) -> Bool
    /// Why nobody asks for a record, so that it need not make sense.
    package let leavesOut: Filter
    /// Called now and then with how many bytes and records were read.
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

  /// Reads an export from its start to its end, holding only what is asked for.
  package typealias Reader = (ByteSource, Question) throws(Failure) -> HealthContents
}

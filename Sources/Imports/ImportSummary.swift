public import StreakDomain

/// The result of an import or of a dry run: the numbers of imported, known and skipped records.
public struct ImportSummary: Codable, Equatable, Sendable {
  /// The number of new entries and excuses.
  public package(set) var imported = 0
  /// The number of excuses in `imported`.
  package var excuses = 0
  /// The number of new entries and excuses of each habit, in the order of the file.
  public package(set) var habits: [HabitCount] = []
  /// The ids of the habits that the import defined, in the order of the file.
  public package(set) var defined: [Habit.ID] = []
  /// The number of records whose events the ledger already contained.
  public package(set) var alreadyThere = 0
  /// The number of records whose entries a person deleted after an earlier import; these aren't
  /// imported again.
  public package(set) var deleted = 0
  /// The number of differences between the file and the ledger that the import ignored, because a
  /// person changed the entry after the file was made.
  ///
  /// Records that are missing in the file are included.
  public package(set) var kept = 0
  /// The number of records for which an earlier import read a newer file.
  public package(set) var older = 0
  /// The number of earlier imported records that were replaced or cleared, because the file has
  /// another value for them or no value.
  public package(set) var takenBack = 0
  /// The number of records in `takenBack` that were cleared, because the file has no value for
  /// them.
  package var gone = 0
  /// The reasons for skipped records, in the order of first occurrence.
  public package(set) var leftOut: [ReasonCount] = []
  /// The types of records that the import doesn't use, such as heart rates.
  public package(set) var passedOver: [TypeCount] = []
  /// Messages for the user, for example that a habit keeps the definition in the ledger.
  public package(set) var notes: [String] = []
  /// The note in `notes` that names the unused columns of a table, or `nil` if there is none.
  package var unusedColumns: String?
  /// The ids of the new events except definitions; an undo of one event reverts its whole batch.
  public package(set) var events: [String] = []

  /// Counts a new entry or excuse of `habit`.
  mutating func count(_ habit: String, isExcuse: Bool) {
    imported += 1
    if isExcuse { excuses += 1 }
    if let index = habits.firstIndex(where: { $0.habit == habit }) {
      habits[index].imported += 1
    } else {
      habits.append(.init(habit: habit, imported: 1))
    }
  }

  /// Counts a record of `habit` as known instead of new, because another import just wrote it.
  package mutating func countKnown(_ habit: String) {
    imported -= 1
    alreadyThere += 1
    guard let index = habits.firstIndex(where: { $0.habit == habit }) else { return }
    habits[index].imported -= 1
    if habits[index].imported == 0 { habits.remove(at: index) }
  }

  /// The members of the JSON, which lists no `events`, `excuses`, `gone` or `unusedColumns`.
  private enum CodingKeys: CodingKey {
    case imported, habits, defined, alreadyThere, deleted, kept, older, takenBack, leftOut,
      passedOver,
      notes
  }

  /// The number of new entries and excuses of a habit.
  public struct HabitCount: Codable, Equatable, Sendable {
    public let habit: Habit.ID
    public package(set) var imported: Int
  }

  /// The number of records that were skipped for the same reason.
  ///
  /// The reason is a message for people.
  public struct ReasonCount: Codable, Equatable, Sendable {
    public var reason: String { cause?.text ?? sentence }
    /// The reason with its other wordings, or `nil` in a decoded summary.
    var cause: LeftOut.Reason?
    /// The reason, worded for one record, with a hint at an option of the program.
    ///
    /// In JSON, this is the member `reason`.
    let sentence: String
    public package(set) var count: Int

    /// The reason with the hint, worded for `count` records.
    package var countedSentence: String { cause?.sentence(count: count) ?? sentence }

    private enum CodingKeys: String, CodingKey { case sentence = "reason", count }
  }

  /// The number of records of a type.
  public struct TypeCount: Codable, Equatable, Sendable {
    public let type: String
    public let count: Int
  }
}

import EventLog
public import Foundation
import Imports
import StreakDomain
public import Streaks

/// A file with records of another app, to be imported with `StreakFolder.importRecords`.
///
/// ```swift
/// let runs = URL(filePath: "runs.csv")
/// try await folder.importRecords(.csv(runs, habit: "cardio", columns: ["day", "km"]))
/// ```
public struct ImportedRecords: Sendable {
  private let file: URL
  private let source: ImportSource

  private init(_ file: URL, _ source: ImportSource) {
    self.file = file
    self.source = source
  }

  /// Creates the records in a table with one entry for each row and habit.
  ///
  /// - Parameters:
  ///   - file: A UTF-8 text file.
  ///   - habit: The id of the habit of all entries. By default, the column `habit` contains the
  ///     habit of each row, or columns have the names of habits.
  ///   - columns: The name of each column's content, such as `["day", "minutes", "-", "note"]`. By
  ///     default, the first row contains the names.
  ///   - hasHeader: Whether the first row contains names of columns. By default, this is detected.
  ///   - separator: The ASCII character between the fields of a row. By default, this is detected.
  ///   - isDecimalComma: Whether numbers have a decimal comma instead of a decimal point. By
  ///     default, numbers that can be read both ways are refused.
  ///   - dates: The format of dates, such as `dd.mm.yyyy` or `mmm d, yyyy`. The default is
  ///     `YYYY-MM-DD`.
  ///   - done: Words that mean that the habit was done, besides `yes`, `1`, `x` and the like.
  ///   - missed: Words that mean that the habit wasn't done, besides `no`, `0` and the like.
  ///   - excused: Words that excuse the habit on the day of the row.
  ///   - replaces: Whether to delete entries that earlier tables added on the days in this table,
  ///     and that this table doesn't contain.
  /// - Returns: The records to import.
  public static func csv(
    _ file: URL, habit: Habit.ID? = nil, columns: [String]? = nil, hasHeader: Bool? = nil,
    separator: Unicode.Scalar? = nil, isDecimalComma: Bool? = nil, dates: String? = nil,
    done: [String] = [], missed: [String] = [], excused: [String] = [], replaces: Bool = false
  ) -> ImportedRecords {
    var settings = CSVImport.Settings()
    settings.columns = columns
    settings.hasHeader = hasHeader
    settings.replaces = replaces
    settings.dialect.decimal = isDecimalComma.map { $0 ? .comma : .point }
    settings.dialect.dates = dates
    settings.answers.ofOptions = [.done: done, .missed: missed, .excused: excused]
    settings.names.single = habit
    // `plan` rejects 0.
    settings.separator = separator.map { CSVDialect.separator(String($0)) ?? 0 }
    return ImportedRecords(file, .csv(settings))
  }

  /// Creates the records in an export of Loop Habit Tracker.
  ///
  /// - Parameters:
  ///   - file: The zip file, the folder that was extracted from it, or one `Checkmarks.csv`.
  ///   - habits: The ids of habits of this ledger, by the names that these habits have in the
  ///     export. Other habits of the export are defined if they are missing.
  /// - Returns: The records to import.
  public static func loop(_ file: URL, habits: [String: Habit.ID] = [:]) -> ImportedRecords {
    var names = GivenNames()
    for (name, habit) in habits { names.habits[Text(name)] = habit }
    return ImportedRecords(file, .loop(names))
  }

  /// Creates the records in an export of the Health app.
  ///
  /// Drinks, mindful minutes and workouts become entries of predefined habits.
  ///
  /// - Parameters:
  ///   - file: The file `export.zip`, which the system's `unzip` extracts, or the file `export.xml`
  ///     from it.
  ///   - sources: The names of the apps and devices whose records are imported, or empty for all of
  ///     them.
  /// - Returns: The records to import.
  public static func appleHealth(_ file: URL, from sources: [String] = []) -> ImportedRecords {
    var selection = HealthImport.Selection()
    selection.sources = sources
    return ImportedRecords(file, .appleHealth(HealthMapping(), selection))
  }

  func plan(into plan: ImportPlan) throws(Failure) -> ImportPlan {
    if case .csv(let settings) = source {
      if settings.separator == 0 {
        throw Failure(
          .refused, "the separator must be an ASCII sign, and neither a quote nor a line break")
      }
      if let dates = settings.dialect.dates, !CSVDialect.isDates(dates) {
        throw Failure(
          .refused, "the order of dates is \(quoted(dates)); it must be \(CSVDialect.datesForm)")
      }
    }
    for habit in source.givenHabits where plan.ledger.facts.definition(of: habit) == nil {
      throw .unknownHabit(habit, among: plan.ledger.facts.currentHabits)
    }

    guard (try? file.checkResourceIsReachable()) ?? false else {
      throw Failure(.notFound, "there is no file \(quoted(file.path))")
    }
    return try source.plan(
      file.path, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "",
      into: plan)
  }
}

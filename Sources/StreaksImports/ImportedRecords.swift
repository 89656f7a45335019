import EventLog
public import Foundation
import HealthReading
import Imports
import StreakDomain
public import Streaks

/// A file with records of another app, for `StreakFolder.importRecords`.
///
/// ```swift
/// try await folder.importRecords(.csv(URL(filePath: "runs.csv"), habit: "cardio", columns: ["day", "km"]))
/// ```
public struct ImportedRecords: Sendable {
  let path: String
  let source: ImportSource

  private init(_ file: URL, _ source: ImportSource) { (path, self.source) = (file.path, source) }

  /// Creates an import of a table with one entry per row.
  ///
  /// - Parameters:
  ///   - file: A UTF-8 text file.
  ///   - habit: The id of the entries' habit.
  ///   - columns: The contents of each column, such as `["day", "minutes", "-", "note"]`; by default the
  ///     first row names them.
  ///   - hasHeader: Whether the first row names the columns; by default this is detected.
  ///   - separator: The ASCII character between the fields of a row.
  /// - Returns: The records to import.
  public static func csv(
    _ file: URL, habit: Habit.ID, columns: [String]? = nil, hasHeader: Bool? = nil,
    separator: Unicode.Scalar = ","
  ) -> ImportedRecords {
    var settings = CSVImport.Settings()
    (settings.columns, settings.hasHeader) = (columns, hasHeader)
    // `plan` rejects 0.
    settings.separator = separator.isASCII ? UInt8(separator.value) : 0
    return ImportedRecords(file, .csv(habit: habit, settings))
  }

  /// Creates an import of a Loop Habit Tracker export: the zip, the folder in it, or one `Checkmarks.csv`.
  ///
  /// - Parameters:
  ///   - file: The export.
  ///   - habits: The ids of this ledger's habits by their names in the export, if they differ. Missing habits
  ///     are defined.
  /// - Returns: The records to import.
  public static func loop(_ file: URL, habits: [String: Habit.ID] = [:]) -> ImportedRecords {
    let names = habits.map { (Text($0.key), $0.value) }
    return ImportedRecords(file, .loop(Dictionary(uniqueKeysWithValues: names)))
  }

  /// Creates an import of a Health app export: drinks, mindful minutes and workouts become entries of preset
  /// habits.
  ///
  /// - Parameters:
  ///   - file: `export.zip`, which is extracted by the system's `unzip`, or the `export.xml` in it.
  ///   - sources: The names of the apps and devices to import from; by default all.
  /// - Returns: The records to import.
  public static func appleHealth(_ file: URL, from sources: [String] = []) -> ImportedRecords {
    var selection = HealthImport.Selection()
    selection.sources = sources
    return ImportedRecords(file, .appleHealth(HealthMapping(), selection))
  }

  private var habits: [Habit.ID] {
    switch source {
    case .csv(let habit, _): [habit]
    case .loop(let names): names.values.sorted()
    case .appleHealth: []
    }
  }

  func plan(into ledger: Ledger, of folder: String, _ options: ImportPlan.Options) throws(Failure)
    -> ImportPlan
  {
    if case .csv(_, let settings) = source, [0, 0x0A, 0x0D, 0x22].contains(settings.separator) {
      throw Failure(.refused, "the separator must be an ASCII sign, and neither a quote nor a line break")
    }
    for habit in habits where ledger.definition(of: habit) == nil {
      throw .unknownHabit(habit, among: ledger.currentHabits)
    }
    var (options, reading) = (options, ReadingOptions())
    reading.wantsEvents = true
    var replay = Replay(try EventStream(folder: folder, options: reading))
    try source.note({ () throws(Failure) in try replay.nextEvent() }, in: &options)
    let file = ImportFile(
      path, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "", readsHealth: HealthExport.read)
    return try file.plan(source, into: ImportPlan(ledger: ledger, options: options))
  }
}

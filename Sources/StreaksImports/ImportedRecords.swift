import EventLog
public import Foundation
import HealthReading
import Imports
import StreakDomain
public import Streaks

/// Records of another app in a file: what `StreakFolder.importRecords` takes.
///
/// ```swift
/// try await folder.importRecords(.csv(URL(filePath: "runs.csv"), habit: "cardio", columns: ["day", "km"]))
/// ```
public struct ImportedRecords: Sendable {
  let path: String
  let source: ImportSource

  private init(_ file: URL, _ source: ImportSource) { (path, self.source) = (file.path, source) }

  /// A table, an entry in each row.
  ///
  /// - Parameters:
  ///   - file: UTF-8.
  ///   - habit: the id of the habit that the entries are of.
  ///   - columns: what each column has, such as `["day", "minutes", "-", "note"]`; nil is what the first row says.
  ///   - hasHeader: whether the first row names the columns; nil is what the row itself shows.
  ///   - separator: the ASCII sign that separates the fields of a row.
  /// - Returns: the records, to be imported.
  public static func csv(
    _ file: URL, habit: Habit.ID, columns: [String]? = nil, hasHeader: Bool? = nil,
    separator: Unicode.Scalar = ","
  ) -> ImportedRecords {
    var settings = CSVImport.Settings()
    (settings.columns, settings.hasHeader) = (columns, hasHeader)
    // None that stands for itself is no separator.
    settings.separator = separator.isASCII ? UInt8(separator.value) : 0
    return ImportedRecords(file, .csv(habit: habit, settings))
  }

  /// What Loop Habit Tracker exports: the zip, the folder in it, or one `Checkmarks.csv`.
  ///
  /// - Parameters:
  ///   - file: the export.
  ///   - habits: ids by the names there, where they are called otherwise here. Habits that are not here are defined.
  /// - Returns: the records, to be imported.
  public static func loop(_ file: URL, habits: [String: Habit.ID] = [:]) -> ImportedRecords {
    let names = habits.map { (Text($0.key), $0.value) }
    return ImportedRecords(file, .loop(Dictionary(uniqueKeysWithValues: names)))
  }

  /// What the Health app exports: drinks, mindful minutes and workouts, which go to the presets' habits.
  ///
  /// - Parameters:
  ///   - file: `export.zip`, which the system's `unzip` unpacks, or the `export.xml` in it.
  ///   - sources: only records of these apps and devices; empty is all.
  /// - Returns: the records, to be imported.
  public static func appleHealth(_ file: URL, from sources: [String] = []) -> ImportedRecords {
    var selection = HealthImport.Selection()
    selection.sources = sources
    return ImportedRecords(file, .appleHealth(HealthMapping(), selection))
  }

  /// The habits that are named, which have to be there.
  private var habits: [Habit.ID] {
    switch source {
    case .csv(let habit, _): [habit]
    case .loop(let names): names.values.sorted()
    case .appleHealth: []
    }
  }

  /// What they bring into a ledger.
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
    var (stream, names, item) = (
      try EventStream(folder: folder, options: reading), SymbolTable(), StreamItem()
    )
    let next: () throws(Failure) -> Event? = { () throws(Failure) in
      while try stream.next(&item, names: &names) { if let event = item.event { return event } }
      return nil
    }
    try source.note(next, in: &options)
    let file = ImportFile(
      path, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "", readsHealth: HealthExport.read)
    return try file.plan(source, into: ImportPlan(ledger: ledger, options: options))
  }
}

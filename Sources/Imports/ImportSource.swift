package import StreakDomain

/// A kind of file to import, with the options for it.
package enum ImportSource: Sendable {
  /// An export of the Health app: the zip or the XML file in it.
  case appleHealth(HealthMapping, HealthImport.Selection)
  case csv(CSVImport.Settings)
  /// An export of Loop Habit Tracker: the zip, the folder in it, or one `Checkmarks.csv`.
  case loop(GivenNames)

  /// Adds the records of the file at `path` to a plan; the bytes are those of `given`, if it isn't `nil`.
  package func plan(
    _ path: String, given: ByteSource? = nil, searchPath: String,
    progress: (_ bytes: Int, _ records: Int) -> Void = { _, _ in }, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    func files() throws(Failure) -> ExportFiles {
      try ExportFiles(path, given: given, searchPath: searchPath)
    }
    switch self {
    case .appleHealth(let mapping, let selection):
      return try HealthImport.plan(
        files().healthExport(), mapping: mapping, selection: selection, progress: progress, into: plan)
    case .csv(let settings):
      let bytes = if let given { given } else { try ByteSource(file: path) }
      return try CSVImport.plan(bytes, settings: settings, into: plan)
    case .loop(let names): return try LoopImport.plan(files(), names, into: plan)
    }
  }
}

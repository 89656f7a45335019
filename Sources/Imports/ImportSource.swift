package import StreakDomain

package enum ImportSource: Sendable {
  /// An export of the Health app: the zip or the XML file in it.
  case appleHealth(HealthMapping, HealthImport.Selection)
  case csv(CSVImport.Settings)
  /// An export of Loop Habit Tracker: the zip, the folder in it, or one `Checkmarks.csv`.
  case loop(GivenNames)
}

package struct ImportFile {
  private let path: String
  /// The bytes to import, or `nil` to read the file at `path`.
  private let given: ByteSource?
  private let searchPath: String
  private let progress: (Int, Int) -> Void

  package init(
    _ path: String, bytes given: ByteSource? = nil, searchPath: String,
    progress: @escaping (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    (self.path, self.given, self.searchPath) = (path, given, searchPath)
    self.progress = progress
  }

  package func plan(_ source: ImportSource, into plan: ImportPlan) throws(Failure) -> ImportPlan {
    switch source {
    case .appleHealth(let mapping, let selection):
      return try HealthImport.plan(
        files().healthExport(), mapping: mapping, selection: selection, progress: progress, into: plan)
    case .csv(let settings):
      let bytes = if let given { given } else { try ByteSource(file: path) }
      return try CSVImport.plan(bytes, settings: settings, into: plan)
    case .loop(let names): return try LoopImport.plan(files(), names, into: plan)
    }
  }

  private func files() throws(Failure) -> ExportFiles {
    try ExportFiles(path, given: given, searchPath: searchPath)
  }
}

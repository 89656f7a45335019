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

  private func open() throws(Failure) -> ByteSource {
    if let given { return given }
    return try ByteSource(file: path)
  }

  package func plan(_ source: ImportSource, into plan: ImportPlan) throws(Failure) -> ImportPlan {
    switch source {
    case .appleHealth(let mapping, let selection): return try planHealth(mapping, selection, plan)
    case .csv(let settings): return try CSVImport.plan(try open(), settings: settings, into: plan)
    case .loop(let names): return try LoopImport.plan(try loopFiles(), names, into: plan)
    }
  }

  private func planHealth(
    _ mapping: HealthMapping, _ selection: HealthImport.Selection, _ plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    var source = try open()
    if let archive = try archive(source) { source = archive.bytes(of: try archive.healthExport()) }
    return try HealthImport.plan(
      source, mapping: mapping, selection: selection, progress: progress, into: plan)
  }

  private func loopFiles() throws(Failure) -> LoopExport.Files {
    if let files = LoopExport.Files(folder: path) { return files }
    let source = try open()
    if let archive = try archive(source) { return LoopExport.Files(archive, path: path) }
    return LoopExport.Files(file: path, source)
  }

  /// Opens the file as a zip archive, or returns `nil` and gives the bytes back to `source` if it is none.
  private func archive(_ source: ByteSource) throws(Failure) -> Archive? {
    let start = try source.next()
    source.giveBack(start)
    guard Archive.isZip(start) else { return nil }
    guard path != "-" else {
      throw Failure(
        .refused,
        "standard input is a zip, and a zip is read from a file only, because its directory is at the end",
        remedy: "write it to a file and give its name, or pipe in what is in it, as from `unzip -p`")
    }
    return try Archive(path, searchPath: searchPath)
  }
}

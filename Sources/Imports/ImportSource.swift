import EventLog
package import StreakDomain

/// The format of a file to import, with the settings for reading it.
package enum ImportSource: Sendable {
  /// An export of the Health app: the zip or the XML file in it.
  case appleHealth(HealthMapping, HealthImport.Selection)
  /// A table with one entry per row.
  case csv(CSVImport.Settings)
  /// An export of Loop Habit Tracker: the zip, the folder in it, or one `Checkmarks.csv`.
  case loop(GivenNames)

  /// The habits to which the settings assign records.
  package var givenHabits: [Habit.ID] {
    switch self {
    case .csv(let settings): [settings.names.single].compactMap { $0 }
    case .loop(let names): names.habits.values.sorted()
    case .appleHealth: []
    }
  }

  /// Returns `plan` with the records of the file at `path`.
  ///
  /// If `input` isn't `nil`, its bytes are read instead.
  package func plan(
    _ path: String, input: ByteSource? = nil, searchPath: String, into plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    let report = plan.report
    func files() throws(Failure) -> ExportFiles {
      var files = try ExportFiles(path, input: input, searchPath: searchPath)
      files.report = { report(.reading, $0, $1) }
      return files
    }

    switch self {
    case .appleHealth(let mapping, let selection):
      return try HealthImport.plan(
        files().healthExport(), mapping: mapping, selection: selection, into: plan)
    case .csv(let settings):
      let bytes = if let input { input } else { try ByteSource(file: path) }
      bytes.report = { report(.reading, $0, $1) }
      return try CSVImport.plan(bytes, settings: settings, into: plan)
    case .loop(let names): return try LoopImport.plan(files(), names, into: plan)
    }
  }
}

/// The files of an export: those in a zip or a folder, or a single file.
struct ExportFiles {
  private let path: String
  let names: [String]
  private let source: (String) throws(Failure) -> ByteSource
  /// Whether the export is a single file with a name, and no zip.
  private var isFile = false
  /// Called with the number of bytes read of a file, and the size of the file, or 0.
  var report: (_ done: Int, _ total: Int) -> Void = { _, _ in }

  /// Opens the export at `path`.
  ///
  /// If `input` isn't `nil`, its bytes are the export instead.
  init(_ path: String, input: ByteSource?, searchPath: String) throws(Failure) {
    self.path = path
    if input == nil, let topNames = ForeignFile.names(in: path) {
      names =
        topNames
        + topNames.flatMap { folder in
          (ForeignFile.names(in: "\(path)/\(folder)") ?? []).map { "\(folder)/\($0)" }
        }
      source = { name throws(Failure) in try ByteSource(file: "\(path)/\(name)") }
      return
    }

    let file = if let input { input } else { try ByteSource(file: path) }
    // Every zip begins with these letters.
    guard try file.peek().starts(with: "PK".utf8) else {
      // The folder of a single file may be the name of its habit.
      names = [ExportFiles.parts(of: path).suffix(2).joined(separator: "/")]
      source = { _ in file }
      isFile = input == nil
      return
    }

    guard input == nil else {
      throw Failure(
        .refused,
        """
        standard input is a zip, and a zip is read from a file only, because its directory is at \
        the end
        """,
        remedy: "write it to a file and give its name, or pipe in what is in it, as from `unzip -p`"
      )
    }

    let archive = try Archive(path, searchPath: searchPath)
    names = try archive.names()
    source = { name throws(Failure) in try archive.bytes(of: name) }
  }

  func open(_ name: String) throws(Failure) -> ByteSource {
    let file = try source(name)
    file.report = report
    return file
  }

  /// Returns the file called `name` near a single file, or `nil` if there is none.
  ///
  /// It is in the same folder as the single file, or in the parent of that folder.
  func beside(_ name: String) throws(Failure) -> ByteSource? {
    guard isFile else { return nil }
    let parts = path.parts(at: "/").map(String.init)
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : ""
    for place in ["\(folder)./", "\(folder)../"] {
      let names = ForeignFile.names(in: place) ?? []
      if names.contains(name) { return try ByteSource(file: place + name) }
    }
    return nil
  }

  /// Returns the main file of a Health export: `export.xml`, or in some languages a translation of
  /// that name.
  func healthExport() throws(Failure) -> ByteSource {
    let tables = names.filter { $0.ends(with: ".xml") && !$0.ends(with: "_cda.xml") }
    let export = names.first { ExportFiles.parts(of: $0).last?.asciiLowercased == "export.xml" }
    guard let name = export ?? (tables.count == 1 ? tables[0] : names.count == 1 ? names[0] : nil)
    else {
      throw missing("export.xml")
    }
    return try open(name)
  }

  func missing(_ wanted: String) -> Failure {
    let shown = names.prefix(8).map { Escaping.visible($0) }.joined(separator: ", ")
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    let list = names.isEmpty ? "; it is empty" : "; it contains \(shown)\(rest)"
    return Failure(.refused, "\(quoted(path)) has no \(wanted)\(list)")
  }

  static func parts(of path: String) -> [Substring] { path.parts(at: "/").filter { !$0.isEmpty } }
}

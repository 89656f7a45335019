package import StreakDomain

package enum ImportSource: Sendable {
  /// A Health export: the zip or its XML file.
  case appleHealth(HealthMapping, HealthImport.Selection)
  case csv(habit: String, CSVImport.Settings)
  /// A Loop Habit Tracker export (zip, folder or `Checkmarks.csv`), with the user's mapping from Loop's
  /// habit names to habit ids.
  case loop([Text: String])

  /// Collects the events that the plan needs: those of earlier imports, or all if the file may have ids.
  package func note(
    _ next: () throws(Failure) -> Event?, in options: inout ImportPlan.Options
  ) throws(Failure) {
    if case .appleHealth = self { return }
    while let event = try next() {
      let content = ImportPlan.Content(day: event.day, payload: event.payload)
      switch self {
      case .appleHealth: break
      case .csv: options.stored[event.id] = content
      case .loop where event.by == TrackerImport.writtenBy: options.written[event.id] = content
      case .loop: break
      }
    }
  }
}

package struct ImportFile {
  private let path: String
  /// The bytes to import instead of those of a file.
  private let given: ByteSource?
  private let searchPath: String
  private let readsHealth: HealthContents.Reader?
  private let progress: (Int, Int) -> Void

  package init(
    _ path: String, bytes given: ByteSource? = nil, searchPath: String, readsHealth: HealthContents.Reader?,
    progress: @escaping (_ bytes: Int, _ records: Int) -> Void = { _, _ in }
  ) {
    (self.path, self.given, self.searchPath) = (path, given, searchPath)
    (self.readsHealth, self.progress) = (readsHealth, progress)
  }

  private func open() throws(Failure) -> ByteSource {
    if let given { return given }
    return try ByteSource(file: path)
  }

  package func plan(_ source: ImportSource, into plan: ImportPlan) throws(Failure) -> ImportPlan {
    switch source {
    case .appleHealth(let mapping, let selection): return try planHealth(mapping, selection, plan)
    case .csv(let habit, let settings):
      let table = try CSVTable(try open(), separator: settings.separator)
      return try CSVImport.plan(table, habit: habit, settings: settings, into: plan)
    case .loop(let given):
      let names = TrackerNames(given: given, defined: plan.ledger.definedHabits)
      return try LoopExport.plan(try loopFiles(), names: names, into: plan)
    }
  }

  private func planHealth(
    _ mapping: HealthMapping, _ selection: HealthImport.Selection, _ plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    guard let readsHealth else {
      throw Failure(.noProgram, "exports of the Health app cannot be read here")
    }
    var source = try open()
    if let archive = try archive(source) { source = archive.bytes(of: try archive.healthExport()) }
    let contents = try readsHealth(
      source,
      HealthContents.Question(
        dayStart: plan.ledger.dayStart, wants: { mapping.target(of: $0) != nil },
        leavesOut: { type, source, day in
          selection.exclusion(of: type, from: source) ?? day.flatMap { plan.exclusion(of: $0) }
        },
        progress: progress))
    return HealthImport.plan(contents, mapping: mapping, selection: selection, into: plan)
  }

  private func loopFiles() throws(Failure) -> LoopExport.Files {
    if let files = LoopExport.Files(folder: path) { return files }
    let source = try open()
    if let archive = try archive(source) { return LoopExport.Files(archive, path: path) }
    return LoopExport.Files(file: path, source)
  }

  /// Opens the source as an archive, or returns `nil` and puts the bytes back if it isn't one.
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

import EventLog
import Imports
import StreakDomain

/// Opens what `import` is given, and hands it to the one who reads it.
struct ImportFiles {
  let invocation: Invocation

  /// Who reads exports of the Health app here; before anything is read, another program may come in the place of this
  /// one.
  func healthReader() throws(Failure) -> HealthContents.Reader {
    switch invocation.context.health {
    case .this(let reader): return reader
    case .other(let start):
      throw Failure(
        .noHealthProgram,
        "exports of the Health app are read by streaks-health, which is not at \(quoted(start()))",
        remedy: "put it there, beside streaks")
    }
  }

  func planHealth(_ path: String, by read: HealthContents.Reader, _ plan: ImportPlan) throws(Failure)
    -> ImportPlan
  {
    var mapping = HealthMapping()
    if let map = invocation.arguments.value("--map") {
      mapping = try HealthMapping(try ByteSource(file: map).all(), file: map)
    }
    var selection = HealthImport.Selection()
    selection.sources = invocation.arguments.all("--source")
    selection.types = invocation.arguments.all("--type").map { Text($0) }
    var source = try open(path)
    if try source.isZip() {
      if path == "-" { throw ImportFiles.zipFromPipe }
      let archive = try Archive(path, searchPath: invocation.context.environment["PATH"] ?? "")
      source = archive.bytes(of: try archive.healthExport())
    }
    var progress = ImportProgress(context: invocation.context)
    let contents = try read(
      source,
      HealthContents.Question(
        dayStart: plan.ledger.dayStart, wants: { mapping.target(of: $0) != nil },
        leavesOut: { type, source, day in
          selection.exclusion(of: type, from: source) ?? day.flatMap { plan.exclusion(of: $0) }
        },
        progress: { progress.note($0, $1) }))
    progress.finish()
    return HealthImport.plan(contents, mapping: mapping, selection: selection, into: plan)
  }

  func planTable(_ path: String, _ plan: ImportPlan) throws(Failure) -> ImportPlan {
    var settings = CSVImport.Settings()
    settings.columns = invocation.arguments.value("--columns").map { names in
      names.parts(at: ",").map { String($0) }
    }
    settings.hasHeader =
      invocation.arguments.has("--header") ? true : invocation.arguments.has("--no-header") ? false : nil
    let table = try CSVTable(
      try open(path), separator: invocation.arguments.separator)
    return try CSVImport.plan(
      table, habit: id(of: invocation.arguments.value("--habit") ?? "", plan), settings: settings, into: plan)
  }

  /// The habit that a word means, which was looked up before.
  private func id(of word: String, _ plan: ImportPlan) -> String {
    HabitWord.ids(of: word, in: plan.ledger).first ?? word
  }

  func planTracker(
    _ kind: ImportKind, _ path: String, _ plan: ImportPlan
  ) throws(Failure) -> ImportPlan {
    var given: [Text: String] = [:]
    for pair in invocation.arguments.all("--habit").compactMap({ TrackerPair($0) }) {
      given[Text(pair.name)] = id(of: pair.habit, plan)
    }
    let names = TrackerNames(given: given, defined: plan.ledger.definedHabits)
    guard kind == .loop else { return try HarshLog.plan(try open(path), names: names, into: plan) }
    if let files = LoopExport.Files(folder: path) {
      return try LoopExport.plan(files, names: names, into: plan)
    }
    let source = try open(path)
    if try source.isZip() {
      if path == "-" { throw ImportFiles.zipFromPipe }
      let archive = try Archive(path, searchPath: invocation.context.environment["PATH"] ?? "")
      return try LoopExport.plan(LoopExport.Files(archive, path: path), names: names, into: plan)
    }
    return try LoopExport.plan(LoopExport.Files(file: path, source), names: names, into: plan)
  }

  private func open(_ path: String) throws(Failure) -> ByteSource {
    guard path == "-" else { return try ByteSource(file: path) }
    let input = invocation.context.input
    return ByteSource("-") { () throws(Failure) in input() }
  }
}

extension ByteSource {
  /// Whether a zip begins here; nothing of it is lost.
  fileprivate func isZip() throws(Failure) -> Bool {
    let start = try next()
    giveBack(start)
    return Archive.isZip(start)
  }
}

/// A line on standard error that shows how far a long import has come.
struct ImportProgress {
  private let context: Context
  private var shown = 0

  init(context: Context) { self.context = context }

  mutating func note(_ bytes: Int, _ records: Int) {
    guard context.showsProgress, bytes - shown >= context.progressStep else { return }
    shown = bytes
    context.errors("\r\(bytes / 1_000_000) MB, \(records) records")
  }

  func finish() {
    if shown > 0 { context.errors("\r\u{1B}[K") }
  }
}

extension ImportFiles {
  fileprivate static let zipFromPipe = Failure(
    .zipFromPipe,
    "standard input is a zip, and a zip is read from a file only, because its directory is at the end",
    remedy: "write it to a file and give its name, or pipe in what is in it, as from `unzip -p`")
}

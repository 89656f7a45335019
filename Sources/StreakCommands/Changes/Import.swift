import EventLog
import Imports
import Inspection
import StreakDomain

extension ImportKind {
  fileprivate static func only(_ kinds: ImportKind...) -> [String] { kinds.map(\.rawValue) }
}

/// The command that imports the records of another app.
struct ImportCommand: Command {
  static let name = "import"
  static let group = CommandGroup.exchange
  static let words = Synopsis("KIND FILE", oneOf: ImportKind.allCases.map(\.rawValue))
  static let options: [Option] =
    [
      .json,
      Option("--since", .day, "skip earlier days (default: the counts-from of the habit)"),
      Option("--until", .day, "skip later days"),
      Option("--verbose", nil, "list every entry, and every skipped row"),
      Option(
        "--source", .other("NAME"), "only records of this app or device", repeatable: true,
        only: ImportKind.only(.appleHealth)),
      Option(
        "--type",
        .form(
          "TYPE",
          mustBe: Option.either(HealthMapping.typeNames + ["an identifier, which begins with HK"]),
          suggests: HealthMapping.typeNames, takes: HealthMapping.isType),
        "only alcohol, mindfulness, workout, steps, water, or an identifier", repeatable: true,
        only: ImportKind.only(.appleHealth)),
      Option(
        "--map", .other("JSONFILE"), "other types, such as {\"TYPE\":{\"habit\":\"water\"}}",
        only: ImportKind.only(.appleHealth)),
      Option(
        "--habit", .habit, "the habit, or NAME=HABIT for each name in the file that differs",
        repeatable: true, only: ImportKind.only(.csv, .loop)),
      Option(
        "--columns", .other("NAMES"), "what each column contains, such as day,minutes,-,note",
        only: ImportKind.only(.csv)),
      Option("--header", nil, "the first row names the columns", only: ImportKind.only(.csv)),
      Option(
        "--no-header", nil, "the first row is an entry", excludes: ["--header"],
        only: ImportKind.only(.csv)),
      Option(
        "--separator",
        .form("SIGN", mustBe: "one sign, such as ; or tab") { CSVDialect.separator($0) != nil },
        "what separates fields (default: the first row shows it)", only: ImportKind.only(.csv)),
      Option(
        "--decimal", .form("SIGN", mustBe: "a comma or a point") { [",", "."].contains($0) },
        "what separates decimals (default: a point, if it is clear)", only: ImportKind.only(.csv)),
      Option(
        "--date", .form("ORDER", mustBe: CSVDialect.datesForm) { CSVDialect.isDates($0) },
        "the order of a day's parts, such as dd.mm.yyyy", only: ImportKind.only(.csv)),
      Option(
        "--done", .other("WORDS"), "further words for done, separated by commas",
        only: ImportKind.only(.csv)),
      Option(
        "--missed", .other("WORDS"), "further words for not done", only: ImportKind.only(.csv)),
      Option(
        "--excused", .other("WORDS"), "words that excuse the habit on the day of the row",
        only: ImportKind.only(.csv)),
      Option(
        "--replace", nil,
        "from its first to its last day, delete imported entries that a table lacks",
        only: ImportKind.only(.csv)),
    ] + Option.writing.filter { $0.name != "--id" }
  static let help = HelpText(PackageResources.import_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let kind = try kind(at: 0, of: ImportKind.self)
    let file = word(1)
    if !kind.readsFolders, (try? SystemDisk().names(in: file)) != nil {
      throw .usage(
        "\(quoted(file)) is a folder; give the file in it, such as export.xml or export.zip")
    }

    let ledger = try reader.load().ledger
    let plan = try importSource(kind, ledger).plan(
      file, input: file == "-" ? standardInput : nil,
      searchPath: context.environment["PATH"] ?? "", into: emptyPlan(ledger))
    var report = ImportReport(kind: kind, file: file, plan: plan, isDry: arguments.has("--dry-run"))
    try write(&report, from: ledger.position)

    if isJSON {
      printJSON(of: report.document)
    } else {
      report.lines.forEach(print)
    }
    return report.isEmpty ? .failed : .done
  }

  /// Writes the batches of the plan to a ledger of `position` events, and adds the results to
  /// `report`.
  ///
  /// A dry run checks all as one batch.
  private func write(_ report: inout ImportReport, from position: Int) throws(Failure) {
    let isDry = arguments.has("--dry-run") || isGuest
    var position = position
    var count = 0
    var written = 0
    var before: Ledger?

    // `--expect` and `--if` apply only to the first batch.
    var writer = writer
    try report.plan.drafts.eachBatch(isDry: isDry) { (batch, batchCount) throws(Failure) in
      do throws(Failure) {
        var options = WriteOptions(expectedCount: position, printsImpact: false)
        options.isLarge = !isJSON && (isDry || before != nil && batchCount > 1)
        let batch = shown(batch, after: count, of: report.plan.drafts.count)
        let decision = try writer.write(options, makingOf: { _ in batch })
        guard let decision else { return }

        writer = invocation.with(arguments.with("--expect", []).with("--if", [])).writer
        position = decision.position + decision.batch.count
        count += decision.batch.count
        if before == nil {
          before = decision.ledgerBefore
          report.losses = decision.lossesByClosing
        }
        written += 1
        add(decision, to: &report)
        let isLast = isDry || written == batchCount
        if let before, isLast, !isJSON {
          report.steps = batchCount
          report.changes = try changes(from: before, to: decision.ledgerAfter)
        }
      } catch {
        if count > 0 {
          warn("\(counted(count, "event")) were written before; import again to go on")
        }
        throw failure(error, of: report.plan)
      }
    }
  }

  /// Returns the drafts of `batch`, which move the progress line as they are read.
  ///
  /// Of `total` drafts, `count` are in earlier batches.
  private func shown(_ batch: Drafts, after count: Int, of total: Int) -> Drafts {
    guard let progress = context.progress else { return batch }
    return Drafts { (body) throws(Failure) in
      var done = count
      try batch.each { (draft) throws(Failure) in
        done += 1
        progress.update(.entries, done, of: total)
        try body(draft)
      }
    }
  }

  /// Counts the events of a batch that the ledger had already, and adds all results to the JSON.
  private func add(_ decision: Decision, to report: inout ImportReport) {
    for result in decision.results where result.status == .exists {
      let entry = decision.ledgerAfter.facts.entry(of: result.id)
      if let habit = entry?.entry.habit { report.plan.summary.countKnown(habit) }
    }
    guard isJSON else { return }
    report.results += decision.results
    if report.isDry { report.impact = LedgerDifference(of: decision) }
  }

  /// Returns the failure of a batch, with a remedy for an import.
  private func failure(_ error: Failure, of plan: ImportPlan) -> Failure {
    var failure = error
    if error.kind == .wrongPosition, !arguments.has("--expect") {
      return Failure(
        .busy, "another program wrote to the ledger while the file was read",
        remedy: "import again")
    }
    if [.missingMeasure, .nothingToCount].contains(error.kind) {
      failure.remedy = plan.summary.unusedColumns.map(Remedy.program) ?? error.remedy
    }
    return failure
  }

  private var standardInput: ByteSource {
    ByteSource("-", size: context.inputSize()) { [context] () throws(Failure) in context.input() }
  }

  private func emptyPlan(_ ledger: Ledger) throws(Failure) -> ImportPlan {
    var plan = try ImportPlan(
      ledger: ledger, now: try now(),
      zone: context.zone(known: arguments.value("--zone") ?? ledger.facts.zone)
    ) { [reader] (body) throws(Failure) in
      var replay = Replay(try reader.stream(wanting: .events))
      while let event = try replay.nextEvent() { body(event) }
    }

    plan.since = try words.day("--since")
    plan.until = try words.day("--until")
    plan.keepsLines = arguments.has("--verbose")

    if let progress = context.progress { plan.report = progress.update(_:_:of:) }
    if let since = plan.since, let until = plan.until, until < since {
      throw .usage("--until is \(until), before --since, \(since)")
    }
    return plan
  }

  /// Returns the habits that `--habit` gives: one for the whole file, or one for each name in the
  /// file.
  private func givenNames(in ledger: Ledger) throws(Failure) -> GivenNames {
    var names = GivenNames()
    let words = arguments.all("--habit")
    for word in words {
      // Only the name in the file may contain further `=` signs.
      let habit = word.parts(at: "=").last.map(String.init) ?? word
      let name = String(Substring(word.utf8.dropLast(habit.utf8.count + 1)))
      if !name.isEmpty, Syntax.isHabit(habit) {
        names.habits[Text(name)] = try self.words.habit(toRecord: habit, in: ledger)
      } else if words.count == 1, !word.holds("=") {
        names.single = try self.words.habit(toRecord: word, in: ledger)
      } else {
        throw .usage(
          "--habit is \(quoted(word)); it must be NAME=HABIT, such as 'Wake up early=early'")
      }
    }
    return names
  }

  private func importSource(_ kind: ImportKind, _ ledger: Ledger) throws(Failure) -> ImportSource {
    switch kind {
    case .appleHealth:
      let mapping = try arguments.value("--map").map { (file) throws(Failure) in
        try HealthMapping(try ByteSource(file: file).all(), file: file)
      }

      var selection = HealthImport.Selection()
      selection.sources = arguments.all("--source")
      selection.types = arguments.all("--type").map { Text($0) }
      return .appleHealth(mapping ?? HealthMapping(), selection)

    case .csv:
      var settings = CSVImport.Settings()
      settings.columns = arguments.value("--columns").map { $0.parts(at: ",").map { String($0) } }
      settings.separator = arguments.value("--separator").flatMap(CSVDialect.separator)
      settings.hasHeader =
        arguments.has("--header") ? true : arguments.has("--no-header") ? false : nil
      settings.dialect.decimal = arguments.value("--decimal").flatMap(DecimalSign.init)
      settings.dialect.dates = arguments.value("--date")
      for answer in AnswerWords.Answer.allCases {
        let words = arguments.value("--\(answer.rawValue)")?.parts(at: ",").map(\.trimmed)
        settings.answers.ofOptions[answer] = words?.filter { !$0.isEmpty }
      }
      settings.replaces = arguments.has("--replace")
      settings.names = try givenNames(in: ledger)
      return .csv(settings)

    case .loop: return .loop(try givenNames(in: ledger))
    }
  }
}

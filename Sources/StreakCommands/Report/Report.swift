import EventLog
import Inspection
import ReportPage
import StreakDomain

/// The command that writes an HTML page with the whole history.
struct ReportCommand: Command {
  static let name = "report"
  static let group = CommandGroup.exchange
  static let words = Synopsis("FILE", asking: "a FILE to write, or -")
  static let options: [Option] =
    [
      Option(
        "--ring", .habit, "a ring of the month, the innermost first, at most three",
        repeatable: true),
      Option("--title", .text, "the page's title (default: Streaks)"),
      Option("--from", .point, "where the slider begins (default: 0)"),
      Option("--on", .day, "the day the page ends with (default: today)"),
      Option("--force", nil, "replace a file that is not a report"),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.report_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    try checkPage(at: word(0))
    var base = 0
    if let from = try words.point("--from") { base = try reader.load(from).ledger.position }

    let (page, position) = try completePage(from: base)
    if word(0) == "-" {
      context.output(page)
    } else {
      try ReportPage.write(page, to: word(0), random: context.random)
      print("\(word(0)): \(counted(position, "event")), \(page.count / 1000) kB")
    }
    return .done
  }

  /// Returns the page and the ledger's position.
  ///
  /// The page has the steps after the position `base`, and the explanations of runs and jokers.
  func completePage(
    from base: Int = 0, isServed: Bool = false
  ) throws(Failure) -> (page: [UInt8], position: Int) {
    var (recorder, ledger) = try recordHistory(from: base)
    guard ledger.position > base else {
      throw .notFound(base > 0 ? "--from leaves no event to report" : "there is no event to report")
    }
    let settings = try settings(
      for: ledger, from: base, isServed: isServed, chains: pageChains(today: ledger.today))
    return (recorder.page(settings), ledger.position)
  }

  func settings(
    for ledger: Ledger, from base: Int = 0, isServed: Bool = true, chains: [JSONValue] = []
  ) throws(Failure) -> ReportSettings {
    var settings = ReportSettings(
      title: text("--title")?.string ?? "Streaks", rings: try rings(in: ledger))
    settings.startsAtFirstStep = base > 0
    settings.isServed = isServed
    settings.chains = chains
    return settings
  }

  /// Throws if the page must not be written to `path`.
  ///
  /// With `--guest`, no file is written, and a segment is never replaced. Another file that isn't a
  /// report is replaced only with `--force`.
  private func checkPage(at path: String) throws(Failure) {
    guard path != "-" else { return }
    guard !isGuest else {
      throw .usage(
        "a guest writes nothing, and \(Self.name) writes a file; - as FILE prints the page")
    }
    let parent = SystemDisk.resolved(FolderPath.parent(of: path))
    guard !path.ends(with: ".jsonl") || Text(parent) != Text(SystemDisk.resolved(folder)) else {
      throw .usage("\(quoted(path)) is a segment of the ledger; name another file")
    }
    guard try ReportPage.isPage(at: path) == false, !arguments.has("--force") else { return }
    throw .usage(
      "\(quoted(path)) exists and is not a report; name another file, or give --force to replace it"
    )
  }

  /// Records the steps after the position `base`, or all steps if it is 0.
  ///
  /// Returns the recorder, and the ledger after the last step.
  func recordHistory(from base: Int) throws(Failure) -> (ReportRecorder, Ledger) {
    var recorder = ReportRecorder()
    let on = try words.day("--on")
    var walk = try reader.walk(today: on, wanting: [.events, .locations])
    if base > 0 {
      var last: Event?
      _ = try walk.advance(to: .position(base)) { item, _ in last = item.event }
      recorder.begin(&walk.ledger, after: last)
    }

    while try walk.nextStep() {
      recorder.recordStep(&walk.ledger, walk.lines, of: walk.stream)
      try context.outputLimit?.check(recorder.size)
    }
    var loaded = try walk.end()
    let newest = loaded.ledger.today
    if on == nil { try reader.advance(&loaded.ledger) }
    if loaded.ledger.today != newest { recorder.recordStep(&loaded.ledger, [], of: nil) }
    return (recorder, loaded.ledger)
  }

  /// Returns the habits of `--ring`, by default those of noalc, workout and meditation that exist,
  /// or the first three.
  private func rings(in ledger: Ledger) throws(Failure) -> [String] {
    let chosen = arguments.all("--ring")
    guard chosen.count <= 3 else {
      throw .usage("a day has three rings, and --ring is given \(chosen.count) times")
    }
    guard chosen.isEmpty else { return try words.habits(named: chosen, in: ledger) }
    let habits = ledger.facts.definedHabits
    let usual = [Preset.noalc, .workout, .meditation].map(\.rawValue).filter { habits.contains($0) }
    return usual.isEmpty ? Array(habits.prefix(3)) : usual
  }

  /// Returns the explanations of each habit's run and jokers held, unless there is nothing to
  /// explain.
  ///
  /// Each one is a list of the habit, the field, and the lines. A line is a position to link to,
  /// which can be null, and a text.
  func pageChains(today: Day?) throws(Failure) -> [JSONValue] {
    let loaded = try reader.finish(reader.walk(today: today, wanting: .locations))
    let fields = loaded.ledger.facts.definedHabits.flatMap { habit in
      [HabitField.current, .held].map { StateField.habit(habit, $0) }
    }

    var shown: [JSONValue] = []
    for document in try loaded.chains(of: fields, showsNames: true) {
      guard case .habit(let habit, let field) = document.chain.field else { continue }
      // A run of 0 is explained only if the habit had a run before.
      let hadRun =
        field == .current && loaded.ledger[habit].map { $0.state.longest > 0 } ?? false
      guard hadRun || document.chain.value.description != "0" else { continue }

      let lines = document.lines(showsAll: false).map { line in
        let text = [line.step?.day.description, line.step?.says, line.means].compactMap(\.self)
        return JSONValue.list([
          line.step?.position.map { .whole($0) } ?? .null, .text(text.joined(separator: " · ")),
        ])
      }
      shown.append(.list([.text(habit), .text(field.path), .list(lines)]))
    }
    return shown
  }
}

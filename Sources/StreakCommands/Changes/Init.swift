import EventLog
import Inspection
import StreakDomain

/// The command that makes a ledger.
struct InitCommand: Command {
  static let name = "init"
  static let group = CommandGroup.habits
  static let words: Synopsis = "[PRESET…]"
  static let options: [Option] =
    [
      .json,
      Option("--day-start", .dayStart, "when your days begin, up to 11:59 (default: 00:00)"),
      Option("--week", .weekday, "when your weeks begin (default: mon)"),
    ] + Option.writing
  static let help = HelpText(PackageResources.init_txt, inserting: ["presets": Preset.list])

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let dayStart = arguments.value("--day-start").flatMap(Syntax.readDayStart)
    let presets = try Preset.named(arguments.positionals)
    let weekStart = arguments.weekday("--week")
    let opened = Payload.ledgerOpened(dayStart: dayStart, weekStart: weekStart)
    var decision: Decision?
    do throws(Failure) {
      decision = try open(opened, with: presets)
    } catch {
      // `open` expects an empty ledger.
      guard error.kind == .wrongPosition else { throw error }
      try reportPresentLedger(startingAt: dayStart, weekStart, with: presets)
    }

    guard let written = decision else { return .done }
    if isJSON {
      printResults(of: written)
    } else if written.batch.isEmpty {
      print("\(folder) began with \(written.results[0].id) before")
    } else {
      let habits = presets.map(\.rawValue).joined(separator: ", ")
      print(
        "a new ledger in \(folder), \(written.ledgerAfter.facts.zone ?? "")"
          + (dayStart.map { ", days begin at \($0)" } ?? "")
          + (weekStart.map { ", weeks begin on \($0.name)" } ?? "")
          + (habits.isEmpty ? "" : ": \(habits)"))
    }
    return .done
  }

  private func open(
    _ opened: Payload, with presets: [Preset]
  ) throws(Failure) -> Decision? {
    var drafts = [writer.draft(opened)]
    drafts[0].zone = try context.zone(known: arguments.value("--zone"))
    for preset in presets {
      var draft = writer.draft(.habitDefined(preset.definition(for: preset.rawValue)))
      // A retry with the same `--id` must produce the same ids for all events.
      draft.id = drafts[0].id.map { "\($0):\(preset.rawValue)" }
      drafts.append(draft)
    }

    var invocation = invocation.with(arguments.with("--expect", ["0"]))
    invocation.guestHasSample = false
    let options = WriteOptions(makesFolder: true, requiresAllSegments: true)
    return try invocation.writer.write(options, makingOf: { _ in Drafts(drafts) })
  }

  /// Reports that the folder contains the ledger already, or throws if it has other settings than
  /// the options ask for.
  private func reportPresentLedger(
    startingAt dayStart: ClockTime?, _ weekStart: Weekday?, with presets: [Preset]
  ) throws(Failure) {
    let facts = try reader.whole().ledger.facts
    let zone = facts.zone ?? "no zone"
    if let asked = try writer.zone(), asked != facts.zone {
      throw differs("is in \(zone)", "`streaks day --zone \(asked)` moves it")
    }
    if let dayStart, dayStart != facts.dayStart {
      let now = "has days that begin at \(facts.dayStart)"
      throw differs(now, "`streaks day --starts \(dayStart)` changes that")
    }
    if let weekStart, weekStart != facts.weekStart {
      let now = "has weeks that begin on \(facts.weekStart.name)"
      throw differs(now, "`streaks day --week \(weekStart.rawValue)` changes that")
    }

    for preset in presets {
      let habit = preset.rawValue
      guard let definition = facts.definition(of: habit) else {
        throw differs("has no habit \(habit)", "`streaks define \(habit)` adds it")
      }
      guard definition.saysTheSame(as: preset.definition(for: habit)) else {
        throw differs(
          "defines \(habit) otherwise", "`streaks define \(habit) --preset \(habit)` resets it")
      }
      guard facts.currentHabits.contains(habit) else {
        throw differs("has retired \(habit)", "`streaks define \(habit)` resumes it")
      }
    }

    let names = presets.map(\.rawValue).joined(separator: ", ")
    try printNothingWritten(
      "\(folder) is a ledger already, in \(zone)" + (names.isEmpty ? "" : ", with \(names)"))
  }

  private func differs(_ now: String, _ command: String) -> Failure {
    .usage("\(quoted(folder)) already contains a ledger, which \(now); \(command)")
  }
}

extension Preset {
  /// The names of all presets.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Returns the presets called `names`, and the members of any composite among them, with the
  /// composites last.
  fileprivate static func named(_ names: [String]) throws(Failure) -> [Preset] {
    var leaves: [Preset] = []
    var composites: [Preset] = []
    for name in names {
      let preset = try named(name)
      let members = preset.definition(for: name).rule.members
      if members.isEmpty { leaves.append(preset) } else { composites.append(preset) }
      leaves += members.compactMap { Preset(rawValue: $0) }
    }
    var added: Set<Preset> = []
    return (leaves + composites).filter { added.insert($0).inserted }
  }

  static func named(_ name: String) throws(Failure) -> Preset {
    guard let preset = Preset(rawValue: name) else {
      let hint = Nearest.hint(name, among: allCases.map(\.rawValue))
      throw .usage("there is no preset \(quoted(name))\(hint); there are \(list)")
    }
    return preset
  }
}

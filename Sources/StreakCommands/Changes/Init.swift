import EventLog
import StreakDomain

extension Command {
  static let initialize = Command(
    name: "init", group: .habits, words: "[PRESET…]",
    summary: "make a ledger, with a habit for each preset",
    options: [
      json,
      Option("--day-start", .dayStart, "when your days begin, up to 11:59 (default: 00:00)"),
    ] + writing,
    details: [
      "Presets: " + Preset.allCases.map(\.rawValue).joined(separator: ", "), "",
      "  streaks init meditation noalc", "  streaks init --day-start 04:00 meditation",
    ],
    example: Example(
      line: "streaks init noalc meditation",
      answer: [
        "a new ledger in events, Europe/Berlin: noalc, meditation"
      ], setup: .nothing)
  ) { invocation throws(Failure) in
    try invocation.openLedger()
    return .done
  }
}

extension Invocation {
  fileprivate func openLedger() throws(Failure) {
    let dayStart = arguments.value("--day-start").flatMap(Syntax.readDayStart)
    var drafts = [try writer.draft(.ledgerOpened(dayStart: dayStart))]
    let presets = try Preset.named(arguments.positionals)
    for preset in presets {
      var draft = Draft(.habitDefined(preset.definition(for: preset.rawValue)), command: "init")
      // A retry with the same `--id` must produce the same ids for all events.
      draft.id = drafts[0].id.map { "\($0):\(preset.rawValue)" }
      drafts.append(draft)
    }
    drafts[0].zone = arguments.value("--zone") ?? context.machineZone()
    let written: Decision?
    do throws(Failure) {
      written = try with(arguments.with("--expect", ["0"])).writer.write(makesFolder: true) { _ in
        Drafts(drafts)
      }
    } catch {
      guard error.kind == .wrongPosition else { throw error }
      throw .usage("\(quoted(folder)) already contains a ledger; add a habit with `streaks define`")
    }
    guard let written else { return }
    if isJSON { return printResults(of: written) }
    if written.batch.isEmpty {
      return print("\(folder) began with \(written.results[0].id) before")
    }
    let habits = presets.map(\.rawValue).joined(separator: ", ")
    print(
      "a new ledger in \(folder), \(written.ledgerAfter.facts.zone ?? "")"
        + (dayStart.map { ", days begin at \($0)" } ?? "") + (habits.isEmpty ? "" : ": \(habits)"))
  }
}

extension Preset {
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
    var known: Set<Preset> = []
    return (leaves + composites).filter { known.insert($0).inserted }
  }

  static func named(_ name: String) throws(Failure) -> Preset {
    guard let preset = Preset(rawValue: name) else {
      let known = Preset.allCases.map(\.rawValue)
      throw .usage(
        """
        there is no preset \(quoted(name))\(Nearest.hint(name, among: known)); there are \
        \(known.joined(separator: ", "))
        """
      )
    }
    return preset
  }
}

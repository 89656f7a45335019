import EventLog
import StreakDomain

extension Command {
  static let initialize = Command(
    name: "init", words: "[PRESET…]", summary: "make a ledger, with a habit for each preset",
    options: [json, Option("--owner", "ID", "the subject id of the person whose ledger it is")] + writing,
    details: [
      "Presets: " + Preset.allCases.map(\.rawValue).joined(separator: ", "), "",
      "  streaks init meditation noalc",
    ]
  ) { invocation throws(CommandError) in
    let owner = try invocation.arguments.read("--owner", Forms.id) { Forms.isID($0) ? $0 : nil }
    var drafts = [try invocation.draft(.ledgerOpened(owner: owner))]
    drafts[0].event.subject = nil
    var composites: [Draft] = []
    for (index, name) in invocation.arguments.positionals.enumerated() {
      guard !invocation.arguments.positionals[..<index].contains(name) else {
        throw .usage("\(quoted(name)) is given twice")
      }
      let preset = try Preset.named(name)
      let definition = preset.definition(for: name)
      var draft = Draft(.habitDefined(definition), command: "init")
      draft.event.subject = invocation.subject
      // Members come before what is made of them, in whatever order they are named.
      if definition.rule.isComposite { composites.append(draft) } else { drafts.append(draft) }
    }
    drafts += composites
    drafts[0].zone = invocation.arguments.value("--zone") ?? invocation.context.machineZone()
    let written: Decision?
    do throws(CommandError) {
      written = try invocation.write(drafts, makesFolder: true, ifEmpty: true)
    } catch {
      guard case .log(.wrongPosition(0, _)) = error else { throw error }
      if let id = drafts[0].id, case .ledgerOpened? = try invocation.event(id)?.payload {
        invocation.print("\(id) began the ledger before")
        return .done
      }
      throw .usage("\(quoted(invocation.folder)) holds a ledger already; add a habit with `streaks define`")
    }
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else {
      let habits = invocation.arguments.positionals.joined(separator: ", ")
      let zone = written.after.zone ?? ""
      invocation.print(
        "a new ledger in \(invocation.folder), \(zone)" + (habits.isEmpty ? "" : ": \(habits)"))
    }
    return .done
  }
}

extension Preset {
  /// The preset of a name, or an error with the nearest ones.
  static func named(_ name: String) throws(CommandError) -> Preset {
    guard let preset = Preset(rawValue: name) else {
      let known = Preset.allCases.map(\.rawValue)
      let hint = Nearest.hint(name, among: known)
      throw .usage(
        "there is no preset \(quoted(name))\(hint.isEmpty ? "; there are " + known.joined(separator: ", ") : hint)"
      )
    }
    return preset
  }
}

import CommandFixtures
import StreakCommands
import Testing

/// The commands with `--without`, taken from the list of all commands, so that new ones are
/// included.
enum ReadingCommands {
  static func lines(_ habit: String) -> [String] {
    let words = ["HABIT": habit, "WHAT": habit, "POINT": "end", "PREDICATE": "'xp >= 0'"]
    return TemporaryLedger.commands.filter { command in
      ![.scripts, .developers].contains(command.group)
        && command.allOptions.contains { $0.name == "--without" }
    }.compactMap { command in
      let needed = command.words.words.filter(\.isRequired).map { words[$0.name] }
      return needed.contains { $0 == nil }
        ? nil : ([command.name] + needed.compactMap { $0 }).joined(separator: " ")
    }
  }

  @Test static func `the list of reading commands contains show, calendar, why, diff and audit`() {
    #expect(
      Set(["show", "calendar", "why noalc", "diff end end", "audit"]).isSubset(of: lines("noalc")))
  }
}

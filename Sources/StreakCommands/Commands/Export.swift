import EventLog
import Foundation
import StreakDomain
import Streaks

extension Command {
  static let export = Command(
    name: "export", words: "streak-data HABIT", summary: "a habit's numbers in the form that apps keep them",
    options: [
      Option("--json", nil, "the same: it is JSON always"),
      Option("--on", "DAY", "the day to see it from (default: today)"),
    ],
    details: [
      "Prints the JSON of StreakData, as an app decodes it from UserDefaults: currentStreakDays, rewardsEarned",
      "(jokers held), and lastActivityDate (the latest good day) in seconds since 2001-01-01T00:00:00Z.", "",
      "  streaks export streak-data meditation",
    ]
  ) { invocation throws(CommandError) in
    let form = try invocation.word(0, "a form: streak-data")
    guard form == "streak-data" else {
      throw .usage(
        "there is no form \(quoted(form))" + Nearest.hint(form, among: ["streak-data"])
          + "; there is streak-data")
    }
    let habit = try invocation.word(1, "a HABIT")
    try invocation.arguments.limit(2, "streak-data HABIT")
    let ledger = try invocation.loadToday().ledger
    try invocation.require(habit, in: ledger)
    guard let state = ledger.state(of: habit) else { return .failed }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let bytes = try? encoder.encode(StreakData(state, zone: ledger.zone ?? "UTC")) else {
      return .failed
    }
    invocation.print(String(decoding: bytes, as: UTF8.self))
    return .done
  }
}

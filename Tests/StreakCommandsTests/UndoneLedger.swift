import CommandFixtures
import Foundation

/// A ledger of a week in which commands are undone, and all that undoing must bring back.
enum UndoneLedger {
  static func make() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(
      running: "init noalc meditation game", now: "2025-11-03T12:00:00+01:00")
    for day in 3...9 {
      try ledger.run(all: "log noalc steady --id n\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
      ledger.run("log meditation 12m --id m\(day)")
    }
    return ledger
  }

  /// Undoes the undo that was appended last, and returns the output.
  @discardableResult
  static func restore(_ ledger: TemporaryLedger) -> Output {
    ledger.run(["undo", ledger.stored().last?["id"] ?? ""])
  }

  /// All numbers of the state on the next day, without what names events.
  static func numbers(_ ledger: TemporaryLedger) -> [String: String?] {
    let state = ledger.run("replay --json --on 2025-11-11")
    let habits = ["noalc", "meditation", "game"]
    let fields =
      [
        "current", "start", "best", "longest", "status", "ifMissed", "safeThrough", "jokers.held",
        "jokers.earned",
      ]
      + ["totals.entries", "days.good", "days.healed", "days.missed", "days.excused", "days.bad"]
    var all: [String: String?] = ["xp": state["xp"]]
    for habit in habits {
      for field in fields { all["\(habit).\(field)"] = state["habits.\(habit).\(field)"] }
    }
    all["achievements"] = "\(state.text.components(separatedBy: "\"key\":").count)"
    return all
  }
}

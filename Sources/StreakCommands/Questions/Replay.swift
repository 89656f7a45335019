import EventLog
import Inspection
import StreakDomain

/// The command that shows the state at any point.
struct ReplayCommand: Command {
  static let name = "replay"
  static let group = CommandGroup.lookBack
  static let words = Synopsis("", asking: "only options, such as --habit HABIT")
  static let options: [Option] =
    [
      .json,
      Option("--at", .point, "a position, an event id, a day, a time, or end (default: end)"),
      Option("--on", .day, "pretend today is DAY, earlier or later"),
      Option("--habit", .habit, "only this habit"),
    ] + Option.whatIf
  static let help = HelpText(PackageResources.replay_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let loaded = try reader.loadAtPoint()
    let habit = try words.habit("--habit")
    if let habit { try words.require(habit, in: loaded.ledger) }
    let document = loaded.document(habit: habit)
    if isJSON {
      printJSON(of: document)
    } else {
      let text = StateText(
        ledger: loaded.ledger, style: style, columns: context.columns, showsAll: true)
      print(text.replay(document, habitOnly: habit != nil))
    }
    return .done
  }
}

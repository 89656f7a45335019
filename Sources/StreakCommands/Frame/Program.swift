import EventLog
import StreakDomain

/// The program: finds the command, runs it, and turns an error into a message and an exit status.
package enum Program {
  package static func run(_ context: Context) -> ExitStatus {
    var words = context.arguments
    guard let name = words.first else {
      context.print(overview)
      return .done
    }
    words.removeFirst()
    if name == "help" || name == "--help" || name == "-h" { return help(words.first, context) }
    if name == "complete" {
      for candidate in Completion(words, context: context).candidates {
        context.print(Escaping.visible(candidate.text) + "\t" + Escaping.visible(candidate.help))
      }
      return .done
    }
    if name == "--version" {
      context.print("streaks \(version)")
      return .done
    }
    guard let command = Command.all.first(where: { $0.name == name }) else {
      let hint = Nearest.hint(name, among: Command.all.map(\.name))
      context.errors("streaks: unknown command \(quoted(name))\(hint); `streaks help` lists all\n")
      return .usage
    }
    do throws(CommandError) {
      // What was no UTF-8 on the command line has been replaced before it comes here.
      if let broken = words.first(where: \.hasReplacedBytes) {
        throw .usage("\(quoted(broken)) is not valid UTF-8")
      }
      let arguments = try Arguments(words, options: command.allOptions)
      if arguments.has("--help") {
        context.print(command.help)
        return .done
      }
      _ = try arguments.read("--subject", Forms.id) { Forms.isID($0) ? $0 : nil }
      var invocation = Invocation(context: context, command: name, arguments: arguments)
      return try command.run(&invocation)
    } catch {
      context.errors(error.message + "\n")
      return error.status
    }
  }

  package static let version = "0.1.0"

  private static func help(_ name: String?, _ context: Context) -> ExitStatus {
    guard let name else {
      context.print(overview)
      return .done
    }
    if let topic = Topic.all.first(where: { $0.name == name }) {
      context.print(topic.help)
      return .done
    }
    guard let command = Command.all.first(where: { $0.name == name }) else {
      let hint = Nearest.hint(name, among: Command.all.map(\.name) + Topic.all.map(\.name))
      context.errors("streaks: no help on \(quoted(name))\(hint)\n")
      return .usage
    }
    context.print(command.help)
    return .done
  }

  private static var overview: String {
    var lines = [
      "streaks: habits as an append-only log; streaks and jokers are its replay",
      "", "Usage: streaks COMMAND [WORDS] [OPTIONS]", "",
    ]
    lines += Command.all.map { "  " + Style.padded($0.name, 10) + "  " + $0.summary }
    lines += [
      "", "`streaks help TOPIC`: " + Topic.all.map(\.name).joined(separator: ", ") + ".",
      "`streaks help COMMAND` explains one of them. Exit status: 0 done, 1 check failed or nothing found,",
    ]
    lines += ["2 usage, 3 bad data, 4 conflict, 5 not written, 6 outcome unknown."]
    return lines.joined(separator: "\n")
  }
}

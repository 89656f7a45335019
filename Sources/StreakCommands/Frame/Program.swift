import EventLog
import StreakDomain

package enum Program {
  package static func run(_ context: Context) -> ExitStatus {
    let words = context.arguments
    var context = context
    context.wantsJSON = words.contains { $0 == "--json" }
    do throws(Failure) {
      // Invalid UTF-8 has been replaced before it gets here.
      if let broken = words.first(where: \.hasReplacedBytes) {
        throw .usage("\(quoted(broken)) is not valid UTF-8")
      }
      return try run(words, context)
    } catch {
      if context.wantsJSON {
        context.errors(error.document.json + "\n")
      } else {
        context.printError(error.message)
      }
      return error.status
    }
  }

  private static func run(_ words: [String], _ context: Context) throws(Failure) -> ExitStatus {
    guard let place = try commandPlace(in: words, context) else {
      if words.contains(where: { ["--version", "-V"].contains($0) }) { return version(context) }
      let asked = words.filter { !["--help", "-h"].contains($0) }
      if let option = asked.first {
        throw .usage("\(quoted(option)) needs a command; `streaks help --all` lists all")
      }
      context.print(Help.short(of: context.commands))
      return .done
    }
    let name = words[place]
    let rest = Array(words[..<place] + words[(place + 1)...])
    switch name {
    case "help":
      let all = Option("--all", nil, "every command by what it is for")
      let arguments = try Arguments(rest, options: [all] + Command.common)
      if arguments.has("--all") {
        context.print(Help.full(of: context.commands, arguments.style(context)))
        return .done
      }
      return try help(arguments.positionals.first, context, arguments.style(context))
    case "version": return version(context)
    case "complete":
      for candidate in Completion(rest, context: context).candidates {
        context.output(
          Array(
            (Escaping.visible(candidate.text) + "\t" + Escaping.visible(candidate.help) + "\n").utf8
          ))
      }
      return .done
    default: return try run(name, rest, context)
    }
  }

  private static func run(
    _ name: String, _ words: [String], _ context: Context
  ) throws(Failure) -> ExitStatus {
    guard let command = context.commands.first(where: { $0.name == name }) else {
      let known = context.commands.map(\.name) + ["help", "version"]
      let others = [
        "jokers": "audit", "achievements": "replay", "undelete": "undo", "redo": "undo",
      ]
      let near = others[name].map { Nearest.meant($0) } ?? Nearest.hint(name, among: known)
      throw .usage("unknown command \(quoted(name))\(near); `streaks help --all` lists all")
    }
    let arguments = try Arguments(words, options: command.allOptions)
    var context = context
    if arguments.has("--help") {
      context.print(command.help(arguments.style(context), width: context.helpWidth))
      return .done
    }
    // JSON documents and tables must not be wrapped.
    if !command.isForPeople || arguments.has("--json") || arguments.has("--heads") {
      context.isLaidOut = false
    }
    if arguments.has("-q") {
      context.output = { _ in }
      context.isQuiet = true
    }
    let invocation = Invocation(context: context, command: name, arguments: arguments)
    var status = ExitStatus.done
    do throws(Failure) {
      status = try command(invocation)
    } catch {
      // After an error, people would repeat the command and record its events twice.
      guard context.inputs.hasRecorded else { throw error }
      context.printError("recorded, but then: \(error.sentence)")
    }
    for note in context.inputs.deferredWarnings { context.printError(note) }
    return status
  }

  /// Returns the index of the command's name in `words`, after any options, or `nil` if there is no
  /// command.
  private static func commandPlace(in words: [String], _ context: Context) throws(Failure) -> Int? {
    var place = 0
    while place < words.count {
      let word = words[place]
      guard word.begins(with: "-"), word.utf8.count > 1 else { return place }
      let name = String(word.parts(at: "=", most: 2)[0])
      let option = context.commands.lazy.flatMap(\.allOptions).first { $0.name == name }
      guard option != nil || ["--version", "-V", "-h"].contains(word) else {
        throw .usage("unknown option \(quoted(name))\(Arguments.hint(name, Command.common))")
      }
      place += option?.value != nil && name.utf8.count == word.utf8.count ? 2 : 1
    }
    return nil
  }

  package static let version = "0.1.0"

  private static func version(_ context: Context) -> ExitStatus {
    context.print("streaks \(version)")
    return .done
  }

  private static func help(
    _ name: String?, _ context: Context, _ style: Style
  ) throws(Failure) -> ExitStatus {
    guard let name, name != "help" else {
      context.print(Help.short(of: context.commands))
      return .done
    }
    if let topic = Topic.all.first(where: { $0.name == name }) {
      context.print(topic.help(width: context.helpWidth))
      return .done
    }
    guard let command = context.commands.first(where: { $0.name == name }) else {
      let known = context.commands.map(\.name) + Topic.all.map(\.name)
      let near = Nearest.hint(name, among: known)
      throw .usage("no help on \(quoted(name))\(near); `streaks help --all` lists all")
    }
    context.print(command.help(style, width: context.helpWidth))
    return .done
  }
}

import EventLog
import StreakDomain

/// The program: finds the command that the arguments name, runs it, and prints its failure.
package enum Program {
  package static let version = "0.1.0"

  package static func run(_ context: Context) -> ExitStatus {
    let wantsJSON = context.arguments.contains { $0 == "--json" }
    do throws(Failure) {
      // Invalid UTF-8 has been replaced before it gets here.
      if let broken = context.arguments.first(where: \.hasReplacedBytes) {
        throw .usage("\(quoted(broken)) is not valid UTF-8")
      }
      return try run(context.arguments, context, Session(defersWarnings: wantsJSON))
    } catch {
      if wantsJSON {
        context.errors(error.document.json + "\n")
      } else {
        context.printError(error.message)
      }
      return error.status
    }
  }

  private static func run(
    _ words: [String], _ context: Context, _ session: Session
  ) throws(Failure) -> ExitStatus {
    guard let index = try commandIndex(in: words, context) else {
      return try runWithoutCommand(words, context)
    }
    let rest = Array(words[..<index] + words[(index + 1)...])

    switch words[index] {
    case "help": return try help(rest, context)
    case "version": return version(context)
    case "complete":
      for candidate in Completion(rest, context: context).candidates {
        let fields = [candidate.text, candidate.help].map(Escaping.visible)
        context.output(Array((fields.joined(separator: "\t") + "\n").utf8))
      }
      return .done
    case let name: return try run(try command(named: name, context), rest, context, session)
    }
  }

  private static func runWithoutCommand(
    _ words: [String], _ context: Context
  ) throws(Failure) -> ExitStatus {
    if words.contains(where: { ["--version", "-V"].contains($0) }) { return version(context) }
    if let option = words.first(where: { !["--help", "-h"].contains($0) }) {
      throw .usage("\(quoted(option)) needs a command; `streaks help --all` lists all")
    }
    context.print(Help.short(of: context.commands))
    return .done
  }

  private static func run(
    _ command: any Command.Type, _ words: [String], _ context: Context, _ session: Session
  ) throws(Failure) -> ExitStatus {
    let arguments = try Arguments(words, options: command.allOptions)
    var context = context
    if arguments.has("--help") {
      context.print(
        Help.page(of: command, arguments.style(context), width: context.helpWidth))
      return .done
    }

    context.isLaidOut = command.isForPeople(arguments)
    if arguments.has("-q") {
      context.output = { _ in }
      context.isQuiet = true
    }
    if context.isErrorTerminal, !context.isQuiet { context.beginProgress() }
    defer { context.progress?.erase() }

    var status = ExitStatus.done
    do throws(Failure) {
      status = try command.run(Invocation(command, arguments, context, session: session))
    } catch {
      // After an error, people would repeat the command and record its events twice.
      guard session.hasRecorded else { throw error }
      context.printError("recorded, but then: \(error.sentence)")
    }
    session.printDeferredWarnings(on: context)
    return status
  }

  private static func command(
    named name: String, _ context: Context
  ) throws(Failure) -> any Command.Type {
    if let command = context.commands.first(where: { $0.name == name }) { return command }
    let others = [
      "jokers": "audit", "achievements": "replay", "undelete": "undo", "redo": "undo",
    ]
    let names = context.commands.map { $0.name } + ["help", "version"]
    let near = others[name].map { Nearest.meant($0) } ?? Nearest.hint(name, among: names)
    let advice: Sentence = wishes[name].map { "; \($0)" } ?? near
    throw .usage("unknown command \(quoted(name))\(advice); `streaks help --all` lists all")
  }

  /// The names of commands that only other programs have, with the commands to use instead.
  private static let wishes = [
    "add": "`streaks define HABIT` makes a habit, and `streaks log HABIT` an entry",
    "archive": "`streaks define HABIT --retire` retires a habit and keeps its history",
    "edit":
      "`streaks define HABIT` with options changes a habit, and "
      + "`streaks log HABIT --replaces EVENT` an entry",
    "list": "`streaks habits` lists the habits, and `streaks entries` the entries",
    "pause": "`streaks excuse DAY.. --habit NAME` pauses a habit",
    "remove":
      "`streaks delete EVENT` deletes an entry, and "
      + "`streaks define HABIT --retire` retires a habit",
    "rename": "`streaks define HABIT --name NEW` changes the name that is shown; the id stays",
    "resume":
      "`streaks excuse --until DAY --habit NAME` ends a pause, and "
      + "`streaks define HABIT` resumes a retired habit",
    "status": "`streaks show` shows the runs and what is due today",
    "unarchive": "`streaks define HABIT` resumes a retired habit",
  ]

  /// Returns the index of the command's name in `words`, or `nil` if there is none.
  ///
  /// Options can be before the name.
  private static func commandIndex(in words: [String], _ context: Context) throws(Failure) -> Int? {
    var index = 0
    while index < words.count {
      let word = words[index]
      guard word.begins(with: "-"), word.utf8.count > 1 else { return index }
      let name = String(word.parts(at: "=", most: 2)[0])
      let options = context.commands.flatMap { $0.allOptions }.filter { $0.name == name }
      guard !options.isEmpty || ["--version", "-V", "-h"].contains(word) else {
        throw .usage("unknown option \(quoted(name))\(Arguments.hint(name, Option.common))")
      }
      // `--ahead` has a value only in `calendar`.
      let next = index + 1 < words.count ? words[index + 1] : ""
      let mayLackValue = options.contains { $0.value == nil }
      let isValue = !next.begins(with: "-") && !context.commands.contains { $0.name == next }
      let hasValue = options.contains { $0.value != nil } && (!mayLackValue || isValue)
      index += hasValue && name.utf8.count == word.utf8.count ? 2 : 1
    }
    return nil
  }

  private static func version(_ context: Context) -> ExitStatus {
    context.print("streaks \(version)")
    return .done
  }

  private static func help(_ words: [String], _ context: Context) throws(Failure) -> ExitStatus {
    let all = Option("--all", nil, "every command by what it is for")
    let arguments = try Arguments(words, options: [all] + Option.common)
    let style = arguments.style(context)
    if arguments.has("--all") {
      context.print(Help.full(of: context.commands, style))
    } else {
      context.print(try helpPage(named: arguments.positionals.first, context, style))
    }
    return .done
  }

  private static func helpPage(
    named name: String?, _ context: Context, _ style: Style
  ) throws(Failure) -> String {
    guard let name, name != "help" else { return Help.short(of: context.commands) }
    if let topic = Topic.all.first(where: { $0.name == name }) {
      return topic.page(width: context.helpWidth)
    }
    if let command = context.commands.first(where: { $0.name == name }) {
      return Help.page(of: command, style, width: context.helpWidth)
    }
    let near = Nearest.hint(name, among: context.commands.map { $0.name } + Topic.all.map(\.name))
    throw .usage("no help on \(quoted(name))\(near); `streaks help --all` lists all")
  }
}

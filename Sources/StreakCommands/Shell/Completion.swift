import EventLog
import StreakDomain

/// The candidates for completing a command line.
///
/// The scripts of all shells get them from `streaks complete`. The candidates are the names of commands, topics,
/// options, habits and presets, and the measures of `log`.
struct Completion {
  typealias Candidate = (text: String, help: String)

  private let context: Context
  private let words: [String]
  private let current: String

  init(_ words: [String], context: Context) {
    (self.context, self.words, current) = (context, words.dropLast(), words.last ?? "")
  }

  var candidates: [Candidate] { all.filter { $0.text.begins(with: current) } }

  private var all: [Candidate] {
    let commands = context.commands.map { ($0.name, $0.summary) }
    guard let name = words.first else { return commands + [("help", "a command or a topic explained")] }
    if name == "help" { return words.count > 1 ? [] : commands + Topic.all.map { ($0.name, $0.summary) } }
    guard let command = context.commands.first(where: { $0.name == name }) else { return [] }
    let options = command.allOptions
    if let value = options.first(where: { $0.name == words.last })?.value {
      switch value {
      case .habit: return habits
      case .preset: return presets
      case .choice(let words, _), .other(_, let words): return words.map { ($0, "") }
      default: return []
      }
    }
    let positionals = positionals(options)
    if current.begins(with: "-") { return offered(options, kind: positionals.first) }
    let synopsis = command.words.words
    let place = positionals.count
    switch place < synopsis.count ? synopsis[place].name : synopsis.last(where: \.isRepeated)?.name {
    case "HABIT": return name == "define" ? habits + presets : habits
    case "WHAT": return habits
    case "PRESET": return presets
    case "MEASURE": return measures
    default: return place == 0 ? command.words.kinds.map { ($0, "") } : []
    }
  }

  private func offered(_ options: [Option], kind: String?) -> [Candidate] {
    let given = options.filter { words.contains($0.name) }
    return options.filter { option in
      (option.isRepeatable || !words.contains(option.name))
        && (option.kinds.isEmpty || kind.map(option.kinds.contains) ?? true)
        && !given.contains { $0.excludes.contains(option.name) || option.excludes.contains($0.name) }
    }.map { ($0.name, $0.help) }
  }

  private func positionals(_ options: [Option]) -> [String] {
    var found: [String] = []
    var isValue = false
    for word in words.dropFirst() {
      let option = options.first { $0.name == word }
      if !isValue, option == nil, !word.begins(with: "-") { found.append(word) }
      isValue = !isValue && option?.value != nil
    }
    return found
  }

  private var presets: [Candidate] { Preset.allCases.map { ($0.rawValue, "preset") } }

  private var habits: [Candidate] { ledger?.states().map { ($0.habit, $0.name.string) } ?? [] }

  private var measures: [Candidate] {
    guard words.count > 1, let rule = ledger?.definition(of: words[1])?.rule else { return [] }
    return rule.answers.map { ($0.word.string, $0.kind) }
  }

  /// The ledger, or `nil` if it can't be read, because a completion can't report errors.
  private var ledger: Ledger? {
    var words = ["--events"]
    if let place = self.words.firstIndex(of: "--events"), place + 1 < self.words.count {
      words.append(self.words[place + 1])
    }
    var quiet = context
    quiet.errors = { _ in }
    let arguments = try? Arguments(words.count > 1 ? words : [], options: Command.common)
    return arguments.flatMap { arguments in
      (try? Invocation(context: quiet, command: "complete", arguments: arguments).reader.load())?.ledger
    }
  }
}

import EventLog
import StreakDomain

/// The candidates for completing a command line; the shells' scripts get them by calling `streaks
/// complete`.
struct Completion {
  typealias Candidate = (text: String, help: String)

  private let context: Context
  private let words: [String]
  private let current: String

  init(_ words: [String], context: Context) {
    self.context = context
    self.words = words.dropLast()
    current = words.last ?? ""
  }

  var candidates: [Candidate] { all.filter { $0.text.begins(with: current) } }

  private var all: [Candidate] {
    let commands = context.commands.map { ($0.name, $0.help.summary) }
    guard let name = words.first else {
      return commands + [("help", "a command or a topic explained")]
    }
    if name == "help" {
      return words.count > 1 ? [] : commands + Topic.all.map { ($0.name, $0.help.summary) }
    }
    guard let command = context.commands.first(where: { $0.name == name }) else { return [] }
    let options = command.allOptions
    if let value = options.first(where: { $0.name == words.last })?.value {
      return value.name == "HABIT" ? habits : value.suggestions.map { ($0, "") }
    }
    if current.begins(with: "-") { return options.map { ($0.name, $0.help) } }

    let optionValues = words.count { word in options.contains { $0.name == word && $0.value != nil }
    }
    let index = words.dropFirst().count { !$0.begins(with: "-") } - optionValues
    let synopsis = command.words.words
    let argument = index < synopsis.count ? synopsis[index] : synopsis.last(where: \.isRepeated)
    switch argument?.name {
    case "HABIT", "WHAT":
      let takesPreset = options.contains { $0.name == "--preset" }
      return habits + (takesPreset ? presets : [])
    case "PRESET": return presets
    default: return index == 0 ? command.words.kinds.map { ($0, "") } : []
    }
  }

  private var presets: [Candidate] { Preset.allCases.map { ($0.rawValue, "preset") } }

  /// The habits of the ledger, or none if the ledger can't be read, because a completion can't
  /// report errors.
  private var habits: [Candidate] {
    let folder = zip(words, words.dropFirst()).first { $0.0 == "--events" }?.1
    var quiet = context
    quiet.errors = { _ in }
    guard
      let arguments = try? Arguments(
        folder.map { ["--events", $0] } ?? [], options: Option.common),
      let loaded = try? Invocation(CompletionsCommand.self, arguments, quiet).reader.load()
    else { return [] }
    return loaded.ledger.habits.map(\.state).map { ($0.habit, $0.name.string) }
  }
}

import EventLog
import StreakDomain

/// The arguments of a command: words in their order, and the values of options by their names.
package struct Arguments {
  private(set) var positionals: [String] = []
  private var values: [String: [String]] = [:]

  /// Creates arguments that were parsed elsewhere, such as those of a web request.
  package init(positionals: [String], values: [String: [String]]) {
    self.positionals = positionals
    self.values = values
  }

  /// Returns these arguments with the positionals of `other` appended, and with the values of
  /// `other` replacing those of the same options.
  package func adding(_ other: Arguments) -> Arguments {
    Arguments(
      positionals: positionals + other.positionals, values: values.merging(other.values) { $1 })
  }

  /// The positional arguments joined with spaces, so that a predicate needn't be quoted.
  var phrase: String { positionals.joined(separator: " ") }

  /// Returns the arguments with other values of `option`, or with none.
  func with(_ option: String, _ values: [String]) -> Arguments {
    var arguments = self
    arguments.values[option] = values
    return arguments
  }

  /// Parses the words after the command's name.
  init(_ words: [String], options: [Option]) throws(Failure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        return
      }
      if Arguments.isOption(word) {
        try readOption(word, followedBy: &rest, options)
      } else {
        positionals.append(word)
      }
    }
  }

  /// Whether `word` is an option, unlike a number such as `-3` or `-2.5km`.
  private static func isOption(_ word: String) -> Bool {
    guard word.begins(with: "-"), let second = word.utf8.dropFirst().first else { return false }
    return !second.isDigit && second != UInt8(ascii: ".")
  }

  /// Reads an option and its value, which follows an equals sign or is the next word.
  private mutating func readOption(
    _ word: String, followedBy rest: inout ArraySlice<String>, _ options: [Option]
  ) throws(Failure) {
    let parts = word.parts(at: "=", most: 2)
    let name = parts[0] == "-h" ? "--help" : String(parts[0])
    guard let option = options.first(where: { $0.name == name }) else {
      throw .usage("unknown option \(quoted(name))" + Arguments.hint(name, options))
    }
    guard let form = option.value else {
      guard parts.count == 1 else { throw .usage("\(name) takes no value") }
      values[name] = [""]
      return
    }

    // The name of an option is a value only after an equals sign, as in `--title=--live`.
    let isNext = rest.first.map { word in options.contains { $0.name == word } } ?? false
    guard let value = parts.count == 2 ? String(parts[1]) : isNext ? nil : rest.popFirst() else {
      throw .usage("\(name) needs a value, \(form.name)")
    }
    guard option.isRepeatable || values[name] == nil else {
      throw .usage("\(name) is given twice")
    }
    values[name, default: []].append(value)
  }

  static func hint(_ name: String, _ options: [Option]) -> Sentence {
    if name == "--at", !options.contains(where: { $0.name == "--dry-run" }) {
      return "; `streaks replay --at POINT` shows what was known then"
    }
    func bare(_ name: String) -> String {
      String(name.utf8.drop { $0 == UInt8(ascii: "-") }) ?? name
    }
    // A one-letter name differs by one edit from every other one-letter name.
    let near =
      bare(name).utf8.count > 1
      ? Nearest.names(to: bare(name), among: options.map { bare($0.name) }) : []
    guard !near.isEmpty else { return "; --help lists all" }
    return Nearest.hint(name, among: options.map(\.name).filter { near.contains(bare($0)) })
  }

  package func has(_ name: String) -> Bool { values[name] != nil }

  package func value(_ name: String) -> String? { values[name]?.first }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  func limit(_ limit: Int, _ names: String) throws(Failure) {
    guard positionals.count > limit else { return }
    throw .usage("\(quoted(positionals[limit])) is one word too many; expected \(names)")
  }

  func style(_ context: Context) -> Style {
    context.style(value("--color").flatMap { Style.Choice(rawValue: $0) } ?? .auto)
  }
}

import EventLog
import StreakDomain

/// The positional arguments that a command takes, in the form of its help, such as `HABIT [DAY]`.
package struct Synopsis: ExpressibleByStringLiteral, Sendable {
  package struct Word: Sendable {
    package let name: String
    package let isRequired: Bool
    package let isRepeated: Bool
  }

  package let text: String
  private let asking: String?
  private let place: Int
  package let kinds: [String]
  private let replacements: [String]
  private let most: Int?

  /// Creates a synopsis from `text`, in which brackets mark optional arguments, and `…` marks
  /// repeated arguments.
  ///
  /// - Parameters:
  ///   - text: The synopsis as the help shows it, such as `HABIT [DAY]`.
  ///   - asking: What errors ask for if the argument at `place` is missing, or if there are too
  ///     many; `nil` for `text`.
  ///   - kinds: The allowed values of the argument at `place`; empty if all values are allowed.
  ///   - place: The index of the argument that `asking` and `kinds` describe.
  ///   - replacements: The options with which no positional argument is allowed.
  ///   - most: The maximum number of arguments, or `nil` to derive it from `text`.
  init(
    _ text: String, asking: String? = nil, oneOf kinds: [String] = [], at place: Int = 0,
    unless replacements: [String] = [], most: Int? = nil
  ) {
    (self.text, self.asking, self.kinds, self.place) = (text, asking, kinds, place)
    (self.replacements, self.most) = (replacements, most)
  }

  package var words: [Word] {
    // A required option shown in the synopsis isn't a positional argument.
    if text.begins(with: "--") { return [] }
    return text.parts(at: " ").filter { !$0.isEmpty }.map { part in
      Word(
        name: part.rewriting { "[]…".unicodeScalars.contains($0) ? "" : nil },
        isRequired: !part.begins(with: "["), isRepeated: part.holds("…"))
    }
  }

  package static let predicate = Synopsis(
    "PREDICATE", asking: "a PREDICATE, such as 'noalc.current >= 7'", most: .max)

  package init(stringLiteral text: String) { self.init(text) }

  /// Throws unless the positional arguments match this synopsis.
  func check(_ arguments: Arguments, of command: String) throws(Failure) {
    let (words, given) = (words, arguments.positionals.count)
    if let option = replacements.first(where: arguments.has) {
      return try arguments.limit(0, "no \(words[0].name) with \(option)")
    }
    if place < given, !kinds.isEmpty, case let word = arguments.positionals[place],
      !kinds.contains(word)
    {
      let hint = Nearest.hint(word, among: kinds)
      throw .usage(
        "\(words[place].name) is \(quoted(word))\(hint); it must be \(Option.either(kinds))")
    }
    if given < words.count, words[given].isRequired {
      let forms = kinds.isEmpty ? "" : ": \(words[given].name) is \(Option.either(kinds))"
      throw .usage(
        "\(command) needs \(given == place ? asking ?? text + forms : text); --help shows how")
    }
    let most = most ?? (words.contains { $0.isRepeated } ? .max : words.count)
    let one = words.first.map { "one \($0.name)" } ?? "only options"
    try arguments.limit(most, words.count > 1 ? text : asking ?? one)
  }
}

import EventLog
import StreakDomain

/// The positional arguments that a command takes, in the form of its help, such as `HABIT [DAY]`.
package struct Synopsis: ExpressibleByStringLiteral, Sendable {
  /// A positional argument of a synopsis, such as `[DAY]`.
  package struct Word: Sendable {
    package let name: String
    package let isRequired: Bool
    package let isRepeated: Bool
  }

  /// The synopsis as the help shows it, such as `HABIT [DAY]`.
  package let text: String
  /// The words with which an error asks for the argument at `describedIndex`.
  ///
  /// If they are `nil`, the error shows `text`.
  private let request: String?
  /// The index of the argument that `request` and `kinds` describe.
  private let describedIndex: Int
  /// The allowed values of the argument at `describedIndex`; empty if all values are allowed.
  package let kinds: [String]
  /// The options with which no positional argument is allowed.
  private let replacingOptions: [String]
  /// The maximum number of arguments, or `nil` to derive it from `text`.
  private let limit: Int?

  /// Creates a synopsis from `text`, in which brackets mark optional arguments, and `…` marks
  /// repeated arguments.
  init(
    _ text: String, asking request: String? = nil, oneOf kinds: [String] = [], at index: Int = 0,
    unless replacingOptions: [String] = [], most limit: Int? = nil
  ) {
    self.text = text
    self.request = request
    self.kinds = kinds
    describedIndex = index
    self.replacingOptions = replacingOptions
    self.limit = limit
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
    let words = words
    let count = arguments.positionals.count
    if let option = replacingOptions.first(where: arguments.has) {
      return try arguments.limit(0, "no \(words[0].name) with \(option)")
    }

    if describedIndex < count, !kinds.isEmpty,
      case let word = arguments.positionals[describedIndex],
      !kinds.contains(word)
    {
      let hint = Nearest.hint(word, among: kinds)
      throw .usage(
        "\(words[describedIndex].name) is \(quoted(word))\(hint); it must be "
          + "\(Option.either(kinds))")
    }

    if count < words.count, words[count].isRequired {
      let forms = kinds.isEmpty ? "" : ": \(words[count].name) is \(Option.either(kinds))"
      let missing = count == describedIndex ? request ?? text + forms : text
      throw .usage("\(command) needs \(missing); --help shows how")
    }

    let limit = limit ?? (words.contains { $0.isRepeated } ? .max : words.count)
    let one = words.first.map { "one \($0.name)" } ?? "only options"
    try arguments.limit(limit, words.count > 1 ? text : request ?? one)
  }
}

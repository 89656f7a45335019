import StreakDomain

/// The words of a command after its name, as its help shows them: `HABIT [DAY]`, `FORM [WORDS…]`.
///
/// It is the one declaration of their number: a command runs only with as many words as it says.
package struct Synopsis: ExpressibleByStringLiteral, Sendable {
  package struct Word: Sendable {
    package let name: String
    package let isRequired: Bool
    package let isRepeated: Bool
  }

  package let text: String
  /// What a word may be whose name says too little.
  private let asking: String?
  private let place: Int
  /// What that word is one of; empty if it may be any.
  package let kinds: [String]
  /// Options in whose presence there are no words.
  private let replacements: [String]
  private let most: Int?

  /// - Parameters:
  ///   - text: The words, optional ones in brackets, repeated ones with `…`.
  ///   - asking: What is said to be needed if the word at `place` is missing (default: its name).
  ///   - kinds: What the word at `place` is one of.
  ///   - place: The index of that word.
  ///   - replacements: The options in whose presence there are no words.
  ///   - most: How many words there may be, where that is not what the text shows.
  init(
    _ text: String, asking: String? = nil, oneOf kinds: [String] = [], at place: Int = 0,
    unless replacements: [String] = [], most: Int? = nil
  ) {
    (self.text, self.asking, self.kinds, self.place) = (text, asking, kinds, place)
    (self.replacements, self.most) = (replacements, most)
  }

  package var words: [Word] {
    // An option that the command cannot do without is shown here, too, and is no word.
    if text.begins(with: "--") { return [] }
    return text.parts(at: " ").filter { !$0.isEmpty }.map { part in
      Word(
        name: part.rewriting { "[]…".unicodeScalars.contains($0) ? "" : nil },
        isRequired: !part.begins(with: "["), isRepeated: part.holds("…"))
    }
  }

  /// A predicate, which may come as one word or as several.
  package static let predicate = Synopsis(
    "PREDICATE", asking: "a PREDICATE, such as 'noalc.current >= 7'", most: .max)

  package init(stringLiteral text: String) { self.init(text) }

  /// Refuses words that are missing, or one too many.
  func check(_ arguments: Arguments, of command: String) throws(Failure) {
    let (words, given) = (words, arguments.positionals.count)
    if let option = replacements.first(where: arguments.has) {
      return try arguments.limit(0, "no \(words[0].name) with \(option)")
    }
    if place < given { try requireKind(of: arguments.positionals[place]) }
    if given < words.count, words[given].isRequired {
      throw .usage("\(command) needs \(asked(at: given)); see `streaks \(command) --help`")
    }
    let most = most ?? (words.contains { $0.isRepeated } ? .max : words.count)
    try arguments.limit(most, words.count == 1 ? "one \(words[0].name)" : words.isEmpty ? "none" : text)
  }

  /// Refuses a word that is none of the few that it may be.
  private func requireKind(of word: String) throws(Failure) {
    guard !kinds.isEmpty, !kinds.contains(word) else { return }
    let hint = Nearest.hint(word, among: kinds)
    throw .usage("\(words[place].name) is \(quoted(word))\(hint); it must be \(Option.either(kinds))")
  }

  private func asked(at index: Int) -> String {
    if index == place, let asking { return asking }
    let name = words[index].name
    if words[..<index].contains(where: { $0.name == name }) { return "another \(name)" }
    let isVowel = name.utf8.first.map { Array("AEIOU".utf8).contains($0) } ?? false
    return "\(isVowel ? "an" : "a") \(name)"
      + (index == place && !kinds.isEmpty ? ": \(Option.either(kinds))" : "")
  }
}

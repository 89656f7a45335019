import EventLog
import StreakDomain

/// The words with which a table reports whether a habit was done, such as `yes`, `x` or `✓`.
package struct AnswerWords: Sendable {
  /// An answer about one habit on one day, which is also the name of the option for its words.
  package enum Answer: String, CaseIterable, Sendable {
    case done, missed, excused
  }

  /// The words that options add, which come before the words of this program.
  package var ofOptions: [Answer: [String]] = [:]

  package init() {}

  /// Returns a description of the words, for the error if `text` isn't one of them.
  static func form(for text: String) -> Sentence {
    let word = text.holds(" ") ? Escaping.shell(text) : text
    return """
      one of 1, yes, true, x, ✓ or done, or of 0, no, false, ✗ or failed; \(option: "--done") \
      \(word) gives it a meaning, as do \(option: "--missed") and \(option: "--excused")
      """
  }

  /// Throws if a word has two meanings.
  func check() throws(Failure) {
    var meanings: [String: Answer] = [:]
    for answer in Answer.allCases {
      for word in ofOptions[answer] ?? [] {
        let plain = AnswerWords.plain(word)
        guard let other = meanings[plain], other != answer else {
          meanings[plain] = answer
          continue
        }
        throw Failure(
          .usage,
          """
          \(quoted(word)) is a word of both \(option: "--\(other.rawValue)") and \
          \(option: "--\(answer.rawValue)")
          """)
      }
    }
  }

  /// Returns the meaning of `text`, or `nil` if it is neither a word of an option nor one of this
  /// program.
  func answer(_ text: String) -> Answer? {
    if let given = given(text) { return given }
    let word = AnswerWords.plain(text)
    return AnswerWords.known.first { $0.value.contains(word) }?.key
  }

  /// Returns the meaning of `text` according to the options, or `nil` if no option contains `text`.
  func given(_ text: String) -> Answer? {
    let word = AnswerWords.plain(text)
    return Answer.allCases.first { answer in
      ofOptions[answer]?.contains { AnswerWords.plain($0) == word } ?? false
    }
  }

  /// Returns whether `text` is empty or means that there is no answer, such as `--` or `n/a`.
  static func isBlank(_ text: String) -> Bool {
    if let first = text.utf8.first, first.isDigit { return false }
    return blankWords.contains(plain(text))
  }

  private static let blankWords: Set<String> = ["", "-", "--", "–", "—", "n/a", "na"]

  /// Returns `text` in lowercase, without combining marks and the variation selectors of emoji.
  private static func plain(_ text: String) -> String {
    let trimmed = text.trimmed
    if trimmed.utf8.allSatisfy({ $0 < 0x80 }) { return trimmed.asciiLowercased }
    return trimmed.rewriting { scalar in
      let isMark = (0x300...0x36F).contains(scalar.value)
      let isSelector = (0xFE00...0xFE0F).contains(scalar.value)
      return isMark || isSelector ? "" : scalar.properties.lowercaseMapping
    }
  }

  /// The words in English, German, French, Spanish, Italian, Portuguese and Dutch, and those of the
  /// app Streaks.
  private static let known: [Answer: Set<String>] = [
    .done: [
      "1", "x", "✓", "✔", "✅", "☑", "true", "yes", "y", "done", "completed", "complete", "ok",
      "wahr", "ja", "j", "erledigt", "getan", "gemacht", "vrai", "oui", "fait", "verdadero", "sí",
      "si", "hecho", "vero", "sì", "fatto", "verdadeiro", "sim", "feito", "waar", "gedaan",
      "completed_manually", "completed_auto",
    ],
    .missed: [
      "0", "✗", "✘", "❌", "✖", "false", "no", "n", "failed", "missed", "falsch", "nein", "faux",
      "non", "falso", "não", "nao", "onwaar", "nee", "missed_auto", "missed_manually",
    ],
    .excused: ["skipped_manually", "skipped_auto"],
  ]
}

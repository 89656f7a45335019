import EventLog
import StreakDomain

/// The words with which a table reports whether a habit was done, such as `yes`, `x` or `✓`.
package struct AnswerWords: Sendable {
  /// The words that options add, which come before the words of this program.
  package var done: [String] = []
  package var missed: [String] = []
  package var excused: [String] = []

  /// An answer about one habit on one day.
  enum Answer {
    case done, missed, excused
  }

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
    let lists = [("--done", done), ("--missed", missed), ("--excused", excused)]
    var options: [String: String] = [:]
    for (option, words) in lists {
      for word in words {
        let plain = AnswerWords.plain(word)
        guard let other = options[plain], other != option else {
          options[plain] = option
          continue
        }
        throw Failure(
          .usage, "\(quoted(word)) is a word of both \(option: other) and \(option: option)")
      }
    }
  }

  /// Returns the meaning of `text`, or `nil` if it is neither a word of an option nor one of this
  /// program.
  func answer(_ text: String) -> Answer? {
    if let given = given(text) { return given }
    let word = AnswerWords.plain(text)
    if AnswerWords.doneWords.contains(word) { return .done }
    if AnswerWords.missedWords.contains(word) { return .missed }
    return AnswerWords.excusedWords.contains(word) ? .excused : nil
  }

  /// Returns the meaning of `text` according to the options, or `nil` if no option contains `text`.
  func given(_ text: String) -> Answer? {
    let word = AnswerWords.plain(text)
    func has(_ words: [String]) -> Bool { words.contains { AnswerWords.plain($0) == word } }
    return has(done) ? .done : has(missed) ? .missed : has(excused) ? .excused : nil
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

  /// The words for done in English, German, French, Spanish, Italian, Portuguese and Dutch, and
  /// those of the app Streaks.
  private static let doneWords: Set<String> = [
    "1", "x", "✓", "✔", "✅", "☑", "true", "yes", "y", "done", "completed", "complete", "ok", "wahr",
    "ja", "j", "erledigt", "getan", "gemacht", "vrai", "oui", "fait", "verdadero", "sí", "si",
    "hecho", "vero", "sì", "fatto", "verdadeiro", "sim", "feito", "waar", "gedaan",
    "completed_manually", "completed_auto",
  ]

  /// The words for not done in the same languages.
  private static let missedWords: Set<String> = [
    "0", "✗", "✘", "❌", "✖", "false", "no", "n", "failed", "missed", "falsch", "nein", "faux",
    "non", "falso", "não", "nao", "onwaar", "nee", "missed_auto", "missed_manually",
  ]

  /// The words of the app Streaks for a day that was skipped.
  private static let excusedWords: Set<String> = ["skipped_manually", "skipped_auto"]
}

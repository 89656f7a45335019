/// Why something was not done: of what kind, where, what is wrong, and what to do about it.
///
/// It is worded where it is thrown. Everything else about it follows from its kind (`FailureKind`).
package struct Failure: Error, Equatable, Sendable {
  package let kind: FailureKind
  /// What is wrong, without what to do, and the names that may be meant.
  package let says: Sentence
  /// What to do about it on a command line; servers and apps have their own words for it.
  package var remedy: String?
  /// Where it is; of something that is in no file, the name of the command and line 0.
  package var place: Place?
  /// The text that has it, to show the place; empty where there is none.
  package var text = ""
  package var detail: Detail?

  /// What a program may have to know beside the kind.
  package enum Detail: Equatable, Sendable {
    /// The field of an event that is missing or unknown.
    case field(String)
    /// The other event with the same id.
    case other(Place)
    /// How another program ended.
    case status(Int32)
    /// How many events the ledger has.
    case position(Int)
  }

  package init(
    _ kind: FailureKind, _ says: Sentence, remedy: String? = nil, at place: Place? = nil, text: String = "",
    detail: Detail? = nil
  ) {
    self.kind = kind
    self.says = says
    self.remedy = remedy
    self.place = place
    self.text = text
    self.detail = detail
  }

  /// A failure in a text that is in no file yet; the column is in bytes, from 1.
  package init(
    _ kind: FailureKind, column: Int, _ says: Sentence, remedy: String? = nil, detail: Detail? = nil
  ) {
    self.init(
      kind, says, remedy: remedy, at: Place(file: "", line: 0, column: column), detail: detail)
  }
}

extension Failure {
  /// Whether an event was refused for what the ledger says, and not for what its line says or what became of a file.
  package var isRefusal: Bool { kind.row.problem == .badEvent && kind.row.app == .refused }

  /// What to do about it in any program; of what only a command line can do, nothing.
  package var remedyInAnyProgram: String? {
    switch kind {
    case .unknownHabit: "a new one is made with a habit.defined"
    case .notOpened, .notUTF8, .unknownEntry, .unknownExcuse, .unknownField, .unknownType, .newerVersion,
      .conflictMarker:
      nil
    default: remedy
    }
  }

  /// The column in its text, in bytes, from 1.
  package var column: Int { place?.column ?? 1 }

  /// This failure at another place, with the text there.
  package func at(_ place: Place?, _ text: String) -> Failure {
    Failure(kind, says, remedy: remedy, at: place, text: text, detail: detail)
  }

  /// This failure in a line of a file, in the column that it has.
  package func inLine(_ line: Int, of file: String, _ text: [UInt8]) -> Failure {
    at(Place(file: file, line: line, column: column), String(decoding: text, as: UTF8.self))
  }

  /// What is wrong and what to do, in one line.
  package var sentence: String { sentence(with: remedy) }

  /// What is wrong, and what to do in any program.
  package var sentenceInAnyProgram: String { sentence(with: remedyInAnyProgram) }

  private func sentence(with remedy: String?) -> String {
    let wrong = if case .other(let place)? = detail { "\(says) at \(place)" } else { says.text }
    return wrong + (remedy.map { "; " + $0 } ?? "")
  }

  /// For a command line: where, what is wrong, what to do, and the text with a mark under the place.
  package var message: String {
    let start =
      switch place {
      case let place? where place.line > 0: "\(place)"
      case let place? where !place.file.isEmpty: "streaks \(place.file)"
      default: "streaks"
      }
    return "\(start): \(sentence)\(excerpt)"
  }

  /// The text with a mark under the place, in lines of their own; empty where there is no text.
  package var excerpt: String { text.isEmpty ? "" : "\n" + Excerpt.marked(text, at: column - 1) }
}

/// Where a line is: `events/main.jsonl:17:42`.
package struct Place: Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int
  /// In bytes, from 1.
  package let column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  package var description: String { "\(Escaping.visible(file)):\(line):\(column)" }
}

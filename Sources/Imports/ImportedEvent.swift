package import EventLog
package import StreakDomain

/// One event that a foreign file brings, before the ledger has judged it.
package struct ImportedEvent {
  package let id: String
  package let habit: String
  package let day: Day
  /// When it happened; nil where only the day is known.
  package let at: Timestamp?
  package let payload: Payload
  /// The import and the source that it names.
  package let by: String
  /// The thing in a few words.
  package let what: String
  package let place: Place
  package var text = ""
  /// Whether the id is the file's, and not made from what the file says.
  package var hasOwnID = false
}

extension ImportedEvent {
  /// `by` of what an import writes: its name, and the source as far as there is room for it.
  static func writer(_ name: String, _ source: String) -> String {
    let source = line(source).trimmed
    var writer = name + (source.isEmpty ? "" : ":" + source)
    while writer.unicodeScalars.count > 64 { writer.unicodeScalars.removeLast() }
    return writer
  }

  /// A text in one line, with a blank for each control character.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { Escaping.isPrintable($0) ? $0 : " " })).trimmed
  }
}

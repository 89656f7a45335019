package import EventLog
package import StreakDomain

extension Failure {
  package static func notImported(_ error: SystemError) -> Failure {
    error.isNotFound
      ? Failure(.usage, "there is no file \(quoted(error.path))")
      : Failure(.system, "nothing was imported: \(error)")
  }

  static func noUnzip(archive: String) -> Failure {
    Failure(
      .noProgram, "\(quoted(archive)) is a zip, and there is no unzip to unpack it",
      remedy: "install it, or unpack the file yourself and import what is in it")
  }

  static func brokenArchive(archive: String, status: Int32) -> Failure {
    Failure(
      .refused,
      "\(quoted(archive)) is damaged or encrypted (unzip ended with \(status)), so nothing was imported",
      remedy: "export it again", detail: .status(status))
  }

  static func notInArchive(archive: String, wanted: String, names: [String]) -> Failure {
    Failure(.refused, "\(quoted(archive)) has no \(wanted)\(listed(names))")
  }

  package static func notXML(_ place: Place, code: Int, isCutOff: Bool) -> Failure {
    isCutOff
      ? Failure(
        .refused, "the file ends in the middle, so nothing was imported", remedy: "copy or export it again",
        at: place)
      : Failure(.refused, "not well-formed XML: \(reason(code)); nothing was imported", at: place)
  }

  package static func longProlog(_ place: Place, part: String, limit: Int) -> Failure {
    Failure(
      .refused,
      "\(part) does not end within \(limit) bytes, which no export needs; nothing was imported",
      remedy: "export it again, or remove that part", at: place)
  }

  package static func otherEncoding(_ place: Place, encoding: String?) -> Failure {
    let says: Sentence =
      encoding.map { "the file is in \(quoted($0)), and only UTF-8 is read" }
      ?? "not valid UTF-8, most often Latin-1 from an older program"
    return Failure(
      .refused, says,
      remedy: "convert it, such as with `iconv -f \(Escaping.visible(encoding ?? "latin1")) -t utf-8`",
      at: place)
  }

  static func missingField(_ place: Place, text: String, field: String) -> Failure {
    Failure(.missingField, "\(quoted(field)) is missing or empty", at: place, text: text)
  }

  static func badField(_ place: Place, text: String, field: String, value: String, form: String) -> Failure {
    Failure(
      .refused, "\(quoted(field)) is \(quoted(value)); it must be \(form)", at: place, text: text)
  }

  static func ragged(_ place: Place, text: String, expected: Int, found: Int) -> Failure {
    let separator = expected == 1 ? separator(in: text) : nil
    return Failure(
      .refused,
      "the row has \(counted(found, "field")) where \(expected) \(expected == 1 ? "is" : "are") expected",
      remedy: separator ?? "quote a field that contains the separator", at: place, text: text)
  }

  static func quotes(_ place: Place, text: String) -> Failure {
    Failure(
      .refused, "misplaced quote: a field is quoted as a whole, and a quote inside it is doubled", at: place,
      text: text)
  }

  static func noDayColumn(_ place: Place, text: String, known: [String]) -> Failure {
    Failure(
      .usage, "no column says the day",
      remedy: (separator(in: text).map { "\($0); else " } ?? "")
        + "name the columns with --columns, one of them day or at, from " + known.joined(separator: ", "),
      at: place, text: text)
  }

  package static func otherFormat(_ place: Place, text: String, expected: String) -> Failure {
    Failure(.refused, "expected \(expected)", at: place, text: text)
  }

  /// Returns advice on the separator of a line without commas.
  private static func separator(in text: String) -> String? {
    guard !text.holds(",") || text.holds(";") else { return nil }
    if text.holds(";") { return "if semicolons separate the columns, give --separator ';'" }
    return text.holds("\t") ? "if tabs separate the columns, give --separator tab" : nil
  }

  private static func listed(_ names: [String]) -> String {
    guard !names.isEmpty else { return "; it is empty" }
    let shown = names.prefix(8).map { Escaping.visible($0) }.joined(separator: ", ")
    return "; it contains \(shown)" + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }

  /// Returns the meaning of the libxml2 error codes that damaged exports cause.
  fileprivate static func reason(_ code: Int) -> String {
    switch code {
    case 1, 110: "a text or name that is far too long"
    case 4, 5: "there is no element, the file ends too early, or something follows its end"
    case 8, 9: "a character that XML does not have, or bytes that are no UTF-8"
    case 26, 27: "an entity that is not declared"
    case 38, 39, 40: "an attribute that is not written in quotes"
    case 41: "an attribute without a value"
    case 42: "duplicate attribute"
    case 46, 47: "a processing instruction that is not well formed"
    case 62: "the end of a CDATA section that never began"
    case 65: "a blank is missing"
    case 68: "a < or & that begins nothing"
    case 73, 77: "a tag without its end"
    case 76: "an end tag that does not fit its start tag"
    case 201: "undeclared namespace prefix"
    default: "libxml2 calls it error \(code)"
    }
  }
}

import EventLog
import StreakDomain

extension ImportError {
  /// The name under which docs/errors.md explains the error.
  package var name: String {
    switch self {
    case .system: "system"
    case .noUnzip: "noUnzip"
    case .noHealthProgram: "noHealthProgram"
    case .brokenArchive: "brokenArchive"
    case .notInArchive: "notInArchive"
    case .swelling: "swelling"
    case .zipFromPipe: "zipFromPipe"
    case .tooLarge: "tooLarge"
    case .notXML: "notXML"
    case .tooDeep: "tooDeep"
    case .longProlog: "longProlog"
    case .entityDeclared: "entityDeclared"
    case .externalReference: "externalReference"
    case .otherEncoding: "otherEncoding"
    case .otherRoot: "otherRoot"
    case .missingField: "missingField"
    case .badField: "badField"
    case .endsBeforeStart: "endsBeforeStart"
    case .ragged: "ragged"
    case .quotes: "quotes"
    case .unknownColumn: "unknownColumn"
    case .noDayColumn: "noDayColumn"
    case .otherFormat: "otherFormat"
    case .badMap: "badMap"
    }
  }

  /// What is wrong, where, and what to do; one or more lines.
  package var message: String {
    switch self {
    case .system(let failure):
      "streaks: nothing was imported: \(failure)"
    case .noUnzip(let archive):
      "streaks: \(quoted(archive)) is a zip, and there is no unzip to unpack it; install it, or unpack the "
        + "file yourself and import what is in it"
    case .noHealthProgram(let path):
      "streaks: exports of the Health app are read by streaks-health, which is not at \(quoted(path)); "
        + "put it there, beside streaks"
    case .brokenArchive(let archive, let status):
      "streaks: \(quoted(archive)) is damaged or encrypted (unzip ended with \(status)), so nothing was imported; "
        + "export it again"
    case .notInArchive(let archive, let wanted, let names):
      "streaks: \(quoted(archive)) has no \(wanted)" + ImportError.listed(names)
    case .swelling(let archive, let ratio):
      "streaks: \(quoted(archive)) grows to more than \(ratio) times its size, which no genuine export does; "
        + "nothing was imported. If you trust it, unpack it yourself and import what is in it"
    case .zipFromPipe:
      "streaks: standard input is a zip, and a zip is read from a file only, because its directory is at the end; "
        + "write it to a file and give its name, or pipe in what is in it, as from `unzip -p`"
    case .tooLarge(let file, let limit):
      "streaks: \(quoted(file)) has more than \(limit >> 20) MiB, the most that is read at once; nothing was imported. "
        + "Split it, such as by year: importing one part after the other is the same"
    case .notXML(let place, let code, let isCutOff):
      isCutOff
        ? "\(place): the file ends in the middle, so nothing was imported; copy or export it again"
        : "\(place): not well-formed XML: \(ImportError.reason(code)); nothing was imported"
    case .tooDeep(let place):
      "\(place): elements are nested more than \(HealthContents.depth) deep, which no export does; "
        + "nothing was imported"
    case .longProlog(let place, let part, let limit):
      "\(place): \(part) does not end within \(limit) bytes, which no export needs; nothing was imported. "
        + "Export it again, or remove that part"
    case .entityDeclared(let place):
      "\(place): the file declares entities, which an export does not need and which can grow without end; "
        + "nothing was imported"
    case .externalReference(let place):
      "\(place): the file refers to another file or address, which is never read; nothing was imported"
    case .otherEncoding(let place, let encoding):
      encoding.map {
        "\(place): the file is in \(quoted($0)), and only UTF-8 is read; convert it, such as with "
          + "`iconv -f \(Escaping.visible($0)) -t utf-8`"
      }
        ?? "\(place): not valid UTF-8, most often Latin-1 from an older program; convert it, such as with "
        + "`iconv -f latin1 -t utf-8`"
    case .otherRoot(let place, let root):
      "\(place): the file begins with <\(Escaping.visible(root))>, not <HealthData>; it is no export of the Health app"
    default: lineMessage
    }
  }

  /// The message of what is in a line that can be shown.
  private var lineMessage: String {
    switch self {
    case .missingField(let place, let text, let field):
      excerpt(place, text, "\(quoted(field)) is missing or empty")
    case .badField(let place, let text, let field, let value, let form):
      excerpt(place, text, "\(quoted(field)) is \(quoted(value)); it must be \(form)")
    case .endsBeforeStart(let place, let start, let end):
      "\(place): it ends at \(Escaping.visible(end)), before it starts, at \(Escaping.visible(start)), so "
        + "nothing was imported; correct it, or exclude it with --source, --type or --until"
    case .ragged(let place, let text, let expected, let found):
      excerpt(
        place, text,
        "the row has \(counted(found, "field")) where \(expected) "
          + "\(expected == 1 ? "is" : "are") expected"
          + ((expected == 1 ? Self.separator(in: text) : nil) ?? "; quote a field that contains the separator")
      )
    case .quotes(let place, let text):
      excerpt(
        place, text,
        "misplaced quote: a field is quoted as a whole, and a quote inside it is doubled")
    case .unknownColumn(let place, let text, let name, let known):
      excerpt(
        place, text,
        "there is no column \(quoted(name))" + Nearest.hint(name, among: known) + "; one is "
          + known.joined(separator: ", "))
    case .noDayColumn(let place, let text, let known):
      excerpt(
        place, text,
        "no column says the day" + (Self.separator(in: text) ?? "")
          + "; name the columns with --columns, one of them day or at, from "
          + known.joined(separator: ", "))
    case .otherFormat(let place, let text, let expected): excerpt(place, text, "expected \(expected)")
    case .badMap(let place, let text, let reason): excerpt(place, text, reason)
    default: ""
    }
  }

  /// What a line without a comma may have instead.
  private static func separator(in text: String) -> String? {
    guard !text.holds(",") || text.holds(";") else { return nil }
    if text.holds(";") { return "; if semicolons separate the columns, give --separator ';'" }
    return text.holds("\t") ? "; if tabs separate the columns, give --separator tab" : nil
  }

  private func excerpt(_ place: Place, _ text: String, _ sentence: String) -> String {
    "\(place): \(sentence)" + (text.isEmpty ? "" : "\n" + Excerpt.marked(text, at: place.column - 1))
  }

  private static func listed(_ names: [String]) -> String {
    guard !names.isEmpty else { return "; it is empty" }
    let shown = names.prefix(8).map { Escaping.visible($0) }.joined(separator: ", ")
    return "; it contains \(shown)" + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }

  /// What libxml2's codes mean that a damaged export brings about.
  private static func reason(_ code: Int) -> String {
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

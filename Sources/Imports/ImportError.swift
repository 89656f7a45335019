package import EventLog

/// Why nothing can be imported from a file; the sentences are in `ImportError+Sentences.swift`.
package enum ImportError: Error, Equatable, Sendable {
  /// The file cannot be read.
  case system(SystemError)
  /// A zip, and no `unzip` on the path to take it apart.
  case noUnzip(archive: String)
  /// An export of the Health app, and the program that reads its XML is not where it must be.
  case noHealthProgram(path: String)
  /// `unzip` ended with this status.
  case brokenArchive(archive: String, status: Int32)
  /// A zip in which the wanted file is missing; the names that are there.
  case notInArchive(archive: String, wanted: String, names: [String])
  /// The unpacked zip is more than so many times its size.
  case swelling(archive: String, ratio: Int)
  /// A zip that does not come from a file.
  case zipFromPipe
  /// More bytes than are held at once.
  case tooLarge(file: String, limit: Int)
  case notXML(Place, code: Int, isCutOff: Bool)
  /// Elements are nested deeper than in any export.
  case tooDeep(Place)
  /// What is before the first element, or a part of it, does not end within so many bytes.
  case longProlog(Place, part: String, limit: Int)
  case entityDeclared(Place)
  case externalReference(Place)
  case otherEncoding(Place, encoding: String?)
  case otherRoot(Place, root: String)
  /// A field is absent.
  case missingField(Place, text: String, field: String)
  /// A field's text is not of its form.
  case badField(Place, text: String, field: String, value: String, form: String)
  case endsBeforeStart(Place, start: String, end: String)
  case ragged(Place, text: String, expected: Int, found: Int)
  case quotes(Place, text: String)
  /// A column of a table that no entry has, or that is needed and absent.
  case unknownColumn(Place, text: String, name: String, known: [String])
  case noDayColumn(Place, text: String, known: [String])
  /// A file that is none of those an import reads.
  case otherFormat(Place, text: String, expected: String)
  case badMap(Place, text: String, reason: String)

  /// All names, for the tests and the documentation.
  package static let names = [
    "system", "noUnzip", "noHealthProgram", "brokenArchive", "notInArchive", "swelling", "zipFromPipe",
    "tooLarge", "notXML",
    "tooDeep", "longProlog",
    "entityDeclared", "externalReference", "otherEncoding", "otherRoot", "missingField", "badField",
    "endsBeforeStart",
    "ragged", "quotes", "unknownColumn", "noDayColumn", "otherFormat", "badMap",
  ]
}

extension ImportError {
  /// Where in the file it is; nil for what is about the whole of it.
  package var place: Place? {
    switch self {
    case .notXML(let place, _, _), .tooDeep(let place), .longProlog(let place, _, _),
      .entityDeclared(let place),
      .externalReference(let place), .otherEncoding(let place, _), .otherRoot(let place, _),
      .missingField(let place, _, _), .badField(let place, _, _, _, _), .endsBeforeStart(let place, _, _),
      .ragged(let place, _, _, _), .quotes(let place, _), .unknownColumn(let place, _, _, _),
      .noDayColumn(let place, _, _), .otherFormat(let place, _, _), .badMap(let place, _, _):
      place
    case .system, .noUnzip, .noHealthProgram, .brokenArchive, .notInArchive, .swelling, .zipFromPipe,
      .tooLarge:
      nil
    }
  }
}

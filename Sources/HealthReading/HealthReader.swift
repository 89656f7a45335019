import EventLog
import Foundation
package import Imports
package import StreakDomain

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A reader of Health exports that uses Foundation's XML parser.
package enum HealthExport {
  /// Reads a whole export, but stores only the records that `question` asks for.
  package static func read(_ source: ByteSource, _ question: HealthContents.Question) throws(Failure)
    -> HealthContents
  {
    try XMLProlog.pass(source)
    let reader = HealthReader(source.name, question)
    let stream = PieceStream(source) { question.progress($0, reader.contents.count) }
    reader.stream = stream
    let parser = XMLParser(stream: stream)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    let isParsed = parser.parse()
    if let failure = stream.failure { throw failure }
    if let problem = reader.problem {
      // A truncated element arrives with the attributes read so far.
      if problem.kind == .missingField, let place = problem.place, stream.isCutOff(before: "</HealthData>") {
        throw .notXML(place, code: 77, isCutOff: true)
      }
      throw problem
    }
    if let error = reader.syntax {
      // A file without its end is reported as truncated, whatever the parser's error, unless an end tag
      // doesn't match.
      let isCutOff =
        error.code != 76 && (reader.isOpen || !reader.hasRoot) && stream.isCutOff(before: "</HealthData>")
      throw .notXML(source.place(error.line, error.column), code: error.code, isCutOff: isCutOff)
    }
    guard isParsed, reader.hasRoot, !reader.isOpen else {
      throw .notXML(
        source.place(max(1, parser.lineNumber), max(1, parser.columnNumber)), code: 5,
        isCutOff: reader.hasRoot)
    }
    return reader.contents
  }
}

private final class HealthReader: NSObject, XMLParserDelegate {
  var contents: HealthContents
  private(set) var problem: Failure?
  private(set) var syntax: (code: Int, line: Int, column: Int)?
  private(set) var hasRoot = false
  private(set) var isOpen = false
  weak var stream: PieceStream?
  private let file: String
  private let question: HealthContents.Question
  private var pending: (element: String, record: HealthRecord)?
  private var distance: Thousandths?
  private var depth = 0
  private var zone: String?
  /// The maximum number of unwanted types to count, because a file could contain any number of them.
  private static let mostTypes = 1000

  init(_ file: String, _ question: HealthContents.Question) {
    self.file = file
    self.question = question
    contents = HealthContents(file: file, dayStart: question.dayStart)
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard problem == nil, syntax == nil else { return }
    let place = Place(file: file, line: parser.lineNumber, column: parser.columnNumber)
    depth += 1
    if depth > HealthContents.depth {
      return stop(
        parser,
        Failure(
          .notJSON,
          "elements are nested more than \(HealthContents.depth) deep, which no export does; nothing was imported",
          at: place))
    }
    guard hasRoot else {
      hasRoot = true
      isOpen = true
      if element != "HealthData" {
        let says: Sentence =
          "the file begins with <\(Escaping.visible(element))>, not <HealthData>; it is no export of the Health app"
        stop(parser, Failure(.refused, says, at: place))
      }
      return
    }
    do throws(Failure) {
      switch element {
      case "Record": try begin(element, attributes, "type", place)
      case "Workout": try begin(element, attributes, "workoutActivityType", place)
      case "WorkoutStatistics" where pending?.element == "Workout":
        try pending?.record.addStatistics(attributes, to: &distance)
      case "MetadataEntry" where attributes["key"] == "HKTimeZone": zone = attributes["value"]
      default: break
      }
    } catch { stop(parser, error) }
  }

  private func begin(
    _ element: String, _ attributes: [String: String], _ typeField: String, _ place: Place
  ) throws(Failure) {
    contents.count += 1
    let type = Text(attributes[typeField] ?? "")
    guard question.wants(type) || type.isEmpty else {
      if contents.others[type] != nil || contents.others.count < HealthReader.mostTypes {
        contents.others[type, default: 0] += 1
      }
      return
    }
    var record: HealthRecord
    do throws(Failure) {
      record = try HealthRecord(attributes, typeField: typeField, at: place)
      record.dayStart = contents.records.dayStart
    } catch {
      guard let reason = reason(attributes, type) else { throw error }
      contents.odd.append(LeftOut(place: place, what: "a record", reason: reason))
      return
    }
    if let number = record.number, number < 0 || !number.isFinite {
      contents.odd.append(LeftOut(place: place, what: record.phrase, reason: .negative))
      return
    }
    pending = (element, record)
    distance = nil
    zone = nil
  }

  /// Returns the reason to skip a malformed record, or `nil` if it must be reported as an error.
  private func reason(_ attributes: [String: String], _ type: Text) -> LeftOut.Reason? {
    let day = attributes["startDate"].flatMap {
      HealthRecord.time($0)?.localDay(from: contents.records.dayStart)
    }
    if !type.isEmpty, let reason = question.leavesOut(type, Text(attributes["sourceName"] ?? ""), day) {
      return reason
    }
    return HealthRecord.isBeyondTheCalendar(attributes) ? .beyondTheCalendar : nil
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    if element == "HealthData" { isOpen = false }
    guard var record = pending?.record, pending?.element == element else { return }
    pending = nil
    record.km = record.km ?? distance
    if let zone { record.move(to: zone) }
    contents.sources.insert(record.source)
    contents.records.append(record)
  }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    guard syntax == nil, problem == nil else { return }
    syntax = ((error as NSError).code, parser.lineNumber, parser.columnNumber)
    stream?.isStopped = true
    parser.abortParsing()
  }

  private func stop(_ parser: XMLParser, _ error: Failure) {
    problem = error
    stream?.isStopped = true
    parser.abortParsing()
  }
}

import EventLog
import Foundation
import StreakCommands
import StreakDomain

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A habit's year as SVG, read by Foundation's XML parser: well-formed, of known elements, and its title is the name.
enum SVGLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    let text = String(decoding: input, as: UTF8.self)
    try checkEscaping(text)
    let ledger = OddLedger(Text(text)).ledger
    guard let state = ledger.states().first else { throw Finding("the habit is not there") }
    let reading = try SVGReading(Array(YearDrawing(state, ledger, year: 2025).svg.utf8))
    let known: Set = ["svg", "title", "desc", "style", "text", "rect"]
    try demand(
      reading.elements.isSubset(of: known), "it has the elements \(reading.elements.subtracting(known))")
    let title = Escaping.visible("\(text) \(text)")
    try demand(!title.unicodeScalars.contains { $0.value < 0x20 }, "a control character is visible")
    let wanted = Array("\(kept(title)) in 2025".utf8)
    try demand(reading.title == wanted, "the title is \(String(decoding: reading.title, as: UTF8.self))")
    try demand(
      reading.heading == wanted, "the heading is \(String(decoding: reading.heading, as: UTF8.self))")
  }

  /// Any text at all, between tags and between an attribute's quotes.
  private static func checkEscaping(_ text: String) throws(Finding) {
    let escaped = Escaping.xml(text)
    let reading = try SVGReading(Array("<svg a=\"\(escaped)\"><title>\(escaped)</title></svg>".utf8))
    let wanted = Array(kept(text).utf8)
    try demand(reading.title == wanted, "between tags it is another text")
    try demand(reading.attribute == wanted, "between quotes it is another text")
    try demand(reading.elements == ["svg", "title"], "it made an element")
  }

  /// What XML can say of a text (XML 1.0, production 2), and U+FFFD for the rest.
  private static func kept(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xFFFD, 0x10000...: kept.append(scalar)
      default: kept.append("\u{FFFD}")
      }
    }
    return String(kept)
  }
}

/// What Foundation's parser finds in a drawing.
private final class SVGReading: NSObject, XMLParserDelegate {
  private(set) var elements: Set<String> = []
  private(set) var title: [UInt8] = []
  private(set) var heading: [UInt8] = []
  private(set) var attribute: [UInt8] = []
  private var path: [String] = []
  private var isHeading = false

  init(_ bytes: [UInt8]) throws(Finding) {
    super.init()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = self
    guard parser.parse() else {
      throw Finding("it is not well-formed: \(parser.parserError.map { "\($0)" } ?? "for no reason")")
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    elements.insert(element)
    path.append(element)
    if element == "svg" { attribute = Array((attributes["a"] ?? "").utf8) }
    isHeading = attributes["class"] == "title"
  }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
    isHeading = false
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if path == ["svg", "title"] { title += text.utf8 }
    if isHeading { heading += text.utf8 }
  }
}

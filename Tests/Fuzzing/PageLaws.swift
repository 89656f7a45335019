import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain

/// The law of the page of `report`: whatever a log contains, the page has the tags of a plain page.
///
/// Its data are JSON with the same texts.
enum PageLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    let text = String(decoding: input, as: UTF8.self)
    let page = page(of: text)
    let tail = plain.tail
    try demand(
      page.count > tail.count && page.suffix(tail.count) == tail,
      "behind the data it is another page")
    let tokens = PageTokens(page.dropLast(tail.count) + Array("</script>".utf8))
    try demand(tokens.tags == plain.tags, "it has other tags: \(tokens.tags)")
    guard let title = tokens.texts.first(where: { $0.element == "title" }),
      let data = tokens.texts.last(where: { $0.element == "script" })
    else { throw Finding("it has no title or no data") }
    let visible = Escaping.visible(text)
    try demand(
      unescaped(title.bytes) == kept(visible),
      "the title is \(String(decoding: title.bytes, as: UTF8.self))")
    var found: Set<[UInt8]> = []
    for line in data.bytes.split(separator: UInt8(ascii: "\n")) {
      let piece = try? JSONSerialization.jsonObject(with: Data(line))
      guard let piece = piece as? [String: Any] else { throw Finding("the data are no JSON") }
      gather(piece, into: &found)
    }
    // Foundation drops this mark at the start of a text (`WantedDifference.markInText`).
    guard !text.unicodeScalars.contains("\u{FEFF}") else { return }
    let says = text.isEmpty ? [] : [Escaping.visible("\(text), “\(text)”")]
    for wanted in [visible, text] + says {
      try demand(found.contains(Array(wanted.utf8)), "no text of the data is \(wanted)")
    }
  }

  private static func page(of text: String) -> [UInt8] {
    let odd = OddLedger(Text(text))
    var ledger = odd.start
    var recorder = ReportRecorder()
    for event in odd.events {
      ledger.fold(event)
      recorder.recordStep(&ledger, [StepLine(event, at: ledger.position)], of: nil)
    }
    return recorder.page(ReportSettings(title: text, rings: ["odd"]))
  }

  /// The tags of a page with harmless texts, and the constant end of the page from the data's
  /// closing tag on.
  private static let plain: (tags: [String], tail: [UInt8]) = {
    let page = PageLaws.page(of: "plain")
    let scripts = page.indices.filter { page[$0...].starts(with: "</script>".utf8) }
    let tail = Array(page[(scripts.first ?? 0)...])
    return (PageTokens(page.dropLast(tail.count) + Array("</script>".utf8)).tags, tail)
  }()

  private static func gather(_ value: Any, into found: inout Set<[UInt8]>) {
    switch value {
    case let text as String: found.insert(Array(text.utf8))
    case let items as [Any]: for item in items { gather(item, into: &found) }
    case let members as [String: Any]: for item in members.values { gather(item, into: &found) }
    default: break
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    var rest = bytes
    let references = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\""]
    while let byte = rest.first {
      if let (name, sign) = references.first(where: { rest.starts(with: $0.key.utf8) }) {
        out += sign.utf8
        rest = rest.dropFirst(name.utf8.count)
      } else {
        out.append(byte)
        rest = rest.dropFirst()
      }
    }
    return out
  }

  /// Replaces the noncharacters that HTML cannot contain.
  private static func kept(_ text: String) -> [UInt8] {
    Array(
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { (0xFFFE...0xFFFF).contains($0.value) ? "\u{FFFD}" : $0 })
      ).utf8)
  }
}

import DomainFixtures
import EventLog
import ReportPage
import StreakCommands
import StreakDomain
import Testing

struct EscapingTests {
  @Test func `displayed text has every invisible Unicode character replaced by its code`() {
    var hidden = 0
    for value in UInt32(0)...0x10FFFF {
      if (0x40000..<0xE0000).contains(value), !Cases.areAll, value % 97 > 0 { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      let isHidden =
        scalar.properties.isDefaultIgnorableCodePoint
        || [.control, .format, .lineSeparator, .paragraphSeparator, .unassigned].contains(category)
      guard isHidden else { continue }
      hidden += 1
      let escape = "\\u{" + String(value, radix: 16) + "}"
      let isLeft = Escaping.visible("a\(scalar)b").unicodeScalars.contains(scalar)
      if isLeft || Escaping.visible("\(scalar)").spelled != escape {
        Issue.record("U+\(String(value, radix: 16)) is shown as it is")
      }
    }
    #expect(hidden > (Cases.areAll ? 800_000 : 100_000))
  }

  @Test(
    arguments: [
      0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180E, 0x200B, 0x200E, 0x202E, 0x2060, 0x2061,
      0x2064,
      0x2066,
      0x206A, 0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0xFFFE, 0xE0001, 0xE007F, 0xE0100,
    ] as [UInt32])
  func `an invisible character is displayed as its code, and JSON preserves the character`(
    value: UInt32
  ) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let text = "a\(scalar)b"
    #expect(Escaping.visible(text) == "a\\u{\(String(value, radix: 16))}b")
    let json = Escaping.json(text)
    #expect(json.utf8.allSatisfy { $0 < 0x80 })
    let read = try JSONValue(parsing: json)
    guard case .text(let back) = read.kind else { throw Unexpected() }
    #expect(Array(back.utf8) == Array(text.utf8))
  }

  private struct Unexpected: Error {}

  @Test(arguments: [
    "🏋️", "👨\u{200D}👩\u{200D}👧", "1\u{FE0F}\u{20E3}", "🏋🏽\u{200D}♀\u{FE0F}", "❤\u{FE0F}\u{200D}🔥",
    "☀\u{FE0E}",
    "🇩🇪", "می\u{200C}خواهم", "क्\u{200D}ष", "Zürich, 東京", "\u{E000}",
  ])
  func `emoji sequences, joined letters and other visible text are not escaped`(text: String) {
    #expect(Array(Escaping.visible(text).utf8) == Array(text.utf8))
    #expect(Array(Escaping.json(text).utf8) == Array("\"\(text)\"".utf8))
  }

  @Test(arguments: [
    ("=\u{200D}1", #"=\u{200d}1"#), ("a\u{200D}🧘", #"a\u{200d}🧘"#), ("🧘\u{200D}a", #"🧘\u{200d}a"#),
    ("a\u{FE0F}", #"a\u{fe0f}"#), ("1\u{FE0F}", #"1\u{fe0f}"#), ("\u{FE0F}", #"\u{fe0f}"#),
    ("a\u{200C}b", #"a\u{200c}b"#), ("🏴\u{E0067}\u{E007F}", #"🏴\u{e0067}\u{e007f}"#),
  ])
  func `a joiner or variation selector outside a valid sequence is escaped`(
    text: String, shown: String
  ) {
    #expect(Escaping.visible(text) == shown)
  }

  @Test(arguments: ["\u{200D}", "\u{301}", "\u{338}", "\u{FE0F}"])
  func `special characters are escaped in XML, CSV, shell and JSON even before a combining mark`(
    joiner: String
  ) {
    let signs = "<\(joiner)>\(joiner)&\(joiner)\"\(joiner)"
    #expect(
      Escaping.xml(signs).spelled
        == "&lt;\(joiner)&gt;\(joiner)&amp;\(joiner)&quot;\(joiner)".spelled)
    #expect(Escaping.csv("a,\(joiner)").spelled == "\"a,\(joiner)\"".spelled)
    #expect(Escaping.csv("a\"\(joiner)").spelled == "\"a\"\"\(joiner)\"".spelled)
    #expect(Escaping.csv("a\r\(joiner)\nb").spelled == "\"a\r\(joiner)\nb\"".spelled)
    for sign in ["=", "+", "-", "@", "\u{FF1D}"] {
      #expect(Escaping.cell(sign + joiner + "1").utf8.first == UInt8(ascii: "'"))
      #expect(Escaping.cell(" \u{A0}" + sign + joiner).utf8.first == UInt8(ascii: "'"))
    }
    #expect(Escaping.shell("a'\(joiner)b").spelled == "'a'\\''\(joiner)b'".spelled)
    #expect(Escaping.json("\"\(joiner)").utf8.starts(with: "\"\\\"".utf8))
  }

  @Test
  func `XML text replaces forbidden characters and writes tabs and line breaks by their codes`() {
    #expect(
      Escaping.xml("a\0\u{1}\u{B}\u{1B}\u{7F}\u{85}\u{FFFE}\u{FFFF}b").unicodeScalars.count == 10)
    #expect(Escaping.xml("\0\u{FFFF}\u{85}") == "\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(Escaping.xml("\t\n\r") == "&#9;&#10;&#13;")
  }

  @Test func `a hint offers the name that looks the same and mentions the different bytes`() {
    let hint = Nearest.hint("cafe\u{301}", among: ["steady", "caf\u{E9}"]).text
    #expect(
      hint.contains("did you mean \"caf\u{E9}\"?") && hint.contains("written with other bytes"))
    #expect(
      Nearest.hint("stedy", among: ["steady"])
        == Sentence(" (did you mean \"steady\"?)", nearest: ["steady"]))
  }
}

extension String {
  fileprivate var spelled: [UInt8] { Array(utf8) }
}

private func == (a: [UInt8], b: String) -> Bool { a == Array(b.utf8) }
private func != (a: [UInt8], b: String) -> Bool { a != Array(b.utf8) }

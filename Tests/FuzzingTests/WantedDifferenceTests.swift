import Fuzzing
import Testing

struct WantedDifferenceTests {
  private static let zeros = String(repeating: "0", count: 60_000)
  static let texts: [(WantedDifference, String)] = [
    (.duplicateKey, #"{"a":1,"a":1}"#), (.duplicateKey, #"{"a":1,"\u0061":1}"#),
    (.equivalentKeys, "{\"\u{E9}\":1,\"e\u{301}\":1}"),
    (.depth, String(repeating: "[", count: 17) + String(repeating: "]", count: 17)),
    (.markInText, "[\"\u{FEFF}a\"]"), (.markInText, #""a\\\#u{FEFF}""#), (.trailingComma, "[1,]"),
    (.trailingComma, #"{"a":1 , }"#),
    (.byteOrderMark, "\u{FEFF}[1]"),
    (.hugeNumber, "1e309"), (.hugeNumber, #"{"a":[-1e400]}"#),
    (.longNumber, "1." + String(repeating: "0", count: 31)), (.longNumber, "[0e-\(zeros)]"),
  ]

  static let encoded: [(WantedDifference, [UInt8])] = [
    (.encoding, [0x5B, 0, 0x5D, 0]), (.encoding, [0, 0x5B, 0, 0x5D]), (.encoding, [0x31, 0, 0, 0]),
    (.encoding, [0xFF, 0xFE, 0x5B, 0, 0x5D, 0]),
  ]

  static let examples = texts.map { ($0.0, Array($0.1.utf8)) } + encoded

  @Test(arguments: examples)
  func `each example shows its intended difference from Foundation's JSON parser`(
    wanted: WantedDifference, input: [UInt8]
  ) throws {
    #expect(try JSONLaws.difference(on: input) == wanted)
  }

  @Test(arguments: WantedDifference.allCases)
  func `every intended difference from Foundation's JSON parser has an example`(
    wanted: WantedDifference
  ) {
    #expect(WantedDifferenceTests.examples.contains { $0.0 == wanted })
  }

  @Test(arguments: [
    "01", "-", "1.", ".5", "+1", "0x1", "NaN", "Infinity", "nul", "True", "'a'", "[1] x", "[1]\0",
    "\u{B}[1]",
    "[1}",
    #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #""\x""#, #""\u00g0""#, "\"\t\"", "\"\u{1}\"",
    "\"", "",
    " ", "/**/1",
    "{a:1}", "[,1]", "[1]\u{FEFF}", "[1]\u{A0}",
  ])
  func `this JSON parser and Foundation's refuse the same malformed inputs`(text: String) throws {
    try FuzzTarget.json.check(Array(text.utf8))
    #expect(try JSONLaws.difference(on: Array(text.utf8)) == nil)
    #expect(!JSONLaws.isAccepted(Array(text.utf8)))
  }

  @Test(arguments: [
    " [1]\t\n\r ", "-0", "1E+5", "-1e-999", "0e5000", #""\/\u0000\ud83c\udf40""#,
    "\"\u{7F}\u{2028}\"",
    "9223372036854775808",
    "[]", "{}", "null",
  ])
  func `this JSON parser and Foundation's read the same values`(text: String) throws {
    #expect(try JSONLaws.difference(on: Array(text.utf8)) == nil)
    #expect(JSONLaws.isAccepted(Array(text.utf8)))
  }

  @Test(
    arguments: [[0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22]]
      as [[UInt8]])
  func `this JSON parser and Foundation's refuse malformed UTF-8`(input: [UInt8]) throws {
    #expect(try JSONLaws.difference(on: input) == nil)
    #expect(!JSONLaws.isAccepted(input))
  }
}

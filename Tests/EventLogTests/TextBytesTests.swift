import EventLog
import StreakDomain
import Testing

struct TextBytesTests {
  @Test(arguments: ["\u{200D}", "\u{301}", "\u{338}", "\u{FE0F}", "\u{1F3FB}"])
  func `a character before a combining mark is found and replaced`(joiner: String) {
    let text = "a=\(joiner)b"
    #expect(Text(text.rewriting { $0 == "=" ? "+" : nil }) == "a+\(joiner)b")
    #expect(Text(text.replacingBytes(of: "a=", with: "")) == "\(joiner)b")
    #expect("\u{FFFD}\(joiner)".hasReplacedBytes && !text.hasReplacedBytes)
  }

  @Test func `white space is trimmed and hexadecimal digits are read`() {
    #expect(" \u{A0}\u{3000}a b\t".trimmed == "a b" && "  ".trimmed == "")
    #expect(Array("09afAFgG/:".utf8).map(\.hexDigit) == [0, 9, 10, 15, 10, 15, nil, nil, nil, nil])
  }
}

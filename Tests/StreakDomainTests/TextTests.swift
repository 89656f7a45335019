import StreakDomain
import Testing

struct TextTests {
  private static let composed: Text = "caf\u{E9}"
  private static let decomposed: Text = "cafe\u{301}"

  @Test func `texts with different bytes are different, even if they look the same`() {
    let (one, other) = (TextTests.composed, TextTests.decomposed)
    // Canonically equivalent Swift strings are equal, so `Text` isn't a string.
    #expect(one.string == other.string && one != other)
    #expect(Set([one, other, one]).count == 2 && [one: 1, other: 2][other] == 2)
    #expect(other < one && !(one < other) && [one, other].sorted() == [other, one])
    #expect("\u{212A}" as String == "K" && "\u{212A}" as Text != "K")
    #expect([one] != [other] && Optional(one) != other)
  }

  @Test func `texts are sorted by their bytes`() {
    // As strings, the Kelvin sign would sort with K, and in UTF-16 order the last two would be
    // swapped.
    let sorted: [Text] = ["", "K", "Ka", "k", "\u{E9}", "\u{212A}", "\u{FFFD}", "\u{1F3C3}"]
    #expect(sorted.reversed().sorted() == sorted)
  }

  @Test func `a text can be made of literals, parts and strings, and is printed unchanged`() {
    let part = "a=caf\u{E9}".parts(at: "=")[1]
    #expect(Text(part) == TextTests.composed && "caf\("\u{E9}")" == TextTests.composed)
    #expect("\(TextTests.decomposed)".utf8.elementsEqual("cafe\u{301}".utf8))
    #expect([TextTests.composed, "K"].strings == ["caf\u{E9}", "K"])
    #expect(("\u{C4}K" as Text).asciiLowercased == "\u{C4}k" && ("" as Text).isEmpty)
  }

  @Test(arguments: ["\u{200D}", "\u{301}", "\u{338}", "\u{FE0F}", "\u{1F3FB}"])
  func `a separator before a combining mark is found`(joiner: String) {
    let text = "a=\(joiner)b"
    #expect(
      text.parts(at: "=").map { Array($0.utf8) } == [Array("a".utf8), Array("\(joiner)b".utf8)])
    #expect(text.holds("=") && text.droppingBytes(1).begins(with: "="))
    #expect("=\(joiner)".begins(with: "=") && !"=\(joiner)".ends(with: "="))
  }

  @Test func `a text is split at every separator or into a maximum number of parts`() {
    #expect("::a:".parts(at: ":") == ["", "", "a", ""])
    #expect("a=b=c".parts(at: "=", most: 2) == ["a", "b=c"])
    #expect("".parts(at: ":") == [""])
    #expect("Ä-K".asciiLowercased == "Ä-k")
  }
}

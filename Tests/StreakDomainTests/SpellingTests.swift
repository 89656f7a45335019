import StreakDomain
import Testing

/// Texts are the bytes they are written with.
struct SpellingTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func `texts that look alike are two`() {
    let (one, other) = (SpellingTests.composed, SpellingTests.decomposed)
    // What Swift says of them, which is why nothing here asks it.
    #expect(one == other)
    #expect(one.spelling != other.spelling)
    #expect(Set([one.spelling, other.spelling]).count == 2)
    #expect(other.spelling < one.spelling && !(one.spelling < other.spelling))
    #expect(![one].has(other) && [other, one].has(one))
    #expect("\u{212A}".spelling != "K".spelling)
    #expect(Optional(one).spelling != other.spelling && [one].spelling != [other].spelling)
  }

  @Test func `entries that differ in the bytes of a text differ`() {
    let fields: [WritableKeyPath<Entry, String?>] = [\.level, \.activity, \.value, \.note]
    for field in fields {
      var one = Entry(habit: "x")
      one[keyPath: field] = SpellingTests.composed
      var other = one
      #expect(one == other)
      other[keyPath: field] = SpellingTests.decomposed
      #expect(one != other && Payload.entryLogged(one) != .entryLogged(other), "\(field)")
    }
  }

  @Test func `definitions that differ in the bytes of a text differ`() {
    let fields: [WritableKeyPath<Definition, String?>] = [\.name, \.icon, \.color, \.group]
    for field in fields {
      var one = Definition(habit: "x", rule: Rule(.any))
      one[keyPath: field] = SpellingTests.composed
      var other = one
      other[keyPath: field] = SpellingTests.decomposed
      #expect(one != other && Payload.habitDefined(one) != .habitDefined(other), "\(field)")
    }
  }

  @Test func `rules, reasons and predicates that differ in the bytes of a text differ`() {
    let (one, other) = (SpellingTests.composed, SpellingTests.decomposed)
    func rule(_ name: String, good: String) -> Rule.Kind {
      .level(Levels([Level(name: name, low: 0, high: nil)], good: [good]))
    }
    #expect(rule(one, good: one) != rule(other, good: one))
    #expect(rule(one, good: one) != rule(one, good: other))
    let joker = JokerRule(every: 7, cap: 3, heals: [one])
    #expect(joker != JokerRule(every: 7, cap: 3, heals: [other]))
    #expect(JokerRule.Penalty(outcome: one, jokers: 1) != JokerRule.Penalty(outcome: other, jokers: 1))
    #expect(Payload.entryDeleted(entry: "e", reason: one) != .entryDeleted(entry: "e", reason: other))
    #expect(Payload.expectationStated(expects: one) != .expectationStated(expects: other))
    #expect(
      Payload.daysExcused(from: Day.first, to: Day.last, habits: nil, reason: one)
        != .daysExcused(from: Day.first, to: Day.last, habits: nil, reason: other))
  }

  @Test(arguments: ["\u{200D}", "\u{301}", "\u{338}", "\u{FE0F}", "\u{1F3FB}"])
  func `what follows a sign does not hide it`(joiner: String) {
    let text = "a=\(joiner)b"
    #expect(text.parts(at: "=").map { Array($0.utf8) } == [Array("a".utf8), Array("\(joiner)b".utf8)])
    #expect(text.holds("=") && text.droppingBytes(1).begins(with: "="))
    #expect("=\(joiner)".begins(with: "=") && !"=\(joiner)".ends(with: "="))
    #expect(text.rewriting { $0 == "=" ? "+" : nil }.spelling == "a+\(joiner)b".spelling)
    #expect(text.replacingBytes(of: "a=", with: "").spelling == (joiner + "b").spelling)
    #expect("\u{FFFD}\(joiner)".hasReplacedBytes && !text.hasReplacedBytes)
  }

  @Test func `parts are as many as the signs and one, or as many as are asked for`() {
    #expect("::a:".parts(at: ":") == ["", "", "a", ""])
    #expect("a=b=c".parts(at: "=", most: 2) == ["a", "b=c"])
    #expect("".parts(at: ":") == [""])
    #expect(" \u{A0}\u{3000}a b\t".trimmed == "a b" && "  ".trimmed == "")
    #expect("a  ".withoutSpacesBehind == "a" && "Ä-K".asciiLowercased == "Ä-k")
    #expect(Array("09afAFgG/:".utf8).map(\.hexDigit) == [0, 9, 10, 15, 10, 15, nil, nil, nil, nil])
  }
}

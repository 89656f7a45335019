import DomainFixtures
import StreakDomain

extension EveryKindTests {
  static let wrong: [String] = {
    let any = #""habit":"a","rule":{"kind":"any"},"schedule":"#
    let sum = #""habit":"a","rule":{"kind":"sum","of":"#
    let none = #""habit":"a","rule":{"kind":"none"},"schedule":{"every":2}"#
    let definitions =
      [
        "{}", #"{"weekdays":[]}"#, #"{"weekdays":["mon","mon"]}"#, #"{"weekdays":["monday"]}"#,
        #"{"times":0,"per":"week"}"#, #"{"times":8,"per":"week"}"#, #"{"times":29,"per":"month"}"#,
        #"{"times":1.5,"per":"week"}"#, #"{"times":3}"#, #"{"times":3,"per":"year"}"#,
        #"{"every":1}"#,
        #"{"every":367}"#, #"{"every":2,"weekdays":["mon"]}"#, #"{"every":2,"per":"week"}"#, "3",
        "null",
      ].map { any + $0 }
      + [
        #""amount"}"#, #""amount","atLeast":0}"#, #""amount","atMost":-1}"#,
        #""amount","atMost":1000001}"#,
        #""laps","atLeast":1}"#, #""minutes","unit":"h","atLeast":1}"#,
        #""amount","atMost":1,"lateBy":1}"#,
        #""km","atMost":1},"schedule":{"every":2}"#, #""km","atLeast":1,"per":"day"}"#,
        #""km","atLeast":1,"per":null}"#, #""km","per":"week"}"#,
        #""km","atMost":1,"per":"week","lateBy":1}"#,
        #""km","atLeast":1,"per":"week"},"schedule":{"weekdays":["mon"]}"#,
        #""km","atMost":1,"per":"month"},"schedule":{"times":3,"per":"week"}"#,
      ].map { sum + $0 }
      + ["", "3l", "-l", ".l", "a b", "a\u{A0}b", "a\u{2028}b", "abcdefghijklmnopq"].map {
        sum + #""amount","atLeast":1,"unit":"\#($0)"}"#
      } + [none]
    let rules = Rule.Name.allCases.flatMap { name in
      name.demands.wrong.map { #""habit":"a","rule":{"kind":"\#(name.rawValue)""# + $0 + "}" }
    }
    return (definitions + rules).map { head("habit.defined") + $0 + "}" }
      + [
        #""amount":-1"#, #""amount":1000000.000001"#, #""amount":"2""#, #""key":"""#,
        #""key":"a b""#, #""key":7"#, #""asOf":"2025-09-01""#, #""asOf":"2025-09-01T00:00:00""#,
      ].map {
        head("entry.logged") + #""habit":"a","# + $0 + "}"
      }
      + [
        "{}", "[]", #""note""#, #"["notes"]"#, "[1]", "null",
      ].map { head("event.redacted") + #""event":"e0","fields":"# + $0 + "}" }
  }()

  private static func head(_ type: String) -> String {
    #"""
    {"id":"e1","type":"\#(type)","at":"2025-09-01T00:00:00Z","recorded":"2025-09-01T00:00:\#
    00.000000Z",
    """#
      + #""day":"2025-09-01","zone":"UTC","#
  }
}

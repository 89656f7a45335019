import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct LayoutTests {
  @Test(arguments: [
    (20, "short enough", "short enough"),
    (20, "words that are too many for it", "words that are too\n  many for it"),
    (20, "  indented words that are too many", "  indented words\n    that are too\n    many"),
    (
      40, "2025-09-01  …783de0  name Gym · rule any entry · schedule 3/week",
      "2025-09-01  …783de0  name Gym · rule any\n            entry · schedule 3/week"
    ),
    (
      60, "2025-09-01  …783de0  name Gym · rule any entry · schedule 3/week",
      "2025-09-01  …783de0  name Gym · rule any entry · schedule\n                     3/week"
    ),
    (20, "a  b  one two three four", "a  b  one two three\n      four"),
    (20, "a-word-that-is-wider-than-that alone", "a-word-that-is-wider-than-that\n  alone"),
    (
      20, "two lines of which\none is broken, as it is wide",
      "two lines of which\none is broken, as it\n  is wide"
    ),
    (8, "🏋️🏋️ 🏋️🏋️", "🏋️🏋️\n  🏋️🏋️"), (9, "🏋️🏋️ 🏋️🏋️", "🏋️🏋️ 🏋️🏋️"),
    (9, "\u{1B}[32mgreen\u{1B}[0m bold", "\u{1B}[32mgreen\u{1B}[0m\n  bold"),
    (10, "\u{1B}[32mgreen\u{1B}[0m bold", "\u{1B}[32mgreen\u{1B}[0m bold"),
  ])
  func `a line wider than the terminal is broken between words`(
    width: Int, text: String, broken: String
  ) {
    #expect(Layout.wrapped(text, to: width) == broken)
  }

  @Test func `help text joins the lines of a paragraph and leaves examples and tables unchanged`() {
    let lines = [
      "A paragraph of", "three short", "lines.", "", "  streaks show  an example that is wide",
      "one  the first of a table", "Prose behind it.",
    ]
    #expect(
      Layout.filled(lines, to: 24) == [
        "A paragraph of three\nshort lines.", "", "  streaks show  an example that is wide",
        "one  the first of a table", "Prose behind it.",
      ])
  }

  @Test(arguments: [
    (18, "Evening reflection", "Evening reflection"), (15, "Evening reflection", "Evening reflec…"),
    (1, "Evening", "…"), (4, "🏋️🏋️🏋️", "🏋️…"),
    (5, "e\u{301}e\u{301}e\u{301}", "e\u{301}e\u{301}e\u{301}"),
  ])
  func `a name that is too wide is cut and ends with an ellipsis`(
    width: Int, name: String, short: String
  ) {
    #expect(Layout.shortened(name, to: width) == short)
  }

  @Test(
    arguments: [
      (
        nil, "🍀 Evenings without a drink  8 days  ★☆☆  due · a joker would cover today · longest 12"
      ),
      (80, "🍀 Evenings without a …  8 days  ★☆☆  due · a joker would cover today"),
      (60, "🍀 Evenings witho…  8 days  ★☆☆  a joker would cover today"),
    ] as [(Int?, String)])
  func `a habit's line in a narrow terminal has a shorter name and fewer details`(
    columns: Int?, line: String
  ) throws {
    var definition = Preset.noalc.definition
    definition.name = "Evenings without a drink"
    let history = History(definition, "SSSSSSSSSSS...SSSSSSSS.")
    let own = HabitLine(try #require(history.ledger.habits.first))
    #expect(HabitTable([own], style: Style(isColored: false), columns: columns).line(own) == line)
  }

  @Test(arguments: [
    ("SSSS", "\u{1B}[32m4 days\u{1B}[0m"), ("SSSSSSS.", "\u{1B}[33m7 days\u{1B}[0m"),
    ("SSSS.", "\u{1B}[31m4 days\u{1B}[0m"), ("SSSS..", "\u{1B}[90m0 days\u{1B}[0m"),
  ])
  func `the colour of a run shows whether it is safe, saved by a joker, about to end or 0`(
    days: String, run: String
  ) throws {
    let history = History(Preset.noalc.definition, days)
    let line = HabitLine(try #require(history.ledger.habits.first))
    #expect(HabitTable([line], style: Style(isColored: true), columns: 80).line(line).contains(run))
  }

  @Test func `wrapped text keeps every word, and only a line of one word may exceed the width`() {
    for seed in Cases.seeds(200) {
      var random = SeededRandom(seed: seed)
      let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        [
          "a", "bc", "…9e2c1a", "2025-11-03", "\u{1B}[32mgreen\u{1B}[0m", "🏋️",
          "a-rather-long-word-here",
        ]
        .randomElement(using: &random) ?? ""
      }
      let gaps = ["  ", " ", " ", "   "]
      let line = words.reduce(into: "  ") { $0 += $1 + (gaps.randomElement(using: &random) ?? " ") }
      let width = Int.random(in: 20...100, using: &random)
      let lines = Layout.wrapped(line, to: width).components(separatedBy: "\n")
      let kept = lines.flatMap { $0.split(separator: " ") }
      #expect(kept == line.split(separator: " "), "seed \(seed)")
      for line in lines where Layout.columns(of: line) > width {
        #expect(line.split(separator: " ").count == 1, "seed \(seed): \(line)")
      }
    }
  }

  @Test func `timeline aligns the event ids of rows with and without a note`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med --note ok\nlog med")
    let lines = ledger.run("timeline -n 2").text.split(separator: "\n")
    let places = lines.map { line in line.prefix { $0 != "…" }.count }
    #expect(places[0] == places[1], "\(lines)")
  }

  @Test(arguments: ["log medd", "log med --id one"])
  func `a message on standard error is broken between words at the width of the terminal`(
    line: String
  ) throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any")
    ledger.now = "2026-12-02T12:00:00Z"
    let said = ledger.run(
      TemporaryLedger.words(line), isTerminal: true, isErrorTerminal: true,
      variables: ["COLUMNS": "40"]
    ).errors
    let lines = said.split(separator: "\n")
    #expect(lines.count > 1 && lines.allSatisfy { $0.utf8.count <= 40 }, "\(said)")
  }

  @Test(arguments: [40, 50, 60, 64])
  func `a calendar's legend is broken only between items`(columns: Int) {
    let items = ["● good", "★ healed", "✗ missed", "○ bad", "– excused", "· rest", "? open"]
    let lines = Layout.row(items, to: columns).split(separator: "\n")
    #expect(lines.allSatisfy { Layout.columns(of: String($0)) <= columns })
    #expect(lines.joined(separator: "   ") == items.joined(separator: "   "))
  }
}

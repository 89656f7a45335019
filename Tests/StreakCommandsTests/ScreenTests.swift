import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import Testing

/// Tests of other widths and colors; Fixtures/transcripts/screens-80.txt has the screens at 80
/// columns.
struct ScreenTests {
  private static let path = "Tests/Fixtures/transcripts/screens-80.txt"

  private func steps() throws -> [Transcript.Step] {
    Transcript(try Repository.text(ScreenTests.path)).steps
  }

  private func screen(_ command: String, columns: Int = 80) -> String {
    Transcript.run(
      command.replacing("COLUMNS=80", with: "COLUMNS=\(columns)"), on: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00",
      seed: 0)
  }

  @Test(arguments: Cases.areAll ? [60, 120] : [60])
  func `at another width a screen fits into the columns and keeps its words`(width: Int) throws {
    for step in try steps() {
      let screen = screen(step.command, columns: width)
      let wide = screen.split(separator: "\n").filter { Layout.columns(of: String($0)) > width }
      // Lines of the log are never broken, because they may be copied.
      #expect(wide.filter { !$0.hasPrefix("{") } == [], "\(step.command)")
      guard !["show", "replay", "calendar"].contains(where: step.command.contains) else {
        continue
      }
      #expect(words(screen, step) == words(step.output, step), "\(step.command)")
    }
  }

  /// Returns a screen's words; those of calendars are sorted, because other months are side by
  /// side.
  private func words(_ screen: String, _ step: Transcript.Step) -> [Substring] {
    let words = screen.split(whereSeparator: \.isWhitespace)
    return step.command.contains("calendar") ? words.sorted() : words
  }

  @Test(arguments: [
    (
      "show --all",
      [
        "1": [
          "9 due", "9 may rest today", "9 done", "9 off or retired", "9 resting", "9 to begin",
        ],
        "32": ["9 day", "9 days"],
        "33": ["9 days", "★★★", "★★☆", "★☆☆", "☆☆☆"], "90": ["9 days"],
      ]
    ),
    ("show noalc", ["33": ["9 days", "★★★"]]),
    (
      "why @4848",
      [
        "1": [
          "@9  replaced noalc steady by 9 drinks, “Lena's birthday, three glasses of\n"
            + "       wine”", "noalc",
        ],
        "32": ["earned"], "33": ["spent"], "90": ["…9ce9"],
      ]
    ),
    (
      "calendar noalc --year 2025",
      [
        "1": ["🍀 NoAlc"], "31": ["9 ✗", "✗ bad 9"], "32": [" 9 ●", "9 ●", "● good 9"],
        "33": [" 9 ★", "9 ★", "★ healed 9"],
        "90": [" 9 –", "9", "9 ?", "9 –", "? open 9", "– excused 9"],
      ]
    ),
    (
      "diff 4847 4848",
      [
        "1": ["noalc"], "32": ["earned"], "33": ["spent"],
        "90": ["…c9d9  phone"],
      ]
    ),
    ("audit reading", ["1": ["📖 Reading"], "32": ["earned"], "33": ["spent"]]),
    ("why noalc 2025-10-22", [:]), ("timeline --from 5139", [:]),
    (
      "calendar",
      [
        "1": ["9-9-9 to 9-9-9"], "31": ["○", "○ missed", "✗", "✗ bad"], "32": ["●", "● good"],
        "33": ["★", "★ healed", "◐", "◐ graced"], "34": ["↻", "↻ restarted"],
        "90": [
          "                    Fr Sa Su Mo Tu We Th Fr Sa Su Mo Tu We Th",
          "                     9  9  9 9 9 9 9 9 9 9 9 9 9 9", "·", "· rest", "?", "? open",
        ],
      ]
    ),
  ])
  func `each colour of a screen marks the expected texts`(
    command: String, painted: [String: [String]]
  )
    throws
  {
    let step = try #require(try steps().first { $0.command == "COLUMNS=80 streaks \(command)" })
    let screen = screen(step.command + " --color always")
    let codes = /(?s)\u{1B}\[(\d+)m(.*?)\u{1B}\[0m/
    #expect(Transcript.agree(screen.replacing(codes) { $0.output.2 }, step.output))
    var found: [String: Set<String>] = [:]
    for match in screen.matches(of: codes) {
      found[String(match.output.1), default: []].insert(
        String(match.output.2).replacing(/\d+/, with: "9"))
    }
    #expect(found.mapValues { $0.sorted() } == painted.mapValues { $0.sorted() })
  }
}

import DomainFixtures
import Foundation
import StreakDomain
import Testing

/// The history of a late entry at the top of `Ledger.swift`.
struct LateEntryTests {
  @Test
  func `a late entry rewrites exactly the days that are marked in the comment of Ledger`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/StreakDomain/Ledger.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(
      String.init)
    func rows(_ label: String) -> [String] {
      lines.filter { $0.hasPrefix("///     \(label) ") }.map { String($0.split(separator: " ")[2]) }
    }
    let (entries, verdicts, runs) = (rows("entries"), rows("verdict"), rows("run"))
    try #require(entries.count == 2 && verdicts.count == 2 && runs.count == 2)

    var definition = Habit("habit", rule: .any)
    definition.forgiveness = Forgiveness.nothing
    var ledger = History(definition, entries[0]).ledger
    let habit = try #require(ledger.handle(of: "habit"))
    func shown() -> (verdicts: String, runs: String) {
      let days = ledger.verdicts(of: "habit", in: Day.first...Day.last)
      return (days.map(\.verdict.letter).joined(), days.map { String($0.run) }.joined())
    }
    #expect(shown() == (verdicts[0], runs[0]))

    _ = ledger.takeChanges()
    let late = try #require(
      zip(entries[0], entries[1]).enumerated().first { $0.element.0 != $0.element.1 })
    var sequence = Sequence()
    ledger.fold(
      sequence.event(
        .entryLogged(Entry(habit: "habit")), on: History.start + late.offset, id: "late"))
    #expect(shown() == (verdicts[1], runs[1]))
    let rewritten = ledger.takeChanges().first { $0.habit == habit }?.rewrittenDays ?? []
    let marks = try #require(lines.first { $0.contains("^^") })
    let first = try #require(marks.firstIndex(of: "^"))
    let start = marks.distance(from: marks.startIndex, to: first) - "///     entries  ".count
    let marked = marks.filter { $0 == "^" }.count
    #expect(marks.contains("^=") && !marks.contains("=="))
    #expect(rewritten.map(\.day) == (0..<marked).map { History.start + start + $0 })
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

/// Tests of the complete page of `report`, run by node with the DOM of Tests/Fixtures/page/dom.js.
@Suite(.enabled(if: Node.isThere, "there is no node to run the page"))
struct ReportPageTests {
  private func random(_ seed: UInt64, events: Int = 90) throws -> (lines: [String], page: String) {
    var random = RandomStream(seed: seed)
    let bytes = random.events(events).withKeys(seed: seed).flatMap { EventEncoder.line($0) }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let ledger = try TemporaryLedger(now: "1990-01-01T00:00:00Z")
    try ledger.write(bytes, to: "main.jsonl")
    return (lines, ledger.run("report -").text)
  }

  private func faults(_ page: String, _ said: [Int: ExpectedPage], rings: [String]) throws
    -> [String]
  {
    // The steps are out of order, so that the slider also goes back.
    let steps = said.keys.sorted { ($0 % 7, $0) < ($1 % 7, $1) }
    var faults: [String] = []
    for (step, shown) in zip(steps, try ShownPage.at(steps, of: page)) {
      let differences = try said[step]?.differences(from: shown, rings: rings) ?? []
      faults += differences.map { "at \(step), \($0)" }
      if shown.at != step { faults.append("at \(step): the slider stands at \(shown.at)") }
    }
    return faults
  }

  private func said(_ lines: [String], at steps: [Int]) throws -> [Int: ExpectedPage] {
    try Dictionary(uniqueKeysWithValues: steps.map { try ($0, ExpectedPage(lines[..<$0])) })
  }

  @Test(arguments: Cases.seeds(4))
  func `at every position of the slider the report shows what replay, calendar and audit print`(
    seed: UInt64
  )
    throws
  {
    let (lines, page) = try random(seed)
    let said = try said(lines, at: [0, 1, 6, 8, 14, 25, 36, 47, 58, 69, lines.count])
    let found = try faults(page, said, rings: ["a", "b", "c"])
    #expect(found == [], "seed \(seed)")
  }

  @Test func `the report of the sample's first half year shows what the commands print`() throws {
    let lines = try sample()
    let ledger = try TemporaryLedger(now: "1990-01-01T00:00:00Z")
    try ledger.write(lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] }, to: "main.jsonl")
    let page = ledger.run("report -").text
    let some = Cases.areAll ? [0, 1, 60, 123, 200, 330, 500, 750, 1000, 1321, 1700] : [0, 60, 500]
    let said = try said(lines, at: some + [lines.count])
    #expect(try faults(page, said, rings: ["noalc", "workout", "meditation"]) == [])
    let shown = try ShownPage.after(["at \(lines.count)", "card 1", "show"], on: page)[0]
    #expect(
      shown.cards[1] == ["💭", "Mood", "135 days", "2", "due", "a joker would cover today", ""])
    #expect(shown.detail.hasPrefix("135 days · due · a joker would cover today · safe through "))
  }

  private func sample() throws -> [String] {
    let lines = try Repository.names(in: "events").flatMap {
      // A batch that is cut off would be ignored as incomplete.
      try Repository.text("events/\($0)").replacingOccurrences(of: #","more":true"#, with: "")
        .split(separator: "\n")
    }
    // The id is a line's first value, and `recorded` the fourth.
    let places = lines.map { line -> String in
      let parts = line.utf8.split(separator: UInt8(ascii: "\""), maxSplits: 16)
      return "\(Substring(parts[15])) \(Substring(parts[3]))"
    }
    return zip(places, lines).sorted { $0.0 < $1.0 }.prefix(2000).map { String($0.1) }
  }

  /// Mutations of each script that the comparison must detect.
  private static let breaks: [(old: String, new: String)] = [
    ("of this.read[this.at].toReversed())", "of this.read[this.at].toReversed().slice(2))"),
    (
      "for (const [map, key, , after] of known)",
      "for (const [map, key, , after] of known.slice(2))"
    ),
    ("actionOrder.indexOf(a[1]) - actionOrder.indexOf(b[1])", "a[1] - b[1]"),
    ("slice(0, kept)", "slice(0)"),
    ("!(deletions.get(line.id) < this.at)", "true"),
    ("!this.isReplaced(line)", "true"),
    ("line.key !== undefined && !line.stale", "line.key !== undefined"),
    ("findLast(({ place }) => place < this.at)", "findLast(() => true)"),
    ("line.key ?? line.id", "line.key ?? line.says"),
    ("plural(Number(length), unitOf", "plural(Number(length) + 1, unitOf"),
    (#"day.outcome === "good" ? "kept so far""#, #"day.outcome === "missed" ? "kept so far""#),
    ("data.verdicts.indexOf(verdict)", "data.verdicts.indexOf(verdict) + 1"),
    (#"jokers = "", word = "", ...remarks"#, #"word = "", jokers = "", ...remarks"#),
    ("find((remark) => remark !== bar?.input)", "find(() => true)"),
    (
      "[...due, ...defined.filter((habit) => !due.includes(habit) && ",
      "[...defined.filter((habit) => "
    ),
    ("last?.to === number - 1", "last?.to === number"),
    ("step - trail.length + 1", "step - trail.length + 2"),
    ("const trail = [\"now\", \"past1\"", "const trail = [\"past1\", \"now\""),
    (#"if (verdict === "good") sum[0]"#, #"if (verdict === "healed") sum[0]"#),
    ("while (number >= this.starts[this.month])", "while (number > this.starts[this.month])"),
    ("const number = this.start + place;", "const number = this.start + place + 1;"),
    (
      "habits.map((habit) => ledger.day(habit, number))",
      "habits.map((habit) => ledger.day(habit, number - 1))"
    ),
    ("habit === chosen ? innermost : habit", "habit"),
    ("map(({ id }) => id)", "map(({ type }) => type)"),
    ("Number(a !== chosen)", "Number(a === chosen)"),
    ("${step?.position ?? 0} of", "${(step?.position ?? 0) + 1} of"),
    ("ledger.own.get(\"zone\")", "ledger.own.get(\"today\")"),
    ("this.moveTo(Number(this.slider.value))", "this.moveTo(Number(this.slider.value) + 1)"),
    ("this.selected = this.ledger.aboutDay", "this.selected = this.ledger.own.get(\"today\")"),
  ]

  @Test func `every deliberate bug in the report's script is detected`() throws {
    // A mutation may show only on some ledgers; the seeds that once sufficed come first.
    let seeds: [UInt64] = [4, 7, 0, 1, 2, 3, 5, 6]
    let rings = ["a", "b", "c"]
    var ledgers: [(page: String, said: [Int: ExpectedPage])] = []
    for place in stride(from: 0, to: ReportPageTests.breaks.count, by: Cases.stride(8)) {
      let (old, new) = ReportPageTests.breaks[place]
      let isSeen = try seeds.indices.contains { place in
        if place == ledgers.count {
          let made = try sampled(seeds[place])
          let found = try faults(made.page, made.said, rings: rings)
          #expect(found == [])
          ledgers.append(made)
        }
        let (page, said) = ledgers[place]
        #expect(page.contains(old))
        return try !faults(page.replacingOccurrences(of: old, with: new), said, rings: rings)
          .isEmpty
      }
      #expect(isSeen, "\(old) → \(new)")
    }
  }

  private func sampled(_ seed: UInt64) throws -> (page: String, said: [Int: ExpectedPage]) {
    let (lines, page) = try random(seed, events: 200)
    let deletions = lines.indices.filter { lines[$0].contains("entry.deleted") }.map { $0 + 1 }
    let steps = Set(stride(from: 7, to: lines.count, by: 22)).union(deletions).sorted()
    return (page, try said(lines, at: steps))
  }
}

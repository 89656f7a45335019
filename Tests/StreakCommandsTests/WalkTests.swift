import StreakCommands
import CommandFixtures
import StreakDomain
import Testing

struct WalkTests {
  private static let events = Repository.root + "/events"

  private func run(_ line: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(line), input: "", events: WalkTests.events, now: "2025-11-20T20:00:00+01:00",
      seed: 1)
  }

  @Test(arguments: [
    ("4846", "4848"), ("4846", "019a4e8a-a360-7c7e-a700-769b2ec366d7"),
    ("2025-11-04T11:00:00Z", "2025-11-04T11:05:00.000000Z"),
  ])
  func `events after one point and up to another are told`(from: String, to: String) throws {
    let output = run("timeline --from \(from) --to \(to)")
    #expect(output.status == .done)
    let told = output.text.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(told.last == "4848" && told.first.map { Int($0) ?? 0 > 4845 } ?? false, "\(output.text)")
  }

  @Test(arguments: ["4848", "019a4e8a-a360-7c7e-a700-769b2ec366d7", "2025-11-04"])
  func `nothing lies between a point and itself, or one before it`(point: String) {
    for to in [point, "1000"] {
      let output = run("timeline --from \(point) --to \(to)")
      #expect(output.status == .usage && output.text.isEmpty, "\(output.screen)")
      #expect(output.errors.contains("--from must come before --to"))
    }
  }

  @Test(arguments: ["end", "5148", "2030-01-01"])
  func `after the end nothing follows, and that is no error`(point: String) {
    let output = run("timeline --from \(point)")
    #expect(output.status == .done && output.text.isEmpty, "\(output.screen)")
  }

  @Test func `two days between which nothing was recorded have no events between them`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med")
    try ledger.run(all: "log med", at: "2026-03-09T12:00:00Z")
    let nothing = ledger.run("timeline --from 2026-03-04 --to 2026-03-05")
    #expect(nothing.status == .done && nothing.screen == "", "\(nothing.screen)")
    #expect(
      ledger.run("timeline --from 2026-03-05 --to 2026-03-04").errors.contains("--from must come before"))
    #expect(ledger.run("timeline --to 3").text.contains("defined med: any entry · daily · strict"))
  }
}

import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `--at` of the questions that are about one point, and times to the second.
struct PointOptionTests {
  private func sample(_ words: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0)
  }

  @Test(arguments: [
    ("4847", "noalc.current = 41", true), ("4848", "noalc.current = 12", false),
    ("2025-11-03", "noalc.current = 41", true), ("end", "noalc.current = 28", false),
  ])
  func `when tells whether a predicate holds at a point`(point: String, found: String, holds: Bool) {
    let output = sample("when 'noalc.current > 40' --at \(point)")
    #expect(output.text == "\(holds): \(found)\n", "\(output.screen)")
    #expect(output.status == (holds ? .done : .failed))
    let quiet = sample("when -q 'noalc.current > 40' --at \(point)")
    #expect(quiet.text.isEmpty && quiet.errors.isEmpty && quiet.status == output.status)
    #expect(sample("when 'noalc.current > 40' --at \(point) --json")["holds"] == (holds ? "1" : "0"))
  }

  @Test func `what holds today is asked with --on, and the span has no place beside --at`() {
    #expect(sample("when 'noalc.current == 0' --at end --on 2025-12-31").status == .done)
    #expect(sample("when 'noalc.current == 0' --on 2025-12-31").status == .usage)
    #expect(sample("when 'noalc.current == 0' --at end --all").status == .usage)
    #expect(sample("when 'nolac.current == 0' --at end").errors.contains("did you mean \"noalc\""))
  }

  @Test func `the joker book as it was known then is that of a ledger which ended there`() {
    let then = sample("audit noalc --at 4847").text
    #expect(then.contains("2025-10-18  spent      noalc/26") && !then.contains("2025-11-15"))
    #expect(!sample("audit noalc").text.contains("2025-10-18  spent      noalc/26"))
    let table = sample("export csv jokers noalc --at 4847").text
    #expect(table.contains("noalc,2025-10-18,spent,noalc/26,") && !table.contains("2025-11-15"))
    #expect(sample("export csv entries noalc --at 4847").text.contains(",noalc,2025-10-08,"))
    #expect(sample("export json-schema --at 4847").status == .usage)
    #expect(sample("audit noalc --at 99999").status == .usage)
  }

  @Test(arguments: [
    "2025-11-04T12:05:00", "2025-11-04 12:05:00", "2025-11-04T12:05", "'2025-11-04 12:05'",
    "2025-11-04T12:05:00+01:00",
  ])
  func `a local time may have seconds, as the program prints them`(time: String) {
    let words = ["replay", "--json", "--at", time.replacing("'", with: "")]
    func position(_ words: [String]) -> String? {
      TemporaryLedger.run(
        words, input: "", events: Repository.root + "/events", now: "2025-11-20T21:00:00+01:00", seed: 0)[
          "position"]
    }
    #expect(position(words) == "4848")
    #expect(sample("replay --json --at 2025-11-04T12:04:59")["position"] == "4847")
    #expect(sample("replay --at 2025-11-04T12:04:60").status == .usage)
  }

  @Test func `an earlier day to show from is no point in time, and the answer says so`() {
    let shown = sample("show noalc --on 2025-11-03")
    #expect(shown.text.contains("12 days"))
    #expect(shown.errors.contains("`streaks replay --at 2025-11-03` shows what was known then"))
    #expect(sample("show noalc --on 2025-11-20").errors.isEmpty)
  }
}

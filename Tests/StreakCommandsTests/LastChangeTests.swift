import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// What `why` says first: the last change of a number, the condition of an achievement, a rule that came later.
struct LastChangeTests {
  private func sample(_ words: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0)
  }

  private func first(_ output: Output) -> String {
    output.text.split(separator: "\n").first.map(String.init) ?? output.screen
  }

  @Test func `a number is explained first by the event that changed it last`() throws {
    let output = sample("why NoAlc.current --at 4848 --json")
    #expect(output["change.position"] == "4848" && output["change.before"] == "41", "\(output.screen)")
    #expect(output["change.writer"] == "phone" && output["change.after"] == "12")
    #expect(sample("why xp --json")["change.position"] != nil)
    #expect(sample("why noalc.current --json")["fall.position"] == "4848")
  }

  @Test func `a past day names the last event that changed its verdict`() throws {
    let output = sample("why NoAlc 2025-10-08 --json")
    #expect(output["change.position"] == "4848" && output["change.writer"] == "phone", "\(output.screen)")
    #expect(output["change.before"] == "good" && output["change.after"] == "healed")
    #expect(
      sample("why noalc 2025-10-08").text.contains(
        "\nIt was good until 2025-11-04 12:05, when @4848 changed it: deleted noalc steady of 2025-10-08, “not steady: "
      ))
    for asked in ["2025-10-08 --at 4847", "2025-11-03", ""] {
      #expect(!sample("why noalc \(asked)").text.contains("changed it"), "\(asked)")
    }
  }

  @Test func `a definition that an undo gave again is told from one that somebody gave`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init\ndefine walk --any\nlog walk\ndefine walk --never --id n\nundo")
    #expect(ledger.run("timeline -n 1").text.contains("defined walk: any entry · daily · strict (undo)  "))
  }

  @Test func `days that passed since the last event are named as the cause`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init\ndefine walk --any\nlog walk")
    ledger.now = "2025-11-09T12:00:00+01:00"
    let text = ledger.run("why walk.current").text
    #expect(
      text.hasPrefix(
        "0 on 2025-11-09, by the days that passed since the last event.\nLast change by an event: 1 since "))
  }

  @Test(arguments: [
    ("tri-threat", "strength, yoga and another cardio activity in one week"),
    ("devotee:bronze", "entries on 3 days in a row."), ("collector:silver", "25 entries."),
    ("milestone:noalc:30", "a run of 30 days."), ("streak-master:gold", "a run of 14 days."),
    ("variety:bronze", "entries of 3 habits."), ("marathon:bronze", "entries on 7 different days."),
  ])
  func `an achievement is explained first by its condition`(key: String, condition: String) {
    #expect(first(sample("why \(key)")).contains(": " + condition), "\(sample("why \(key)").screen)")
    #expect(
      sample("why \(key) --json")["condition"].map { condition.hasPrefix($0) || $0.hasPrefix(condition) }
        == true)
  }

  @Test func `a rule that was defined later for a day that was over says when`() throws {
    let ledger = try TemporaryLedger(now: "2026-01-10T12:00:00+01:00")
    try ledger.run(all: "init\ndefine reading --at-least 10pages\nlog reading 12")
    ledger.now = "2026-01-22T12:00:00+01:00"
    try ledger.run(all: "define reading --at-least 30pages --on 2026-01-10 --id late")
    let text = ledger.run("why reading 2026-01-10").text
    #expect(text.contains("the rule is: at least 30 pages. It was defined 12 days later, on 2026-01-22."))
    #expect(!ledger.run("why reading 2026-01-22").text.contains("days later"))
  }

  @Test func `a day that spends the joker it earned says that earning comes first`() {
    #expect(
      sample("why noalc 2024-09-26").text.contains("which it had earned itself: a day earns before it spends")
    )
  }

  @Test(arguments: ["log x failed", "log drinks 9drinks"])
  func `grace that does not cover a bad day is said to cover missed days only`(words: String) throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(
      all: "init\ndefine x --preset game --grace 1\nlog x completed\n"
        + "define drinks --levels calm:0-1,much:2- --good calm --grace 1\nlog drinks 0drinks")
    ledger.now = "2025-11-02T12:00:00+01:00"
    #expect(
      ledger.run(words).text.contains(
        "the 1-day run ended: grace covers missed days only, and the outcome is"))
    let habit = words.contains("drinks") ? "drinks" : "x"
    #expect(ledger.run("why \(habit)").text.contains("Grace covers missed days only, and the outcome is"))
  }

  @Test func `an event after the point is not known there`() {
    #expect(sample("why @4848 --at 4847").errors.contains("comes after that point, 4847"))
    let never = sample("when -q 'noalc.current == 9999'")
    #expect(never.errors.isEmpty && never.status == .failed)
  }

  @Test func `a difference of some habits has their changes and events only`() {
    let all = sample("diff 4840 4860 --json")
    let own = sample("diff 4840 4860 noalc")
    #expect(all.text.contains("\"habit\":\"water\"") || all.text.contains("water."))
    #expect(own.text.contains("noalc") && !own.text.contains("water"), "\(own.screen)")
    #expect(own.text.contains("deleted noalc steady of 2025-10-08") && own.status == .failed)
    #expect(sample("diff 4847 4848 water").status == .done)
    #expect(sample("diff 4847 4848 watr").errors.contains("did you mean \"water\""))
  }
}

import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Two devices that use one id for different events, and then synchronize.
struct ReusedIDTests {
  /// Returns a ledger whose `a` logged 12 minutes, and an hour later `b` 13, both with the id
  /// `med`.
  private func ledger() throws -> TemporaryLedger {
    let (ledger, other) = (try TemporaryLedger(), try TemporaryLedger())
    try ledger.run(all: "init meditation --writer a")
    try other.write(ledger.bytes(of: "a"), to: "a.jsonl")
    for (device, writer, minutes, hour) in [(ledger, "a", 12, 12), (other, "b", 13, 13)] {
      device.now = "2025-11-03T\(hour):30:00+01:00"
      try device.run(all: "log meditation \(minutes)m --id med --writer \(writer)")
    }
    try ledger.write(other.bytes(of: "b"), to: "b.jsonl")
    ledger.now = "2025-11-03T14:00:00+01:00"
    return ledger
  }

  @Test
  func `of two events with the same id the first one counts, and every command reports the second`()
    throws
  {
    let ledger = try ledger()
    for line in ["show", "entries", "replay --json", "timeline", "why meditation"] {
      let output = ledger.run(line)
      #expect(output.status == .done, "\(line): \(output.screen)")
      #expect(
        output.errors.contains("b.jsonl:1: the id \"med\" belongs to another event"),
        "\(line): \(output.errors)")
    }
    try ledger.run(all: "log meditation 1m --writer b")
    #expect(ledger.run("show meditation --json")["habits.meditation.totals.minutes"] == "13")
    #expect(ledger.run("entries --json")["entries.0.minutes"] == "12")
  }

  @Test func `verify reports two events with the same id until they are accepted`() throws {
    let ledger = try ledger()
    let found = ledger.run("verify")
    #expect(
      found.text.hasPrefix(
        """
        \(ledger.events)/b.jsonl:1: reused-id: has the id of another event, at \
        \(ledger.events)/a.jsonl:3, 
        """
          + """
          which comes first and counts; this one does not: look who wrote both, and record what \
          is true but does not count with another id
          """
      ))
    #expect(
      found.status == .failed && found.errors.contains("`streaks verify --accept b` settles it"))
    try ledger.run(all: "verify --accept b --writer a")
    #expect(ledger.run("verify").screen.isEmpty)
    #expect(ledger.run("show").errors.isEmpty)
  }

  @Test func `a file imported on two devices is recorded once`() throws {
    let (ledger, other) = (try TemporaryLedger(), try TemporaryLedger())
    try ledger.run(all: "init --writer a")
    try other.write(ledger.bytes(of: "a"), to: "a.jsonl")
    // The record is of the same day: one device imports it before noon, the other after it.
    for answer in ["YES_MANUAL", "NO"] {
      for (device, writer, hour) in [(ledger, "a", "10"), (other, "b", "20")] {
        device.now = "2025-11-05T\(hour):00:00+01:00"
        let habits =
          """
          Position,Name,Question,Description,NumRepetitions,Interval,Color\n001,Gym,,,1,1,#00897B\n
          """
        let loop = device.folder + "/loop"
        try FileManager.default.createDirectory(
          atPath: loop + "/001 Gym", withIntermediateDirectories: true)
        try Data(habits.utf8).write(to: URL(filePath: loop + "/Habits.csv"))
        let answers = "Date,Value,Notes\n2025-11-05,\(answer),\n"
        try Data(answers.utf8).write(to: URL(filePath: loop + "/001 Gym/Checkmarks.csv"))
        let output = device.run(["import", "loop", loop, "--writer", writer])
        #expect(output.status == .done, "\(output.screen)")
      }
    }
    try ledger.write(other.bytes(of: "b"), to: "b.jsonl")
    let shown = ledger.run("show")
    #expect(shown.status == .done && shown.errors.isEmpty, "\(shown.screen)")
    #expect(ledger.run("verify").screen.isEmpty, "\(ledger.run("verify").screen)")
    // After the merge the later answer holds: the habit was not done, so no entry counts.
    #expect(ledger.run("entries").screen == "no entries\n")
  }

  @Test
  func `lines that were seen after verify --accept are reported again if they disappear`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-05T12:00:00+01:00")
    try ledger.run(all: "init noalc --writer a\nlog noalc steady --id x --writer b")
    ledger.now = "2025-11-06T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --id z --writer a\nlog noalc easy --id y --writer b")
    let text = String(decoding: ledger.bytes(of: "b"), as: UTF8.self)
    let reused = text.replacingOccurrences(of: "\"y\"", with: "\"z\"")
    try ledger.write(Array(reused.utf8), to: "b.jsonl")
    try ledger.run(all: "verify --accept b --writer a")
    #expect(ledger.run("verify").status == .done, "\(ledger.run("verify").screen)")
    try ledger.run(all: "log noalc steady --writer a", at: "2025-11-07T12:00:00+01:00")
    let kept = reused.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    try ledger.write(Array(kept.utf8), to: "b.jsonl")
    #expect(ledger.run("verify").text.contains("is short"), "\(ledger.run("verify").screen)")
  }
}

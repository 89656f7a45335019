import Foundation
import StreakCommands
import TestSupport
import Testing

/// docs/sync.md: its snippets are run as they stand there, `you@host:` being a folder.
struct SyncTests {
  private func blocks(_ section: String) throws -> [String] {
    try CodeBlock.all(in: "docs/sync.md").filter { $0.section == section && $0.part == nil }.map(\.text)
  }

  @Test(.enabled("there is no git") { GitRoom.isThere })
  func `two machines with a name each share a ledger by git as the page says, and never conflict`() throws {
    let room = try GitRoom()
    let git = try blocks("git").map(room.here)
    for name in ["laptop", "desktop"] { try room.must("mkdir \(name)\ncd \(name)\n\(git[0])") }
    func on(_ name: String, _ block: String) throws -> ShellScript.Result {
      try room.must("cd \(name)/streaks\n\(block)", ["STREAKS_WRITER": name])
    }
    let began = try on("laptop", git[1])
    #expect(began.text.hasPrefix("a new ledger in events"))
    #expect(began.errors.contains("git: run `git config merge.streaks.driver"))
    // The other clone was made while there was nothing.
    _ = try on("desktop", "git pull -q")
    for _ in 1...2 {
      for name in ["laptop", "desktop"] {
        let logged = try on(name, git[2])
        #expect(logged.errors.isEmpty, "\(logged.errors)")
      }
    }
    _ = try on("laptop", "git pull -q")
    let states = ["laptop", "desktop"].map { room.command("replay --json", on: "\($0)/streaks") }
    #expect(states[0] == states[1])
    #expect(states[0]["habits.noalc.totals.entries"] == "4")
    #expect(try room.segments("laptop/streaks") == ["desktop.jsonl", "laptop.jsonl"])
    #expect(room.command("verify --now 2199-01-01T00:00:00Z", on: "laptop/streaks").text.isEmpty)
    // What the page gives a ledger without the two files is what init writes.
    let files = ["events/.gitignore", "events/.gitattributes"].map { "\(room.folder)/laptop/streaks/\($0)" }
    let written = files.map { FileManager.default.contents(atPath: $0) }
    _ = try on("laptop", "rm events/.git*\n\(git[3])")
    #expect(files.map { FileManager.default.contents(atPath: $0) } == written)
  }

  @Test(.enabled("there is no rsync") { ShellScript.succeeds("command -v rsync") })
  func `two machines with a name each share a ledger by rsync as the page says`() throws {
    let ledger = try TemporaryLedger()
    let block = try #require(blocks("rsync").first).replacingOccurrences(
      of: "you@host:", with: ledger.folder + "/host/")
    func on(_ name: String, _ text: String) throws {
      let result = try ShellScript(
        text: "set -e\nmkdir -p \(name)/events host/streaks/events\ncd \(name)\n\(text)\n\(block)",
        folder: ledger.folder, environment: ["STREAKS_WRITER": name]
      ).run()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
    try on("laptop", "streaks init noalc")
    // A machine without a segment of its own has nothing to send yet.
    try on("desktop", "cp -r ../host/streaks/events/. events\nstreaks log noalc steady")
    try on("laptop", "streaks log noalc steady")
    try on("desktop", "streaks log noalc easy")
    try on("laptop", "true")
    func replay(_ name: String) -> Output {
      TemporaryLedger.run(
        ["replay", "--json"], input: "", events: "\(ledger.folder)/\(name)/events", now: ledger.now, seed: 1)
    }
    #expect(replay("laptop") == replay("desktop"))
    #expect(replay("laptop")["habits.noalc.totals.entries"] == "3")
    let host = try FileManager.default.contentsOfDirectory(atPath: ledger.folder + "/host/streaks/events")
      .sorted()
    #expect(host == ["desktop.jsonl", "laptop.jsonl"])
  }

  @Test(arguments: [
    "main.sync-conflict-20251103-120000-V23EHBG.jsonl", "main (laptop's conflicted copy 2025-11-03).jsonl",
    "main 2.jsonl",
  ])
  func `what a sync program makes of a segment that two machines wrote is read like any other`(name: String)
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady")
    let other = try TemporaryLedger(now: "2025-11-03T13:00:00+01:00")
    try other.write(ledger.bytes(), to: "main.jsonl")
    try other.run(all: "log noalc easy")
    ledger.now = "2025-11-03T14:00:00+01:00"
    try ledger.run(all: "log noalc wild")
    try ledger.write(other.bytes(), to: name)
    #expect(ledger.run("show --json")["habits.noalc.totals.entries"] == "3")
    let found = ledger.run("verify").text
    #expect(
      found.contains("\(name): identity: is in part a copy of main.jsonl: 3 of its 4 events"), "\(found)")
    #expect(found.split(separator: "\n").count == 1)
  }
}

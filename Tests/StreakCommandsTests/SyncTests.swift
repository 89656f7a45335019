import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Runs the snippets of docs/recipes.md, "Several machines", with a folder in place of `you@host:`.
struct SyncTests {
  private func blocks(_ part: String) throws -> [String] {
    try CodeBlock.all(in: "docs/recipes.md")
      .filter { $0.section == "Several machines" && $0.part == part }.map(\.text)
  }

  private static let seeds: ClosedRange<UInt64> = 1...(Cases.areAll ? 12 : 1)

  private func expectAlike(_ ledgers: [String], entries count: Int, _ comment: Comment) {
    func run(_ words: [String], _ events: String) -> Output {
      TemporaryLedger.run(words, input: "", events: events, now: "2025-12-30T12:00:00Z", seed: 1)
    }
    let states = ledgers.map { run(["replay", "--json"], $0) }
    for (state, events) in zip(states, ledgers) {
      #expect(state == states[0], comment)
      #expect(state["habits.noalc.totals.entries"] == "\(count)", comment)
      #expect(run(["verify"], events).screen == "", comment)
    }
  }

  /// Logs, pulls or pushes in one clone; `at N` sets the clock.
  private func gitStep(
    _ clone: Int, _ random: inout SeededRandom, _ minute: inout Int, _ pull: String
  )
    -> String
  {
    minute += random.below(700)
    let log = "at \(minute + random.below(30)) log noalc steady > /dev/null; commit log"
    let push = "git push -q 2> /dev/null || { \(pull); git push -q; }"
    return "on c\(clone); "
      + [log, log, pull, "\(log); \(pull); git push -q", push][random.below(5)]
  }

  @Test(
    .enabled("there is no git") { GitSandbox.isThere },
    arguments: ["--no-rebase", "--rebase", "", ""].enumerated().map { $0 })
  func `git clones that log, pull and push have no conflicts and lose nothing`(
    way: (offset: Int, element: String)
  ) throws {
    for seed in SyncTests.seeds {
      var random = SeededRandom(seed: seed + UInt64(way.offset) << 8)
      let room = try GitSandbox()
      // Two of the ways depend on the user's configuration.
      if way.element.isEmpty { try room.must("git config --global pull.rebase \(way.offset == 2)") }
      let pull = "git pull -q \(way.element)"
      let names = (0..<(2 + random.below(3))).map { "c\($0)" }
      for name in names { try room.clone(name) }
      var script = "on c0; at 0 init noalc > /dev/null; commit begun; git push -qu origin HEAD\n"
      for name in names.dropFirst() { script += "on \(name); git pull -q\n" }
      var minute = 10
      for _ in 0..<14 {
        script += gitStep(random.below(names.count), &random, &minute, pull) + "\n"
      }
      let count = script.components(separatedBy: "log noalc").count - 1
      // After two rounds, every clone has everything.
      for name in names + names { script += "on \(name); \(pull); git push -q\n" }
      let ran = try room.run(script)
      let comment: Comment = "seed \(seed), \(way)\n\(script)\n\(ran.text)\(ran.errors)"
      #expect(ran.status == 0 && ran.text.isEmpty, comment)
      expectAlike(names.map(room.events), entries: count, comment)
      #expect(try Set(names.map(room.segments)).count == 1, comment)
    }
  }

  @Test(.enabled("there is no rsync") { ShellScript.succeeds("command -v rsync") })
  func `machines that log and rsync as the recipes show lose nothing`() throws {
    let block = try #require(blocks("rsync").first)
    for seed in SyncTests.seeds {
      var random = SeededRandom(seed: seed)
      let room = try TemporaryLedger()
      let names = (0..<(2 + random.below(3))).map { "m\($0)" }
      let lines = rsyncLines(block, room)
      var script = "set -e\nmkdir -p host/streaks/events\n"
      for name in names { script += "mkdir -p \(name)/events\n" }
      func clock(_ minute: Int) -> String {
        """
        --now \
        2025-11-\(10 + minute / 1440)T\(String(format: "%02d:%02d", minute / 60 % 24, minute % 60)):00Z
        """
      }
      script +=
        """
        cd m0; \(lines[0]("m0")); streaks init noalc \(clock(0)) > /dev/null 2>&1; \
        \(lines[1]("m0")); cd ..\n
        """
      for name in names.dropFirst() { script += "cd \(name); \(lines[2](name)); cd ..\n" }
      var (minute, count) = (10, 0)
      for _ in 0..<16 {
        minute += random.below(700)
        let step = random.below(4)
        if step < 2 { count += 1 }
        let log = "streaks log noalc steady \(clock(minute)) > /dev/null 2>> said"
        let name = names[random.below(names.count)]
        let words = [log, log, lines[1](name), lines[2](name)][step]
        script += "cd \(name); \(lines[0](name)); \(words); cd ..\n"
      }
      for name in names + names {
        script += "cd \(name); \(lines[1](name)); \(lines[2](name)); cd ..\n"
      }
      let ran = try ShellScript(text: script, folder: room.folder).run()
      let comment: Comment = "seed \(seed)\n\(script)\n\(ran.text)\(ran.errors)"
      #expect(ran.status == 0 && ran.text.isEmpty && ran.errors.isEmpty, comment)
      expectAlike(names.map { "\(room.folder)/\($0)/events" }, entries: count, comment)
    }
  }

  /// Returns the three lines of the page, to export the writer, send and fetch, for a machine of
  /// this name.
  private func rsyncLines(_ block: String, _ room: TemporaryLedger) -> [(String) -> String] {
    block.replacing("you@host:", with: room.folder + "/host/").split(separator: "\n").map { line in
      { name in String(line).replacing("laptop", with: name) }
    }
  }

  @Test(.enabled("there is no rsync") { ShellScript.succeeds("command -v rsync") })
  func `an entry that is logged after a torn end was synchronized is not lost`() throws {
    let room = try TemporaryLedger()
    let lines = rsyncLines(try #require(blocks("rsync").first), room)
    let sync = ["m0", "m1", "m0", "m1"].map {
      "cd \($0); \(lines[1]($0)); \(lines[2]($0)); cd ..\n"
    }.joined()
    let script = """
      set -e
      mkdir -p host/streaks/events m0/events m1/events
      cd m0; \(lines[0]("m0")); streaks init noalc --now 2025-11-10T08:00:00Z > /dev/null 2>&1; cd ..
      \(sync)cd m0; head -c 300 /dev/zero | tr '\\0' x >> events/m0.jsonl; cd ..
      \(sync)cd m0; streaks log noalc steady --now 2025-11-10T09:00:00Z > /dev/null 2>&1; cd ..
      \(sync)
      """
    let ran = try ShellScript(text: script, folder: room.folder).run()
    #expect(ran.status == 0 && ran.errors.isEmpty, "\(script)\n\(ran.text)\(ran.errors)")
    expectAlike(["m0", "m1"].map { "\(room.folder)/\($0)/events" }, entries: 1, "\(script)")
  }

  /// Synchronizes two folders by copying the longer version of each file, also of `.lock` and git's
  /// files.
  private func synced(_ one: TemporaryLedger, _ other: TemporaryLedger) throws {
    let files = FileManager.default
    let (mine, theirs) = (one.contents() ?? [:], other.contents() ?? [:])
    for file in Set(mine.keys).union(theirs.keys) {
      let isMine = mine[file]?.count ?? -1 > theirs[file]?.count ?? -1
      // A lock is replaced even though it is empty.
      guard mine[file] != theirs[file] || file == ".lock" else { continue }
      let (from, to) = isMine ? (one, other) : (other, one)
      try files.createDirectory(atPath: to.events, withIntermediateDirectories: true)
      try? files.removeItem(atPath: "\(to.events)/\(file)")
      try files.copyItem(atPath: "\(from.events)/\(file)", toPath: "\(to.events)/\(file)")
    }
  }

  @Test(arguments: 1...(Cases.areAll ? 200 : 12))
  func `machines that synchronize a folder with its lock file lose nothing`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let ledgers = try (0..<(2 + random.below(3))).map { number in
      let ledger = try TemporaryLedger(now: "2025-11-10T00:00:00Z")
      ledger.machine = Machine(host: "m\(number % 2)", id: "\(number)")
      return ledger
    }
    try ledgers[0].run(all: "init noalc")
    for ledger in ledgers.dropFirst() { try synced(ledgers[0], ledger) }
    var (minute, count) = (0, 0)
    for _ in 0..<30 {
      let place = random.below(ledgers.count)
      if random.chance(50) {
        minute += 1 + random.below(400)
        let clock = Timestamp("2025-11-10T00:00:00Z").map {
          $0.instant + Int64(minute) * 60_000_000
        }
        ledgers[place].now = try #require(clock).description
        try ledgers[place].run(all: "log noalc steady")
        count += 1
      } else {
        try synced(ledgers[place], ledgers[(place + 1) % ledgers.count])
      }
    }
    for _ in 0...1 {
      for place in ledgers.indices {
        try synced(ledgers[place], ledgers[(place + 1) % ledgers.count])
      }
    }
    expectAlike(ledgers.map(\.events), entries: count, "seed \(seed)")
    #expect(Set(ledgers.map { $0.files() }).count == 1, "seed \(seed)")
  }

  @Test(arguments: [
    "main.sync-conflict-20251103-120000-V23EHBG.jsonl",
    "main (laptop's conflicted copy 2025-11-03).jsonl",
    "main 2.jsonl",
  ])
  func `a conflict copy that a sync program makes of a segment is read like any segment`(
    name: String
  )
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
    let other = try TemporaryLedger(now: "2025-11-03T13:00:00+01:00")
    try other.write(ledger.bytes(), to: "main.jsonl")
    try other.run(all: "log noalc easy")
    try ledger.run(all: "log noalc wild", at: "2025-11-03T14:00:00+01:00")
    try ledger.write(other.bytes(), to: name)
    #expect(ledger.run("show --json")["habits.noalc.totals.entries"] == "3")
    let found = ledger.run("verify").text
    #expect(found.contains("\(name): identity: 3 of its 4 events are also in main.jsonl"))
    #expect(found.split(separator: "\n").count == 1)
  }
}

import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RecipesTests {
  private static let jq = "command -v jq"

  @Test(.enabled("there is no jq") { ShellScript.succeeds(jq) })
  func `the jq recipe prints what the recipes show`() throws {
    let blocks = try CodeBlock.all(in: "docs/recipes.md").filter { $0.section == "What counts" }
    let recipe = try #require(blocks.first { $0.language == "sh" }).text
      .replacing("docs/recipes", with: Repository.root + "/docs/recipes")
    let printed = try #require(blocks.first { $0.language == "text" }).text
    let sample = try TemporaryLedger()
    try FileManager.default.copyItem(atPath: Repository.root + "/events", toPath: sample.events)
    for (ledger, answer) in [(sample, printed), (try tangledLedger(), "2025-08 10\n2025-09 24\n")] {
      let result = try ShellScript(text: recipe, folder: ledger.folder).run()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(result.text == answer)
    }
  }

  /// Returns a ledger of two devices with duplicate lines, days logged twice and another person's
  /// entry.
  ///
  /// Deletions come before and after the entries that they delete. Of three keys, one is the id of
  /// an entry, and one is held by a deleted entry.
  private func tangledLedger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger()
    var recorded = 0
    func line(_ id: String, _ type: String, _ day: String, at: String? = nil, _ rest: String)
      -> String
    {
      recorded += 1
      return #"{"id":"\#(id)","type":"\#(type)","at":"\#(at ?? day)T12:00:00Z","#
        + #"""
        "recorded":"2025-10-01T12:00:00.0000\#(recorded + 10)Z","day":"\#(day)","zone":"UTC",\#
        \#(rest)}
        """#
        + "\n"
    }
    let early = line("x1", "entry.deleted", "2025-10-01", #""entry":"m2""#)
    var phone = line("d1", "habit.defined", "2025-01-01", #""habit":"mood","rule":{"kind":"any"}"#)
    phone += line(
      "d2", "habit.defined", "2025-01-01", #""habit":"meditation","rule":{"kind":"any"}"#)
    let meditation = #""habit":"meditation","minutes""#
    phone += line("m1", "entry.logged", "2025-08-01", "\(meditation):10")
    phone += line("m2", "entry.logged", "2025-08-02", "\(meditation):5")
    phone += line("m4", "entry.logged", "2025-09-01", at: "2025-09-03", "\(meditation):7")
    phone += line("m5", "entry.logged", "2025-09-01", at: "2025-09-03", "\(meditation):8")
    phone += line("m6", "entry.logged", "2025-09-02", #""key":"k",\#(meditation):20"#)
    phone += line("m7", "entry.logged", "2025-09-02", #""key":"k",\#(meditation):3"#)
    phone += line("m8", "entry.logged", "2025-09-02", "\(meditation):4")
    phone += line(
      "m9", "entry.logged", "2025-09-02",
      #""key":"m8","asOf":"2025-09-02T00:00:00.000000Z",\#(meditation):6"#)
    phone += line("b1", "entry.logged", "2025-09-02", #""key":"b",\#(meditation):11"#)
    phone += line("b2", "entry.logged", "2025-09-02", #""key":"b",\#(meditation):12"#)
    for (number, day) in ["01", "02", "03", "05", "04", "05"].enumerated() {
      phone += line("a\(number)", "entry.logged", "2025-01-\(day)", #""habit":"mood""#)
    }
    let twice = line("m1", "entry.logged", "2025-08-01", "\(meditation):10")
    let late =
      line("x2", "entry.deleted", "2025-10-01", #""entry":"a2""#)
      + line("x3", "entry.deleted", "2025-10-01", #""entry":"b2""#)
    try ledger.write(Array(phone.utf8), to: "phone.jsonl")
    try ledger.write(Array((early + twice + late).utf8), to: "laptop.jsonl")
    return ledger
  }

  @Test func `the ledger that tests the jq recipe can be replayed`() throws {
    let ledger = try tangledLedger()
    let state = ledger.run("replay --json --on 2025-10-01")
    #expect(state.status == .done)
    #expect(state["habits.meditation.totals.entries"] == "5")
    #expect(state["habits.meditation.totals.minutes"] == "34")
    #expect(state["habits.mood.totals.entries"] == "5")
  }

  @Test func `the recipe for harsh imports each day of a log once`() throws {
    let script = Repository.root + "/docs/recipes/from-harsh"
    let ledger = try TemporaryLedger(now: Date.now.formatted(.iso8601))
    try ledger.run(all: "init meditation\ndefine read --any")
    let log = try Repository.text("Tests/Fixtures/imports/harsh.log")
    let path = ledger.folder + "/.config/harsh"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(log.utf8).write(to: URL(filePath: path + "/log"))
    func entries(_ habit: String, _ field: String) -> [String] {
      ledger.stored().filter { $0["type"] == "entry.logged" && $0["habit"] == habit }.map {
        $0[field] ?? "-"
      }
    }
    func run() throws -> ShellScript.Result {
      try ShellScript(
        text:
          "sh '\(script)' Meditation meditation minutes && sh '\(script)' 'Read a book' read value",
        folder: ledger.folder,
        environment: [
          "HOME": ledger.folder, "STREAKS_EVENTS": ledger.events, "STREAKS_WRITER": "main",
        ]
      ).run()
    }
    let result = try run()
    #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    #expect(entries("meditation", "day") == ["2025-10-30", "2025-10-31", "2025-11-01"])
    #expect(entries("meditation", "minutes") == ["12.5", "20", "5"])
    #expect(entries("read", "day") == ["2025-10-30", "2025-11-02"])
    #expect(entries("read", "value") == ["30", "-"])
    #expect(entries("read", "note") == ["a \"first\", long chapter", "aloud : twice"])
    let calendar = ledger.run("calendar read --all --json")
    #expect(calendar["habits.read.days.2025-10-31.verdict"] == "excused")
    #expect(calendar["habits.read.days.2025-11-01.verdict"] == "missed")
    let before = ledger.bytes()
    #expect(try run().status == 0 && ledger.bytes() == before)
    let longer = log + "2025-11-03 : Meditation : y : late : 10\n"
    try Data(longer.utf8).write(to: URL(filePath: path + "/log"))
    #expect(try run().text.contains("imported 1 entry from"))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `the recipe for a number that grows counts the latest one`() throws {
    let blocks = try CodeBlock.all(in: "docs/recipes.md")
    let part = "A number that grows during the day"
    let recipe = try #require(blocks.first { $0.part == part }).text
    let ledger = try TemporaryLedger()
    let result = try ShellScript(
      text: "streaks init\n\(recipe)streaks entries steps", folder: ledger.folder
    ).run()
    #expect(result.status == 0, "\(result)")
    let lines = result.text.split(separator: "\n")
    #expect(lines.last?.contains("steps 7200 steps") == true, "\(result)")
  }

  private static let consumer = "command -v jq && command -v bash && echo 1 | jq 'IN(1)'"

  /// Kills the process group eight times at random moments; a late segment arrives before the last
  /// ones.
  @Test(
    .enabled("there is no jq 1.6, or no bash") { ShellScript.succeeds(consumer) },
    arguments: [1, 2])
  func `a consumer that is killed at random posts each earned joker once`(seed: Int) throws {
    let result = try runConsumers(
      seed,
      """
      TIMEFORMAT=%3R; longest=$({ time sh consume; } 2>&1)
      cp "$PHONE" events/phone.jsonl && sh consume
      mv posted expected; rm -r cursor events calls
      mkdir events && cp "$MAIN" events/main.jsonl
      set -m
      RANDOM=$SEED; kills=0
      for round in 1 2 3 4 5 6 7 8; do
        if [ $round = 5 ]; then sh consume; cp "$PHONE" events/phone.jsonl; fi
        sh consume & job=$!
        sleep 0.$(printf %03d $((RANDOM % (10#${longest/./} + 1) % 1000)))
        kill -9 -- -$job && kills=$((kills + 1))
        wait $job
      done 2> /dev/null
      sh consume
      rm -f posted/*.new
      diff -r expected posted && echo same
      echo $(ls posted | wc -l) $(sort -u calls | wc -l) $(wc -l < calls) $kills
      """)
    let lines = result.text.split(separator: "\n")
    #expect(lines.first == "same", "seed \(seed): \(result)")
    let counts = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
    try #require(counts.count == 4)
    #expect(counts[0] > 5 && counts[1] == counts[0], "seed \(seed): \(result)")
    #expect(counts[2] <= counts[0] + counts[3], "seed \(seed): \(result)")
  }

  @Test(.enabled("there is no jq 1.6, or no bash") { ShellScript.succeeds(consumer) })
  func `a consumer whose first process alone is killed leaves nothing that posts`() throws {
    let result = try runConsumers(
      1,
      """
      set -m
      for signal in TERM KILL; do
        rm -rf posted calls cursor
        sh consume -f & job=$!
        until [ -s calls ]; do sleep 0.01; done
        kill -$signal $job
        wait $job
        sh consume
        kill -9 -- -$job
        echo $signal $(($(wc -l < calls) - $(ls posted | wc -l) <= 1)) $(ls | grep -c steps)
      done 2> /dev/null
      """)
    #expect(result.text == "TERM 1 0\nKILL 1 0\n", "\(result)")
  }

  @Test(.enabled("there is no jq 1.6, or no bash") { ShellScript.succeeds(consumer) })
  func `a consumer posts each day on which a joker was earned once, also after late entries`()
    throws
  {
    let ledger = try TemporaryLedger(now: "2026-11-27T12:00:00+01:00")
    func log(_ days: ClosedRange<Int>) throws {
      for day in days { try ledger.run(all: "log meditation 5m --on 2026-11-\(day)") }
    }
    func consume() throws -> String {
      let recipes = Repository.root + "/docs/recipes"
      let script = "cp '\(recipes)'/consume '\(recipes)'/post . && sh consume && cat posted/*"
      let result = try ShellScript(
        text: script, folder: ledger.folder, environment: ["STREAKS_EVENTS": ledger.events]
      ).run()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
      return result.text
    }
    try ledger.run(all: "init meditation")
    try log(20...26)
    let first = "a joker of meditation was earned on 2026-11-26\n"
    #expect(try consume() == first)

    // The joker of the late days becomes the first lot, and that of 11-26 the second.
    try log(10...16)
    let both = "a joker of meditation was earned on 2026-11-16\n" + first
    #expect(try consume() == both)

    try ledger.run(all: "undo")
    #expect(try consume() == both)
    try log(16...16)
    #expect(try consume() == both)
  }

  /// Runs `script` in bash, in a folder with the recipe, a slow `post` that lists its `calls`, and
  /// a ledger.
  private func runConsumers(_ seed: Int, _ script: String) throws -> ShellScript.Result {
    let main = try jokers("main")
    let phone = try jokers("phone")
    let ledger = try TemporaryLedger()
    let setup =
      """
      cp "$RECIPES"/consume "$RECIPES"/post .
      export STREAKS_EVENTS=events
      # Slow, so that many a kill comes between a post and its cursor.
      sed -i.bak 's/^mkdir/echo "$1 $2" >> calls; mkdir/' post && echo 'sleep 0.05' >> post
      mkdir events && cp "$MAIN" events/main.jsonl

      """
    let path = ledger.folder + "/driver"
    try Data((setup + script).utf8).write(to: URL(fileURLWithPath: path))
    return try ShellScript(
      text: "bash driver", folder: ledger.folder,
      environment: [
        "RECIPES": Repository.root + "/docs/recipes", "SEED": "\(seed)",
        "MAIN": main.events + "/main.jsonl",
        "PHONE": phone.events + "/phone.jsonl",
      ]
    ).run()
  }

  private func jokers(_ writer: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-10-0\(writer == "main" ? 1 : 2)T12:00:00+02:00")
    ledger.run("init noalc meditation --writer \(writer)")
    let lines = (1...30).map { day in
      #"""
      {"id":"\#(writer)-\#(day)","type":"entry.logged","at":\#
      "2025-10-\#(day < 10 ? "0" : "")\#(day)T12:00:00+02:00",
      """#
        + (writer == "main"
          ? #""habit":"noalc","level":"steady"}"# : #""habit":"meditation","minutes":12}"#)
    }
    ledger.now = "2025-10-30T12:0\(writer == "main" ? 1 : 0):00+01:00"
    let output = ledger.run(
      "append --each --writer \(writer)", input: lines.joined(separator: "\n"))
    #expect(output.status == .done, "\(output.screen)")
    return ledger
  }
}

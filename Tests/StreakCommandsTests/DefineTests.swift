import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct DefineTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(running: "init", now: "2025-11-25T12:00:00+01:00")
  }

  private var lines: [String] {
    String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func define(_ words: String...) -> Output { ledger.run(["define"] + words) }

  private func definition(_ habit: String) throws -> String {
    try #require(lines.last { $0.contains("\"habit.defined\"") && $0.contains("\"habit\":\"\(habit)\"") })
  }

  @Test func `an icon leaves the rule as it was`() throws {
    _ = define("meditation", "--preset", "meditation")
    _ = define("meditation", "--at-least", "20m")
    #expect(define("meditation", "--icon", "🕉").text.contains("icon  🧘 → 🕉"))
    #expect(try definition("meditation").contains(#""rule":{"kind":"minutes","atLeast":20}"#))
  }

  @Test func `every change is told before and after, in a dry run, too, which writes nothing`() {
    _ = define("gym", "--any", "--schedule", "3/week", "--jokers", "7/3")
    let count = lines.count
    let told = define("gym", "--schedule", "mon-fri", "--jokers", "3/9", "--dry-run").text
    #expect(told.contains("schedule     3/week → mon-fri"))
    #expect(told.contains("forgiveness  jokers 7/3 → jokers 3/9"))
    #expect(lines.count == count)
  }

  @Test func `a habit of a preset's name takes the preset only where no rule is named`() throws {
    _ = define("gym", "--any", "--schedule", "2/week")
    #expect(try !definition("gym").contains("joker"))
    _ = define("water", "--schedule", "mon-fri")
    #expect(try definition("water").contains(#""unit":"l""#))
  }

  @Test func `nothing to change is a usage error`() {
    _ = define("coffee", "--at-most", "2cups")
    let again = define("coffee", "--at-most", "2cups")
    #expect(again.status == .usage && again.errors.contains("nothing to change"))
  }

  @Test(arguments: [
    ("--at-least 20pages", #"{"kind":"sum","of":"amount","unit":"pages","atLeast":20}"#),
    ("--at-least 20 pages", #"{"kind":"sum","of":"amount","unit":"pages","atLeast":20}"#),
    ("--at-least 10,000steps", #"{"kind":"sum","of":"amount","unit":"steps","atLeast":10000}"#),
    ("--at-least 5km", #"{"kind":"sum","of":"km","atLeast":5}"#),
    ("--at-least 3mi", #"{"kind":"sum","of":"km","atLeast":4.828}"#),
    ("--at-least 3times", #"{"kind":"sum","of":"entries","atLeast":3}"#),
    ("--at-least 30Min", #"{"kind":"sum","of":"minutes","atLeast":30}"#),
    ("--at-most 1h", #"{"kind":"sum","of":"minutes","atMost":60}"#),
    ("--at-most 1hour", #"{"kind":"sum","of":"minutes","atMost":60}"#),
    ("--at-least 5km --at-most 15km", #"{"kind":"sum","of":"km","atLeast":5,"atMost":15}"#),
    ("--at-least 150min/week", #"{"kind":"sum","of":"minutes","atLeast":150,"per":"week"}"#),
    ("--at-least 2.5h/Week", #"{"kind":"sum","of":"minutes","atLeast":150,"per":"week"}"#),
    ("--at-least 20km/month", #"{"kind":"sum","of":"km","atLeast":20,"per":"month"}"#),
    ("--at-most 14drinks/week", #"{"kind":"sum","of":"drinks","atMost":14,"per":"week"}"#),
    ("--at-least 3times/week", #"{"kind":"sum","of":"entries","atLeast":3,"per":"week"}"#),
    ("--at-least 9 pages/week", #"{"kind":"sum","of":"amount","unit":"pages","atLeast":9,"per":"week"}"#),
    (
      "--at-least 5km/week --at-most 9km/week",
      #"{"kind":"sum","of":"km","atLeast":5,"atMost":9,"per":"week"}"#
    ),
    ("--preset alcohol-week", #"{"kind":"sum","of":"drinks","atMost":14,"per":"week"}"#),
    ("--never --schedule mon-fri", #"{"weekdays":["mon","tue","wed","thu","fri"]}"#),
    ("--any --schedule mon,wed,fri", #"{"weekdays":["mon","wed","fri"]}"#),
    ("--any --schedule Mon/Wed/Fri", #"{"weekdays":["mon","wed","fri"]}"#),
    ("--any --schedule 'monday, wednesday'", #"{"weekdays":["mon","wed"]}"#),
    ("--any --schedule sat-mon", #"{"weekdays":["mon","sat","sun"]}"#),
    ("--schedule 1/month", #"{"times":1,"per":"month"}"#), ("--any --schedule every:2", #"{"every":2}"#),
    ("--any --grace 2", #"{"kind":"grace","days":2}"#),
    ("--any --jokers 5/1", #"{"kind":"joker","every":5,"cap":1}"#),
  ])
  func `plain words are one command`(words: String, json: String) throws {
    #expect(ledger.run("define h \(words)").status == .done)
    #expect(try definition("h").contains("\":" + json))
  }

  @Test(arguments: [
    "--schedule 8/week", "--schedule mon,mon", "--schedule every:1", "--schedule often", "--schedule monthly",
    "--schedule montag", "--schedule wed/2", "--schedule monwedfri", "--schedule mon.wed", "--schedule ,",
    "--at-most 2cups --schedule every:2", "--at-least 5km --at-most 3km", "--at-least 5km --at-most 3h",
    "--at-least 1e9", "--at-least 0km", "--at-least 1.2345km", "--at-least 10.000steps",
    "--at-least 10.432steps", "--at-least 1.2345l", "--at-least 3.5times", "--any --never", "--jokers 1/3",
    "--any --clear rule", "--any --clear icn", "--any --grace 1 --strict", "--name ''", "--icon ''",
    "--milestones a,b",
  ])
  func `what makes no sense or may mean something else is refused`(words: String) {
    _ = define("h", "--any")
    let before = ledger.bytes()
    #expect(ledger.run("define h \(words)").status == .usage)
    #expect(ledger.bytes() == before)
  }

  @Test func `a preset keeps name, icon and group, and jokers cover what is bad by a new rule`() throws {
    _ = define("d", "--preset", "noalc", "--name", "Dry", "--icon", "x", "--group", "g")
    let told = define("d", "--at-most", "2drinks")
    #expect(told.text.contains("healing missed, easy, wild → jokers 7/3, healing over"))
    #expect(define("d", "--preset", "coffee").status == .done)
    let now = try definition("d")
    #expect(now.contains(#""name":"Dry","icon":"x","group":"g""#) && now.contains(#""unit":"cups""#))
  }

  @Test func `a sum of a week keeps it while its bounds change, and takes no schedule`() throws {
    let week = #"{"kind":"sum","of":"minutes","atLeast":150,"per":"week"}"#
    #expect(define("h", "--rule", week).text.contains("at least 150 min a week"))
    #expect(define("h", "--at-least", "120m").status == .done)
    #expect(try definition("h").contains(#""atLeast":120,"per":"week"}"#))
    #expect(
      define("h", "--schedule", "mon-fri").errors.contains("a sum of a week does not go with a schedule"))
    #expect(define("h", "--at-least", "2km").status == .done)
    #expect(try definition("h").contains(#""of":"km","atLeast":2}"#))
    #expect(define("h", "--schedule", "mon-fri").status == .done)
    #expect(define("h", "--rule", week).status == .usage)
    #expect(define("h", "--rule", week, "--clear", "schedule").status == .done)
  }

  @Test func `the same id again answers that it stands`() {
    _ = define("h", "--any", "--id", "d1")
    #expect(define("h", "--icon", "x", "--id", "d2").status == .done)
    #expect(define("h", "--icon", "x", "--id", "d2").text.contains("recorded before"))
  }

  @Test func `init brings the members that a composite needs`() throws {
    let other = try TemporaryLedger()
    #expect(other.run(["init", "activity"]).text.contains("strength, cardio, activity"))
    #expect(other.run(["show"]).status == .done)
  }

  @Test func `what two devices change without knowing of each other is found`() throws {
    _ = define("reading", "--preset", "reading")
    let other = try TemporaryLedger(now: ledger.now)
    try other.write(ledger.bytes(), to: "main.jsonl")
    _ = define("reading", "--icon", "📚", "--writer", "phone")
    #expect(other.run("define reading --jokers 5/1 --writer laptop").status == .done)
    #expect(ledger.run("verify").text.isEmpty)
    try ledger.write(other.bytes(of: "laptop"), to: "laptop.jsonl")
    let found = ledger.run("verify")
    #expect(found.text.contains(".jsonl:1: reference: changes reading as "), "\(found.screen)")
    #expect(found.text.contains("look whether both changes are there"))
  }

  @Test func `each part of a rule that changes is told`() {
    _ = define("strength", "--preset", "strength")
    let told = define(
      "strength", "--rule", #"{"kind":"activity","thresholds":{"strength":{"sets":5},"*":{}}}"#)
    #expect(told.text.contains("strength 3 sets or 10 min") && told.text.contains("strength 5 sets"))
    #expect(define("strength", "--milestones", "").text.contains("milestones  – → none"))
    #expect(define("strength", "--milestones", " 07, 30").text.contains("milestones  none → 7,30"))
  }

  @Test func `a unit may stand behind its number`() {
    _ = define("water", "--preset", "water")
    #expect(ledger.run("log water 500 ml").text.contains("0.5 of 2 l"))
    #expect(ledger.run("log water 0.5 l").text.contains("1 of 2 l"))
    _ = define("screen", "--at-most", "1h")
    #expect(ledger.run("log screen 2 h").text.contains("120 of at most 60 min"))
    #expect(ledger.run("log screen 1hour").text.contains("180 of at most 60 min"))
    _ = define("glasses", "--at-least", "8glasses")
    #expect(ledger.run("log glasses 1glass").text.contains("1 of 8 glasses"))
    #expect(define("squats", "--at-least", "1set").text.contains("at least 1 set\n"))
  }

  @Test func `each habit of the first week is made and logged as they say`() throws {
    let blocks = try CodeBlock.all(in: "docs/first-week.md").filter { $0.section == "A habit in one command" }
    let commands = blocks.flatMap { $0.text.split(separator: "\n") }.map {
      String($0.dropFirst("streaks ".count))
    }
    #expect(commands.count == 18)
    for command in commands {
      let output = ledger.run(command)
      #expect(output.status == .done, "\(command): \(output.errors)")
    }
  }

  @Test func `an entry counts once, however many are said`() {
    _ = define("pushups", "--at-least", "3times")
    #expect(ledger.run("log pushups 3times").errors.contains("each entry counts once"))
    #expect(ledger.run("log pushups 1").text.contains("1 of 3"))
    _ = define("steps", "--at-least", "10,000steps")
    #expect(ledger.run("log steps 10,432steps").text.contains("10432 of 10000 steps"))
    #expect(ledger.run("log steps 10.432").errors.contains("may be 10.432 or 10432"))
  }

  @Test(arguments: [("beer --at-most 2 --grace 1", true), ("beer --at-least 2pages --grace 1", false)])
  func `grace that never covers a day says so`(words: String, isIdle: Bool) throws {
    let text = try TemporaryLedger(running: "init reading coffee", now: "2026-03-12T12:00:00Z").run(
      "define \(words)"
    ).text
    #expect(text.contains("a limit has none: a day beyond it ends the run") == isIdle, "\(text)")
  }

  @Test func `a habit made by a preset says so`() throws {
    let ledger = try TemporaryLedger.ofMarch()
    #expect(ledger.run("define gym --schedule 2/week").text.contains(", by the preset gym:"))
    #expect(!ledger.run("define yoga --schedule 2/week").text.contains("preset"))
    #expect(!ledger.run("define reading --any").text.contains("preset"))
  }

  @Test func `retiring a habit that is due says what becomes of its run`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med")
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("define med --retire").text.contains("today still counts: log it, or the run ends"))
    ledger.now = "2026-03-04T12:00:00Z"
    #expect(ledger.run("log med").errors.contains("`streaks define med` resumes it"))
    #expect(ledger.run("define med").status == .done)
    #expect(ledger.run("define med --retire --on yesterday").status == .done)
    try ledger.run(all: "define walk --any")
    #expect(!ledger.run("log me").errors.contains("did you mean"))
  }

  @Test func `habits knows a retirement of today, and that a habit resumed`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any\nlog gym\ndefine gym --retire")
    #expect(ledger.run("habits").text.hasSuffix("\n  retired from tomorrow\n"))
    ledger.now = "2025-11-10T12:00:00+01:00"
    #expect(!ledger.run("habits").text.contains("retired from tomorrow"))
    try ledger.run(all: "define gym --any")
    #expect(ledger.run("habits gym").text.hasSuffix("  resumes\n"))
  }
}

import CommandFixtures
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

  @Test(arguments: [
    ("--at-least 20pages", #"{"kind":"sum","of":"amount","unit":"pages","atLeast":20}"#),
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
    (
      "--at-least 5km/week --at-most 9km/week",
      #"{"kind":"sum","of":"km","atLeast":5,"atMost":9,"per":"week"}"#
    ),
    ("--preset alcohol-week", #"{"kind":"sum","of":"drinks","atMost":14,"per":"week"}"#),
    ("--never --schedule mon-fri", #"{"weekdays":["mon","tue","wed","thu","fri"]}"#),
    ("--any --schedule mon,wed,fri", #"{"weekdays":["mon","wed","fri"]}"#),
    ("--any --schedule 'monday, wednesday'", #"{"weekdays":["mon","wed"]}"#),
    ("--any --schedule sat-mon", #"{"weekdays":["mon","sat","sun"]}"#),
    ("--schedule 1/month", #"{"times":1,"per":"month"}"#), ("--any --schedule every:2", #"{"every":2}"#),
    (
      "--levels calm:0-1,some:2-4,much:5- --good calm",
      #"{"kind":"level","levels":{"calm":[0,1],"some":[2,4],"much":[5,null]},"good":["calm"]}"#
    ),
    (
      "--levels much:5-,calm:0-1,some:2-4 --good calm",
      #"{"kind":"level","levels":{"much":[5,null],"calm":[0,1],"some":[2,4]},"good":["calm"]}"#
    ),
    (
      "--levels calm:0,'very much':1- --good calm",
      #"{"kind":"level","levels":{"calm":[0,0],"very much":[1,null]},"good":["calm"]}"#
    ),
    (
      "--levels calm:0-9 --good calm",
      #"{"kind":"level","levels":{"calm":[0,9]},"good":["calm"]}"#
    ),
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

  @Test(arguments: [
    ("--levels calm:0-1,some:3- --good calm", "\"some\" begins at 3"),
    ("--levels calm:1- --good calm", "\"calm\" begins at 1"),
    ("--levels calm:0-,some:2- --good calm", "\"some\" begins at 2"),
    ("--levels calm:0-1,calm:2- --good calm", "duplicate key \"calm\""),
    ("--levels calm --good calm", "a level is a name and its drinks"),
    ("--levels 'calm:0-1 some:2-' --good calm", "separated by commas"),
    ("--levels calm:2-1 --good calm", "from 2 to 100"),
    ("--levels calm:0-101 --good calm", "0 to 100"), ("--levels good:0- --good good", "are taken"),
    ("--levels calm:0- --good clam", "did you mean \"calm\"?"),
    ("--levels calm:0-", "say which levels make a good day"),
    ("--good calm", "must name at least one level"),
    ("--levels calm:0- --good calm --any", "do not go together"),
    ("--at-least 2x/week", "such as 2times for entries, 150min or 20pages, or --schedule 2/week for days"),
    ("--at-least 5km/year", "after / comes week or month"),
    ("--at-least 5km/h/week", "after / comes week or month"),
    ("--at-least 30m/day", "a bound of a day has neither"),
    ("--at-least 3/week", "--schedule 3/week for days"),
    ("--at-least pages/week", "it must be a number"), ("--at-least week/150min", "it must be a number"),
    ("--at-least 150m/", "week or month"),
    ("--at-least 5km/week --at-most 9km", "must count the same"),
    ("--at-least 5km/week --schedule 3/week", "does not go with a schedule"),
  ])
  func `levels and sums that make no sense are refused in words`(words: String, says: String) {
    let before = ledger.contents()
    let output = ledger.run("define h \(words)")
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
    #expect(ledger.contents() == before)
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
}

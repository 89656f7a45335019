import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct LevelWordsTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(running: "init --zone Europe/Berlin", now: "2025-11-03T12:00:00+01:00")
  }

  private var definition: String { ledger.stored().last { $0["type"] == "habit.defined" }?.text ?? "" }

  @Test(arguments: [
    ("calm:0-1,some:2-4,much:5-", #"{"calm":[0,1],"some":[2,4],"much":[5,null]}"#),
    ("much:5-,calm:0-1,some:2-4", #"{"much":[5,null],"calm":[0,1],"some":[2,4]}"#),
    ("calm:0,'very much':1-", #"{"calm":[0,0],"very much":[1,null]}"#),
    ("calm:0-9", #"{"calm":[0,9]}"#),
  ])
  func `levels are names with their drinks`(words: String, json: String) {
    let output = ledger.run("define h --levels \(words) --good calm")
    #expect(output.status == .done, "\(output.errors)")
    #expect(definition.contains(#""rule":{"kind":"level","levels":"# + json + #","good":["calm"]}"#))
  }

  @Test(arguments: [
    ("--levels calm:0-1,some:3- --good calm", "\"some\" begins at 3; it must begin at 2"),
    ("--levels calm:1- --good calm", "it must begin at 0"),
    ("--levels calm:0-,some:2- --good calm", "the one before it has no end"),
    ("--levels calm:0-1,calm:2- --good calm", "\"calm\" twice"),
    ("--levels calm --good calm", "a level is a name and its drinks"),
    ("--levels 'calm:0-1 some:2-' --good calm", "levels are parted by commas"),
    ("--levels calm:2-1 --good calm", "a level is a name and its drinks"),
    ("--levels calm:0-101 --good calm", "0 to 100"), ("--levels good:0- --good good", "are taken"),
    ("--levels calm:0- --good clam", "did you mean \"calm\"?"), ("--levels calm:0-", "such as --good calm"),
    ("--good calm", "--good needs levels"), ("--levels calm:0- --good calm --any", "do not go together"),
  ])
  func `levels that make no sense are refused in words, and nothing is written`(words: String, says: String) {
    let before = ledger.contents()
    let output = ledger.run("define h \(words)")
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
    #expect(ledger.contents() == before)
  }

  @Test func `jokers that covered every bad level cover every one of the new levels`() throws {
    try ledger.run(all: "define alcohol --preset noalc")
    let told = ledger.run("define alcohol --levels calm:0-1,some:2-4,much:5- --good calm").text
    #expect(told.contains("healing missed, easy, wild → jokers 7/3, healing missed, some, much"), "\(told)")
    #expect(!told.contains("no longer"))
    // Seven calm days earn a joker, and a lot on the eighth spends it.
    for day in 3...10 {
      ledger.now = "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00"
      try ledger.run(all: "log alcohol \(day < 10 ? "calm" : "much")")
    }
    #expect(ledger.run("replay --json")["habits.alcohol.current"] == "8")
    #expect(ledger.run("replay --json")["habits.alcohol.days.healed"] == "1")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `jokers cover the bad levels by default, and those that covered some say what they lose`()
    throws
  {
    try ledger.run(all: "define wine --levels calm:0-1,some:2- --good calm --jokers 7/3")
    #expect(!definition.contains("heals"))
    try ledger.run(all: "define strict --preset noalc-strict")
    let told = ledger.run("define strict --levels calm:0-1,some:2- --good calm").text
    #expect(told.contains("forgiveness leaves out easy, wild"), "\(told)")
    #expect(definition.contains(#""heals":["missed"]"#))
  }

  @Test func `the good levels change alone, and stay while they exist`() throws {
    try ledger.run(all: "define h --levels calm:0-1,some:2-4,much:5- --good calm")
    try ledger.run(all: "define h --good calm,some")
    #expect(definition.contains(#""good":["calm","some"]"#))
    try ledger.run(all: "define h --levels calm:0-2,some:3-4,much:5-")
    #expect(definition.contains(#""calm":[0,2]"#) && definition.contains(#""good":["calm","some"]"#))
    #expect(ledger.run("define h --levels low:0-2,high:3-").errors.contains("such as --good low"))
  }
}

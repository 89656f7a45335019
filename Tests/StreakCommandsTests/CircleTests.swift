import CommandFixtures
import StreakDomain
import Testing

/// Composites that contain each other, which only two devices can make.
struct CircleTests {
  private static func definition(_ habit: String, _ members: String) -> String {
    #"{"type":"habit.defined","habit":"\#(habit)","rule":{"kind":"all","of":[\#(members)]}}"# + "\n"
  }

  @Test func `undoing the definition that verify names ends a circle of two devices`() throws {
    let ledger = try TemporaryLedger(running: "init --writer phone\ndefine x --any --writer phone")
    for habit in ["a", "b"] {
      ledger.run(["append", "--writer", "phone"], input: CircleTests.definition(habit, #""x""#))
    }
    let other = try TemporaryLedger()
    try ledger.run(all: "log x --writer phone")
    try other.write(ledger.bytes(of: "phone"), to: "phone.jsonl")
    let here = ledger.run(["append", "--writer", "phone"], input: CircleTests.definition("a", #""x","b""#))
    let there = other.run(["append", "--writer", "laptop"], input: CircleTests.definition("b", #""x","a""#))
    #expect(here.status == .done && there.status == .done)
    try ledger.write(other.bytes(of: "laptop"), to: "laptop.jsonl")

    let laptop = String(decoding: other.bytes(of: "laptop"), as: UTF8.self)
    try ledger.write(Array(laptop.replacing(#""x","a""#, with: #""nobody","a""#).utf8), to: "laptop.jsonl")
    let both = ledger.run("verify").text
    #expect(both.contains("names a, which leads back") && both.contains("\"nobody\", which is not defined"))
    try ledger.write(Array(laptop.utf8), to: "laptop.jsonl")

    let found = ledger.run("verify")
    #expect(found.status == .failed)
    #expect(found.text.contains("names a, which leads back, so a counts as missed here on every day"))
    #expect(ledger.run("replay --json")["habits.1.current"] == "0")

    let advice = try #require(found.text.firstMatch(of: /phone.jsonl.*`streaks (undo [^`]+)`/))
    #expect(ledger.run("\(advice.1) --writer phone").status == .done)
    #expect(ledger.run("verify").screen.isEmpty)
    #expect(ledger.run("replay --json")["habits.1.current"] == "1")
  }
}

import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct DefineTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(running: "init", now: "2025-11-25T12:00:00+01:00")
  }

  private func define(_ words: String...) -> Output { ledger.run(["define"] + words) }

  @Test func `verify reports a habit that two devices redefined without knowing of each other`()
    throws
  {
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

  @Test func `verify reports a habit that two devices first defined differently`() throws {
    let other = try TemporaryLedger(now: ledger.now)
    try other.write(ledger.bytes(), to: "main.jsonl")
    #expect(ledger.run("define gym --any --writer phone").status == .done)
    #expect(other.run("define gym --any --schedule 3/week --writer laptop").status == .done)
    #expect(other.run("define run --any --writer laptop").status == .done)
    #expect(ledger.run("define run --any --writer phone").status == .done)
    try ledger.write(other.bytes(of: "laptop"), to: "laptop.jsonl")

    let found = ledger.run("verify")
    #expect(found.text.contains("reference: defines gym, which "), "\(found.screen)")
    #expect(found.text.contains("had defined otherwise"))
    #expect(!found.text.contains("defines run"), "equal definitions are no finding")
    #expect(found.status == .failed)
  }

  @Test func `verify accepts a second definition from a device that had seen the first`() throws {
    let line =
      #"{"type":"habit.defined","habit":"gym","rule":{"kind":"any"},"#
      + #""schedule":{"times":3,"per":"week"}}"#
    #expect(ledger.run("define gym --any --writer phone").status == .done)
    ledger.now = "2025-11-26T12:00:00+01:00"
    #expect(ledger.run("append --writer laptop", input: line).status == .done)
    #expect(ledger.run("verify").screen.isEmpty, "\(ledger.run("verify").screen)")
  }

  @Test func `every command of docs first-week works in the order of the page`() throws {
    let ledger = try TemporaryLedger()
    let blocks = try CodeBlock.all(in: "docs/first-week.md")
    let lines = blocks.flatMap { $0.text.split(separator: "\n") }.map {
      $0.hasPrefix("$ ") ? $0.dropFirst(2) : $0
    }
    var count = 0
    for line in lines where line.hasPrefix("streaks ") && !line.hasPrefix("streaks serve") {
      let entry = ledger.run("entries reading --json")["entries.0.id"] ?? ""
      let command = line.dropFirst("streaks ".count).split(separator: " #")[0]
        .replacing("…3f4a5b", with: entry)
        .replacing("year.html", with: ledger.folder + "/year.html")
      let output = ledger.run(command.trimmingCharacters(in: .whitespaces))
      #expect(output.status == .done, "\(command): \(output.screen)")
      count += 1
    }
    #expect(count > 25)
  }

  @Test func `every command of docs first-week for defining and logging a habit works`() throws {
    let blocks = try CodeBlock.all(in: "docs/first-week.md").filter {
      $0.section == "A habit in one command"
    }
    let commands = blocks.flatMap { $0.text.split(separator: "\n") }.map {
      String($0.dropFirst("streaks ".count))
    }
    #expect(commands.count == 15)
    for command in commands {
      let output = ledger.run(command)
      #expect(output.status == .done, "\(command): \(output.errors)")
    }
  }
}

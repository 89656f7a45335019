import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct UndoTests {
  @Test func `undoing a batch of deletions also restores the order of the entries`() throws {
    let ledger = try UndoneLedger.make()
    ledger.now = "2025-11-10T12:00:00+01:00"
    for (id, level) in [("x", "wild"), ("y", "easy"), ("z", "steady")] {
      ledger.run("log noalc \(level) --id \(id)")
    }
    let before = UndoneLedger.numbers(ledger)
    let batch = ["x", "z"].map { #"{"type":"entry.deleted","entry":"\#($0)"}"# }
    ledger.run("append", input: batch.joined(separator: "\n"))
    #expect(UndoneLedger.numbers(ledger) != before)
    #expect(ledger.run("undo").status == .done)
    #expect(UndoneLedger.numbers(ledger) == before)
  }

  @Test func `undo does not restore an entry that another device deleted earlier`() throws {
    let ledger = try UndoneLedger.make()
    let phone = try TemporaryLedger(now: ledger.now)
    try phone.write(ledger.bytes(), to: "main.jsonl")
    #expect(phone.run("delete n5 --writer phone --id theirs").status == .done)
    try ledger.run(all: "delete n5 --id mine", at: "2025-11-09T12:01:00+01:00")
    try ledger.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    let (before, stored) = (UndoneLedger.numbers(ledger), ledger.stored())
    let output = ledger.run("undo")
    #expect(output.status == .failed)
    #expect(output.errors.contains("changed nothing that can be undone"), "\(output.errors)")
    #expect(output.errors.contains("undoes the one before, "), "\(output.errors)")
    #expect(UndoneLedger.numbers(ledger) == before)
    #expect(ledger.stored() == stored)
  }

  @Test func `undoing the first of two deletions of an entry restores the entry`() throws {
    let ledger = try UndoneLedger.make()
    let phone = try TemporaryLedger(now: ledger.now)
    try phone.write(ledger.bytes(), to: "main.jsonl")
    let before = UndoneLedger.numbers(ledger)
    #expect(phone.run("delete n5 --writer phone --id theirs").status == .done)
    try ledger.run(all: "delete n5 --id mine", at: "2025-11-09T12:01:00+01:00")
    try ledger.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(UndoneLedger.numbers(ledger) != before)
    #expect(ledger.run("undo theirs").status == .done)
    #expect(UndoneLedger.numbers(ledger) == before)
  }

  /// Commands that meet each other's entries: few moments, few ids, rules that change under them.
  private func command(_ random: inout SeededRandom, _ step: Int) -> String {
    let level = ["steady", "easy", "wild"][random.below(3)]
    let day = "2025-11-0\(7 + random.below(3))"
    let at = "--on \(day) --at \(day)T1\(random.below(2)):00:00+01:00"
    switch random.below(9) {
    case 0...2: return "log noalc \(level) \(at) --id r\(step)"
    case 3: return "log noalc \(level) \(at) --replaces r\(random.below(step + 1)) --id r\(step)"
    case 4, 5: return "delete r\(random.below(step + 1)) --id d\(step)"
    case 6: return "log noalc \(level) \(at) --key r\(random.below(step + 1)) --id r\(step)"
    case 7: return "define noalc --preset \(random.chance(50) ? "noalc" : "noalc-strict")"
    default:
      return random.chance(50) ? "define meditation --retire" : "delete m\(3 + random.below(7))"
    }
  }

  @Test(arguments: UInt64(1)...8)
  func `undo restores the previous state exactly or writes nothing`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let ledger = try UndoneLedger.make()
    var undone = 0
    for step in 0..<20 {
      let before = UndoneLedger.numbers(ledger)
      let command = command(&random, step)
      let count = ledger.stored().count
      guard ledger.run(command).status == .done, ledger.stored().count > count else { continue }
      // What follows may be undone later, too, or built upon.
      guard random.chance(60) else { continue }
      let stored = ledger.stored()
      let output = ledger.run("undo")
      if output.status == .done {
        undone += 1
        #expect(UndoneLedger.numbers(ledger) == before, "step \(step): \(command)")
      } else {
        #expect(
          output.status == .conflict || output.status == .failed, "\(command): \(output.errors)")
        #expect(ledger.stored() == stored)
      }
    }
    #expect(undone > 3)
  }

  @Test func `undo works on a day that began in another device's time zone`() throws {
    let laptop = try TemporaryLedger.ofMarch("define med --any\nlog med")
    let phone = try TemporaryLedger(now: "2026-03-03T16:00:00Z")
    try phone.write(laptop.bytes(), to: "main.jsonl")
    try phone.run(all: "day --zone America/New_York --writer phone")
    try laptop.run(all: "log med --id own", at: "2026-03-03T18:00:00Z")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(laptop.run("undo").text.hasPrefix("undid: med"))
    #expect(UndoneLedger.restore(laptop).status == .done)
  }

  @Test
  func `repeated undo goes back command by command, and undoing the undos goes forward again`()
    throws
  {
    let ledger = try UndoneLedger.make()
    let commands = [
      "log noalc wild --id a", "excuse 2025-11-06 --habit noalc --id x", "delete a --id d",
      "define noalc --preset noalc-strict",
      "log noalc steady --replaces n4 --id b", "excuse --withdraw x", "remind --set noalc 09:00",
    ]
    var states = [UndoneLedger.numbers(ledger)]
    for command in commands {
      #expect(ledger.run(command).status == .done, "\(command)")
      states.append(UndoneLedger.numbers(ledger))
    }
    // Down, half way up, down again and up: what is undone is now what an undo gave again.
    var undos: [String] = []
    for (isBack, count) in [
      (false, commands.count), (true, 4), (false, 3), (true, 5), (false, 2), (true, 3),
    ] {
      for _ in 0..<count {
        let output = ledger.run(isBack ? ["undo", undos.removeLast()] : ["undo"])
        #expect(output.status == .done, "\(output.errors)")
        if !isBack { undos.append(try #require(ledger.stored().last?["id"])) }
        #expect(
          UndoneLedger.numbers(ledger) == states[commands.count - undos.count],
          "\(isBack) \(undos.count)")
      }
    }
    #expect(undos.isEmpty)
    #expect(ledger.run("verify").status == .done)
  }

  /// Three entries as one command.
  private static let batch = ["a", "b", "c"].map {
    #"{"id":"\#($0)","type":"entry.logged","habit":"game","completed":true}"#
  }.joined(separator: "\n")

  @Test func `undo of a command skips an event that another segment recorded first`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("append", input: UndoTests.batch)
    let line = try #require(ledger.stored().map(\.text).first { $0.contains(#""id":"b""#) })
    let copy = line.replacing(#","more":true"#, with: "")
      .replacing(/"recorded":"[^"]*"/, with: #""recorded":"2025-11-01T00:00:00.000000Z""#)
    try ledger.write(Array((copy + "\n").utf8), to: "phone.jsonl")
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.stored().compactMap { $0["entry"] } == ["c", "a"])
    #expect(UndoneLedger.restore(ledger).status == .done)
  }

  @Test func `a skipped line does not split a command for undo`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("append", input: UndoTests.batch)
    let lines = ledger.stored().map(\.text).map {
      $0.contains(#""id":"b""#) ? #"{"more":true}"# : $0
    }
    try ledger.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "main.jsonl")
    #expect(ledger.run("undo --skip --dry-run").text.hasPrefix("would write 2 events\n"))
  }
}

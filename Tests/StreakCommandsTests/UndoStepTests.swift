import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Which command an undo takes back.
struct UndoStepTests {
  @Test func `given again it goes one command further back, and undoing undos comes forward again`() throws {
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
    for (isBack, count) in [(false, commands.count), (true, 4), (false, 3), (true, 5), (false, 2), (true, 3)]
    {
      for _ in 0..<count {
        let output = ledger.run(isBack ? ["undo", undos.removeLast()] : ["undo"])
        #expect(output.status == .done, "\(output.errors)")
        if !isBack { undos.append(try #require(ledger.stored().last?["id"])) }
        #expect(
          UndoneLedger.numbers(ledger) == states[commands.count - undos.count], "\(isBack) \(undos.count)")
      }
    }
    #expect(undos.isEmpty)
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `what an undo writes says by what, and of which event`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("excuse 2025-11-20 --id x")
    #expect(ledger.run("undo").text.hasPrefix("undid: excused 2025-11-20 ("))
    let undo = try #require(ledger.stored().last)
    #expect(undo["by"] == "streaks-undo" && undo["cause"] == "x" && undo["excuse"] == "x")
    let id = try #require(undo["id"])
    #expect(ledger.run("undo \(id)").text.hasPrefix("undid: withdrew the excuse of 2025-11-20"))
    let restored = try #require(ledger.stored().last)
    #expect(restored["by"] == "streaks-undo" && restored["cause"] == id && restored["from"] == "2025-11-20")
    #expect(ledger.run("undo \(id)").errors.contains("is undone already"))
  }

  @Test func `an event names the command to undo, whatever came after`() throws {
    let ledger = try UndoneLedger.make()
    let before = UndoneLedger.numbers(ledger)
    ledger.run("excuse 2025-11-10 --id x")
    ledger.run("log game completed --id g")
    #expect(ledger.run("undo x").text.hasPrefix("undid: excused 2025-11-10 ("))
    #expect(ledger.run("undo x").errors.contains("undone already"))
    #expect(ledger.run("undo g").status == .done)
    #expect(UndoneLedger.numbers(ledger) == before)
    #expect(ledger.run("undo nothing").status == .failed)
    // An entry that was logged again is reverted with the command.
    UndoneLedger.restore(ledger)
    #expect(ledger.run("undo g").text.hasPrefix("undid: game completed, "))
    #expect(UndoneLedger.numbers(ledger) == before)
  }

  /// Three entries as one command.
  private static let batch = ["a", "b", "c"].map {
    #"{"id":"\#($0)","type":"entry.logged","habit":"game","completed":true}"#
  }.joined(separator: "\n")

  @Test func `a command is undone but for what an older segment has of it`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("append", input: UndoStepTests.batch)
    let line = try #require(ledger.stored().map(\.text).first { $0.contains(#""id":"b""#) })
    let copy = line.replacing(#","more":true"#, with: "")
      .replacing(/"recorded":"[^"]*"/, with: #""recorded":"2025-11-01T00:00:00.000000Z""#)
    try ledger.write(Array((copy + "\n").utf8), to: "phone.jsonl")
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.stored().compactMap { $0["entry"] } == ["c", "a"])
    #expect(UndoneLedger.restore(ledger).status == .done)
  }

  @Test func `a line that is read around does not cut a command in two`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("append", input: UndoStepTests.batch)
    let lines = ledger.stored().map(\.text).map { $0.contains(#""id":"b""#) ? "{" : $0 }
    try ledger.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "main.jsonl")
    #expect(ledger.run("undo --skip --dry-run").text.hasPrefix("would write 2 events\n"))
  }

  @Test func `what is given again has the caller's own fields`() throws {
    let ledger = try UndoneLedger.make()
    for line in [
      #"{"id":"q1","type":"entry.logged","habit":"meditation","minutes":5,"x_mood":"ok"}"#,
      #"{"id":"q2","type":"days.excused","from":"2025-11-20","to":"2025-11-20","x_trip":"Rome"}"#,
      #"{"id":"q3","type":"reminder.set","habit":"noalc","time":"09:00","enabled":true,"x_ring":"low"}"#,
    ] { #expect(ledger.run("append", input: line).status == .done) }
    for (command, field, value) in [
      ("delete q1", "x_mood", "ok"), ("excuse --withdraw q2", "x_trip", "Rome"),
      ("remind --set noalc 10:00", "x_ring", "low"),
    ] {
      #expect(ledger.run(command).status == .done && ledger.run("undo").status == .done)
      #expect(ledger.stored().last?[field] == value, "\(command)")
    }
  }

  @Test func `a deletion that is restored has the reason that was given first`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("excuse 2025-11-20 --id x")
    for command in ["delete m9 --reason 'wrong day'", "excuse --withdraw x --reason 'wrong day'"] {
      ledger.run(command)
      ledger.run("undo")
      UndoneLedger.restore(ledger)
      #expect(ledger.stored().last?["reason"] == "wrong day", "\(command)")
    }
    ledger.run("undo")
    #expect(ledger.stored().last?["reason"] == nil)
  }

  @Test func `causes in a circle end`() throws {
    let ledger = try UndoneLedger.make()
    let line = #"{"type":"entry.logged","habit":"game","completed":true,"by":"streaks-undo","#
    ledger.run(
      "append", input: line + #""id":"a1","cause":"b1"}"# + "\n" + line + #""id":"b1","cause":"a1"}"#)
    #expect(ledger.run("undo").text.contains("(m9)"))
  }
}

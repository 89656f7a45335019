import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct DevicesTests {
  @Test func `entries of two devices form one run once each device has the other's file`() throws {
    let phone = try TemporaryLedger()
    try phone.run(all: "init morning_ritual\nlog morning_ritual completed --writer phone")
    let laptop = try TemporaryLedger()
    for name in ["main", "phone"] { try laptop.write(phone.bytes(of: name), to: "\(name).jsonl") }
    try laptop.run(
      all: "log morning_ritual completed --writer laptop", at: "2025-11-04T12:00:00+01:00")
    try phone.run(
      all: "log morning_ritual completed --writer phone", at: "2025-11-05T12:00:00+01:00")
    #expect(phone.run("show --json")["habits.morning_ritual.current"] == "2")
    try phone.write(laptop.bytes(of: "laptop"), to: "laptop.jsonl")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    laptop.now = phone.now
    #expect(phone.run("show --json")["habits.morning_ritual.current"] == "3")
    #expect(phone.run("replay --json").text == laptop.run("replay --json").text)
    #expect(phone.run("verify").status == .done)
  }

  @Test func `a ledger without its opening event is reported as missing a segment`() throws {
    let headless = try TemporaryLedger(running: "init noalc\nlog noalc steady --writer phone")
    try headless.write([], to: "main.jsonl")
    #expect(headless.run("show").errors.contains("no event opens the ledger: a segment is missing"))
  }

  @Test func `a copy of the ledger's files gives the same output and accepts new entries`() throws {
    let ledger = try TemporaryLedger(
      running:
        """
        init noalc game\nlog noalc steady\nlog game completed\nremind --set noalc\ncelebrate --seen
        """
    )
    let copy = try TemporaryLedger()
    try copy.write(ledger.bytes(), to: "main.jsonl")
    for command in [
      "replay --json", "show --json", "calendar noalc game --json", "audit --history --json",
    ] {
      #expect(copy.run(command) == ledger.run(command), "\(command)")
    }
    try copy.run(all: "log noalc steady")
    #expect(copy.run("verify").status == .done)
  }

  @Test
  func `verify accepts two deletions of one entry but reports one id with different contents`()
    throws
  {
    let ledger = try TemporaryLedger(
      running: "init noalc\nlog noalc steady --id e1\ndelete e1 --id d1")
    let deletion = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n").last ?? ""
    let other = deletion.replacingOccurrences(of: "\"d1\"", with: "\"d2\"")
      .replacingOccurrences(of: "2025-11-03T11:", with: "2025-11-03T12:")
    try ledger.write(Array((other + "\n").utf8), to: "laptop.jsonl")
    #expect(ledger.run("verify").screen.isEmpty)
    let contents = deletion.replacingOccurrences(of: "\"entry\":\"e1\"", with: "\"entry\":\"e9\"")
    try ledger.write(Array((contents + "\n").utf8), to: "laptop.jsonl")
    let reused = ledger.run("verify")
    // Of two events recorded at the same time, the segment's name decides the order.
    #expect(reused.text.contains("main.jsonl:4: reused-id: "), "\(reused.text)")
    #expect(reused.text.contains("laptop.jsonl:1, which comes first"), "\(reused.text)")
  }

  @Test func `verify names the file whose events are all in another file as well`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for _ in 1...3 { try ledger.run(all: "log noalc easy --writer phone") }
    let lines = String(decoding: ledger.bytes(of: "phone"), as: UTF8.self).split(separator: "\n")
    try ledger.write(Array("\(lines[0])\n\(lines[1])\n".utf8), to: "backup.jsonl")
    let found = ledger.run("verify").text
    let says =
      "phone.jsonl: identity: 2 of its 3 events are also in backup.jsonl, which has no others: "
    #expect(found.contains(says), "\(found)")
  }

  @Test func `verify reports a copy left by a sync tool as one finding that names the original`()
    throws
  {
    let ledger = try TemporaryLedger(
      running:
        """
        init noalc\nlog noalc steady --writer phone\nlog noalc easy --writer phone\nlog noalc easy \
        --id p6 --writer phone
        """
    )
    let phone = ledger.bytes(of: "phone")
    for name in ["phone (1).jsonl", "phone.sync-conflict-20251102-120000-ABCDEFG.jsonl"] {
      try ledger.write(phone, to: name)
      let found = ledger.run("verify")
      #expect(
        found.text.hasPrefix(
          "\(ledger.events)/\(name): identity: 3 of its 3 events are also in phone.jsonl: "),
        "\(found.text)")
      #expect(ledger.run("verify --json")["findings.1.check"] == nil)
      try FileManager.default.removeItem(atPath: "\(ledger.events)/\(name)")
    }
    let diverged = String(decoding: phone, as: UTF8.self).replacingOccurrences(
      of: #""p6""#, with: #""q6""#)
    try ledger.write([UInt8](diverged.utf8), to: "phone (1).jsonl")
    let found = ledger.run("verify")
    #expect(
      found.text.contains(
        "phone (1).jsonl: identity: 2 of its 3 events are also in phone.jsonl: if a file"))
    #expect(found.text.split(separator: "\n").count == 1)
  }

  @Test func `verify reports nothing if two devices withdraw the same excuse`() throws {
    let ledger = try TemporaryLedger(running: "init workout\nlog workout 20m")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "log workout 20m\nexcuse 2025-11-04 --id x")
    let phone = try TemporaryLedger(now: ledger.now)
    try phone.write(ledger.bytes(), to: "main.jsonl")
    try phone.run(all: "excuse --withdraw x --id theirs --writer phone")
    try ledger.run(all: "excuse --withdraw x --id mine", at: "2025-11-05T12:01:00+01:00")
    try ledger.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(ledger.run("show --json")["habits.workout.current"] == "1")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `a replacement made on two devices counts once, and so does each undo on both`() throws
  {
    let phone = try TemporaryLedger(
      running: "init steps\nlog steps 5500steps --id a", now: "2025-11-03T12:00:00+01:00")
    let laptop = try TemporaryLedger(now: phone.now, seed: 1_000)
    try laptop.write(phone.bytes(), to: "main.jsonl")

    func onBoth(_ command: String, at minute: Int, phoneID: String = "", laptopID: String = "")
      throws
    {
      try phone.run(
        all: "\(command) --writer phone" + phoneID, at: "2025-11-03T13:\(minute):00+01:00")
      try laptop.run(
        all: "\(command) --writer laptop" + laptopID, at: "2025-11-03T13:\(minute + 1):00+01:00")
      try phone.write(laptop.bytes(of: "laptop"), to: "laptop.jsonl")
      try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    }
    func expect(_ amount: String, _ entries: String, _ comment: Comment) {
      for ledger in [phone, laptop] {
        let state = ledger.run("show --json")
        #expect(state["habits.steps.totals.amount"] == amount, comment)
        #expect(state["habits.steps.totals.entries"] == entries, comment)
        #expect(ledger.run("verify").screen.isEmpty, comment)
      }
    }

    try onBoth(
      "log steps 15500steps --replaces a", at: 10, phoneID: " --id p1", laptopID: " --id l1")
    expect("15500", "1", "both corrected")
    #expect(phone.run("undo p1").errors.contains("l1 replaced it since"))

    try onBoth("undo l1", at: 20)
    expect("15500", "1", "p1 counts again")
    try onBoth("undo p1", at: 30)
    expect("5500", "1", "a counts again")
    try onBoth("undo a", at: 40)
    expect("0", "0", "nothing counts")
  }

  /// Composites that contain each other can only be made by two devices.
  private static func definition(_ habit: String, _ members: String) -> String {
    #"{"type":"habit.defined","habit":"\#(habit)","rule":{"kind":"all","of":[\#(members)]}}"# + "\n"
  }

  @Test func `the undo that verify suggests breaks a circle of composites made by two devices`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init --writer phone\ndefine x --any --writer phone")
    for habit in ["a", "b"] {
      ledger.run(["append", "--writer", "phone"], input: DevicesTests.definition(habit, #""x""#))
    }
    let other = try TemporaryLedger()
    try ledger.run(all: "log x --writer phone")
    try other.write(ledger.bytes(of: "phone"), to: "phone.jsonl")
    let here = ledger.run(
      ["append", "--writer", "phone"], input: DevicesTests.definition("a", #""x","b""#))
    let there = other.run(
      ["append", "--writer", "laptop"], input: DevicesTests.definition("b", #""x","a""#))
    #expect(here.status == .done && there.status == .done)
    try ledger.write(other.bytes(of: "laptop"), to: "laptop.jsonl")

    let laptop = String(decoding: other.bytes(of: "laptop"), as: UTF8.self)
    try ledger.write(
      Array(laptop.replacing(#""x","a""#, with: #""nobody","a""#).utf8), to: "laptop.jsonl")
    let both = ledger.run("verify").text
    #expect(
      both.contains("names a, which leads back")
        && both.contains("\"nobody\", which is not defined"))
    try ledger.write(Array(laptop.utf8), to: "laptop.jsonl")

    let found = ledger.run("verify")
    #expect(found.status == .failed)
    #expect(
      found.text.contains("names a, which leads back, so a counts as missed here on every day"))
    #expect(ledger.run("replay --json")["habits.1.current"] == "0")

    let advice = try #require(found.text.firstMatch(of: /phone.jsonl.*`streaks (undo [^`]+)`/))
    #expect(ledger.run("\(advice.1) --writer phone").status == .done)
    // Nothing shows that the laptop had seen the first definition of b.
    let left = ledger.run("verify").text.split(separator: "\n").filter { $0.contains(".jsonl:") }
    #expect(left.count == 1 && left.first?.contains("defines b, which") == true)
    #expect(ledger.run("replay --json")["habits.1.current"] == "1")
  }
}

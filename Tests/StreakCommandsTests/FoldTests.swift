import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `fold` is `replay` for each subject of a stream.
struct SubjectFoldTests {
  private func stream(_ subject: String?, seed: UInt64) -> [String] {
    var stream = RandomStream(seed: seed)
    return stream.events(60).map { event in
      let line = String(decoding: EventEncoder.line(event), as: UTF8.self)
      return subject.map {
        line.replacing(#","at":"#, with: #","subject":"\#($0)","at":"#, maxReplacements: 1)
      } ?? line
    }
  }

  @Test func `each subject's state is that of a ledger of its own`() throws {
    let subjects: [String?] = [nil, "ann", "bob"]
    let streams = subjects.enumerated().map { stream($1, seed: UInt64($0 + 1)) }
    // Side by side: one line of each in turn.
    let mixed = (0..<streams[0].count).flatMap { place in streams.map { $0[min(place, $0.count - 1)] } }
    let folded = try TemporaryLedger().run("fold", input: mixed.joined())
    #expect(folded.status == .done)
    let documents = folded.text.split(separator: "\n").map(String.init)
    try #require(documents.count == 3)
    for (index, subject) in subjects.enumerated() {
      let ledger = try TemporaryLedger()
      try ledger.write(Array(stream(nil, seed: UInt64(index + 1)).joined().utf8), to: "main.jsonl")
      let own = ledger.run("replay --json")
      let told = Output(text: documents[index], errors: "", status: .done)
      #expect(told["subject"] == subject ?? "null")
      for path in [
        "habits.a.current", "habits.b.longest", "habits.both.days.good", "today", "position", "xp",
      ] {
        #expect(told[path] == own[path], "\(path) of \(subject ?? "nobody")")
      }
    }
  }

  @Test func `grouped, a state comes when its subject ends`() throws {
    let grouped = (stream("bob", seed: 1) + stream("ann", seed: 2)).joined()
    let output = try TemporaryLedger().run("fold --grouped", input: grouped)
    let subjects = output.text.split(separator: "\n").map { line in
      Output(text: String(line), errors: "", status: .done)["subject"]
    }
    #expect(subjects == ["bob", "ann"])
    let mixed = (stream("bob", seed: 1) + stream("ann", seed: 2) + stream("bob", seed: 3).suffix(1)).joined()
    let refused = try TemporaryLedger().run("fold --grouped", input: mixed)
    #expect(refused.status == .badData)
    #expect(refused.errors.contains("ended before"))
  }

  @Test func `a bad line is named by its number`() throws {
    let lines = stream(nil, seed: 1)
    let output = try TemporaryLedger().run("fold", input: lines[..<5].joined() + "{\"id\":7}\n")
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix("-:6:"))
    #expect(output.text.isEmpty)
  }
}

/// `shrink` gives the smallest ledger of which something still holds.
struct ShrinkTests {
  @Test func `a ledger brought together from two devices shrinks, too`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady --id one\nlog noalc steady --id two")
    let deletion = { (id: String, second: Int) in
      #"{"id":"\#(id)","type":"entry.deleted","at":"2025-11-01T12:00:00+01:00","recorded":"2025-11-01T11:00:0\#(second).000000Z""#
        + #","day":"2025-11-01","zone":"Europe/Berlin","entry":"one"}"# + "\n"
    }
    for (second, device) in ["laptop", "phone"].enumerated() {
      try ledger.write(Array(deletion("gone-\(device)", 5 + second).utf8), to: "\(device).jsonl")
    }
    let small = try TemporaryLedger(now: ledger.now)
    #expect(ledger.run(["shrink", "noalc.totals.entries == 1", "--to", small.events]).status == .done)
    #expect(small.run(["expect", "noalc.totals.entries == 1", "--dry-run"]).status == .done)
  }

  @Test(arguments: [
    "noalc.best >= 8", "noalc.jokers.spent == 1", "noalc.status == broken and noalc.best == 8",
  ])
  func `what is left satisfies, is sound, and has nothing to spare`(predicate: String) throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    ledger.run("init noalc meditation")
    for (offset, mark) in "SSSSSSES.SSSSE.".enumerated() {
      ledger.now = "2025-11-\(offset + 1 < 10 ? "0" : "")\(offset + 1)T12:00:00+01:00"
      for entry in History.entries("noalc", mark) {
        ledger.run("log noalc \(entry.level ?? "") --id d\(offset)")
      }
      ledger.run("log meditation 12m")
    }
    ledger.now = "2025-11-16T12:00:00+01:00"
    ledger.run("delete d9")
    ledger.run("undo")
    try #require(ledger.run(["expect", predicate, "--dry-run"]).status == .done)
    let small = try TemporaryLedger(now: ledger.now)
    #expect(ledger.run(["shrink", predicate, "--to", small.events]).status == .done)
    #expect(small.run("verify").status == .done)
    #expect(small.run(["expect", predicate, "--dry-run"]).status == .done)
    let ids = try small.stored().map { try #require($0["id"]) }
    #expect(ids.count < 30)
    for id in ids.dropFirst() where isValid(small, without: id) {
      let rest = small.run(["replay", "--json", "--without", id])
      #expect(!holds(predicate, of: rest), "\(id) can be spared")
    }
  }

  /// The predicates above, judged on a state document.
  private func holds(_ predicate: String, of state: Output) -> Bool {
    let best = state["habits.noalc.best"] == "8"
    switch predicate {
    case "noalc.best >= 8": return best
    case "noalc.jokers.spent == 1": return state["habits.noalc.jokers.spent"] == "1"
    default: return best && state["habits.noalc.status"] == "broken"
    }
  }

  /// Whether the ledger without an event could have been appended as it is.
  private func isValid(_ ledger: TemporaryLedger, without id: String) -> Bool {
    let rest = ledger.stored().filter { $0["id"] != id }.map(\.text)
    guard let other = try? TemporaryLedger(now: ledger.now) else { return true }
    return other.run("append", input: rest.joined(separator: "\n") + "\n").status == .done
  }

  @Test(arguments: ["true", "xp >= 0", "not achievements has tri-threat"])
  func `what holds of everything shrinks to a ledger that has begun`(predicate: String) throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc")
    let small = try TemporaryLedger()
    #expect(ledger.run(["shrink", predicate, "--to", small.events]).status == .done)
    #expect(small.stored().map { $0["type"] } == ["ledger.opened"])
  }

  @Test func `what does not hold cannot be shrunk, and no ledger is written over`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc")
    let never = ledger.run(["shrink", "xp > 100", "--to", ledger.folder + "/small"])
    #expect(never.status == .failed)
    #expect(never.errors.contains("xp = 0"))
    let taken = ledger.run(["shrink", "xp == 0", "--to", ledger.events])
    #expect(taken.status == .usage)
  }
}

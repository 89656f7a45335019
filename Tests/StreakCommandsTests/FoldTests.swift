import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

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
    // Interleaved, one line of each stream in turn.
    let mixed = (0..<streams[0].count).flatMap { place in
      streams.map { $0[min(place, $0.count - 1)] }
    }
    let folded = try TemporaryLedger().run("fold", input: mixed.joined())
    #expect(folded.status == .done)
    try #require(folded.lines.count == 3)
    for (index, subject) in subjects.enumerated() {
      let ledger = try TemporaryLedger()
      try ledger.write(Array(stream(nil, seed: UInt64(index + 1)).joined().utf8), to: "main.jsonl")
      let own = ledger.run("replay --json")
      let told = folded.lines[index]
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
    #expect(output.lines.map { $0["subject"] } == ["bob", "ann"])
    let mixed = (stream("bob", seed: 1) + stream("ann", seed: 2) + stream("bob", seed: 3).suffix(1))
      .joined()
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

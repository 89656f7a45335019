import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

/// Entries of subjects come down the fast road as facts: they must say all that their events say.
struct SubjectFactTests {
  private static let subjects: [String?] = [nil, "ana", "ben"]

  /// A state, and the achievements beside it.
  private func tell(_ ledger: Ledger) -> String { "\(ledger.states()) \(ledger.achievements())" }

  private func write(_ events: [Event], to ledger: TemporaryLedger) throws {
    try FileManager.default.createDirectory(atPath: ledger.events, withIntermediateDirectories: true)
    var lines = Data()
    for event in events { lines += EventEncoder.line(event) }
    try lines.write(to: URL(fileURLWithPath: ledger.events + "/main.jsonl"))
  }

  @Test(arguments: Cases.seeds(24))
  func `facts of a log fold as its events, for each subject and for all at once`(seed: UInt64) throws {
    var events = SubjectsStream(seed: seed).events(60)
    for index in events.indices {
      events[index].recorded = Instant(microseconds: 1_700_000_000_000_000 + Int64(index))
    }
    let ledger = try TemporaryLedger()
    try write(events, to: ledger)
    let all = try FoldedLog(
      EventStream(folder: ledger.events), of: Set(SubjectFactTests.subjects), writer: "main")
    for subject in SubjectFactTests.subjects {
      var expected = Ledger(subject: subject)
      var stream = try EventStream(folder: ledger.events)
      var fold = LedgerFold(Ledger(subject: subject))
      var item = StreamItem()
      var facts = 0
      for event in events {
        expected.add(event)
        try #require(try stream.next(&item, names: &fold.names))
        #expect(item.subject == event.subject)
        facts += item.isFact && event.subject != nil ? 1 : 0
        _ = fold.apply(item)
      }
      #expect(facts > 0)
      try #require(tell(fold.settled) == tell(expected), "seed \(seed), \(subject ?? "owner")")
      var log = all
      try #require(
        tell(log.ledger(of: subject)) == tell(expected), "seed \(seed), \(subject ?? "owner"), all")
    }
  }
}

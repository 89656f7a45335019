import DomainFixtures
import Foundation
import StreakDomain
import Testing

/// The ledger is the plain one, in every field and verdict, after every event of random streams.
struct PlainLawTests {
  /// The seeds of a kind: `STREAKS_SEEDS=dense:1:20000` asks for those of one kind alone.
  private static let cases: [(kind: StreamKind, seed: UInt64)] = {
    let parts = (ProcessInfo.processInfo.environment["STREAKS_SEEDS"] ?? "").split(separator: ":")
    guard parts.count == 3, let kind = StreamKind(rawValue: String(parts[0])), let first = UInt64(parts[1]),
      let last = UInt64(parts[2])
    else { return StreamKind.allCases.flatMap { kind in Cases.seeds(120, part: 12).map { (kind, $0) } } }
    return (first...last).map { (kind, $0) }
  }()

  @Test(arguments: cases)
  func `the ledger is the plain one after every event`(kind: StreamKind, seed: UInt64) {
    let events = kind.events(seed)
    var ledger = Ledger()
    // Computing `longest` from all earlier states is slow; most streams have no undo and no corrected day.
    var record = kind.hasSlips || seed.isMultiple(of: 10) ? PlainRecord(events) : nil
    for (index, event) in events.enumerated() {
      ledger.apply(event)
      var plain = PlainLedger(Array(events[...index]))
      var differences = plain.differences(from: ledger)
      for state in ledger.states() {
        guard let longest = record?.longest(state.habit, after: index + 1), longest != state.longest else {
          continue
        }
        differences.append("\(state.habit).longest is \(state.longest), not \(longest)")
      }
      #expect(differences == [], "\(kind) \(seed), event \(index)")
    }
  }
}

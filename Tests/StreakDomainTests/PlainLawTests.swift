import DomainFixtures
import Foundation
import StreakDomain
import Testing

/// The ledger is the plain one, in every field and verdict, after every event of random streams.
struct PlainLawTests {
  /// The seeds of a kind: `STREAKS_SEEDS=dense:1:20000` asks for those of one kind alone.
  private static let cases: [(kind: StreamKind, seed: UInt64)] = {
    let parts = (ProcessInfo.processInfo.environment["STREAKS_SEEDS"] ?? "").split(separator: ":")
    guard parts.count == 3, let kind = StreamKind(rawValue: String(parts[0])),
      let first = UInt64(parts[1]),
      let last = UInt64(parts[2])
    else {
      let seeds = StreamKind.allCases.flatMap { kind in
        Cases.seeds(120, part: 12).map { (kind, $0) }
      }
      return seeds + formerFaults.flatMap { kind, seeds in seeds.map { (kind, $0) } }
    }
    return (first...last).map { (kind, $0) }
  }()

  /// Streams for which an earlier fold was wrong.
  private static let formerFaults: [(kind: StreamKind, seeds: [UInt64])] = [
    (.wide, [103, 178]), (.slipped, [23, 77, 78, 583]), (.dense, [1009]),
    (.slippedDense, [483, 673, 709, 831, 846, 1143, 1572, 1996]),
  ]

  @Test(arguments: cases)
  func `the ledger is the plain one after every event`(kind: StreamKind, seed: UInt64) {
    expectPlain(
      kind.events(seed), hasRecords: kind.hasSlips || seed.isMultiple(of: 10) || seed == 1009,
      "\(kind) \(seed)")
  }

  @Test func `a sum of a month in a composite is right on every day`() {
    var stream = RandomStream(seed: 117)
    expectPlain(stream.events(150), from: 150, "a former fault")
  }

  /// Compares the ledger with the plain one after each event from the index `start` on.
  ///
  /// Computing `longest` from all earlier states is slow; most streams have no undo and no
  /// corrected day.
  private func expectPlain(
    _ events: [Event], from start: Int = 0, hasRecords: Bool = false, _ what: String
  ) {
    var ledger = Ledger()
    var record = hasRecords ? PlainRecord(events) : nil
    for (index, event) in events.enumerated() {
      ledger.apply(event)
      guard index >= start else { continue }
      var plain = PlainLedger(Array(events[...index]))
      var differences = plain.differences(from: ledger)
      for state in ledger.states() {
        guard let longest = record?.longest(state.habit, after: index + 1), longest != state.longest
        else {
          continue
        }
        differences.append("\(state.habit).longest is \(state.longest), not \(longest)")
      }
      #expect(differences == [], "\(what), event \(index)")
    }
  }
}

import DomainFixtures
import Foundation
import StreakDomain
import Testing

/// The ledger equals a second, plain implementation, in every field and verdict, after every step.
struct PlainLawTests {
  /// The seeds of a kind: `STREAKS_SEEDS=dense:1:20000` asks for those of one kind alone, and
  /// `STREAKS_SEEDS=dense:1:20000:7` compares every seventh step of them, and the last one.
  private static let parts = (ProcessInfo.processInfo.environment["STREAKS_SEEDS"] ?? "")
    .split(separator: ":")

  private static let stride = parts.count == 4 ? UInt64(parts[3]) ?? 1 : 1

  private static let cases: [(kind: StreamKind, seed: UInt64)] = {
    guard parts.count >= 3, let kind = StreamKind(rawValue: String(parts[0])),
      let first = UInt64(parts[1]),
      let last = UInt64(parts[2])
    else {
      return StreamKind.allCases.flatMap { kind in
        Cases.seeds(120, part: 12).map { (kind, $0) }
      }
    }
    return (first...last).map { (kind, $0) }
  }()

  /// Streams of single events for which an earlier fold was wrong.
  private static let formerFaults: [(kind: StreamKind, seeds: [UInt64])] = [
    (.wide, [103, 178]), (.slipped, [23, 77, 78, 583]), (.dense, [1009]),
    (.slippedDense, [483, 673, 709, 831, 846, 1143, 1572, 1996]),
  ]

  @Test(arguments: cases)
  func `the ledger matches a second implementation after every step of random streams`(
    kind: StreamKind, seed: UInt64
  ) {
    expectPlain(
      kind.events(seed), hasRecords: kind.hasSlips || seed.isMultiple(of: 3),
      stopsInsideBatches: seed.isMultiple(of: 2), stride: Self.stride, seed: seed,
      "\(kind) \(seed)")
  }

  @Test(arguments: formerFaults.flatMap { kind, seeds in seeds.map { (kind, $0) } })
  func `the ledger matches a second implementation on streams that were once folded wrong`(
    kind: StreamKind, seed: UInt64
  ) {
    expectPlain(kind.singleEvents(seed), hasRecords: true, "\(kind) \(seed)")
  }

  @Test func `the random streams have every type of event that changes a day`() {
    var missing = Set(EventType.allCases)
    for kind in StreamKind.allCases {
      for seed in 1...20 { missing.subtract(kind.events(UInt64(seed)).map(\.payload.type)) }
    }
    #expect(missing == [.segmentDropped, .eventRedacted, .reminderSet, .celebrationSeen])
  }

  @Test func `a composite with a monthly sum is correct on a stream that was once folded wrong`() {
    var stream = RandomStream(seed: 117)
    expectPlain(stream.events(150), from: 150, "a former fault")
  }

  /// Compares the ledger with the plain one after each step from the line at `start` on.
  ///
  /// If `stopsInsideBatches` is true, copies of the ledger that stop inside a batch are compared,
  /// too. Computing `longest` from all earlier states is slow, so few streams have `hasRecords`.
  /// With a `stride`, only one line in `stride` is compared, which one depends on `seed`.
  private func expectPlain(
    _ lines: [Event], from start: Int = 0, hasRecords: Bool = false,
    stopsInsideBatches: Bool = false, stride: UInt64 = 1, seed: UInt64 = 0, _ what: String
  ) {
    var ledger = Ledger()
    var record = hasRecords ? PlainRecord(lines) : nil

    for (index, line) in lines.enumerated() {
      ledger.apply(line)
      let isInsideBatch = line.more
      if !isInsideBatch { ledger.settle() }

      let isLast = index == lines.count - 1
      guard index >= start, !isInsideBatch || stopsInsideBatches || isLast else { continue }
      guard isLast || (UInt64(index) + seed).isMultiple(of: stride) else { continue }
      let differences = differences(
        ledger.stopped(), from: Array(lines[...index]), longest: &record)
      #expect(differences == [], "\(what), line \(index)\(isInsideBatch ? ", in a batch" : "")")
    }
  }

  /// Returns the fields in which `ledger`, which has read `lines`, isn't the plain ledger of them.
  private func differences(
    _ ledger: Ledger, from lines: [Event], longest record: inout PlainRecord?
  ) -> [String] {
    var plain = PlainLedger(lines)
    var differences = plain.differences(from: ledger)

    let eventCount = lines.withoutCopies.count
    for state in ledger.states() {
      guard let longest = record?.longest(state.habit, after: eventCount),
        longest != state.longest
      else { continue }
      differences.append("\(state.habit).longest is \(state.longest), not \(longest)")
    }

    return differences
  }
}

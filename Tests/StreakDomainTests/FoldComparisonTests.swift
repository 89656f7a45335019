import DomainFixtures
import Foundation
import RowFold
import StreakDomain
import Testing

extension RowFold.Ledger: ComparedLedger {}

/// The new fold beside the old one and the plain one, after every event of random streams.
struct FoldComparisonTests {
  /// `STREAKS_SEEDS=KIND:FROM:TO` compares more seeds.
  private static let seeds: [(kind: StreamKind, seeds: ClosedRange<UInt64>)] = {
    let parts = (ProcessInfo.processInfo.environment["STREAKS_SEEDS"] ?? "").split(separator: ":")
    guard parts.count == 3, let kind = StreamKind(rawValue: String(parts[0])), let from = UInt64(parts[1]),
      let to = UInt64(parts[2])
    else { return StreamKind.allCases.map { ($0, 1...20) } }
    return [(kind, from...to)]
  }()

  @Test func `the new fold is the plain one`() {
    var (states, failures) = (0, 0)
    for (kind, seeds) in FoldComparisonTests.seeds {
      for seed in seeds {
        let events = kind.events(seed)
        var ledger = RowFold.Ledger()
        let hasRecord = kind == .slipped || kind == .slippedDense || seed % 50 == 0
        var record = hasRecord ? PlainRecord(events, hasCirclesOfAnyDays: true) : nil
        for (index, event) in events.enumerated() where failures < 40 {
          ledger.apply(event)
          var plain = PlainLedger(Array(events[...index]), hasCirclesOfAnyDays: true)
          var found = plain.differences(from: ledger)
          for state in ledger.states() {
            states += 1
            guard let longest = record?.longest(state.habit, after: index + 1), longest != state.longest
            else { continue }
            found.append("\(state.habit).longest is \(state.longest), not \(longest)")
          }
          guard !found.isEmpty else { continue }
          failures += 1
          print("FAIL \(kind) \(seed) event \(index): \(found.joined(separator: "; ").prefix(300))")
        }
      }
    }
    print("compared \(states) states of \(FoldComparisonTests.seeds), \(failures) failures")
    #expect(failures == 0)
  }
}

extension FoldComparisonTests {
  /// Known differences: circles and `safeThrough` beyond 366 days, which the new fold defines in another way, and the
  /// streams of `FormerFaultTests`.
  @Test func `the new fold is the old one`() {
    var (states, failures) = (0, 0)
    var differing: [String] = []
    for (kind, seeds) in FoldComparisonTests.seeds {
      for seed in seeds {
        let events = kind.events(seed)
        var (old, new) = (StreakDomain.Ledger(), RowFold.Ledger())
        for (index, event) in events.enumerated() {
          old.add(event)
          new.apply(event)
          let plain = PlainLedger(Array(events[...index]))
          let circular = old.definedHabits.filter(plain.isInCircle)
          var found = old.today == new.today ? [] : ["today"]
          if old.definedHabits != new.definedHabits { found.append("habits") }
          for (one, other) in zip(old.states(), new.states()) {
            if circular.contains(where: { $0 == one.habit || plain.leads(one.habit, to: $0) }) { continue }
            states += 1
            let mayDiffer = one.safeThrough.map { day in old.today.map { day > $0 + 365 } ?? false } ?? false
            if one.description(withSafeThrough: !mayDiffer) != other.description(withSafeThrough: !mayDiffer)
            {
              found.append("\(one.habit) is \(other), not \(one)")
            }
            let days = Day.first...Day.last
            if old.verdicts(of: one.habit, in: days) != new.verdicts(of: one.habit, in: days) {
              found.append("\(one.habit) has other verdicts")
            }
          }
          guard !found.isEmpty else { continue }
          failures += 1
          // One difference a seed is enough.
          defer { differing.append("\(kind) \(seed)") }
          guard differing.last != "\(kind) \(seed)" else { continue }
          print("DIFFERENT \(kind) \(seed) event \(index): \(found.joined(separator: "; "))")
        }
      }
    }
    print("seeds that differ: \(NSOrderedSet(array: differing).array)")
    print("compared \(states) states of both, \(failures) different")
    #expect(failures == 0)
  }
}

extension Streak {
  fileprivate func description(withSafeThrough: Bool) -> String {
    let json = (try? JSONEncoder.sorted.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard !withSafeThrough else { return json }
    return json.replacing(/"safeThrough":("[^"]*"|null),?/, with: "")
  }
}

extension JSONEncoder {
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return encoder
  }
}

import EventLog
import Foundation
import Testing

/// Simulations of a few thousand seeds; `STREAKS_SEED=17` runs one of them, `STREAKS_RUNS=100000`
/// more.
struct SimulationTests {
  static var seeds: Range<UInt64> {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["STREAKS_SEED"].flatMap(UInt64.init) { return seed..<seed + 1 }
    return 1..<(environment["STREAKS_RUNS"].flatMap(UInt64.init) ?? 40) + 1
  }

  @Test
  func `recorded events exist once and no batch is incomplete, whichever calls of the disk fail`()
    throws
  {
    var tally = Simulation.Tally()
    for seed in SimulationTests.seeds {
      let simulation = Simulation(seed: seed)
      do { try simulation.run(steps: 12) } catch {
        Issue.record("seed \(seed): \(error)")
        return
      }
      tally = tally + simulation.tally
    }
    guard SimulationTests.seeds.count >= 1000 else { return }
    print("simulated: \(tally)")
    for count in [
      tally.recorded, tally.refused, tally.unknown, tally.kills, tally.powerFailures, tally.torn,
      tally.slowReaders, tally.busy, tally.meddlings, tally.warned, tally.late, tally.followed,
      tally.redactions,
    ] { #expect(count > SimulationTests.seeds.count / 20, "\(tally)") }
  }
}

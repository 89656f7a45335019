import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct OpenedOnceTests {
  private static let lines = [
    "replay --at yesterday", "replay --at 2025-10-31", "replay --at 4848", "replay --at 08:00",
    "replay --without …d84bb0", "why @4848", "why @4848", "why noalc 2025-10-22", "why noalc/3",
    "diff yesterday end", "diff 4847 4848", "timeline --from yesterday",
    "when 'noalc.current >= 30' --from 2025-10-01", "entries noalc --from -3", "why noalc.current",
    "calendar noalc --from -7 --to today", "calendar noalc --ahead 7", "show --on -7",
  ]

  @Test(arguments: lines + ReadingCommands.lines("noalc"))
  func `a command opens each segment only once`(line: String) {
    let disk = WatchedDisk()
    let output = TemporaryLedger.run(
      TemporaryLedger.words(line), input: "", events: Repository.root + "/events",
      now: "2025-11-20T20:00:00+01:00", seed: 1, disk: disk)
    #expect(output.status == .done || output.status == .failed, "\(output.screen.prefix(300))")
    #expect(disk.tally.opens == 2, "\(line)")
  }
}

import CommandFixtures
import DomainFixtures
import StreakCommands
import Testing

/// Two devices whose clocks are sometimes ahead correct the day, undo, and exchange their files.
struct CorrectionLawTests {
  private static let writers = ["phone", "laptop"]

  @Test(arguments: Cases.seeds(200, part: 8))
  func `verify reports no correction of the day that a command recorded`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let phone = try TemporaryLedger(now: "2025-06-01T08:00:00+02:00")
    try phone.run(all: "init noalc --writer phone")
    let laptop = try TemporaryLedger(seed: 1_000_000)
    let devices = [phone, laptop]
    try exchange(devices)

    for hour in 0..<40 {
      let index = random.below(2)
      let isAhead = random.chance(20)
      run(command(&random), on: devices[index], index, hour, ahead: isAhead ? 20 : 0)
      if random.chance(25) { try exchange(devices) }
    }

    // Both devices correct what one of them did, and neither knows about the other's correction.
    run("log noalc steady --force", on: phone, 0, 40, ahead: 20)
    try exchange(devices)
    for index in 0..<2 {
      let corrected = run("day --correct", on: devices[index], index, 41)
      #expect(corrected.status == .done, "seed \(seed): \(corrected.screen)")
      #expect(devices[index].stored(in: Self.writers[index]).contains { $0["moved.0"] != nil })
    }
    try exchange(devices)
    for device in devices {
      let found = device.run("verify")
      #expect(!found.text.contains(": form: "), "seed \(seed): \(found.screen)")
    }
  }

  private func command(_ random: inout SeededRandom) -> String {
    switch random.below(8) {
    case 0...2: "log noalc steady --force"
    case 3: "log noalc wild --on yesterday --force"
    case 4: "define reading --any --force"
    case 5: "undo"
    default: "day --correct"
    }
  }

  /// Runs `command` on a device on the day of the `hour`, 6 hours a day; its clock is `ahead` days
  /// ahead.
  @discardableResult
  private func run(
    _ command: String, on device: TemporaryLedger, _ index: Int, _ hour: Int, ahead: Int = 0
  ) -> Output {
    let day = 2 + hour / 6 + ahead
    let time = "\(10 + hour % 6 * 2):\(10 + index)"
    device.now = "2025-06-\(day < 10 ? "0" : "")\(day)T\(time):00+02:00"
    return device.run(command + " --writer \(Self.writers[index])")
  }

  private func exchange(_ devices: [TemporaryLedger]) throws {
    for (index, writer) in Self.writers.enumerated() {
      let bytes = devices[index].bytes(of: writer)
      if !bytes.isEmpty { try devices[1 - index].write(bytes, to: "\(writer).jsonl") }
    }
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import StreakCommands
import StreakDomain
import Testing

struct DealtStreamTests {
  /// Distributes the lines to devices, each in recording order; two segments have a full and a
  /// partial copy.
  private func deal(_ events: [Event], _ random: inout SeededRandom) -> [[UInt8]] {
    var devices = [[Event]](repeating: [], count: 2 + random.below(3))
    for event in events.sorted(by: { $0.recorded < $1.recorded }) {
      let free = devices.indices.filter { index in
        devices[index].last.map { $0.recorded < event.recorded } ?? true
      }
      guard !free.isEmpty else {
        devices.append([event])
        continue
      }
      devices[free[random.below(free.count)]].append(event)
    }
    let copies = [devices[0], Array(devices[1].prefix(devices[1].count / 2))]
    return (devices + copies).map { $0.flatMap { EventEncoder.line($0) } }.shuffled(using: &random)
  }

  @Test(arguments: [3, 14, 159, 2653] as [UInt64])
  func `a random stream divided among several devices gives the same ledger`(seed: UInt64)
    throws
  {
    var stream = RandomStream(seed: seed)
    let events = stream.events(150)
    let whole = try TemporaryLedger()
    try whole.write(events.flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    var random = SeededRandom(seed: seed)
    for _ in 0..<3 {
      let dealt = try TemporaryLedger()
      for (number, lines) in deal(events, &random).enumerated() {
        try dealt.write(lines, to: "device\(number).jsonl")
      }
      for command in ["replay --json", "timeline", "audit --json"] {
        let output = dealt.run(command)
        #expect(output.status == .done, "seed \(seed), \(command): \(output.errors)")
        let text = output.text.replacing(#/ {2}device[0-9]/#, with: "")
        #expect(text == whole.run(command).text, "seed \(seed), \(command)")
      }
    }
  }
}

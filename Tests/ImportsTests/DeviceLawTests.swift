import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Four devices import exports of any age in any order, correct, delete and undo, and copy their
/// files; then all of them show the same state, that of the plain fold.
///
/// `STREAKS_SEEDS=devices:1:2000` asks for these seeds.
struct DeviceLawTests {
  private static let seeds: ClosedRange<UInt64> = {
    let parts = (ProcessInfo.processInfo.environment["STREAKS_SEEDS"] ?? "").split(separator: ":")
    guard parts.count == 3, parts[0] == "devices", let first = UInt64(parts[1]),
      let last = UInt64(parts[2])
    else { return Cases.seeds(2000, part: 50) }
    return first...last
  }()

  @Test(arguments: seeds)
  func `devices that import, correct, delete and undo agree after they exchange their files`(
    seed: UInt64
  ) throws {
    var world = try ImportingDevices(seed: seed)
    for _ in 0..<16 { try world.act() }
    try world.meet()

    let screens = world.devices.map { $0.run("replay --json").text }
    #expect(Set(screens).count == 1, "seed \(seed)\n\(world.story)")
    for device in world.devices {
      let verified = device.run("verify")
      #expect(verified.screen.isEmpty, "seed \(seed)\n\(verified.screen)\n\(world.story)")
    }
    #expect(try world.differences() == [], "seed \(seed)\n\(world.story)")

    // The newest export says everything that no person changed.
    try world.importNewest()
    for (day, amount) in world.untouchedDays {
      #expect(
        world.amounts(on: day) == amount.map { [$0] } ?? [],
        "seed \(seed), \(day)\n\(world.story)")
    }
  }
}

/// Four devices of a person, and the exports of an app whose numbers grow, change and vanish.
private struct ImportingDevices {
  private(set) var devices: [TemporaryLedger] = []
  /// What was done so far, for the report of a failure.
  private(set) var story = ""
  private var random: SeededRandom
  /// The amounts of each export by day of the month, the oldest export first.
  private let exports: [[Int: Int]]
  /// The days of entries that somebody corrected, deleted or gave back.
  private var touched: Set<String> = []
  private var minute = 0

  private static let dayCount = 6

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed &* 999_983)
    var exports: [[Int: Int]] = []
    var amounts: [Int: Int] = [:]
    for last in 1...Self.dayCount {
      amounts[last] = 1000 + 100 * random.below(50)
      for day in 1...last where random.chance(25) {
        amounts[day] = random.chance(30) ? nil : 1000 + 100 * random.below(50)
      }
      exports.append(amounts)
    }
    self.exports = exports

    let first = try TemporaryLedger(now: "2025-11-01T08:00:00+01:00")
    first.run("init steps --writer d0")
    devices = [first] + (try (1...3).map { _ in try TemporaryLedger(now: first.now) })
    for device in devices.dropFirst() { try device.write(first.bytes(of: "d0"), to: "d0.jsonl") }
  }

  // MARK: What people do

  mutating func act() throws {
    let index = random.below(devices.count)
    minute += 1 + random.below(40)
    devices[index].now =
      "2025-11-08T\(two(8 + minute / 60)):\(two(minute % 60)):00+01:00"

    switch random.below(10) {
    case 0...4: try importExport(random.below(exports.count), on: index)
    case 5, 6: correct(on: index)
    case 7: delete(on: index)
    case 8: undo(on: index)
    default: try copy(from: random.below(devices.count), to: index)
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @discardableResult
  private mutating func run(_ words: [String], on index: Int) -> Output {
    let output = devices[index].run(words + ["--writer", "d\(index)"])
    story += "d\(index) \(words.joined(separator: " ")): \(output.status)\n"
    return output
  }

  private mutating func importExport(_ number: Int, on index: Int) throws {
    let records = exports[number].sorted { $0.key < $1.key }.map { day, amount in
      let at = "2025-11-\(two(day)) 10:00"
      return HealthXML.record(
        "HKQuantityTypeIdentifierStepCount", at, at, "\(amount)", unit: "count")
    }
    let age = "2025-11-\(two(number + 1)) 21:00:00 +0100"
    let path = try devices[index].file("e\(number).xml", HealthXML.export(records, at: age))
    let output = run(["import", "apple-health", path], on: index)
    // An export without any record says nothing.
    #expect(output.status == .done || records.isEmpty, "\(output.screen)")
  }

  private mutating func entry(on index: Int) -> (id: String, day: String)? {
    let output = devices[index].run("entries steps --json --all")
    var entries: [(String, String)] = []
    while let id = output["entries.\(entries.count).id"] {
      entries.append((id, output["entries.\(entries.count).day"] ?? ""))
    }
    return entries.randomElement(using: &random)
  }

  private mutating func correct(on index: Int) {
    guard let entry = entry(on: index) else { return }
    let amount = "\(7000 + random.below(3000))"
    let output = run(["log", "steps", amount, "--replaces", entry.id], on: index)
    if output.status == .done { touched.insert(entry.day) }
  }

  private mutating func delete(on index: Int) {
    guard let entry = entry(on: index) else { return }
    if run(["delete", entry.id], on: index).status == .done { touched.insert(entry.day) }
  }

  private mutating func undo(on index: Int) {
    let output = run(["undo", "--json"], on: index)
    guard output.status == .done else { return }
    // An undo of an import can concern any day.
    for day in 1...Self.dayCount { touched.insert("2025-11-\(two(day))") }
  }

  private func copy(from source: Int, to target: Int) throws {
    for writer in 0..<devices.count where writer != target {
      let bytes = devices[source].bytes(of: "d\(writer)")
      guard bytes.count > devices[target].bytes(of: "d\(writer)").count else { continue }
      try devices[target].write(bytes, to: "d\(writer).jsonl")
    }
  }

  /// Copies all files to all devices, in a random order.
  mutating func meet() throws {
    for target in devices.indices.shuffled(using: &random) {
      for source in devices.indices.shuffled(using: &random) {
        let bytes = devices[source].bytes(of: "d\(source)")
        if source != target, !bytes.isEmpty {
          try devices[target].write(bytes, to: "d\(source).jsonl")
        }
      }
    }
    for device in devices { device.now = "2025-11-08T23:00:00+01:00" }
  }

  mutating func importNewest() throws { try importExport(exports.count - 1, on: 0) }

  // MARK: What is true then

  /// Returns the fields in which the ledger of a device isn't the plain fold of its events.
  func differences() throws -> [String] {
    var events: [Event] = []
    var replay = Replay(try EventStream(folder: devices[0].events, options: wholeEvents))
    while let event = try replay.nextEvent() { events.append(event) }

    var ledger = Ledger()
    for event in events { ledger.apply(event) }
    ledger.settle()
    var plain = PlainLedger(events)
    return plain.differences(from: ledger)
  }

  private var wholeEvents: ReadingOptions {
    var options = ReadingOptions()
    options.wantsEvents = true
    return options
  }

  /// The days since the start of the newest export that no person changed, each with its amount
  /// there, or `nil`.
  var untouchedDays: [(day: String, amount: String?)] {
    guard let newest = exports.last, let first = newest.keys.min() else { return [] }
    return (first...Self.dayCount).map { ("2025-11-\(two($0))", newest[$0].map(String.init)) }
      .filter { !touched.contains($0.0) }
  }

  func amounts(on day: String) -> [String] {
    let output = devices[0].run(["entries", "steps", "--from", day, "--to", day, "--json"])
    var amounts: [String] = []
    while let amount = output["entries.\(amounts.count).amount"] { amounts.append(amount) }
    return amounts
  }
}

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

    // The newest files say everything that no person changed, and a second device knows them then.
    _ = try world.importNewest(on: 0)
    try world.meet()
    let importedAgain = try world.importNewest(on: 1)
    #expect(importedAgain == [], "seed \(seed)\n\(world.story)")
    #expect(world.wrongDays(on: 1) == [], "seed \(seed)\n\(world.story)")
  }
}

/// Four devices of a person, the exports of an app whose numbers grow, change and vanish, and
/// tables whose answers change.
private struct ImportingDevices {
  private(set) var devices: [TemporaryLedger] = []
  /// What was done so far, for the report of a failure.
  private(set) var story = ""
  private var random: SeededRandom
  /// The amounts of each export by day of the month, the oldest export first.
  private let exports: [[Int: Int]]
  /// The answers of each table by day of the month, the oldest table first.
  private let tables: [[Answer]]
  /// The habits and days of entries and excuses that somebody corrected, deleted or withdrew.
  private var touched: Set<String> = []
  private var minute = 0

  private static let dayCount = 6

  /// An answer of a table.
  private enum Answer: String, CaseIterable {
    case done = "yes", missed = "no", excused = "ill", blank = ""
  }

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

    var tables: [[Answer]] = []
    for last in 1...Self.dayCount {
      // The last row is done, so that its day is the age of the table.
      var table = [Answer](repeating: .done, count: last)
      for index in 0..<last - 1 { table[index] = Answer.allCases[random.below(4)] }
      tables.append(table)
    }
    self.tables = tables

    let first = try TemporaryLedger(now: "2025-11-01T08:00:00+01:00")
    first.run("init steps --writer setup")
    first.run("define floss --any --writer setup")
    devices = [first] + (try (1...3).map { _ in try TemporaryLedger(now: first.now) })
    for device in devices.dropFirst() {
      try device.write(first.bytes(of: "setup"), to: "setup.jsonl")
    }
  }

  // MARK: What people do

  mutating func act() throws {
    let index = random.below(devices.count)
    minute += 1 + random.below(40)
    devices[index].now =
      "2025-11-08T\(two(8 + minute / 60)):\(two(minute % 60)):00+01:00"

    switch random.below(12) {
    case 0...2: try importExport(random.below(exports.count), on: index)
    case 3...5: try importTable(random.below(tables.count), on: index)
    case 6: correct(on: index)
    case 7: if random.chance(50) { delete(on: index) } else { withdraw(on: index) }
    case 8, 9: run(["undo"], on: index)
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

  private mutating func importTable(_ number: Int, on index: Int) throws {
    let rows = tables[number].enumerated().map { "2025-11-\(two($0 + 1)),\($1.rawValue)\n" }
    let path = try devices[index].file("t\(number).csv", "day,floss\n" + rows.joined())
    let output = run(["import", "csv", path, "--excused", "ill", "--replace"], on: index)
    #expect(output.status == .done, "\(output.screen)")
  }

  private mutating func entry(on index: Int) -> (id: String, habit: String, day: String)? {
    let output = devices[index].run("entries --json --all")
    var entries: [(String, String, String)] = []
    while let id = output["entries.\(entries.count).id"] {
      let entry = "entries.\(entries.count)"
      entries.append((id, output["\(entry).habit"] ?? "", output["\(entry).day"] ?? ""))
    }
    return entries.randomElement(using: &random)
  }

  private mutating func correct(on index: Int) {
    guard let entry = entry(on: index) else { return }
    let amount = entry.habit == "steps" ? ["\(7000 + random.below(3000))"] : ["--note", "mine"]
    let output = run(["log", entry.habit] + amount + ["--replaces", entry.id], on: index)
    if output.status == .done { touched.insert("\(entry.habit) \(entry.day)") }
  }

  private mutating func delete(on index: Int) {
    guard let entry = entry(on: index) else { return }
    let isDeleted = run(["delete", entry.id], on: index).status == .done
    if isDeleted { touched.insert("\(entry.habit) \(entry.day)") }
  }

  private mutating func withdraw(on index: Int) {
    let output = devices[index].run("excuse --json")
    guard let excuse = output["excuses.0.excuse"] else { return }
    let day = output["excuses.0.from"] ?? ""
    let isWithdrawn = run(["excuse", "--withdraw", excuse], on: index).status == .done
    if isWithdrawn { touched.insert("floss \(day)") }
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

  /// Imports the newest files, and returns the lines that this appended.
  mutating func importNewest(on index: Int) throws -> [String] {
    let before = devices[index].stored(in: "d\(index)").count
    try importExport(exports.count - 1, on: index)
    try importTable(tables.count - 1, on: index)
    return devices[index].stored(in: "d\(index)").dropFirst(before).map(\.text)
  }

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

  /// Returns the days that no person changed and that differ from the newest files, each with what
  /// the device has.
  func wrongDays(on index: Int) -> [String] {
    let steps = devices[index].run("entries steps --json")
    let entries = devices[index].run("entries floss --json")
    let excuses = devices[index].run("excuse --json")
    let amounts = values("entries", "day", "amount", in: steps)
    let done = values("entries", "day", "habit", in: entries)
    let excused = values("excuses", "from", "reason", in: excuses)
    let firstExported = exports.last?.keys.min() ?? Self.dayCount

    return (1...Self.dayCount).flatMap { number in
      let day = "2025-11-\(two(number))"
      let amount = exports.last?[number].map { ["\($0)"] } ?? []
      let answer = tables.last?[number - 1]
      let hasSteps = number < firstExported || amounts[day] ?? [] == amount
      let hasAnswer =
        (done[day] ?? []).count == (answer == .done ? 1 : 0)
        && (excused[day] != nil) == (answer == .excused)

      let wrong = (hasSteps ? [] : ["steps \(day)"]) + (hasAnswer ? [] : ["floss \(day)"])
      return wrong.filter { !touched.contains($0) }
    }
  }

  /// Returns the fields `value` of the members of `list`, by their fields `key`.
  private func values(
    _ list: String, _ key: String, _ value: String, in output: Output
  ) -> [String: [String]] {
    var values: [String: [String]] = [:]
    var number = 0
    while let name = output["\(list).\(number).\(key)"] {
      values[name, default: []].append(output["\(list).\(number).\(value)"] ?? "")
      number += 1
    }
    return values
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Two devices log, correct, delete and undo while they are apart, and then exchange their files.
struct TwoDeviceTests {
  @Test(arguments: Cases.seeds(500, part: 12))
  func `two devices have the same history after an exchange, and a command run on both counts once`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var devices = try TwoDevices(seed: seed)

    for _ in 0..<5 {
      for _ in 0..<(1 + random.below(5)) { devices.runAnything(&random) }
      try devices.exchange()
      let differences = try devices.differences()
      try #require(differences == [], "seed \(seed): \(devices.history)")

      guard let command = devices.commandForBoth(&random) else { continue }
      let first = devices.run(command, on: .phone)
      let numbers = devices.numbers(on: .phone)
      let second = devices.run(command, on: .laptop)
      try #require(first == second, "seed \(seed): \(devices.history)")
      try devices.exchange()
      try #require(devices.numbers(on: .phone) == numbers, "seed \(seed): \(devices.history)")
      try #require(devices.numbers(on: .laptop) == numbers, "seed \(seed): \(devices.history)")
    }
  }
}

/// Two copies of one ledger, each with a writer of its own.
private struct TwoDevices {
  enum Device: String, CaseIterable {
    case phone, laptop
  }

  private let ledgers: [Device: TemporaryLedger]
  /// The offset of each device's clock in minutes.
  private let offsets: [Device: Int]
  private var minute = 0
  /// The ids of the entries that were logged with an id of their own.
  private var ids: [String] = []
  /// The habits of these entries.
  private var habits: [String: String] = [:]
  /// The commands that were run, for the message of a failed test.
  private(set) var history: [String] = []

  private static let start = Timestamp("2025-11-05T08:00:00Z")?.instant

  init(seed: UInt64) throws {
    let phone = try TemporaryLedger(now: "2025-11-03T12:00:00Z")
    try phone.run(
      all: """
        init --zone Etc/UTC
        define steps --at-least 10steps
        define noalc --preset noalc
        """)
    let laptop = try TemporaryLedger(now: phone.now, seed: 1_000_000)
    try laptop.write(phone.bytes(), to: "main.jsonl")
    ledgers = [.phone: phone, .laptop: laptop]
    offsets = [.phone: 0, .laptop: [0, 0, -40, 25][Int(seed % 4)]]
  }

  private subscript(device: Device) -> TemporaryLedger {
    guard let ledger = ledgers[device] else { preconditionFailure("each device has a ledger") }
    return ledger
  }

  // MARK: Commands

  /// Runs a command on a device and returns its exit status.
  @discardableResult
  mutating func run(_ command: String, on device: Device) -> StreakCommands.ExitStatus {
    let ledger = self[device]
    let parts = command.components(separatedBy: " <<< ")
    let output = ledger.run(
      TemporaryLedger.words(parts[0] + " --writer \(device)"),
      input: parts.count > 1 ? parts[1] : "")
    history.append("\(device) \(ledger.now): \(command): \(output.status)")
    return output.status
  }

  /// Runs a random command on a random device.
  mutating func runAnything(_ random: inout SeededRandom) {
    moveClocks(&random)
    let device = Device.allCases[random.below(2)]
    run(anyCommand(&random, on: device), on: device)
  }

  /// Returns a random correction, deletion or undo of something that both devices know.
  ///
  /// The times of all entries are past then on both clocks: a device doesn't log an entry of its
  /// future again, and a correction of such an entry gets the device's own time.
  mutating func commandForBoth(_ random: inout SeededRandom) -> String? {
    moveClocks(&random, atLeast: 70)
    guard let id = ids.randomElement(using: &random) else { return nil }
    switch random.below(5) {
    // A correction to another habit is a deletion and an entry, which would count twice.
    case 0: return correction(of: id, &random, habit: habits[id])
    case 1: return "delete \(id)"
    default: return "undo \(storedIDs(on: .phone).randomElement(using: &random) ?? id)"
    }
  }

  private mutating func anyCommand(
    _ random: inout SeededRandom, on device: Device
  ) -> String {
    let known = ids.randomElement(using: &random)
    switch random.below(10) {
    case 0, 1: return known.map { correction(of: $0, &random) } ?? logging(&random, on: device)
    case 2: return known.map { "delete \($0)" } ?? logging(&random, on: device)
    case 3: return "undo"
    case 4: return "undo \(storedIDs(on: device).randomElement(using: &random) ?? "none")"
    case 5: return appending(&random)
    default: return logging(&random, on: device)
    }
  }

  private mutating func logging(_ random: inout SeededRandom, on device: Device) -> String {
    let id = "\(device.rawValue.prefix(1))\(ids.count)"
    ids.append(id)
    let entry = entry(&random)
    habits[id] = entry.components(separatedBy: " ")[0]
    let key = ["", " --key k1", " --key k2", " --key \(ids[random.below(ids.count)])"]
    let day = ["", " --on 2025-11-05", " --on 2025-11-04"][random.below(3)]
    return "log \(entry)\(key[random.below(4)])\(day) --id \(id)"
  }

  private func correction(
    of id: String, _ random: inout SeededRandom, habit: String? = nil
  ) -> String {
    "log \(entry(&random, of: habit)) --replaces \(id)"
  }

  /// Returns a command that appends an entry as of some minutes ago or ahead.
  private func appending(_ random: inout SeededRandom) -> String {
    let asOf = instant(minute - 60 + random.below(64))
    let key = ids.randomElement(using: &random) ?? "k1"
    return """
      append <<< {"type":"entry.logged","habit":"steps","key":"\(random.chance(50) ? "k1" : key)",\
      "asOf":"\(asOf)","amount":\(1 + random.below(20))}
      """
  }

  /// Returns the words of a random entry, of a random habit if `habit` is `nil`.
  private func entry(_ random: inout SeededRandom, of habit: String? = nil) -> String {
    let isOfSteps = habit.map { $0 == "steps" } ?? random.chance(60)
    return isOfSteps
      ? "steps \(1 + random.below(20))steps"
      : "noalc \(["steady", "easy", "wild"][random.below(3)])"
  }

  /// Moves the clocks of both devices forward by some minutes, or by a day.
  private mutating func moveClocks(_ random: inout SeededRandom, atLeast minutes: Int = 0) {
    minute += minutes + (random.chance(10) ? 24 * 60 : random.below(40))
    for (device, ledger) in ledgers { ledger.now = "\(instant(minute + (offsets[device] ?? 0)))" }
  }

  private func instant(_ minute: Int) -> Instant {
    (TwoDevices.start ?? Instant(microseconds: 0)) + Int64(minute) * 60_000_000
  }

  // MARK: Files

  /// Copies the segment of each device to the other one.
  func exchange() throws {
    for (one, other) in [(Device.phone, Device.laptop), (.laptop, .phone)] {
      let bytes = self[one].bytes(of: one.rawValue)
      if !bytes.isEmpty { try self[other].write(bytes, to: "\(one).jsonl") }
    }
  }

  private func storedIDs(on device: Device) -> [String] {
    Device.allCases.flatMap { self[device].stored(in: $0.rawValue) }.compactMap { $0["id"] }
  }

  // MARK: Numbers

  /// Returns the fields in which a device's ledger isn't the plain fold of its events.
  func differences() throws -> [String] {
    let folder = self[.phone].events
    var options = ReadingOptions()
    options.wantsEvents = true
    var events: [Event] = []
    _ = try FoldedLog(EventStream(folder: folder, options: options), writer: "main") { event in
      events.append(event)
    }

    let ledger = try FoldedLog(EventStream(folder: folder), writer: "main").ledger
    var plain = PlainLedger(events)
    var record = PlainRecord(events)
    let differences = plain.differences(from: ledger)
    let longest = ledger.states().compactMap { state in
      let longest = record.longest(state.habit, after: events.count)
      return longest == state.longest ? nil : "\(state.habit).longest is not \(longest)"
    }
    return differences + longest
  }

  /// Returns what a person sees of both habits, without the ids of events.
  func numbers(on device: Device) -> [String: String?] {
    let state = self[device].run("replay --json --on 2025-11-20")
    let fields = [
      "current", "start", "best", "longest", "lastGood", "jokers.held", "days.good", "days.bad",
      "days.missed", "totals.entries", "totals.amount", "totals.drinks",
    ]
    var numbers: [String: String?] = ["xp": state["xp"]]
    for habit in ["steps", "noalc"] {
      for field in fields { numbers["\(habit).\(field)"] = state["habits.\(habit).\(field)"] }
    }
    return numbers
  }
}

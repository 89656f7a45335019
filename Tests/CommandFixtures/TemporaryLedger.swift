import DomainFixtures
package import EventLog
import Foundation
package import StreakCommands
import StreakDomain
import StreaksProcess

/// A ledger in its own folder, and the program run on it in this process.
package final class TemporaryLedger {
  package let folder: String
  package var now: String
  package var machineZone = "Europe/Berlin"
  /// The machine that names segments, or `nil` to write `main`.
  package var machine: Machine?
  package var searchPath = ProcessInfo.processInfo.environment["PATH"] ?? ""
  package var disk: any Disk = SystemDisk()
  /// The seed of the next command's random ids.
  private var count: UInt64

  /// Creates a folder without a ledger; ledgers with different seeds make different random ids.
  package init(now: String = "2025-11-03T12:00:00+01:00", seed: UInt64 = 0) throws {
    count = seed
    folder =
      FileManager.default.temporaryDirectory.appendingPathComponent("streaks-\(UUID().uuidString)")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    self.now = now
  }

  package convenience init(running lines: String, now: String = "2025-11-03T12:00:00+01:00") throws
  {
    try self.init(now: now)
    try run(all: lines)
  }

  /// Returns a ledger that began on Monday, 2026-03-02, at noon UTC, after running commands.
  package static func ofMarch(
    _ lines: String = "", now: String = "2026-03-02T12:00:00Z"
  ) throws -> TemporaryLedger {
    try TemporaryLedger(running: "init\n" + lines, now: now)
  }

  package func log(_ words: String, onMarch days: [Int]) throws {
    for day in days {
      try run(all: "log \(words)", at: "2026-03-\(day < 10 ? "0" : "")\(day)T12:00:00Z")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  package var events: String { folder + "/events" }

  /// Runs `streaks` with these arguments on this ledger.
  @discardableResult
  package func run(
    _ words: [String], input: String = "", isTerminal: Bool = false, isErrorTerminal: Bool = false,
    variables: [String: String] = [:]
  ) -> Output {
    count += 1
    return TemporaryLedger.run(
      words, input: input, events: events, now: now, seed: count, machineZone: machineZone,
      machine: machine, searchPath: searchPath, isTerminal: isTerminal,
      isErrorTerminal: isErrorTerminal,
      variables: variables, disk: disk)
  }

  package static let commands = CommandList.all(with: ServeCommand.self)

  @discardableResult
  package func run(_ line: String, input: String = "") -> Output {
    run(TemporaryLedger.words(line), input: input)
  }

  package static func run(
    _ words: [String], input: String, events: String, now: String, seed: UInt64,
    machineZone: String = "Europe/Berlin", machine: Machine? = nil, searchPath: String = "",
    isTerminal: Bool = false,
    isErrorTerminal: Bool = false, variables: [String: String] = [:], disk: any Disk = SystemDisk(),
    secondsPerReading: Int64 = 0, movesClock: Bool = true,
    pause: @escaping () -> Bool = { false }
  ) -> Output {
    let terminal = isTerminal ? ["TERM": "xterm-256color"] : [:]
    let own = [
      "STREAKS_EVENTS": events, "PATH": searchPath, "STREAKS_WRITER": machine == nil ? "main" : "",
    ]
    var (text, errors) = ("", "")
    var rest = [UInt8](input.utf8)
    func take() -> [UInt8] {
      defer { rest = [] }
      return rest
    }
    var context = Context(now: clock(at: now, movedBy: movesClock ? words : []))
    context.commands = commands
    context.arguments = words
    context.environment = own.merging(terminal) { $1 }.merging(variables) { $1 }
    context.machineZone = { machineZone }
    context.input = take
    context.output = { text += String(decoding: $0, as: UTF8.self) }
    context.errors = { errors += $0 }
    context.isTerminal = isTerminal
    context.isErrorTerminal = isErrorTerminal
    context.pause = pause
    context.random = SeededRandom(seed: seed)
    if let machine { context.machine = { machine } }
    context.reading.disk = disk
    var clock = context.now
    context.clock = {
      clock = clock + secondsPerReading * 1_000_000
      return clock
    }
    context.follow = { _ in
      let bytes = take()
      return bytes.isEmpty ? .end : .bytes(bytes)
    }
    let status = Program.run(context)
    return Output(text: text, errors: errors, status: status)
  }

  /// Returns the instant `now`, or noon on the date of `--now` in `words` if that is later, because
  /// most tests set the clock with `--now`.
  private static func clock(at now: String, movedBy words: [String]) -> Instant {
    let start = Timestamp(now)?.instant ?? Instant(microseconds: 0)
    guard let option = words.firstIndex(of: "--now"), option + 1 < words.count,
      let noon = Timestamp(words[option + 1].prefix(10) + "T12:00:00Z")?.instant
    else { return start }
    return max(start, noon)
  }

  /// Runs `streaks` on the sample ledger, which commands only read.
  package static func sample(_ line: String, variables: [String: String] = [:]) -> Output {
    run(
      words(line), input: "", events: Repository.root + "/events", now: "2025-11-20T21:00:00+01:00",
      seed: 0,
      variables: variables)
  }

  package static func words(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  package func bytes(of segment: String = "main") -> [UInt8] {
    [UInt8](FileManager.default.contents(atPath: "\(events)/\(segment).jsonl") ?? Data())
  }

  package func stored(in segment: String = "main") -> [Output] {
    Output(text: String(decoding: bytes(of: segment), as: UTF8.self), errors: "", status: .done)
      .lines
  }

  package func stored(_ id: String, _ field: String) -> String? {
    stored().first { $0["id"] == id }?[field]
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try FileManager.default.createDirectory(atPath: events, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(events)/\(name)"))
  }

  /// Runs the commands of some lines, each of which must succeed, at `time` if there is one.
  package func run(all lines: String, at time: String? = nil) throws {
    if let time { now = time }
    for line in lines.split(separator: "\n") {
      let output = run(String(line))
      guard output.status == .done else { throw Failure(says: "\(line)\n\(output.screen)") }
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    let says: String
    package var description: String { says }
  }

  package func contents() -> [String: [UInt8]]? {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: events) else {
      return nil
    }
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, [UInt8](FileManager.default.contents(atPath: "\(events)/\(name)") ?? Data()))
      })
  }

  package func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: events)) ?? []).sorted()
  }
}

package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  package static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  package static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: root + "/" + path)))
  }

  package static func json(_ path: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(bytes(path))) as? [String: Any] ?? [:]
  }

  package static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root + "/" + path).sorted()
  }
}

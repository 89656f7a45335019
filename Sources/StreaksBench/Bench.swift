import Dispatch
import EventLog
import Foundation
import StreakDomain

/// Why the benchmark stopped.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Measures: in this process, or of a whole other one.
struct Bench {
  let events: Int
  let folder: String
  let file: String
  let bytes: Int
  private let tool = URL(fileURLWithPath: CommandLine.arguments[0])

  /// Generates the ledger in the temporary folder.
  init(events: Int, hasAscendingIDs: Bool = true, order: SampleStream.Order = .ascending) throws {
    self.events = events
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("streaks-bench-\(UUID().uuidString)").path
    file = folder + "/main.jsonl"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    guard let handle = FileHandle(forWritingAtPath: file) else { throw BenchError("cannot write \(file)") }
    var sample = SampleStream(seed: 7, hasAscendingIDs: hasAscendingIDs, order: order)
    sample.write(events) { handle.write(Data($0)) }
    try handle.close()
    bytes = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
  }

  func median(_ runs: Int, _ body: () throws -> String) rethrows -> (seconds: Double, result: String) {
    var times: [Double] = []
    var result = ""
    for _ in 0..<runs {
      let start = ContinuousClock.now
      result = try body()
      let elapsed = start.duration(to: .now).components
      times.append(Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18)
    }
    return (times.sorted()[runs / 2], result)
  }

  /// The main road: bytes, event, fact, fold; returns a digest of every habit's state.
  func fold(onTwoCores readsAhead: Bool = false) throws -> String {
    var options = ReadingOptions()
    options.readAheadFrom = readsAhead ? 0 : .max
    var stream = try EventStream(folder: folder, options: options)
    var ledger = Ledger(capacity: stream.size / 150)
    var item = StreamItem()
    while try stream.next(&item, names: &ledger.names) {
      let known = item.isFact ? ledger.apply(item.fact, id: item.id) : item.event.flatMap { ledger.apply($0) }
      if known != nil { throw BenchError("an id stands twice") }
    }
    ledger.settle()
    let text = ledger.states().map { state in
      "\(state.habit) \(state.current) \(state.best) \(state.longest) \(state.jokers) \(state.totals)"
    }.joined()
    return SHA256.digest(of: Array(text.utf8))
  }

  func remove() throws { try FileManager.default.removeItem(atPath: folder) }

  /// What a line of shell prints; it must end well.
  static func shell(_ line: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchError("\(line.prefix(200)) failed") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs a program to its end; `streaks` is the one built beside this one.
  func process(_ name: String, _ arguments: [String], status: Int32 = 0) throws -> String {
    let process = Process()
    process.executableURL =
      name.hasPrefix("/")
      ? URL(fileURLWithPath: name) : tool.deletingLastPathComponent().appendingPathComponent(name)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // waitUntilExit looks only every 50 ms.
    let exited = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in exited.signal() }
    try process.run()
    exited.wait()
    guard process.terminationStatus == status else { throw BenchError("\(name) failed") }
    return ""
  }

  /// The largest resident size that any child had, in KiB.
  var peakMemoryOfChildren: Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return Int(usage.ru_maxrss)
  }
}

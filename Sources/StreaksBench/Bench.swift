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
  init(
    events: Int, hasAscendingIDs: Bool = true, order: SampleStream.Order = .ascending,
    isHalfScheduled: Bool = false
  ) throws {
    self.events = events
    folder = try Bench.newFolder()
    file = folder + "/main.jsonl"
    var sample = SampleStream(
      seed: 7, hasAscendingIDs: hasAscendingIDs, order: order, isHalfScheduled: isHalfScheduled)
    var segments = try NewSegments(1, in: folder)
    try sample.each(events) { try segments.add(EventEncoder.line($0)) }
    bytes = try segments.close()
  }

  /// A ledger of a shape, of about so many lines.
  ///
  /// Another process writes it, because what this one takes counts as its children's, too.
  init(shape: ShapedLedger, lines: Int) throws {
    folder = try Bench.newFolder()
    file = folder + "/main.jsonl"
    let writer = try Child(CommandLine.arguments[0], ["\(lines)", "--write", shape.name, folder])
    let counts = try Bench.shell("cat \(folder)/*.jsonl | wc -lc").split(whereSeparator: \.isWhitespace)
    guard writer.status == 0, counts.count == 2, let lines = Int(counts[0]), let bytes = Int(counts[1]) else {
      throw BenchError("cannot write \(shape.name)")
    }
    (events, self.bytes) = (lines, bytes)
  }

  static func newFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("streaks-bench-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  func median(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs { times.append(try seconds(body)) }
    return times.median
  }

  /// The main road: bytes, event, fact, fold; returns a digest of every habit's state.
  func fold(onTwoCores readsAhead: Bool = false) throws -> String {
    var options = ReadingOptions()
    options.readAheadFrom = readsAhead ? 0 : .max
    var stream = try EventStream(folder: folder, options: options)
    var fold = LedgerFold(Ledger(capacity: stream.capacity))
    var item = StreamItem()
    while try stream.next(&item, names: &fold.names) {
      if fold.apply(item) != nil { throw BenchError("duplicate id") }
    }
    let text = fold.settled.states().map { state in
      "\(state.habit) \(state.current) \(state.best) \(state.longest) \(state.jokers) \(state.totals)"
    }.joined()
    return SHA256(of: Array(text.utf8)).digest()
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
  @discardableResult
  func process(
    _ name: String, _ arguments: [String], status: Int32 = 0
  ) throws -> Child {
    let path = name.hasPrefix("/") ? name : tool.deletingLastPathComponent().appendingPathComponent(name).path
    let child = try Child(path, arguments)
    guard child.status == status else { throw BenchError("\(name) failed") }
    return child
  }

  /// Runs `replay --json` as a process of its own.
  @discardableResult
  func replay() throws -> Child { try process("streaks", ["replay", "--json", "--events", folder]) }

  /// The longest and the last run of days with an entry, habit by habit: what is not rules or jokers, and what others
  /// must find, too.
  func plainRuns() throws -> String {
    var stream = try EventStream(folder: folder)
    var names = SymbolTable()
    var item = StreamItem()
    var days: [Symbol: Set<Day>] = [:]
    while try stream.next(&item, names: &names) {
      guard item.isFact else { continue }
      days[item.fact.habit, default: []].insert(item.fact.day)
    }
    return days.map { habit, days in
      var (longest, run, last) = (0, 0, Day(unchecked: 0))
      for day in days.sorted() {
        run = day == last + 1 ? run + 1 : 1
        last = day
        longest = max(longest, run)
      }
      return "\(names.text(habit)) \(longest) \(run)"
    }.sorted().joined(separator: "\n")
  }

  /// Medians of two things done turn and turn about, so that a machine that slows down meanwhile slows both.
  func turns(
    _ runs: Int, _ own: () throws -> Void, _ other: () throws -> Void,
    preparing prepare: () throws -> Void = {}
  ) throws -> (own: Double, other: Double) {
    var pairs: [(own: Double, other: Double)] = []
    for _ in 0..<runs {
      try prepare()
      pairs.append((try seconds(own), try seconds(other)))
    }
    return (pairs.map(\.own).median, pairs.map(\.other).median)
  }

  func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now) / .seconds(1)
  }
}

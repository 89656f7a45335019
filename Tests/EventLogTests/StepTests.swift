import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

/// The order of batches in the stream, and reading them step by step.
struct StepTests {
  @Test func `a batch of the phone is not split by a line that the laptop recorded meanwhile`()
    throws
  {
    let log = try NotedSegments(["laptop": "b2 d4 f6", "phone": "a1+c3+e5 g7"])
    #expect(try log.lines() == "| a1 c3 e5 | b2 | d4 | f6 | g7 ")
  }

  @Test func `of two overlapping batches, the batch with the earlier first line comes first`()
    throws
  {
    let log = try NotedSegments(["laptop": "b2+d4+f6", "phone": "a1+c3+e5"])
    #expect(try log.lines() == "| a1 c3 e5 | b2 d4 f6 ")
  }

  @Test func `batches of three devices come in the order of their first lines`() throws {
    let log = try NotedSegments([
      "laptop": "b2+h8 i9", "phone": "a1+g7 j10", "watch": "c3+d4 e5+f6 k11",
    ])
    #expect(try log.lines() == "| a1 g7 | b2 h8 | c3 d4 | e5 f6 | i9 | j10 | k11 ")
  }

  @Test func `batches that begin at the same time come in the order of their ids`() throws {
    let log = try NotedSegments(["laptop": "b1+z9", "phone": "a1+y8", "watch": "c1@1+x@2"])
    #expect(try log.lines() == "| a1 y8 | b1 z9 | c1 x ")
  }

  @Test func `each batch of a copied segment is a step of its own`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1+c3 d4", "phone 2": "a1+c3 d4"])
    #expect(try log.lines() == "| a1 c3 | a1 c3 | b2 | d4 | d4 ")
    #expect(try steps(log).map(\.events) == ["a1 c3", "", "b2", "d4", ""])
    #expect(try steps(log).map(\.hasChanged) == [true, false, true, true, false])
  }

  @Test
  func `a step ends with its last line, even if an earlier event has the id of that line`() throws {
    let log = try NotedSegments(["laptop": "b2 d4", "phone": "a1+c3+b2@5! e6"])
    // `b2` of the phone comes first in the stream, so the one of the laptop doesn't count.
    #expect(try steps(log).map(\.events) == ["a1 c3 b2", "", "d4", "e6"])

    let other = try NotedSegments(["laptop": "a1 d4", "phone": "b2+c3+a1@5! e6"])
    #expect(try steps(other).map(\.events) == ["a1", "b2 c3", "d4", "e6"])
  }

  @Test func `a step ends with its last line, even if that line is omitted`() throws {
    let log = try NotedSegments(["laptop": "b2 d4", "phone": "a1+c3+e5 f6"])
    let options = log.options(without: ["e5", "b2"])
    #expect(try steps(log, options).map(\.events) == ["a1 c3", "", "d4", "f6"])
  }

  @Test(arguments: ["x", "#"])
  func `an unreadable line stays a part of its batch`(line: String) throws {
    for (phone, wanted) in [
      ("\(line)+c3+e5 f6", "| b2 | c3 e5 | d4 | f6 "),
      ("a1+\(line)+e5 f6", "| a1 e5 | b2 | d4 | f6 "),
      ("a1+c3+\(line) f6", "| a1 c3 | b2 | d4 | f6 "),
      ("a1+\(line) c3+e5 f6", "| a1 | b2 | c3 e5 | d4 | f6 "),
      ("\(line)+\(line)+e5 f6", "| b2 | d4 | e5 | f6 "),
      ("a1+c3+\(line)", "| a1 c3 | b2 | d4 "),
    ] {
      let log = try NotedSegments(["laptop": "b2 d4", "phone": phone])
      #expect(try log.lines(log.options(skips: true)) == wanted, "\(phone)")
    }
  }

  @Test func `an unreadable line of many kilobytes stays a part of its batch`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1"])
    for count in [70_000, 131_060, 131_072, 200_000] {
      let long = [UInt8](repeating: UInt8(ascii: "#"), count: count)
      let first = EventEncoder.line(NotedSegments.event("a1", more: true))
      let last = EventEncoder.line(NotedSegments.event("c3"))
      for (end, wanted) in [(#""more":true}"#, "| a1 c3 | b2 "), ("}", "| a1 | b2 | c3 ")] {
        log.disk.put(first + long + Array("\(end)\n".utf8) + last, at: "events/phone.jsonl")
        #expect(try log.lines(log.options(skips: true)) == wanted, "\(count), \(end)")
      }
    }
  }

  @Test func `hypothetical events of one batch stay together`() throws {
    let log = try NotedSegments(["laptop": "b2 d4+f6"])
    let supposed = [("e5", false), ("a1", true), ("c3", true), ("g7", false)].map {
      SupposedEvent(NotedSegments.event($0, more: $1))
    }
    #expect(try log.lines(log.options(supposing: supposed)) == "| a1 c3 g7 | b2 | d4 f6 | e5 ")
  }

  @Test func `a hypothetical event without a time comes after the largest recorded time`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1+c9"])
    let place = Place(file: "event", line: 1, column: 1)
    let supposed = [SupposedEvent(NotedSegments.event("d0"), place: place, isLast: true)]
    var stream = try log.stream(log.options(supposing: supposed))
    var names = SymbolTable()
    var item = StreamItem()
    while try stream.next(&item, names: &names) {}
    #expect(item.id.text(names) == "d0")
    #expect(item.recorded == NotedSegments.time(10))
  }

  // MARK: Points

  @Test(arguments: [
    (0, ""), (1, "a1"), (2, "a1 c3"), (3, "a1 c3 e5"), (4, "a1 c3 e5 | b2"),
    (5, "a1 c3 e5 | b2 | d4"), (6, "a1 c3 e5 | b2 | d4 | f6"),
  ])
  func `a replay to a position inside a step includes the step up to that position`(
    position: Int, wanted: String
  ) throws {
    let log = try NotedSegments(["laptop": "b2 d4", "phone": "a1+c3+e5 f6"])
    let found = try steps(log) { $0.stop = .after(position: position) }
    #expect(found.map(\.events).joined(separator: " | ") == wanted)
  }

  @Test(arguments: [
    ("a1", "a1"), ("c3", "a1 c3"), ("e5", "a1 c3 e5"), ("b2", "a1 c3 e5 | b2"),
    ("f6", "a1 c3 e5 | b2 | d4 | f6"),
  ])
  func `a replay to an event inside a step includes the step up to that event`(
    id: String, wanted: String
  ) throws {
    let log = try NotedSegments(["laptop": "b2 d4", "phone": "a1+c3+e5 f6"])
    let found = try steps(log) { $0.stop = .afterEvent(id) }
    #expect(found.map(\.events).joined(separator: " | ") == wanted)
  }

  @Test(arguments: [
    (0, ""), (1, "a1"), (2, "a1"), (5, "a1"), (6, "a1 | b2 d6 | c3"), (7, "a1 | b2 d6 | c3"),
    (9, "a1 | b2 d6 | c3 | e8 f9"), (20, "a1 | b2 d6 | c3 | e8 f9 | g10"),
  ])
  func `a replay to a time stops before the first step with a line recorded later`(
    bound: Int, wanted: String
  ) throws {
    let log = try NotedSegments(["laptop": "a1 c3", "phone": "b2+d6 e8+f9 g10"])
    let found = try steps(log) { $0.stop = .at(NotedSegments.time(bound)) }
    #expect(found.map(\.events).joined(separator: " | ") == wanted)

    var replay = Replay(try log.stream())
    replay.stop = .at(NotedSegments.time(bound))
    var ids: [String] = []
    while try replay.next() { ids.append(replay.item.id.text(replay.ledger.names)) }
    #expect(ids.joined(separator: " ") == wanted.replacing(" | ", with: " "))
  }

  @Test func `a replay to a time continues after a batch whose last line was skipped`() throws {
    let log = try NotedSegments(["laptop": "b2+e5 g9", "phone": "a1+c3+x f6"])
    let found = try steps(log, log.options(skips: true)) { $0.stop = .at(NotedSegments.time(6)) }
    #expect(found.map(\.events) == ["a1 c3", "b2 e5", "f6"])
  }

  // MARK: Batches

  @Test
  func `each position of a batch leads to the whole batch, and copies have no position`() throws {
    let log = try NotedSegments([
      "laptop": "b2+c3@4+d6 h9", "phone": "a1+c3+e5 f6+g7", "phone 2": "a1+c3+e5 f6+g7",
    ])
    let folded = try FoldedLog(log.stream(), writer: "laptop")
    let ids = (1...folded.ledger.position).map { folded.ledger.id(at: $0) }
    #expect(ids == ["a1", "c3", "e5", "b2", "d6", "f6", "g7", "h9"])
    let batches = ids.indices.map { folded.stream.batch(around: $0 + 1) }
    #expect(batches == [1...3, 1...3, 1...3, 4...5, 4...5, 6...7, 6...7, 8...8])
  }

  @Test func `a writer stamps its event after the largest recorded time of the stream`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1+c9"])
    let folded = try FoldedLog(log.stream(), writer: "laptop")
    #expect(folded.lastRecorded == NotedSegments.time(2))

    let drafts = Drafts([Draft(.ledgerOpened(), zone: "UTC")])
    let options = AppendOptions(now: NotedSegments.time(5), machineZone: "UTC")
    let decision = try Transaction.decide(drafts, on: folded, options: options)
    var recorded: Instant?
    try decision.batch.each { recorded = $0.recorded }
    #expect(recorded == NotedSegments.time(10))
  }

  // MARK: Growth

  @Test func `a log follows appended batches that begin after the last step`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1+c9"])
    var folded = try FoldedLog(log.stream(), writer: "laptop")
    // The new batch begins before the phone's last line, but after the last step's first line.
    try log.append("d4+e12", to: "laptop")
    try log.append("f10", to: "phone")
    #expect(try folded.follow())
    #expect(ids(folded) == ["a1", "c9", "b2", "d4", "e12", "f10"])
    #expect(folded.stream.batch(around: 5) == 4...5)
  }

  @Test func `a log does not follow an appended batch that begins before the last step`() throws {
    let log = try NotedSegments(["laptop": "b2", "phone": "a1", "watch": "z9"])
    var folded = try FoldedLog(log.stream(), writer: "laptop")
    // Its last line is the newest of all, but its first line determines its position.
    try log.append("c3+d10", to: "phone")
    #expect(try !folded.follow())
  }

  // MARK: Random segments

  @Test(arguments: Cases.seeds(60))
  func `batches of random segments come in the order that a plain sort gives`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let segments = RandomSegments(&random, hasUnreadable: true)
    let log = try NotedSegments()
    segments.write(to: log.disk)
    let options = log.options(skips: true)
    #expect(try log.lines(options) == segments.merged, "seed \(seed)")

    let folded = try FoldedLog(log.stream(options), writer: "s0")
    var wanted: [ClosedRange<Int>] = []
    for batch in segments.batches {
      let start = wanted.count + 1
      wanted += Array(repeating: start...start + batch.count - 1, count: batch.count)
    }
    let found = wanted.indices.map { folded.stream.batch(around: $0 + 1) }
    #expect(found == wanted, "seed \(seed)")

    let bound = random.below(segments.lineCount + 1)
    let within = segments.batches.prefix { $0.allSatisfy { $0.recorded <= bound } }
    let steps = try steps(log, options) { $0.stop = .at(NotedSegments.time(bound)) }
    #expect(
      steps.map(\.events) == within.map { $0.map(\.id).joined(separator: " ") },
      "seed \(seed), bound \(bound)")
  }

  @Test(arguments: Cases.seeds(60))
  func `a log that is followed has the same events and batches as a log that is read again`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let segments = RandomSegments(&random, hasUnreadable: false)
    let log = try NotedSegments()
    for name in segments.names { log.disk.put([], at: "events/\(name).jsonl") }
    var kept: FoldedLog?
    for part in segments.parts(&random) {
      for (name, text) in part { try log.append(text, to: name) }
      let read = try FoldedLog(log.stream(), writer: "s0")
      let current = try FoldedLog.current(kept.take(), in: "events", writer: "s0", log.options())
      #expect(ids(current) == ids(read), "seed \(seed)")
      let positions = 1...read.ledger.position
      #expect(
        positions.map { current.stream.batch(around: $0) }
          == positions.map { read.stream.batch(around: $0) }, "seed \(seed)")
      kept = current
    }
    #expect(ids(try #require(kept)) == segments.batches.joined().map(\.id), "seed \(seed)")
  }

  // MARK: Helpers

  private struct FoundStep {
    let events: String
    /// Whether the step added events to the ledger.
    let hasChanged: Bool
  }

  private func steps(
    _ log: NotedSegments, _ options: ReadingOptions? = nil,
    _ prepare: (inout Replay) -> Void = { _ in }
  ) throws -> [FoundStep] {
    var replay = Replay(try log.stream(options))
    prepare(&replay)
    var found: [FoundStep] = []
    var ids: [String] = []
    var start = replay.ledger.position
    while try replay.nextStep({ ids.append($0.item.id.text($0.ledger.names)) }) {
      found.append(
        FoundStep(
          events: ids.joined(separator: " "),
          hasChanged: replay.ledger.position > start))
      ids = []
      start = replay.ledger.position
    }
    return found
  }

  private func ids(_ log: FoldedLog) -> [String] {
    (0..<log.ledger.position).map { log.ledger.id(at: $0 + 1) }
  }
}

/// Random segments with random batches, whose lines were recorded in random order.
private struct RandomSegments {
  struct Line {
    /// Empty if the line is unreadable.
    let id: String
    let recorded: Int
    let more: Bool
  }

  private var segments: [[Line]]
  let lineCount: Int

  init(_ random: inout SeededRandom, hasUnreadable: Bool) {
    segments = Array(repeating: [], count: 1 + random.below(5))
    lineCount = 1 + random.below(80)
    for number in 1...lineCount {
      let index = random.below(segments.count)
      let isUnreadable = hasUnreadable && random.chance(15)
      // Two lines of different segments may have the same time.
      let earlier = segments[index].last?.recorded ?? 0
      let recorded = random.chance(20) ? max(earlier + 1, number - 1) : number
      segments[index].append(
        Line(
          id: isUnreadable ? "" : "e\(random.below(1000))-\(number)", recorded: recorded,
          more: random.chance(60)))
    }
    for index in segments.indices {
      guard let last = segments[index].popLast() else { continue }
      segments[index].append(
        Line(id: last.id.isEmpty ? "end\(index)" : last.id, recorded: last.recorded, more: false))
    }
  }

  var names: [String] { segments.indices.map { "s\($0)" } }

  /// The batches in stream order, without unreadable lines: grouped, and sorted by their first
  /// lines.
  var batches: [[Line]] {
    let batches = segments.enumerated().flatMap { segment, lines in
      RandomSegments.batches(of: lines).map { batch in
        (lines: batch.filter { !$0.id.isEmpty }, segment: segment)
      }
    }
    return batches.filter { !$0.lines.isEmpty }.sorted { a, b in
      let (first, second) = (a.lines[0], b.lines[0])
      return (first.recorded, first.id, a.segment) < (second.recorded, second.id, b.segment)
    }.map(\.lines)
  }

  var merged: String {
    batches.map { "| " + $0.map { $0.id + " " }.joined() }.joined()
  }

  func write(to disk: SimulatedDisk) {
    for (name, lines) in zip(names, segments) {
      let bytes = lines.flatMap { line in
        line.id.isEmpty
          ? Array((line.more ? "#,\"more\":true}\n" : "{\"y\":2}\n").utf8)
          : EventEncoder.line(NotedSegments.event("\(line.id)@\(line.recorded)", more: line.more))
      }
      disk.put(bytes, at: "events/\(name).jsonl")
    }
  }

  /// Returns batches to append, in the notation of `NotedSegments`, divided into random parts; each
  /// segment's batches stay in order.
  func parts(_ random: inout SeededRandom) -> [[(name: String, text: String)]] {
    var rest = zip(names, segments).flatMap { name, lines in
      RandomSegments.batches(of: lines).map { (name: name, lines: $0) }
    }
    // Mostly in the order of the first lines, as devices that are connected append.
    rest.sort { $0.lines[0].recorded < $1.lines[0].recorded }
    if random.chance(30) { rest.sort { $0.name < $1.name } }

    var parts: [[(name: String, text: String)]] = []
    for (name, lines) in rest {
      if parts.isEmpty || random.chance(50) { parts.append([]) }
      let text = lines.map { "\($0.id)@\($0.recorded)" }.joined(separator: "+")
      parts[parts.count - 1].append((name, text))
    }
    return parts
  }

  private static func batches(of lines: [Line]) -> [[Line]] {
    var batches: [[Line]] = []
    var isOpen = false
    for line in lines {
      if !isOpen { batches.append([]) }
      batches[batches.count - 1].append(line)
      isOpen = line.more
    }
    return batches
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

struct ManySegmentsTests {
  private static let ids = (0..<2_200).map {
    EventKey.uuidText(0x019a_45f0_cb80_7000, 0x8000_0000_0000_0000 | UInt64($0))
  }
  private static let lines = lines(later: 0)
  private static let size = lines.reduce(0) { $0 + $1.count }

  /// Returns the lines of many entries in stream order; `later` only shifts their `recorded`.
  private static func lines(later: Int64) -> [[UInt8]] {
    var sequence = Sequence()
    return ids.enumerated().map { number, id in
      var entry = Entry(habit: "meditation")
      entry.minutes = 20
      var event = sequence.event(
        .entryLogged(entry), on: Day(unchecked: 20_000), minute: number % 1440, id: id)
      event.recorded = event.recorded + later
      return EventEncoder.line(event)
    }
  }

  private func disk(_ segments: [[UInt8]]) throws -> WatchedDisk {
    let disk = SimulatedDisk(seed: 1)
    try disk.makeFolder("events")
    for (number, bytes) in segments.enumerated() {
      disk.put(bytes, at: "events/s\(10_000 + number).jsonl")
    }
    return WatchedDisk(disk)
  }

  private func read(_ disk: WatchedDisk) throws -> (ids: [String], reusedIDs: Int) {
    var options = ReadingOptions()
    options.disk = disk
    var replay = Replay(try EventStream(folder: "events", options: options))
    var ids: [String] = []
    while try replay.next() { ids.append(replay.item.id.text(replay.ledger.names)) }
    return (ids, replay.stream.reusedIDs.count)
  }

  @Test(arguments: [2, 64, 65, 1100], [1, 20])
  func `events of up to 1100 segments come in order, with few open files and no repeated reads`(
    segments: Int, run: Int
  )
    throws
  {
    let lines = ManySegmentsTests.lines
    var random = SeededRandom(seed: UInt64(segments * run))
    var dealt = [[UInt8]](repeating: [], count: segments)
    for start in stride(from: 0, to: lines.count, by: run) {
      dealt[random.below(segments)] += lines[start..<min(lines.count, start + run)].joined()
    }
    let disk = try disk(dealt.filter { !$0.isEmpty })
    #expect(try read(disk).ids == ManySegmentsTests.ids)
    // Reading stays below any limit of open files, and reads nothing repeatedly.
    #expect(disk.tally.mostOpen <= 64)
    #expect(disk.tally.open == 0)
    #expect(disk.tally.bytesRead <= 2 * ManySegmentsTests.size + segments * 4096)
    #expect(disk.tally.reads <= 10 * segments + lines.count / 50)
  }

  @Test(arguments: [0, 3_600_000_000] as [Int64])
  func `the events of a copied segment count once, even if the copy has later recorded times`(
    later: Int64
  )
    throws
  {
    let lines = ManySegmentsTests.lines
    let disk = try disk([
      Array(lines.joined()), Array(ManySegmentsTests.lines(later: later).joined()),
    ])
    let (ids, reusedIDs) = try read(disk)
    #expect(ids == ManySegmentsTests.ids && reusedIDs == 0)
  }

  @Test func `an event whose text differs in a copied segment does not count and is a reused id`()
    throws
  {
    let lines = ManySegmentsTests.lines[..<100]
    var copy = Array(ManySegmentsTests.lines(later: 1_000_000)[..<100])
    let place = try #require(copy[99].lastIndex(of: UInt8(ascii: "2")))
    copy[99][place] = UInt8(ascii: "3")
    let disk = try disk([Array(lines.joined()), Array(copy.joined())])
    #expect(try read(disk).ids.count == lines.count)
    #expect(try read(disk).reusedIDs == 1)
  }

  @Test func `a line that is longer than the read buffer is read completely`() throws {
    var long = Array(ManySegmentsTests.lines[..<300])
    for place in stride(from: 0, to: 300, by: 7) {
      long[place].insert(
        contentsOf: ",\"x\":\"\(String(repeating: "x", count: 60_000))\"".utf8,
        at: long[place].count - 2)
    }
    #expect(try read(disk(long)).ids == Array(ManySegmentsTests.ids[..<300]))
  }

  @Test func `reading fails if a segment is replaced while it is being read`()
    throws
  {
    let lines = ManySegmentsTests.lines
    let inner = SimulatedDisk(seed: 1)
    try inner.makeFolder("events")
    for number in 0..<70 { inner.put(lines[number], at: "events/a\(number).jsonl") }
    inner.put(Array(lines[70...].joined()), at: "events/b.jsonl")
    var options = ReadingOptions()
    options.disk = inner
    var stream = try EventStream(folder: "events", options: options)
    var names = SymbolTable()
    var item = StreamItem()
    for _ in 0..<80 { #expect(try stream.next(&item, names: &names)) }
    inner.put(Array(lines[70...].joined()), at: "events/b.jsonl")
    #expect(throws: Failure.self) { while try stream.next(&item, names: &names) {} }
  }
}

import CommandFixtures
import DomainFixtures
import Foundation
import Streaks
import Synchronization
import Testing

/// What observers of a folder read: the whole log for each value, each change once, nothing while nobody writes, and
/// nothing of a folder that is away.
struct ObservedReadingTests {
  private let ledger: TemporaryLedger
  private let folder: StreakFolder
  private let start = Date(timeIntervalSince1970: 1_762_167_600)
  private let disk = WatchedDisk()
  private let hasEnded = Flag()

  init() throws {
    ledger = try TemporaryLedger()
    folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
  }

  /// Begins a ledger of so many entries; returns its size in bytes.
  private func create(entries: Int) async throws -> Int {
    try await folder.create([Habit(preset: "reading")], timeZone: .gmt, now: start)
    try await folder.append((0..<entries).map { _ in .entry("reading", amount: 1) }, now: start)
    return try size()
  }

  private func size() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: ledger.events).filter { $0.hasSuffix(".jsonl") }
      .reduce(0) { sum, name in
        sum + (FileManager.default.contents(atPath: "\(ledger.events)/\(name)")?.count ?? 0)
      }
  }

  /// How many entries there are, looked for often.
  private func counts(_ now: @escaping @Sendable () -> Date) -> StreakValues<Int?> {
    var counts = folder.values(of: { $0.streak(of: "reading")?.totals.entries }, now: now)
    counts.disk = disk
    counts.pause = 0.01
    return counts
  }

  private func changes() -> StreakChanges {
    var changes = folder.changes()
    changes.disk = disk
    changes.pause = 0.01
    return changes
  }

  /// Waits until the folder was looked for so many times more, or who looks has ended.
  private func looks(_ count: Int) async {
    let before = disk.tally.listings
    while disk.tally.listings < before + count, !hasEnded.value { await Task.yield() }
  }

  /// Runs who looks, and takes note of its end.
  private func looking<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) -> Task<Value, any Error> {
    hasEnded.value = false
    return Task { [hasEnded] in
      defer { hasEnded.value = true }
      return try await body()
    }
  }

  private final class Flag: Sendable {
    private let held = Mutex(false)

    var value: Bool {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `each value reads every byte of the log once, and waiting reads nothing`()
    async throws
  {
    var size = try await create(entries: 400)
    let start = start
    var counts = counts { start }.makeAsyncIterator()
    for entries in 400..<404 {
      let before = disk.tally.bytesRead
      #expect(try await counts.next() == entries)
      let read = disk.tally.bytesRead - before
      // The ends of segments, a few lines of each, are read again.
      #expect((size..<size * 11 / 10).contains(read), "\(read) bytes of \(size)")
      let idle = disk.tally
      let waiting = looking { [counts] in
        var counts = counts
        return try await counts.next()
      }
      await looks(5)
      waiting.cancel()
      #expect(try await waiting.value == nil)
      #expect(disk.tally.bytesRead == idle.bytesRead && disk.tally.opens == idle.opens)
      try await StreakFolder(folder.url, writer: "w\(entries)").append(
        .entry("reading", amount: 1), now: start)
      size = try self.size()
    }
  }

  @Test(.timeLimit(.minutes(10))) func `who waits for changes reads nothing until there is one`() async throws
  {
    _ = try await create(entries: 20)
    var changes = changes().makeAsyncIterator()
    for position in 1...22 { #expect(try await changes.next()?.position == position) }
    let idle = disk.tally
    let waiting = looking { [changes] in
      var changes = changes
      return try await changes.next()
    }
    await looks(5)
    #expect(disk.tally.bytesRead == idle.bytesRead && disk.tally.opens == idle.opens)
    try await folder.append(.entry("reading", amount: 1, id: "new"), now: start)
    #expect(try await waiting.value?.event == "new")
  }

  @Test(.timeLimit(.minutes(10)), arguments: UInt64(1)...4)
  func `a folder that is away for many looks is followed where it comes back`(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let size = try await create(entries: 100)
    let start = start
    let away = URL(fileURLWithPath: ledger.folder + "/away")
    var counts = counts { start }.makeAsyncIterator()
    #expect(try await counts.next() == 100)
    var changes = changes().makeAsyncIterator()
    for position in 1...102 { #expect(try await changes.next()?.position == position) }
    let before = disk.tally.bytesRead
    for round in 1...4 {
      let waiting = looking { [counts, changes] in
        var (counts, changes) = (counts, changes)
        return (try await counts.next(), try await changes.next(), counts, changes)
      }
      try FileManager.default.moveItem(at: folder.url, to: away)
      await looks(1 + random.below(6))
      if random.chance(50) {
        // Back and away again with nothing new.
        try FileManager.default.moveItem(at: away, to: folder.url)
        await looks(1 + random.below(4))
        try FileManager.default.moveItem(at: folder.url, to: away)
        await looks(1 + random.below(4))
      }
      try await StreakFolder(away, writer: "other").append(
        .entry("reading", amount: 1, id: "r\(round)"), now: start)
      try FileManager.default.moveItem(at: away, to: folder.url)
      let (count, change, nextCounts, nextChanges) = try await waiting.value
      #expect(count == 100 + round && change?.event == "r\(round)", "seed \(seed), round \(round)")
      (counts, changes) = (nextCounts, nextChanges)
    }
    let read = disk.tally.bytesRead - before
    // A look between two moves may come to nothing.
    #expect(read < 4 * 3 * (2 * size + 1 << 16), "seed \(seed): \(read) bytes of \(size)")
  }

  @Test(.timeLimit(.minutes(10))) func `a day ends while the folder is away`() async throws {
    _ = try await create(entries: 1)
    let start = start
    let isOver = Flag()
    var states = folder.values(
      of: { $0.streak(of: "reading")?.days[.missed] },
      now: { isOver.value ? start.addingTimeInterval(86_400 * 3) : start })
    states.pause = 0.01
    states.disk = disk
    var values = states.makeAsyncIterator()
    #expect(try await values.next() == 0)
    try FileManager.default.moveItem(atPath: ledger.events, toPath: ledger.folder + "/away")
    isOver.value = true
    #expect(try await values.next() != 0)
  }
}

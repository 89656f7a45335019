import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Synchronization
import Testing

struct ObservedReadingTests {
  private let ledger: TemporaryLedger
  private let url: URL
  private let folder: StreakFolder
  private let start = Date(timeIntervalSince1970: 1_762_167_600)
  private let disk = WatchedDisk()
  private let hasEnded = Flag()

  init() throws {
    ledger = try TemporaryLedger()
    url = URL(fileURLWithPath: ledger.events)
    folder = StreakFolder(url, writer: "app", on: disk, pause: 0.01)
  }

  /// Returns a second folder, which acts like another process.
  private func other(_ url: URL? = nil) -> StreakFolder {
    StreakFolder(url ?? self.url, writer: "other", on: WatchedDisk(), pause: 5)
  }

  /// Creates a ledger with `entries` entries, one of another process, and returns its size in
  /// bytes.
  private func create(entries: Int) async throws -> Int {
    try await other().create([Habit(preset: "reading")], timeZone: .gmt, now: start)
    try await other().append(.entry("reading", amount: 1), now: start)
    try await folder.append((1..<entries).map { _ in .entry("reading", amount: 1) }, now: start)
    return try FileManager.default.contentsOfDirectory(atPath: ledger.events)
      .filter { $0.hasSuffix(".jsonl") }
      .reduce(0) {
        $0 + (FileManager.default.contents(atPath: "\(ledger.events)/\($1)")?.count ?? 0)
      }
  }

  private func rewrite(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: url.appending(path: "app.jsonl"), options: .atomic)
  }

  private func counts(of folder: StreakFolder? = nil) -> AsyncStream<Result<Int?, StreakError>> {
    let start = start
    return (folder ?? self.folder).values(
      of: { $0.streak(of: "reading")?.totals.entries }, now: { start })
  }

  private func looks(_ count: Int) async {
    let before = disk.tally.listings
    while disk.tally.listings < before + count, !hasEnded.value { await Task.yield() }
  }

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
  func
    `observers and an append read the log once, then only new lines, and nothing while idle`()
    async throws
  {
    let size = try await create(entries: 400)
    let before = disk.tally.bytesRead
    let observers = (1...6).map { _ in counts() }
    for observer in observers { #expect(try await observer.next()?.get() == 400) }
    #expect((size..<size * 11 / 10).contains(disk.tally.bytesRead - before), "of \(size) bytes")
    for entries in 401...404 {
      // An observer may read the last newline of an append after it has delivered the value.
      await looks(20)
      let idle = disk.tally
      await looks(20)
      #expect(disk.tally.bytesRead == idle.bytesRead && disk.tally.opens == idle.opens)
      let writer = entries % 2 == 0 ? folder : other()
      try await writer.append(.entry("reading", amount: 1), now: start)
      for observer in observers { #expect(try await observer.next()?.get() == entries) }
      #expect(disk.tally.bytesRead - idle.bytesRead < size / 4, "of \(size) bytes")
    }
  }

  @Test(.timeLimit(.minutes(10))) func `a folder is released after its last observer ends`()
    async throws
  {
    _ = try await create(entries: 2)
    func observed() async throws -> () -> StreakFolder? {
      let folder = StreakFolder(url, writer: "app", on: disk, pause: 0.01)
      let (counts, changes) = (counts(of: folder), folder.changes())
      #expect(try await counts.next()?.get() == 2)
      #expect(try await changes.next()?.get().position == 1)
      return { [weak folder] in folder }
    }
    let folder = try await observed()
    while folder() != nil { await Task.yield() }
  }

  @Test
  func `two folders with the same path in one program append to the same ledger`() async throws {
    _ = try await create(entries: 2)
    let (one, two) = (StreakFolder(url, writer: "one"), StreakFolder(url, writer: "two"))
    try await one.append(.entry("reading", amount: 1), now: start)
    try await two.append(.entry("reading", amount: 1), now: start)
    #expect(try await one.ledger(now: start).streak(of: "reading")?.totals.entries == 4)
    #expect(ledger.files().filter { $0.hasSuffix(".jsonl") }.count == 4)
  }

  @Test(.timeLimit(.minutes(10)))
  func `waiting for changes reads nothing until there is a change, and then only the change`()
    async throws
  {
    let size = try await create(entries: 200)
    let changes = folder.changes()
    for position in 1...202 { #expect(try await changes.next()?.get().position == position) }
    await looks(2)
    let idle = disk.tally
    let waiting = looking { await changes.next() }
    await looks(5)
    #expect(disk.tally.bytesRead == idle.bytesRead && disk.tally.opens == idle.opens)
    try await other().append(.entry("reading", amount: 1, id: "new"), now: start)
    #expect(try await waiting.value?.get().event == "new")
    #expect(disk.tally.bytesRead - idle.bytesRead < size / 4, "of \(size) bytes")
  }

  @Test(.timeLimit(.minutes(10)), arguments: UInt64(1)...4)
  func `observers survive a missing folder, a damaged line and a line of a newer program`(
    seed: UInt64
  )
    async throws
  {
    var random = SeededRandom(seed: seed)
    _ = try await create(entries: 100)
    let away = URL(fileURLWithPath: ledger.folder + "/away")
    let (counts, changes) = (counts(), folder.changes())
    #expect(try await counts.next()?.get() == 100)
    for _ in 1...102 { _ = try await changes.next()?.get() }
    for round in 1...6 {
      let bytes = ledger.bytes(of: "app")
      let trouble = random.below(3)
      switch trouble {
      case 0: try FileManager.default.moveItem(at: url, to: away)
      case 1: try rewrite(bytes + Array("{}\n".utf8))
      default: try rewrite(bytes + Array(#"{"id":"n","type":"entry.logged","v":2}"#.utf8) + [10])
      }
      let kinds: [StreakError.Kind] = [.notFound, .damaged, .newer]
      for problem in [
        await counts.next().map { $0.map { _ in } }, await changes.next().map { $0.map { _ in } },
      ] {
        guard case .failure(let error)? = problem else {
          Issue.record("seed \(seed), round \(round): no problem of \(trouble)")
          continue
        }
        #expect(error.kind == kinds[trouble], "seed \(seed), round \(round)")
      }
      let waiting = looking { (await counts.next(), await changes.next()) }
      await looks(1 + random.below(6))
      if trouble == 0 {
        try await other(away).append(.entry("reading", amount: 1, id: "r\(round)"), now: start)
        try FileManager.default.moveItem(at: away, to: url)
      } else {
        try rewrite(bytes)
        try await other().append(.entry("reading", amount: 1, id: "r\(round)"), now: start)
      }
      var (count, change) = try await waiting.value
      // The value before the entry may be delivered first.
      while count.map({ $0 != .success(100 + round) }) ?? false { count = await counts.next() }
      #expect(try change?.get().event == "r\(round)", "seed \(seed), round \(round)")
    }
  }

  @Test(.timeLimit(.minutes(10))) func `a cancelled observer ends without waiting for the disk`()
    async throws
  {
    _ = try await create(entries: 1)
    let isStuck = Flag()
    isStuck.value = true
    let stuck = WatchedDisk(beforeListing: { while isStuck.value { usleep(1000) } })
    let folder = StreakFolder(url, writer: "app", on: stuck, pause: 60)
    let (counts, changes) = (counts(of: folder), folder.changes())
    let one = Task { await counts.next() }
    let two = Task { await changes.next() }
    while stuck.tally.listings < 2 { await Task.yield() }
    one.cancel()
    two.cancel()
    #expect(await one.value == nil)
    #expect(await two.value == nil)
    isStuck.value = false
  }

  @Test(.timeLimit(.minutes(10)))
  func
    `three writers and the program lose no event, and followers get each event once`()
    async throws
  {
    _ = try await create(entries: 1)
    let count = Cases.areAll ? 100 : 15
    let start = start
    let following = Task { [changes = folder.changes()] in
      var seen: [String] = []
      for await reading in changes {
        seen.append(try reading.get().event)
        if seen.count == 3 + 4 * count { break }
      }
      return seen
    }
    let counting = Task { [counts = counts()] in
      var last = 0
      for await reading in counts {
        let entries = try reading.get() ?? 0
        #expect(entries > last)
        last = entries
        if last == 1 + 4 * count { break }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (name, writer) in [("a", folder), ("b", folder), ("c", other())] {
        group.addTask {
          for number in 0..<count {
            let entry = NewEvent.entry("reading", amount: 1, id: "\(name)\(number)")
            for isNew in [true, false] {
              let appended = try await writer.append(entry, now: start)
              #expect(appended.map(\.isNew) == [isNew])
            }
          }
        }
      }
      group.addTask { [events = ledger.events] in
        for number in 0..<count {
          _ = try BuiltProgram.output(
            [
              "log", "reading", "1", "--id", "p\(number)", "--now", "2025-11-03T11:00:00Z",
              "--writer",
              "program",
            ],
            environment: ["STREAKS_EVENTS": events])
        }
      }
      try await group.waitForAll()
    }
    let seen = try await following.value
    #expect(Set(seen).count == seen.count)
    try await counting.value
    let read = try await folder.ledger(now: start)
    #expect(try Set(read.timeline().map(\.event)) == Set(seen))
    #expect(read.streak(of: "reading")?.totals.entries == 1 + 4 * count)
    #expect(ledger.run("verify").status == .done)
  }
}

extension AsyncStream where Element: Sendable {
  /// Returns the next element, or `nil` if the stream has ended.
  func next() async -> Element? {
    var elements = makeAsyncIterator()
    return await elements.next()
  }
}

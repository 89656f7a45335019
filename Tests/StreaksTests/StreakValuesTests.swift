import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Synchronization
import Testing

/// A folder's values, observed while it is written to.
struct StreakValuesTests {
  private let ledger: TemporaryLedger
  private let folder: StreakFolder
  private let start = Date(timeIntervalSince1970: 1_762_167_600)

  init() throws {
    ledger = try TemporaryLedger()
    folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
  }

  private func create() async throws {
    try await folder.create([Habit(preset: "noalc"), Habit(preset: "reading")], timeZone: .gmt, now: start)
  }

  private func runs(_ now: @escaping @Sendable () -> Date) -> StreakValues<Int?> {
    folder.values(of: { $0.streak(of: "noalc")?.current }, now: now)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the value of now comes first, and then each different one, whoever wrote`() async throws {
    try await create()
    let (start, folder) = (start, folder)
    var runs = runs { start }.makeAsyncIterator()
    #expect(try await runs.next() == 0)
    try await folder.append(.entry("reading", amount: 3), now: start)
    try await folder.append(.entry("noalc", level: "steady", id: "a"), now: start)
    #expect(try await runs.next() == 1)
    try await StreakFolder(folder.url, writer: "watch").append(.delete("a"), now: start)
    #expect(try await runs.next() == 0)
    #expect(ledger.run("log noalc steady").status == .done)
    #expect(try await runs.next() == 1)
  }

  @Test(.timeLimit(.minutes(10))) func `a day that ends changes what nobody wrote`() async throws {
    try await create()
    try await folder.append(.entry("noalc", level: "steady"), now: start)
    let clock = Clock(start)
    var states = folder.values(of: { $0.streak(of: "noalc")?.status }, now: { clock.value })
      .makeAsyncIterator()
    #expect(try await states.next() == .done)
    clock.value = start.addingTimeInterval(86_400)
    #expect(try await states.next() == .due)
  }

  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let time: Mutex<Date>

    init(_ time: Date) {
      self.time = Mutex(time)
    }

    var value: Date {
      get { time.withLock { $0 } }
      set { time.withLock { $0 = newValue } }
    }
  }

  @Test(.timeLimit(.minutes(10))) func `a cancelled observer ends, whether it waits or was never asked`()
    async throws
  {
    try await create()
    let start = start
    let values = runs { start }
    let (isWaiting, waits) = AsyncStream<Void>.makeStream()
    let waiting = Task {
      var count = 0
      for try await _ in values {
        count += 1
        waits.yield()
      }
      return count
    }
    for await _ in isWaiting { break }
    waiting.cancel()
    #expect(try await waiting.value == 1)
    let never = Task {
      while !Task.isCancelled { await Task.yield() }
      var values = values.makeAsyncIterator()
      return try await values.next() == nil
    }
    never.cancel()
    #expect(try await never.value)
  }

  @Test(.timeLimit(.minutes(10))) func `a slow consumer is given the latest and not what lay between`()
    async throws
  {
    try await create()
    let (start, folder) = (start, folder)
    var sums = folder.values(of: { $0.streak(of: "reading")?.totals.amount }, now: { start })
      .makeAsyncIterator()
    #expect(try await sums.next() == 0)
    for _ in 1...5 { try await folder.append(.entry("reading", amount: 2), now: start) }
    #expect(try await sums.next() == 10)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a folder that is replaced is followed where it was, and waited for while it is away`() async throws {
    try await create()
    let (start, url) = (start, folder.url)
    var runs = runs { start }.makeAsyncIterator()
    #expect(try await runs.next() == 0)
    let other = URL(fileURLWithPath: ledger.folder + "/other")
    let away = URL(fileURLWithPath: ledger.folder + "/away")
    try FileManager.default.copyItem(at: url, to: other)
    try await StreakFolder(other, writer: "app").append(.entry("noalc", level: "steady"), now: start)
    try FileManager.default.moveItem(at: url, to: away)
    let waiting = Task { [runs] in
      var runs = runs
      return try await runs.next()
    }
    try FileManager.default.moveItem(at: other, to: url)
    #expect(try await waiting.value == 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `writers at the same time all come, and a value is never an older one`()
    async throws
  {
    try await create()
    let (start, folder) = (start, folder)
    let counts = folder.values(of: { $0.streak(of: "reading")?.totals.entries ?? 0 }, now: { start })
    let observer = Task {
      var seen: [Int] = []
      for try await count in counts {
        seen.append(count)
        if count == 12 { break }
      }
      return seen
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<3 {
        group.addTask {
          let folder = StreakFolder(folder.url, writer: "w\(writer)")
          for _ in 0..<4 { try await folder.append(.entry("reading", amount: 1), now: start) }
        }
      }
      try await group.waitForAll()
    }
    let seen = try await observer.value
    #expect(seen == seen.sorted() && Set(seen).count == seen.count && seen.last == 12)
  }

  @Test func `a folder without a ledger is an error, at once`() async throws {
    let start = start
    let values = runs { start }
    await #expect {
      var values = values.makeAsyncIterator()
      _ = try await values.next()
    } throws: {
      ($0 as? StreakError)?.kind == .notFound
    }
  }

  @Test(.timeLimit(.minutes(10))) func `a model has each value for a view, and says why it ended`()
    async throws
  {
    try await create()
    let start = start
    try await StreakValuesTests.useModel(of: runs { start })
  }

  @MainActor private static func useModel(of runs: StreakValues<Int?>) async throws {
    let model = StreakModel(runs)
    #expect(model.value == nil)
    let following = Task { await model.follow() }
    while model.value == nil { await Task.yield() }
    #expect(model.value == 0 && model.error == nil)
    following.cancel()
    await following.value
    let nowhere = StreakFolder(URL(fileURLWithPath: "/nowhere/at-all"))
    let lost = StreakModel(nowhere.values(of: { $0.streaks }))
    await lost.follow()
    #expect(lost.error?.kind == .notFound && lost.value == nil)
  }
}

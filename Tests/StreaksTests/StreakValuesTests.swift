import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Synchronization
import Testing

struct StreakValuesTests {
  private let ledger: TemporaryLedger
  private let folder: StreakFolder
  private let start = Date(timeIntervalSince1970: 1_762_167_600)

  init() throws {
    ledger = try TemporaryLedger()
    folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
  }

  private func create() async throws {
    try await folder.create(
      [Habit(preset: "noalc"), Habit(preset: "reading")], timeZone: .gmt, now: start)
  }

  private func runs(_ now: @escaping @Sendable () -> Date) -> AsyncStream<Result<Int?, StreakError>>
  {
    folder.values(of: { $0.streak(of: "noalc")?.current }, now: now)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an observer gets the current value, then each changed value, whoever writes it`()
    async throws
  {
    try await create()
    let (start, folder) = (start, folder)
    let runs = runs { start }
    #expect(try await runs.next()?.get() == 0)
    try await folder.append(.entry("reading", amount: 3), now: start)
    try await folder.append(.entry("noalc", level: "steady", id: "a"), now: start)
    #expect(try await runs.next()?.get() == 1)
    try await StreakFolder(folder.url, writer: "watch").append(.delete("a"), now: start)
    #expect(try await runs.next()?.get() == 0)
    #expect(ledger.run("log noalc steady").status == .done)
    #expect(try await runs.next()?.get() == 1)
  }

  @Test(.timeLimit(.minutes(10))) func `the end of a day delivers a new value without any event`()
    async throws
  {
    try await create()
    try await folder.append(.entry("noalc", level: "steady"), now: start)
    let clock = Clock(start)
    let states = folder.values(of: { $0.streak(of: "noalc")?.status }, now: { clock.value })
    #expect(try await states.next()?.get() == .done)
    clock.value = start.addingTimeInterval(86_400)
    #expect(try await states.next()?.get() == .due)
  }

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

  @Test(.timeLimit(.minutes(10)))
  func `a cancelled observer ends, even if its value was never requested`()
    async throws
  {
    try await create()
    let start = start
    let values = runs { start }
    let (isWaiting, waits) = AsyncStream<Void>.makeStream()
    let waiting = Task {
      var count = 0
      for await _ in values {
        count += 1
        waits.yield()
      }
      return count
    }
    for await _ in isWaiting { break }
    waiting.cancel()
    #expect(await waiting.value == 1)
    let never = Task {
      while !Task.isCancelled { await Task.yield() }
      return await values.next() == nil
    }
    never.cancel()
    #expect(await never.value)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a slow observer gets the latest value and not the values in between`()
    async throws
  {
    try await create()
    let (start, folder) = (start, folder)
    let tens = Mutex(0)
    let sums = folder.values(
      of: { ledger in
        let sum = ledger.streak(of: "reading")?.totals.amount
        if sum == 10 { tens.withLock { $0 += 1 } }
        return sum
      }, now: { start })
    #expect(try await sums.next()?.get() == 0)
    for _ in 1...5 { try await folder.append(.entry("reading", amount: 2), now: start) }
    // When the sum 10 is computed for the second time, the first one has been delivered.
    while tens.withLock({ $0 }) < 2 { await Task.yield() }
    #expect(try await sums.next()?.get() == 10)
  }

  @Test(.timeLimit(.minutes(10)))
  func `an observer follows a replaced folder and waits while the folder is missing`()
    async throws
  {
    try await create()
    let (start, url) = (start, folder.url)
    let runs = runs { start }
    #expect(try await runs.next()?.get() == 0)
    let other = URL(fileURLWithPath: ledger.folder + "/other")
    let away = URL(fileURLWithPath: ledger.folder + "/away")
    try FileManager.default.copyItem(at: url, to: other)
    try await StreakFolder(other, writer: "app").append(
      .entry("noalc", level: "steady"), now: start)
    try FileManager.default.moveItem(at: url, to: away)
    let waiting = Task {
      // Whether a check happens while the folder is missing depends on the machine.
      for await case .success(let run) in runs { return run }
      return nil
    }
    try FileManager.default.moveItem(at: other, to: url)
    #expect(await waiting.value == 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `observing a folder without a ledger reports that at once, and values after its creation`()
    async throws
  {
    let start = start
    let values = runs { start }
    guard case .failure(let problem)? = await values.next() else { throw CancellationError() }
    #expect(problem.kind == .notFound)
    try await create()
    #expect(try await values.next()?.get() == 0)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a StreakModel has each new value, and next to the last value the current problem`()
    async throws
  {
    try await StreakValuesTests.useModel(of: folder)
  }

  @MainActor private static func useModel(of folder: StreakFolder) async throws {
    let model = StreakModel(folder) { $0.streak(of: "noalc")?.longest }
    #expect(model.value == nil && model.problem == nil)
    let following = Task { await model.follow() }
    while model.problem == nil { await Task.yield() }
    #expect(model.problem?.kind == .notFound && model.value == nil)
    try await folder.create(
      [Habit(preset: "noalc")], timeZone: .gmt, now: Date(timeIntervalSince1970: 0))
    while model.value == nil { await Task.yield() }
    #expect(model.value == 0 && model.problem == nil)
    try Data("{}\n".utf8).write(to: folder.url.appending(path: "other.jsonl"))
    while model.problem == nil { await Task.yield() }
    #expect(model.problem?.kind == .damaged && model.value == 0)
    following.cancel()
    await following.value
    // A view that is shown again calls `follow` again.
    try FileManager.default.removeItem(at: folder.url.appending(path: "other.jsonl"))
    let again = Task { await model.follow() }
    while model.problem != nil { await Task.yield() }
    again.cancel()
    await again.value
  }
}

import Foundation
import Streaks
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What an app costs that keeps a folder's ledger, measured in this process, which must do nothing else.
struct LibraryLoad {
  private let folder: StreakFolder
  private let now = Date()
  private static let observers = 6

  init(_ folder: String) {
    self.folder = StreakFolder(URL(filePath: folder), writer: "app")
  }

  func report(_ row: (String, String) -> Void) async throws {
    let start = LibraryLoad.usage()
    let habit = try await folder.ledger(now: now).streaks.first?.habit ?? ""
    let first = LibraryLoad.usage()
    row("app: first ledger, processor", milliseconds(first.processor - start.processor))
    row("app: peak memory, and before", "\(first.memory / 1024) MiB, \(start.memory / 1024) MiB")
    // The first makes the app's own segment, and every other finds it there.
    var appends: [Double] = []
    for _ in 0..<6 { appends.append(try await seconds { try await append(habit) }) }
    row("app: append, in the middle of five", milliseconds(Array(appends.dropFirst()).median))
    try await observe(habit, row)
    row("app: peak memory in the end", "\(LibraryLoad.usage().memory / 1024) MiB")
  }

  private func append(_ habit: String) async throws {
    try await folder.append(
      [.entry(habit, minutes: 12, level: "steady", completed: true)], now: now)
  }

  /// How long it takes until each of several observers has what was appended, what they cost while nobody writes, and
  /// how long they take to end.
  private func observe(_ habit: String, _ row: (String, String) -> Void) async throws {
    let (values, value) = AsyncStream<Int>.makeStream()
    let tasks = (0..<LibraryLoad.observers).map { _ in
      Task { [folder, now] in
        for await reading in folder.values(of: { $0.streak(of: habit)?.totals.entries }, now: { now }) {
          value.yield(try reading.get() ?? 0)
        }
      }
    }
    var seen = values.makeAsyncIterator()
    for _ in tasks { _ = await seen.next() }
    var times: [Double] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      try await append(habit)
      for _ in tasks { _ = await seen.next() }
      times.append(start.duration(to: .now) / .seconds(1))
    }
    row("app: append until \(LibraryLoad.observers) observers have it", milliseconds(times.median))
    let before = LibraryLoad.usage()
    try await Task.sleep(for: .seconds(5))
    let idle = (LibraryLoad.usage().processor - before.processor) / 5
    row("app: idle observers, processor", String(format: "%.2f ms a second", idle * 1000))
    let end = try await seconds {
      for task in tasks { task.cancel() }
      for task in tasks { try await task.value }
    }
    row("app: cancelling them", milliseconds(end))
  }

  private func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return start.duration(to: .now) / .seconds(1)
  }

  /// Seconds of the processor, and the largest resident size in KiB.
  private static func usage() -> (processor: Double, memory: Int) {
    var usage = rusage()
    // RUSAGE_SELF, which is a number on some systems and no number on others.
    _ = unsafe getrusage(0, &usage)
    return (
      [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 },
      Int(usage.ru_maxrss)
    )
  }
}

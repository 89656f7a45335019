import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Testing

struct StreakFolderTests {
  let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  func noon(_ day: Int) -> Date {
    ISO8601DateFormatter().date(from: "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00")
      ?? .distantPast
  }

  func entry(_ id: String, _ level: String = "steady") -> NewEvent {
    .entry("noalc", level: level, id: id)
  }

  func noalc() throws -> [Habit] { [try Habit(preset: "noalc")] }

  func folder(_ ledger: TemporaryLedger, _ writer: String = "app") -> StreakFolder {
    StreakFolder(URL(fileURLWithPath: ledger.events), writer: writer)
  }

  @Test func `events that an app appends are read by the program`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    let first = try await folder.append([entry("a"), entry("b", "easy")], now: noon(3))
    #expect(first.map(\.event) == ["a", "b"])
    #expect(first.map(\.position) == [3, 4])
    #expect(
      try await folder.append([entry("a"), entry("c")], now: noon(3)).map(\.isNew) == [false, true])
    #expect(ledger.run("show --json")["habits.noalc.current"] == "1")
    #expect(ledger.run("verify").status == .done)
    #expect(try await folder.ledger(now: noon(3)).streak(of: "noalc")?.current == 1)
  }

  @Test func `opening an existing folder again keeps its habits and its zone`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    let made = try await folder.open(orCreate: noalc(), timeZone: zone, now: noon(3))
    #expect(made.habits.map(\.id) == ["noalc"])
    let bytes = ledger.bytes(of: "app")

    let gym = try Habit(preset: "gym")
    let again = try await folder.open(orCreate: [gym], timeZone: .gmt, now: noon(4))
    #expect(again.habits.map(\.id) == ["noalc"])
    #expect(again.state.zone == "Europe/Berlin")
    #expect(ledger.bytes(of: "app") == bytes)
  }

  @Test(arguments: [true, false])
  func `after a flight an evening counts for its own day only if settings moved the ledger`(
    moves: Bool
  ) async throws {
    let newYork = try #require(TimeZone(identifier: "America/New_York"))
    let folder = folder(try TemporaryLedger())
    try await folder.create(noalc(), timeZone: zone, now: noon(5))
    // 20:00 on the 5th in New York is 2:00 on the 6th in Berlin.
    let evening = noon(5) + 14 * 3600
    if moves { try await folder.append(.settings(timeZone: newYork), now: evening) }
    try await folder.append(entry("a"), now: evening)
    let read = try await folder.ledger(now: evening)
    #expect(try read.entry(withID: "a")?.day == (moves ? "2025-11-05" : "2025-11-06"))
    #expect(read.state.zone == (moves ? "America/New_York" : "Europe/Berlin"))
  }

  @Test func `settings that move the ledger to a later day begin that day, like the program`()
    async throws
  {
    let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(5))
    let twin = try TemporaryLedger()
    try await self.folder(twin).create(noalc(), timeZone: zone, now: noon(5))
    // 14:00 in Berlin is 2:00 on the next day in Auckland.
    let later = noon(5) + 2 * 3600
    try await folder.append(.settings(timeZone: auckland), now: later)
    twin.now = "2025-11-05T14:00:00+01:00"
    #expect(twin.run("day --zone Pacific/Auckland").status == .done)
    let read = try await folder.ledger(now: later)
    #expect(read.today == "2025-11-06" && read.state.zone == "Pacific/Auckland")
    let moved = try await self.folder(twin).ledger(now: later)
    #expect(read.today == moved.today && read.state.zone == moved.state.zone)
  }

  @Test func `settings change the start of days and of weeks, and a late start is refused`()
    async throws
  {
    let folder = folder(try TemporaryLedger())
    try await folder.create(noalc(), timeZone: zone, now: noon(5))
    try await folder.append(.settings(dayStart: "04:00", weekStart: .sunday), now: noon(5))
    let read = try await folder.ledger(now: noon(5))
    #expect(read.day(of: noon(6) - 9 * 3600) == "2025-11-05" && read.state.zone == "Europe/Berlin")
    let late = await #expect(throws: StreakError.self) {
      try await folder.append(.settings(dayStart: "12:00"), now: noon(5))
    }
    #expect(late?.kind == .refused && late?.sentence.contains("11:59") == true)
  }

  @Test func `opening a damaged ledger is an error, and creates nothing`() async throws {
    let ledger = try TemporaryLedger()
    try await folder(ledger).create(noalc(), timeZone: zone, now: noon(3))
    try ledger.write(ledger.bytes(of: "app") + Array("{nonsense\n".utf8), to: "app.jsonl")
    let bytes = ledger.bytes(of: "app")
    await #expect {
      try await folder(ledger).open(orCreate: noalc(), timeZone: zone, now: noon(3))
    } throws: {
      ($0 as? StreakError)?.kind == .damaged
    }
    #expect(ledger.bytes(of: "app") == bytes)
  }

  @Test(arguments: ["/proc/none/events", "/dev/null/events"])
  func `a folder that can't be created is an error, but not reported as busy`(path: String)
    async throws
  {
    let folder = StreakFolder(URL(filePath: path), writer: "app", wait: .seconds(60))
    await #expect {
      try await folder.create(noalc(), timeZone: zone, now: noon(3))
    } throws: {
      ($0 as? StreakError)?.kind == .notWritten
    }
  }

  @Test(arguments: [(Double.nan, "NaN"), (.infinity, "infinity"), (-.infinity, "-infinity")])
  func `the error for a NaN or infinite measure names the value`(number: Double, name: String)
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    let sit = Habit("sit", rule: .minutes(atLeast: 2))
    try await folder.create([sit], timeZone: zone, now: noon(3))
    await #expect {
      try await folder.append(.entry("sit", minutes: number), now: noon(3))
    } throws: {
      ($0 as? StreakError)?.sentence.contains("\"minutes\" has \(name);") ?? false
    }
    await #expect {
      try await folder.define("sit", now: noon(3)) {
        $0.rule = .minutes(atLeast: Thousandths(number))
      }
    } throws: {
      ($0 as? StreakError)?.sentence.contains(name) ?? false
    }
  }

  @Test func `the localizedDescription of an error contains advice`() async throws {
    let ledger = try TemporaryLedger()
    try await folder(ledger).create(noalc(), timeZone: zone, now: noon(3))
    await #expect {
      try await folder(ledger).append(.entry("noacl", level: "steady"), now: noon(3))
    } throws: {
      $0.localizedDescription.contains("did you mean \"noalc\"")
    }
  }

  @Test func `an entry is exact with six decimals, and the totals are rounded once`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    let run = Habit("run", rule: .sum(of: .km, atLeast: 32.187, per: .week))
    try await folder.create([run], timeZone: zone, now: noon(3))
    for _ in 1...5 { try await folder.append(.entry("run", km: 6.437376), now: noon(3)) }

    let read = try await folder.ledger(now: noon(3))
    let entries = try read.entries(of: "run")
    #expect(entries.map(\.entry.km) == Array(repeating: 6.437376, count: 5))
    let streak = try #require(read.streak(of: "run"))
    #expect(streak.totals.km == 32.187)
    #expect(streak.progress?.total == 32.187)
    #expect(streak.current == 1)
    #expect(ledger.run("entries run --json").text.contains("\"km\":6.437376"))
  }

  @Test
  func `every kind of event can be appended by an app and read by the program`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, dayStart: "04:00", now: noon(3))
    var late = NewEvent.entry("noalc", level: "easy", note: "a wedding", id: "late")
    (late.at, late.by, late.cause, late.zone) = (noon(2), "app", "first", .gmt)
    try await folder.append(
      entry("first"), late, .delete("late", reason: "wrong day"), now: noon(3))
    try await folder.append(
      .excuse("2025-11-04"..."2025-11-05", habits: ["noalc"], reason: "ill"),
      .remind("noalc", at: "11:00"), now: noon(3))
    let celebration = try #require(try await folder.ledger(now: noon(3)).celebrations.first)
    try await folder.append(.seen(celebration), .retire("noalc"), now: noon(7))
    let read = try await folder.ledger(now: noon(8))
    #expect(read.celebrations.isEmpty && read.streak(of: "noalc")?.status == .retired)
    #expect(read.calendar(of: "noalc").map(\.verdict).contains(.excused))
    #expect(read.definitions(of: "noalc").map { $0.habit == nil } == [false, true])
    #expect(try read.entries().map(\.id) == ["first"])
    let deleted = try #require(try read.entries(includesDeleted: true).first)
    #expect(deleted.entry.note == "a wedding" && deleted.isDeleted && deleted.at == noon(2))
    #expect(deleted.day == "2025-11-02" && deleted.zone == "GMT")
    ledger.now = "2025-11-08T12:00:00+01:00"
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test(.timeLimit(.minutes(10))) func `an append that waits for another writer blocks no actor`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await StreakFolderTests.append(entry("a"), to: folder, now: noon(3))
  }

  /// The lock is released on the same actor, so an append that blocked it would always time out.
  @MainActor private static func append(_ event: NewEvent, to folder: StreakFolder, now: Date)
    async throws
  {
    for _ in 0..<4 {
      let lock = try LogWriter(
        folder: folder.url.path, writer: folder.writer, wait: 0, makesFolder: false)
      let appending = Task { try await folder.append(event, now: now) }
      for _ in 0..<100 { await Task.yield() }
      release(lock)
      do {
        #expect(try await appending.value.first?.isNew == true)
        return
      } catch let error as StreakError where error.kind == .busy {
        // On a busy machine, the actor may not get another turn within five seconds.
      }
    }
    Issue.record("each append waited in vain")
  }

  private static func release(_ lock: consuming LogWriter) {}

  @Test func `a follower gets every event once, even events of other writers`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    let all = folder.changes()
    #expect(try await all.next()?.get().type == .ledgerOpened)
    let known = try #require(try await all.next()?.get().cursor)
    let changes = folder.changes(after: known)
    try await folder.append([entry("a")], now: noon(3))
    let first = try #require(try await changes.next()?.get())
    #expect(first.event == "a")
    #expect(first.difference.changes.first { $0.path == "noalc.current" }?.after == .number(1))
    try await self.folder(ledger, "watch").append([entry("b", "easy"), entry("c")], now: noon(3))
    #expect(try await changes.next()?.get().event == "b")
    #expect(try await changes.next()?.get().event == "c")
    let waiting = Task { await changes.next() }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @Test
  func
    `an app that returns with a stored cursor gets all remaining changes, even of late events`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await self.folder(ledger, "phone").append([entry("p")], now: noon(4))
    let away = ledger.bytes(of: "phone")
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    try await folder.append([entry("a")], now: noon(5))
    var stored = try JSONEncoder().encode(StreakCursor.start)
    var given: [StreakChange] = []
    var fields: [String: StateValue] = [:]
    func read(_ count: Int) async throws {
      let cursor = try JSONDecoder().decode(StreakCursor.self, from: stored)
      let changes = folder.changes(after: cursor)
      for _ in 0..<count {
        let change = try #require(try await changes.next()?.get())
        given.append(change)
        for field in change.difference.changes {
          if field.path != "noalc.status" {
            #expect(
              fields[field.path] ?? .number(0)
                == (field.before == .null ? .number(0) : field.before))
          }
          fields[field.path] = field.after
        }
        stored = try JSONEncoder().encode(change.cursor)
      }
    }
    try await read(2)
    try await read(2)
    try ledger.write(away, to: "phone.jsonl")
    try await read(2)
    #expect(given.map(\.type).suffix(4) == [.dayChanged, .entryLogged, .dayChanged, .entryLogged])
    #expect(given.map(\.isLate) == [false, false, false, false, true, true])
    #expect(Set(given.map(\.event)).count == 6)
    #expect(
      fields["noalc.current"]
        == .number(
          Thousandths(try await folder.ledger(now: noon(5)).streak(of: "noalc")?.current ?? 0)))
    #expect(StreakCursor(rawValue: "?") == nil)
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    await #expect {
      try await read(1)
    } throws: {
      ($0 as? StreakError)?.kind == .pastChanged && "\($0)".contains("is missing; restore")
        && "\($0)".hasSuffix("; restore the file") && !"\($0)".contains("streaks:")
    }
  }
}

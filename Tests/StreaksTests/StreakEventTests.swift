import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Testing

/// An app's own fold of the events.
struct StreakEventTests {
  private func read(_ ledger: TemporaryLedger) async throws -> StreakLedger {
    let now = try #require(ISO8601DateFormatter().date(from: ledger.now))
    return try await StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app").ledger(
      now: now)
  }

  private func events(_ ledger: StreakLedger, at point: Point = .end) throws -> [StreakEvent] {
    try ledger.fold(at: point, into: []) { $0.append($1) }
  }

  @Test func `an event has the fields of its type and the additional fields of apps`() async throws
  {
    let ledger = try TemporaryLedger(running: "init meditation")
    let line = """
      {"id":"a","type":"entry.logged","habit":"meditation","minutes":12.5,"x_mood":{"now":[1,null]}}
      """
    ledger.run("append", input: line + "\n")
    let event = try #require(try events(await read(ledger)).last)
    #expect(event.id == "a")
    #expect(event.position == 3)
    #expect(event.type == .entryLogged)
    #expect(event.habit == "meditation")
    #expect(event.entry?.minutes == 12.5)
    #expect(event.fields["minutes"]?.number == 12.5)
    #expect(event.fields["x_mood"] == .object(["now": .list([.number(1), .null])]))
  }

  @Test func `a change has the id, type, day, habit and fields of its event`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let line = #"{"id":"a","type":"entry.logged","habit":"meditation","minutes":9,"x_mood":"ok"}"#
    ledger.run("append", input: line + "\n")
    let change = try #require(try await read(ledger).timeline().last)
    #expect(change.event == "a" && change.type == .entryLogged && change.habit == "meditation")
    #expect(change.day == "2025-11-03")
    #expect(change.fields["minutes"]?.number == 9 && change.fields["x_mood"]?.text == "ok")
  }

  @Test
  func `an event reports whether its entry is deleted or replaced at the chosen point`()
    async throws
  {
    let ledger = try TemporaryLedger(running: "init meditation")
    ledger.run("log meditation 12 --id a --key k")
    ledger.run("log meditation 15 --id b --key k")
    ledger.run("delete b")
    let read = try await read(ledger)

    func marks(at position: Int) throws -> [String] {
      try events(read, at: .position(position)).filter { $0.entry != nil }.map {
        "\($0.id) \($0.isDeleted) \($0.replacement ?? "-") \($0.isStanding)"
      }
    }
    #expect(try marks(at: 3) == ["a false - true"])
    #expect(try marks(at: 4) == ["a false b false", "b false - true"])
    #expect(try marks(at: 5) == ["a false b false", "b true - false"])
  }

  @Test func `a copied event is folded once, without its redacted text`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    ledger.run("log meditation 12 --id a --note secret")
    try ledger.write(ledger.bytes(of: "main"), to: "copy.jsonl")
    ledger.run("redact a --fields note")
    let events = try events(await read(ledger))
    #expect(events.filter { $0.id == "a" }.map(\.entry?.note) == [""])
    #expect(events.map(\.position) == Array(1...events.count))
  }

  @Test
  func `a fold of the sample up to any point has the entries that count at that point`()
    async throws
  {
    let folder = StreakFolder(URL(filePath: "\(Repository.root)/events"))
    let ledger = try await folder.ledger()
    for position in stride(from: 100, through: 4900, by: 300) {
      let counts = try ledger.fold(at: .position(position), into: [Habit.ID: Int]()) {
        counts, event in
        if event.isStanding, let entry = event.entry { counts[entry.habit, default: 0] += 1 }
      }
      // `countsFrom` can leave out early entries of a habit, so a total is at most the count.
      for streak in try ledger.state(at: .position(position)).habits {
        #expect(streak.totals.entries <= counts[streak.habit] ?? 0)
      }
      let noalc = try ledger.state(at: .position(position)).habits.first { $0.habit == "noalc" }
      #expect(noalc?.totals.entries ?? 0 == counts["noalc"] ?? 0)
    }
  }

  @Test func `a fold at a point that doesn't exist is refused`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let read = try await read(ledger)
    #expect {
      try events(read, at: .position(99))
    } throws: {
      ($0 as? StreakError)?.kind == .notFound
    }
  }

  @Test func `events in memory are folded after the events of the folder`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    var read = try await read(ledger)
    try read.append(
      .entry("meditation", minutes: 5, id: "memory"),
      now: try #require(ISO8601DateFormatter().date(from: ledger.now)))
    let events = try events(read)
    #expect(events.last?.id == "memory")
    #expect(events.last?.writer == nil)
    #expect(events.first?.writer == "main")
  }

  @Test func `an app's own field is stored, kept by a correction, and read again`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let now = try #require(ISO8601DateFormatter().date(from: ledger.now))
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    var sitting = NewEvent.entry("meditation", minutes: 5, id: "a")
    sitting.fields = ["x_mood": "calm", "x_pulse": 61.5, "x_tags": .list(["a", true])]
    try await folder.append(sitting, now: now)
    let logged = try #require(try await folder.ledger(now: now).entry(withID: "a"))
    #expect(logged.fields == sitting.fields)

    var longer = logged.entry
    longer.minutes = 9
    try await folder.append(logged.replaced(by: longer), now: now)
    let entries = try await folder.ledger(now: now).entries(of: "meditation")
    #expect(entries.map(\.entry.minutes) == [9])
    #expect(entries.first?.fields == sitting.fields)
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `an app's own field needs a name that begins with x_`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    var sitting = NewEvent.entry("meditation", minutes: 5)
    sitting.fields = ["mood": "calm"]
    let now = try #require(ISO8601DateFormatter().date(from: ledger.now))
    await #expect {
      try await folder.append(sitting, now: now)
    } throws: {
      "\($0)".contains("the app's field \"mood\" must have a name that begins with x_")
    }
  }

  @Test func `a fold before the first event gives the first value`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    #expect(
      try await read(ledger).fold(at: .day("2025-11-02"), into: 7) {
        $0 += 1; _ = $1
      } == 7)
  }

  @Test func `a fold of events in memory ends at its point`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let now = try #require(ISO8601DateFormatter().date(from: ledger.now))
    var read = try await read(ledger)
    for day in 1...3 {
      let later = now.addingTimeInterval(Double(day) * 86_400)
      try read.append(.entry("meditation", minutes: Double(day), id: "m\(day)"), now: later)
    }
    let all = try events(read).map(\.id)
    let second = try #require(all.firstIndex(of: "m2"))
    #expect(try events(read, at: .position(second + 1)).map(\.id) == Array(all[...second]))
    #expect(try read.state(at: .position(second + 1)).position == second + 1)
    #expect(try events(read, at: .event("m1")).last?.id == "m1")
    let byDay = try events(read, at: .day("2025-11-05")).map(\.id)
    #expect(byDay == Array(all[...second]))
    let stateByDay = try read.state(at: .day("2025-11-05")).event
    #expect(stateByDay == "m2")
  }

  @Test func `an app's field of NaN is refused by its name`() async throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    var sitting = NewEvent.entry("meditation", minutes: 5)
    sitting.fields = ["x_pulse": .number(.nan)]
    let now = try #require(ISO8601DateFormatter().date(from: ledger.now))
    await #expect {
      try await folder.append(sitting, now: now)
    } throws: {
      ($0 as? StreakError)?.kind == .outOfRange && "\($0)".contains("\"x_pulse\" is nan")
    }
  }
}

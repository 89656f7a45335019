import Foundation
import StreakCommands
import Streaks
import TestSupport
import Testing

/// A ledger's folder in an app: appended to, followed, explained.
struct StreakFolderTests {
  private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func noon(_ day: Int) -> Date {
    ISO8601DateFormatter().date(from: "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00") ?? .distantPast
  }

  private func entry(_ id: String, _ level: String = "steady") -> String {
    #"{"id":"\#(id)","type":"entry.logged","habit":"noalc","level":"\#(level)"}"#
  }

  private func folder(_ ledger: TemporaryLedger, _ writer: String = "app") -> StreakFolder {
    StreakFolder(URL(fileURLWithPath: ledger.events), writer: writer)
  }

  @Test func `what an app appends is what the program reads`() throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try folder.create(["noalc"], timeZone: zone, now: noon(3))
    let first = try folder.append([entry("a"), entry("b", "easy")], now: noon(3))
    #expect(first.map(\.event) == ["a", "b"])
    #expect(first.map(\.position) == [3, 4])
    #expect(try folder.append([entry("a"), entry("c")], now: noon(3)).map(\.isNew) == [false, true])
    #expect(ledger.run("show --json")["habits.noalc.current"] == "1")
    #expect(ledger.run("verify").status == .done)
    #expect(try folder.ledger().streak(of: "noalc", now: noon(3))?.current == 1)
  }

  @Test func `a ledger in a zone that this machine does not know is refused, for its days would be wrong`()
    throws
  {
    let ledger = try TemporaryLedger()
    try folder(ledger).create(["noalc"], timeZone: zone, now: noon(3))
    let bytes = ledger.bytes(of: "app")
    try ledger.write(
      Array(String(decoding: bytes, as: UTF8.self).replacing("Europe/Berlin", with: "Europe/Berlim").utf8),
      to: "app.jsonl")
    #expect {
      try folder(ledger).ledger()
    } throws: {
      "\($0)".contains("\"Europe/Berlim\" is unknown to this machine (did you mean \"Europe/Berlin\"")
    }
    #expect(ledger.run("show").errors.contains("\"Europe/Berlim\" is unknown to this machine"))
    #expect(ledger.run("show").status == .notWritten && ledger.run("show --on 2025-11-03").status == .done)
  }

  @Test func `each kind of error says what to do, and nothing is written`() throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    func kind(_ body: () throws(StreakError) -> Void) -> StreakError.Kind? {
      do throws(StreakError) {
        try body()
        return nil
      } catch { return error.kind }
    }
    #expect(kind { () throws(StreakError) in _ = try folder.append([entry("a")], now: noon(3)) } == .notFound)
    #expect(
      kind { () throws(StreakError) in try folder.create(["noalk"], timeZone: zone, now: noon(3)) }
        == .notFound)
    try folder.create(["noalc"], timeZone: zone, now: noon(3))
    try folder.append([entry("a")], now: noon(3))
    let before = ledger.bytes(of: "app")
    #expect(kind { () throws(StreakError) in try folder.create(timeZone: zone, now: noon(3)) } == .conflict)
    #expect(
      kind { () throws(StreakError) in _ = try folder.append([entry("a", "wild")], now: noon(3)) }
        == .conflict)
    #expect(
      kind { () throws(StreakError) in _ = try folder.append([entry("x"), "{"], now: noon(3)) } == .refused)
    #expect(
      kind { () throws(StreakError) in
        try self.folder(ledger, "../app").append([entry("y")], now: noon(3))
      } == .refused)
    #expect(ledger.bytes(of: "app") == before)
    #expect(
      kind { () throws(StreakError) in _ = try folder.ledger().why("noalk", now: noon(3)) } == .notFound)
    #expect(
      kind { () throws(StreakError) in _ = try folder.ledger().why("noalc", on: "1999-01-01", now: noon(3)) }
        == .notFound)
  }

  @Test func `changes added up are the state`() throws {
    let folder = StreakFolder(URL(fileURLWithPath: Repository.root + "/events"))
    let ledger = try folder.ledger()
    var fields: [String: String] = [:]
    let changes = ledger.changes
    for change in changes {
      for field in change.fields { fields[field.path] = field.after?.description }
    }
    for habit in ledger.habits {
      let last = try #require(changes.last?.day)
      let end = try #require(ISO8601DateFormatter().date(from: last + "T12:00:00Z"))
      let streak = try #require(ledger.streak(of: habit, now: end))
      #expect(fields["\(habit).current"] == "\(streak.current)")
      #expect(fields["\(habit).longest"] == "\(streak.longest)")
      #expect(fields["\(habit).status"] == streak.status)
    }
  }

  @Test func `a follower is told of every event once, of other writers and late segments too`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try folder.create(["noalc"], timeZone: zone, now: noon(3))
    var all = folder.changes(every: .milliseconds(1)).makeAsyncIterator()
    #expect(try await all.next()?.type == "ledger.opened")
    let known = try #require(try await all.next()?.cursor)
    var changes = folder.changes(after: known, every: .milliseconds(1)).makeAsyncIterator()
    try folder.append([entry("a")], now: noon(3))
    let first = try #require(try await changes.next())
    #expect(first.event == "a")
    #expect(first.fields.first { $0.path == "noalc.current" }?.after == .number(1))
    try self.folder(ledger, "watch").append([entry("b", "easy"), entry("c")], now: noon(3))
    #expect(try await changes.next()?.event == "b")
    #expect(try await changes.next()?.event == "c")
    let waiting = Task { [changes] in
      var changes = changes
      return try await changes.next()
    }
    waiting.cancel()
    #expect(try await waiting.value == nil)
  }

  @Test
  func `an app that comes back with its stored cursor is given the rest, late events too, and all add up`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try folder.create(["noalc"], timeZone: zone, now: noon(3))
    try self.folder(ledger, "phone").append([entry("p")], now: noon(4))
    let away = ledger.bytes(of: "phone")
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    try folder.append([entry("a")], now: noon(5))
    var stored = try JSONEncoder().encode(StreakCursor.start)
    var given: [StreakChange] = []
    var fields: [String: StreakChange.Value] = [:]
    func read(_ count: Int) async throws {
      let cursor = try JSONDecoder().decode(StreakCursor.self, from: stored)
      var changes = folder.changes(after: cursor, every: .milliseconds(1)).makeAsyncIterator()
      for _ in 0..<count {
        let change = try #require(try await changes.next())
        given.append(change)
        for field in change.fields {
          if field.path != "noalc.status" {
            #expect(fields[field.path] ?? .number(0) == field.before ?? .number(0))
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
    #expect(given.map(\.type).suffix(4) == ["day.changed", "entry.logged", "day.changed", "entry.logged"])
    #expect(given.map(\.isLate) == [false, false, false, false, true, true])
    #expect(Set(given.map(\.event)).count == 6)
    #expect(
      fields["noalc.current"]
        == .number(Double(try folder.ledger().streak(of: "noalc", now: noon(5))?.current ?? 0)))
    #expect(StreakCursor(rawValue: "?") == nil)
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    await #expect {
      try await read(1)
    } throws: {
      ($0 as? StreakError)?.kind == .refused && "\($0)".contains("is missing; bring back")
    }
  }

  @Test func `a day is explained with the events behind it`() throws {
    let folder = StreakFolder(URL(fileURLWithPath: Repository.root + "/events"))
    let why = try folder.ledger().why("noalc", on: "2025-10-22", now: noon(20))
    #expect(why.verdict == "bad")
    #expect(why.runBefore > 0)
    #expect(why.runAfter == 0)
    #expect(why.sentences.contains { $0.hasPrefix("Logged: easy") })
    #expect(why.entries.allSatisfy { id in why.sentences.contains { $0.contains(id) } })
  }
}

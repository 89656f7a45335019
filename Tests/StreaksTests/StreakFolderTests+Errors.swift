import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Testing

extension StreakFolderTests {
  @Test
  func
    `a ledger in a time zone that this machine doesn't know is refused`()
    async throws
  {
    let ledger = try TemporaryLedger()
    try await folder(ledger).create(noalc(), timeZone: zone, now: noon(3))
    let bytes = ledger.bytes(of: "app")
    try ledger.write(
      Array(
        String(decoding: bytes, as: UTF8.self).replacing("Europe/Berlin", with: "Europe/Berlim")
          .utf8),
      to: "app.jsonl")
    await #expect {
      try await folder(ledger).ledger(now: noon(3))
    } throws: {
      "\($0)".contains(
        "\"Europe/Berlim\" is unknown to this machine (did you mean \"Europe/Berlin\"")
    }
    #expect(ledger.run("show").errors.contains("\"Europe/Berlim\" is unknown to this machine"))
    #expect(
      ledger.run("show").status == .notWritten && ledger.run("show --on 2025-11-03").status == .done
    )
  }

  @Test
  func `an app without a writer name gets the machine's own, unless the ledger has 64 segments`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events))
    #expect(folder.writer == Machine.current().segment(in: ledger.events))
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    #expect(
      ledger.files().contains("\(folder.writer).jsonl") && ledger.files().contains(".gitattributes")
    )
    #expect(StreakFolder(folder.url).writer == folder.writer)
    #expect(StreakFolder(folder.url.appending(path: "other")).writer != folder.writer)
    let crowd = try TemporaryLedger()
    try await self.folder(crowd).create(noalc(), timeZone: zone, now: noon(3))
    for number in 2...64 { try crowd.write([], to: "s\(number).jsonl") }
    let before = crowd.contents()
    await #expect {
      try await StreakFolder(URL(fileURLWithPath: crowd.events)).append(entry("a"), now: noon(3))
    } throws: {
      ($0 as? StreakError)?.kind == .refused && "\($0)".contains("the ledger has 64 segments")
    }
    #expect(crowd.contents() == before)
    #expect(try await self.folder(crowd).append(entry("a"), now: noon(3)).count == 1)
  }

  /// Returns the kind of the error that `body` throws; its message must mention neither the command
  /// line nor the library's calls, which an app's users don't know.
  private func kind(_ body: () async throws -> Void) async -> StreakError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      let words = ["streaks ", "streaks:", "--", "isForced", "Corrected", "create", "StreakCursor"]
      #expect(!words.contains { "\(error)".contains($0) }, "\(error)")
      return (error as? StreakError)?.kind
    }
  }

  @Test func `each refused event has its own kind of error, and nothing is written`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    #expect(await kind { _ = try await folder.append(entry("a"), now: noon(3)) } == .notFound)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(entry("a"), now: noon(3))
    let before = ledger.bytes(of: "app")

    let refused: [(NewEvent, StreakError.Kind)] = [
      (entry("a", "wild"), .conflict), (.entry("noalk", level: "steady"), .unknownHabit),
      (.entry("noalc"), .needsMeasure), (.entry("noalc", drinks: 101), .outOfRange),
    ]
    for (event, wanted) in refused {
      #expect(await kind { _ = try await folder.append(event, now: noon(3)) } == wanted)
    }
    #expect(await kind { try await folder.create(timeZone: zone, now: noon(3)) } == .conflict)
    #expect(
      await kind { _ = try await folder.append(entry("x"), entry("y", "z"), now: noon(3)) }
        == .refused)
    #expect(ledger.bytes(of: "app") == before)
  }

  @Test
  func `a bad writer's name, a clock behind the ledger and a lock are errors of their own kinds`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    let outside = self.folder(ledger, "../app")
    #expect(await kind { _ = try await outside.append(entry("y"), now: noon(3)) } == .refused)
    let early =
      Calendar(identifier: .gregorian).date(byAdding: .day, value: -9, to: noon(3)) ?? noon(1)
    #expect(await kind { _ = try await folder.append(entry("y"), now: early) } == .clockAhead)

    let busy = try LogWriter(folder: ledger.events, writer: "other", wait: 0, makesFolder: false)
    let hasty = StreakFolder(folder.url, writer: "app", wait: .milliseconds(10))
    #expect(await kind { _ = try await hasty.append(entry("y"), now: noon(3)) } == .busy)
    _ = consume busy
  }

  @Test
  func
    `an unknown habit, a missing day or point, and an unknown field are errors of their own kinds`()
    async throws
  {
    let folder = folder(try TemporaryLedger())
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    let read = try await folder.ledger(now: noon(3))
    #expect(await kind { _ = try read.why("noalk") } == .unknownHabit)
    #expect(await kind { _ = try read.why("noalc", on: "1999-01-01") } == .notFound)
    for point in [Point.position(9), .event("b"), .time(noon(2))] {
      #expect(await kind { _ = try read.state(at: point) } == .notFound)
    }
    #expect(await kind { _ = try read.when("noalc.curent > 2") } == .refused)
  }

  @Test func `an append reports a day that moved far ahead, and dayCorrected reverts the move`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(9))
    #expect(try await folder.append(entry("a"), now: noon(10)).map(\.movedDay) == [nil])
    #expect(try await folder.append(entry("b"), now: noon(28)).map(\.movedDay) == ["2025-11-28"])
    let refused = await #expect(throws: StreakError.self) {
      try await folder.append(entry("c"), now: noon(11))
    }
    #expect(
      refused?.description.contains("the ledger is already at 2025-11-28, set by this event")
        == true)
    #expect(try await folder.append(entry("b"), now: noon(11)).map(\.isNew) == [false])
    try await folder.append(.dayCorrected(to: "2025-11-11"), now: noon(11))
    #expect(try await folder.ledger(now: noon(11)).today == "2025-11-11")
    #expect(try await folder.append(entry("c"), now: noon(11)).map(\.isNew) == [true])
  }

  @Test
  func `a clock after 2199 gives the last day, and a clock that was set back needs isForced`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(9))
    try await folder.append(entry("a"), now: noon(9))
    for date in [Date.distantFuture, Date(timeIntervalSince1970: 1e300)] {
      let last = try await folder.ledger(now: date)
      #expect(last.today == "2199-12-31" && last.seen(now: date).today == "2199-12-31")
    }
    #expect(try await folder.ledger(now: .distantPast).today == "2025-11-09")
    let error = await #expect(throws: StreakError.self) {
      try await folder.append([entry("b")], now: noon(3))
    }
    #expect(error?.kind == .clockAhead)
    #expect(error?.description.hasSuffix("; check the date of this device") == true)
    #expect(
      try await folder.append([entry("b")], now: noon(3), isForced: true).map(\.isNew) == [true])
    await #expect(throws: StreakError.self) {
      try await folder.define("noalc", now: noon(3)) { $0.name = "N" }
    }
    #expect(
      try await folder.define("noalc", now: noon(3), isForced: true) { $0.name = "N" }.count == 1)
    await #expect(throws: StreakError.self) { try await folder.undo(now: noon(3)) }
    let undone = try await folder.undo(now: noon(3), isForced: true)
    #expect(undone.events.count == 1)
    let restored = try await folder.undo(undone.events[0], now: noon(3), isForced: true)
    #expect(restored.events.count == 1)
    let twice = await #expect(throws: StreakError.self) {
      try await folder.append([entry("c"), entry("c", "wild")], now: noon(9), isForced: true)
    }
    #expect(twice?.description.contains("(level \"steady\", not \"wild\") of this batch") == true)
    try ledger.write(
      Array(#"{"id":"n","type":"entry.logged","v":2}"#.utf8) + [10] + ledger.bytes(of: "app"),
      to: "app.jsonl"
    )
    let newer = await #expect(throws: StreakError.self) { try await folder.ledger(now: noon(9)) }
    #expect(
      newer?.kind == .newer && newer?.description.contains("--") == false,
      "\(String(describing: newer))")
    #expect(newer?.recoverySuggestion?.contains("update the app") == true)
  }

  @Test func `a segment that came back shorter is a notice, and its writer must restore it`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    let backup = ledger.bytes(of: "app")
    try await folder.append(entry("a"), now: noon(3))
    try await self.folder(ledger, "widget").append(entry("w"), now: noon(4))
    #expect(try await folder.ledger(now: noon(4)).notices == [])

    try ledger.write(backup, to: "app.jsonl")
    let short = "app.jsonl is short: 1 of the 3 lines that \(ledger.events)/widget.jsonl:1 saw"
    let notice = "\(ledger.events)/\(short) are missing; bring it back"
    #expect(try await folder.ledger(now: noon(4)).notices == [notice])
    #expect(try await folder.ledger(now: noon(4), skipping: .unreadable).notices == [notice])
    #expect(ledger.run("show").errors.contains(notice))

    let refused = await #expect(throws: StreakError.self) {
      try await folder.append(entry("b"), now: noon(4))
    }
    #expect(refused?.kind == .pastChanged)
    #expect(refused?.sentence.hasSuffix("so nothing is appended to it; restore the file") == true)
  }

  @Test func `a folder whose URL is not a file URL traps`() async {
    await #expect(processExitsWith: .failure) {
      guard let url = URL(string: "https://example.org/x") else { return }
      _ = StreakFolder(url, writer: "app")
    }
  }

  @Test(arguments: ["{}\n", "x", #"{"id":"a","type":"entry.logged"}"# + "\n"])
  func `an unreadable stored line is an error with its location, and nothing is written`(
    line: String
  ) async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try ledger.write(Array(line.utf8) + ledger.bytes(of: "app"), to: "app.jsonl")
    let before = ledger.bytes(of: "app")
    for event in ["a", "b"] {
      await #expect {
        try await folder.append(entry(event), now: noon(3))
      } throws: {
        let error = $0 as? StreakError
        return error?.kind == .damaged && error?.place?.line == 1
          && error?.place?.file.lastPathComponent == "app.jsonl" && "\($0)".contains("app.jsonl:1")
          && error?.sentence.contains("/") == false
      }
    }
    #expect(ledger.bytes(of: "app") == before)
  }

  @Test
  func `entries and timeline throw an error if the events can no longer be read`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(entry("a"), now: noon(3))
    let read = try await folder.ledger(now: noon(3))
    #expect(try read.entries().count == 1 && read.timeline().count == 3)
    let damaged = String(decoding: ledger.bytes(of: "app"), as: UTF8.self).replacing(
      "entry.logged", with: "entry logged")
    try ledger.write(Array(damaged.utf8), to: "app.jsonl")
    #expect(throws: StreakError.self) { try read.entries() }
    #expect(throws: StreakError.self) { try read.entry(withID: "a") }
    #expect(throws: StreakError.self) { try read.timeline() }
    try FileManager.default.removeItem(atPath: ledger.events)
    #expect(throws: StreakError.self) { try read.entries() }
    #expect(throws: StreakError.self) { try read.timeline() }
  }

  @Test func `an error's sentence has no path and no command, and the location is separate`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(9))
    try await folder.append(entry("a"), now: noon(9))
    let taken = try await #require(throws: StreakError.self) {
      try await folder.append(entry("a", "wild"), now: noon(9))
    }
    #expect(
      taken.kind == .conflict && taken.place?.line == 3,
      "\(taken) \(String(describing: taken.place))")
    #expect(
      taken.sentence
        == """
        the id \"a\" is taken by a different event (level \"steady\", not \"wild\"); give this \
        one another id
        """
    )
    let unknown = try await #require(throws: StreakError.self) {
      try await folder.append(.entry("noalk", level: "steady"), now: noon(9))
    }
    #expect(unknown.sentence == "no habit \"noalk\" is defined (did you mean \"noalc\"?)")
  }

  @Test func `replacing an entry keeps its day and its time`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(9))
    try await folder.append(entry("a"), now: noon(9))
    let logged = try #require(try await folder.ledger(now: noon(10)).entry(withID: "a"))
    var other = logged.entry
    other.level = "wild"
    try await folder.append(logged.replaced(by: other), now: noon(10), isForced: false)
    let entries = try await folder.ledger(now: noon(10)).entries()
    #expect(entries.map(\.entry.level) == ["wild"] && entries.map(\.day) == [logged.day])
    #expect(entries.map(\.at) == [logged.at])
    #expect(
      ledger.run(["why", "noalc", "2025-11-09", "--events", folder.url.path]).text.contains("wild"))
  }
}

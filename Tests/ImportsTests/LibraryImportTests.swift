import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import StreaksImports
import Testing

struct LibraryImportTests {
  private let ledger: TemporaryLedger
  private let folder: StreakFolder
  private let now: Date

  init() throws {
    ledger = try TemporaryLedger(running: "init meditation game noalc cardio")
    now = try #require(Timestamp(ledger.now)).instant.date
    folder = StreakFolder(URL(filePath: ledger.events), writer: "app")
  }

  private func planned(_ words: [String]) throws -> Set<String> {
    let output = ledger.run(["import"] + words + ["--dry-run", "--json"])
    let document = try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any]
    return Set(try #require(document?["events"] as? [String], "\(output.screen)"))
  }

  private func check(_ records: ImportedRecords, _ words: [String]) async throws -> ImportSummary {
    let planned = try planned(words)
    #expect(planned.count > 0)
    let before = Set(try events().map(\.id))
    let tried = try await folder.importRecords(records, isDry: true, now: now)
    #expect(Set(try events().map(\.id)) == before)
    let summary = try await folder.importRecords(records, now: now)
    #expect(summary == tried)
    let after = try events()
    #expect(Set(after.map(\.id)).subtracting(before) == planned)
    let again = try await folder.importRecords(records, now: now)
    #expect(again.imported == 0 && again.defined == [] && again.alreadyThere > 0)
    #expect(try events() == after)
    #expect(try self.planned(words) == [])
    return summary
  }

  private func events() throws -> [Event] {
    var options = ReadingOptions()
    options.wantsEvents = true
    var stream = try EventStream(folder: ledger.events, options: options)
    var (names, item, found) = (SymbolTable(), StreamItem(), [Event]())
    while try stream.next(&item, names: &names) {
      if let event = item.event { found.append(event) }
    }
    return found
  }

  @Test func `the library imports a table like the command`() async throws {
    let path = try ledger.file(
      "runs.csv", Array("2025-11-01;5.2;31\n2025-11-02;3;20\n2031-01-01;1;1\n".utf8))
    let summary = try await check(
      .csv(
        URL(filePath: path), habit: "cardio", columns: ["day", "km", "minutes"], hasHeader: false,
        separator: ";"),
      [
        "csv", path, "--habit", "cardio", "--columns", "day,km,minutes", "--no-header",
        "--separator", ";",
      ])
    #expect(summary.imported == 2 && summary.habits.map(\.habit) == ["cardio"])
    #expect(
      summary.leftOut.map(\.reason) == ["belongs to a day that has not begun yet"]
        && summary.leftOut.map(\.count) == [1])
    #expect(summary.events.count == 2 && summary.notes.isEmpty)
    try await folder.append(.entry("meditation", minutes: 5), now: now)
    let undone = try await folder.undo(summary.events[0], now: now)
    #expect(undone.difference.changes.contains { $0.path == "cardio.totals.entries" })
    let again = try await folder.importRecords(
      .csv(
        URL(filePath: path), habit: "cardio", columns: ["day", "km", "minutes"], separator: ";"),
      now: now)
    #expect(again.deleted == 0 && again.imported == 2)
  }

  @Test
  func `the library imports a table with custom words for done, not done and excused`() async throws
  {
    let table = "day,done,minutes\n2025-11-01,sat,5\n2025-11-02,ill,\n2025-11-03,lazy,\n"
    let path = try ledger.file("table.csv", Array(table.utf8))
    let summary = try await check(
      .csv(
        URL(filePath: path), habit: "meditation", done: ["sat"], missed: ["lazy"],
        excused: ["ill"]),
      [
        "csv", path, "--habit", "meditation", "--done", "sat", "--missed", "lazy", "--excused",
        "ill",
      ])
    #expect(summary.imported == 2 && summary.leftOut.map(\.reason) == ["was not done"])
  }

  @Test func `the library imports a Loop export and defines its new habits`() async throws {
    let path = Repository.root + "/Tests/Fixtures/imports/loop"
    let summary = try await check(
      .loop(URL(filePath: path), habits: ["Pages": "meditation"]),
      ["loop", path, "--habit", "Pages=meditation"])
    #expect(summary.defined.contains("wake_up_early"))
  }

  @Test func `the library imports a Health export filtered by source`() async throws {
    let text = HealthXML.export([
      HealthXML.drinks("2025-11-01 19:00", "2"),
      HealthXML.mindful("2025-11-02 07:00", "2025-11-02 07:10"),
      HealthXML.mindful("2025-11-02 20:00", "2025-11-02 20:05", from: "Other"),
    ])
    let path = try ledger.file("export.xml", Array(text.utf8))
    let summary = try await check(
      .appleHealth(URL(filePath: path), from: ["Diary", "Sitting"]),
      ["apple-health", path, "--source", "Diary", "--source", "Sitting"])
    #expect(summary.leftOut.map(\.reason) == ["from another source"])
  }

  /// Each record is new for one of the two imports only, whichever of them writes first.
  @Test func `two simultaneous imports count each record once`() async throws {
    let (folder, now) = (folder, now)
    for round in 1...5 {
      let rows = "2025-11-01,\(round)\n2025-11-02,\(round)\n"
      let path = try ledger.file("steps.csv", Array(("day,minutes\n" + rows).utf8))
      let records = ImportedRecords.csv(URL(filePath: path), habit: "meditation")
      let other = StreakFolder(URL(filePath: ledger.events), writer: "other")
      async let first = folder.importRecords(records, now: now)
      async let second = other.importRecords(records, now: now)
      let both = try await [first, second]
      #expect(
        both.map(\.imported).reduce(0, +) == 2 && both.flatMap(\.events).count == 2, "\(both)")
      #expect(both.map(\.alreadyThere).reduce(0, +) == 2)
    }
  }

  @Test(arguments: ["day,done\n2025-11-01,yes\n", "day,level\n2025-11-01,sober\n"])
  func `a dry import by the library is refused with the same error as the real import`(
    table: String
  ) async throws {
    let path = try ledger.file("table.csv", Array(table.utf8))
    let habit = table.contains("level") ? "noalc" : "meditation"
    let records = ImportedRecords.csv(URL(filePath: path), habit: habit)
    var errors: [StreakError] = []
    for isDry in [true, false] {
      errors.append(
        try await #require(throws: StreakError.self) {
          try await folder.importRecords(records, isDry: isDry, now: now)
        })
    }
    #expect(errors[0] == errors[1])
    #expect(ledger.run(["import", "csv", path, "--habit", habit, "--dry-run"]).status == .badData)
  }

  @Test(arguments: [
    ("day,minutes\n03.11.2025,1\n", "; dates: dd.mm.yyyy reads it"),
    ("day,minutes\nsoon 1,1\n", "; dates: dd.mm.yyyy names another order"),
    ("day,minutes\n2025-11-01,\"1,5\"\n", "; isDecimalComma reads a comma"),
    ("day,minutes\n2025-11-01,none\n", "; missed and excused give words a meaning"),
    ("day,completed\n2025-11-01,perhaps\n", "; done perhaps gives it a meaning"),
    ("day,habit,minutes\n2025-11-01,meditation,1\n", "it needs a habit, or a column habit"),
  ])
  func `an error of a table names the parameters of the library, not the options of the program`(
    table: String, words: String
  ) async throws {
    let path = try ledger.file("table.csv", table)
    let records = ImportedRecords.csv(URL(filePath: path), habit: "meditation")
    let error = try await #require(throws: StreakError.self) {
      try await folder.importRecords(records, now: now)
    }
    #expect(error.sentence.contains(words) && !error.description.contains("--"), "\(error)")
    let program = ledger.run(["import", "csv", path, "--habit", "meditation"])
    #expect(program.errors.contains("--"), "\(program.errors)")
  }

  @Test func `names that differ only in case are one habit from the first import on`()
    async throws
  {
    let table = "Date,Dishes,dishes,\n2025-11-01,2,-1,\n2025-11-02,-1,2,\n"
    _ = try ledger.file("export/Checkmarks.csv", table)
    let habits = "Name,Type,FrequencyNumerator,FrequencyDenominator\nDishes,YES_NO,1,1\n"
    _ = try ledger.file("export/Habits.csv", habits)
    let records = ImportedRecords.loop(URL(filePath: ledger.folder + "/export"))
    let first = try await folder.importRecords(records, now: now)
    #expect(first.imported == 2 && first.defined == ["dishes"], "\(first)")
    let again = try await folder.importRecords(records, now: now)
    #expect(again.events.isEmpty && again.alreadyThere == 2)
  }

  @Test func `the library reports the unused columns of a table`() async throws {
    let path = try ledger.file("shoes.csv", Array("day,minutes,Shoes\n2025-11-01,5,red\n".utf8))
    let records = ImportedRecords.csv(URL(filePath: path), habit: "meditation")
    #expect(
      try await folder.importRecords(records, isDry: true, now: now).notes == [
        "columns not used: \"Shoes\""
      ])
  }

  @Test func `the notes of an import name no commands to an app`() async throws {
    for rows in ["2025-10-10,5\n2025-10-11,5\n2025-10-12,5\n", "2025-10-10,5\n2025-10-12,5\n"] {
      let path = try ledger.file("missing.csv", Array("day,minutes\n\(rows)".utf8))
      let table = ImportedRecords.csv(URL(filePath: path), habit: "meditation")
      let notes = try await folder.importRecords(table, since: "2025-10-01", now: now).notes
      let days =
        "earlier imports have records that the file lacks, which still count, on 2025-10-11"
      #expect(notes == (rows.contains("11") ? [] : ["meditation: \(days)"]))
    }

    _ = try ledger.file("loop/001 Dishes/Checkmarks.csv", "2025-11-01,YES_MANUAL,\n")
    for times in ["1,1", "3,7"] {
      let habits = "Name,Type,FrequencyNumerator,FrequencyDenominator,Archived?\n"
      _ = try ledger.file("loop/Habits.csv", habits + "Dishes,YES_NO,\(times),true\n")
      let export = ImportedRecords.loop(URL(filePath: ledger.folder + "/loop"))
      let notes = try await folder.importRecords(export, now: now).notes
      #expect(notes.contains("dishes: is archived there"))
      #expect(!notes.contains { $0.contains("`") || $0.contains("--") }, "\(notes)")
    }
  }

  @Test
  func `a table that the library cannot read is refused with its location, and nothing is written`()
    async throws
  {
    let before = try events()
    let path = try ledger.file("bad.csv", Array("day,minutes\n2025-11-01,1\n2025-11-xx,2\n".utf8))
    let table = ImportedRecords.csv(URL(filePath: path), habit: "meditation")
    let place = try await #require(throws: StreakError.self) {
      try await folder.importRecords(table, now: now)
    }
    #expect(
      place.kind == .refused && place.place?.line == 3 && place.sentence.contains("2025-11-xx"))
    let unknown = ImportedRecords.csv(URL(filePath: path), habit: "meditaton")
    let error = try await #require(throws: StreakError.self) {
      try await folder.importRecords(unknown, now: now)
    }
    #expect(error.kind == .unknownHabit && error.nearest == ["meditation"])
    let none = ImportedRecords.loop(URL(filePath: path + "x"))
    let absent = await #expect(throws: StreakError.self) {
      try await folder.importRecords(none, now: now)
    }
    #expect(absent?.kind == .notFound)
    let columns = try ledger.file("plain.csv", Array("a,b\n1,2\n".utf8))
    let day = try await #require(throws: StreakError.self) {
      try await folder.importRecords(.csv(URL(filePath: columns), habit: "meditation"), now: now)
    }
    #expect(!day.sentence.contains("--"))
    for (separator, columns) in [("é", nil), ("\n", nil), (",", ["dy", "minutes"])]
      as [(Unicode.Scalar, [String]?)]
    {
      let table = ImportedRecords.csv(
        URL(filePath: path), habit: "meditation", columns: columns, separator: separator)
      let error = try await #require(throws: StreakError.self) {
        try await folder.importRecords(table, now: now)
      }
      #expect(
        error.kind == .refused && error.place == nil && !error.description.contains("--"),
        "\(error)")
    }
    #expect(try events() == before)
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import Imports
import StreakCommands
import StreakDomain
import Streaks
import StreaksImports
import Testing

/// An import that defines habits is one batch, which `undo` reverts and a second `undo` restores.
struct ImportUndoTests {
  private static let loop = Repository.root + "/Tests/Fixtures/imports/loop"
  private static let habits = ["meditation", "pages", "wake_up_early"]

  private let ledger: TemporaryLedger

  init() throws { ledger = try TemporaryLedger(running: "init noalc") }

  private func imports(_ options: String...) -> Output {
    ledger.run(["import", "loop", Self.loop] + options)
  }

  /// The state without the members that name events.
  private func state() throws -> String {
    let text = ledger.run("replay --json").text
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
    func plain(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(plain) }
      guard let members = value as? [String: Any] else { return value }
      let named: Set = ["event", "position", "recorded", "because"]
      return members.filter { !named.contains($0.key) }.mapValues(plain)
    }
    let data = try JSONSerialization.data(
      withJSONObject: plain(document), options: [.sortedKeys, .prettyPrinted])
    return String(decoding: data, as: UTF8.self)
  }

  /// The events that the last command appended.
  private func appended(after count: Int) -> [Output] { Array(ledger.stored().dropFirst(count)) }

  private func expectNoImportedHabits() {
    for command in ["show --all", "habits", "calendar"] {
      let screen = ledger.run(command).text
      for name in ["Meditation", "Pages", "Wake up early"] {
        #expect(!screen.contains(name), "\(command)\n\(screen)")
      }
    }
    let entries = ledger.run("entries --all").text.split(separator: "\n")
    let isGone = entries.allSatisfy { $0.contains("deleted") || $0.contains("replaced by") }
    #expect(isGone, "\(entries)")
  }

  @Test func `an older file brings back what an undo took away, but not what a person deleted`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine run --at-least 1km", now: noon)
    let older = "Date,km\n2025-11-03,5\n2025-11-05,4\n"
    let newer = "Date,km\n2025-11-03,3\n2025-11-05,4\n2025-11-06,1\n"
    func distances() -> [String] {
      ledger.run("entries run --json").lines.flatMap { line in
        line.text.matches(of: /"km":([0-9.]+)/).map { String($0.1) }
      }
    }

    _ = try ledger.importTable(newer, "--habit run")
    try ledger.run(all: "undo")
    let back = try ledger.importTable(older, "--habit run")
    #expect(back.text.hasPrefix("imported 2 entries"), "\(back)")
    #expect(distances() == ["5", "4"])
    // The newer file still counts where both are imported.
    _ = try ledger.importTable(newer, "--habit run")
    #expect(distances() == ["3", "4", "1"])
    try ledger.run(all: "undo\nundo")
    _ = try ledger.importTable(older, "--habit run")
    #expect(distances() == ["5", "4"])

    let id = try #require(ledger.stored().last { $0["km"] == "4" }?["id"])
    try ledger.run(all: "delete \(id)")
    let again = try ledger.importTable(older, "--habit run")
    #expect(again.text.contains("deleted here before, still deleted: 1"), "\(again)")
    #expect(distances() == ["5"])

    // A newer file brings the deleted record back with another value. After an undo of that import
    // the record is deleted again.
    _ = try ledger.importTable(newer.replacing("05,4", with: "05,6"), "--habit run")
    #expect(distances() == ["3", "6", "1"])
    try ledger.run(all: "undo")
    let last = try ledger.importTable(older, "--habit run")
    #expect(last.text.contains("deleted here before, still deleted: 1"), "\(last)")
    #expect(distances() == ["5"])
  }

  @Test func `after an import is undone, older files can be imported again`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine run --at-least 1km", now: noon)
    func add(_ rows: String) throws -> Output {
      try ledger.importTable("Date,km\n" + rows, "--habit run")
    }
    let mine = "2025-11-03,5\n2025-11-05,4\n"
    _ = try add(mine)
    _ = try add("2025-11-03,7\n2025-11-08,1\n")
    #expect(ledger.entries(of: "run", "km").last == "1")
    try ledger.run(all: "undo")
    let same = try add(mine)
    #expect(same.text.contains("already there: 1"), "\(same)")
    #expect(ledger.standing("run", "km") == ["5", "4"])
    let changed = try add("2025-11-03,9\n2025-11-05,4\n")
    #expect(changed.text.hasPrefix("imported 1 entry"), "\(changed)")
    #expect(ledger.standing("run", "km") == ["9", "4"])
    // What a person corrected stays, also after the undo of a file that had replaced it.
    let id = try #require(ledger.stored().last { $0["km"] == "4" }?["id"])
    try ledger.run(all: "log run 6km --replaces \(id)")
    _ = try add("2025-11-05,8\n2025-11-10,1\n")
    try ledger.run(all: "undo")
    _ = try add("2025-11-03,9\n2025-11-05,4\n")
    #expect(ledger.standing("run", "km") == ["9", "6"])
    let older = try add("2025-11-03,2\n")
    #expect(older.text.contains("older than what a newer file said: 1"), "\(older)")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `the undo of an import that later ones changed names the last one to undo first`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine run --at-least 1km", now: noon)
    func add(_ kilometres: Int) throws -> String {
      let rows = (1...5).map { "2025-11-0\($0),\(kilometres)\n" }.joined()
      _ = try ledger.importTable("Date,km\n" + rows, "--habit run")
      return try #require(ledger.stored().last?["id"])
    }
    let first = try add(2)
    let second = try add(3)
    let third = try add(4)
    for later in [third, second] {
      let output = ledger.run("undo \(first)")
      #expect(output.errors.contains("replaced it since\n  and 2 more; undo the later steps first"))
      let command = "undo …\(later.suffix(6))"
      #expect(output.errors.contains("the last one with `streaks \(command)`"), "\(output)")
      try ledger.run(all: command)
    }
    try ledger.run(all: "undo \(first)")
    #expect(ledger.standing("run", "km") == [])
  }

  @Test func `a file that lacks a record takes back what the undo of a newer file restored`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine run --at-least 1km", now: noon)
    func add(_ rows: String, _ option: String = "") throws -> Output {
      try ledger.importTable("Date,km\n" + rows, "--habit run \(option)")
    }
    _ = try add("2025-11-03,5\n2025-11-03,2\n2025-11-05,4\n")
    _ = try add("2025-11-03,5\n2025-11-03,7\n2025-11-08,1\n")
    try ledger.run(all: "undo")
    #expect(ledger.standing("run", "km") == ["5", "2", "4"])

    let shorter = "2025-11-03,5\n2025-11-05,4\n"
    let replaced = try add(shorter, "--replace")
    #expect(replaced.text.contains("taken back: 1"), "\(replaced)")
    #expect(ledger.standing("run", "km") == ["5", "4"])
    let again = try add(shorter, "--replace")
    #expect(again.text.hasPrefix("imported 0 entries"), "\(again)")
    // The record comes back with a newer file that has it, and not with an older one.
    _ = try add("2025-11-03,5\n2025-11-03,3\n")
    #expect(ledger.standing("run", "km") == ["5", "4"])
    _ = try add("2025-11-03,5\n2025-11-03,3\n2025-11-06,1\n")
    #expect(ledger.standing("run", "km") == ["5", "3", "4", "1"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `a later import replaces an entry whose change by hand was undone`() throws {
    for undone in ["log run 9km --replaces ID\nundo", "delete ID\nundo", "undo"] {
      let ledger = try TemporaryLedger(running: "init\ndefine run --at-least 1km", now: noon)
      _ = try ledger.importTable("Date,km\n2025-11-03,5\n2025-11-05,4\n", "--habit run")
      let id = try #require(ledger.stored().last { $0["km"] == "5" }?["id"])
      try ledger.run(all: undone.replacing("ID", with: id))
      if undone == "undo" {
        let undo = try #require(ledger.stored().last?["id"])
        try ledger.run(all: "undo \(undo)")
      }
      let changed = try ledger.importTable("Date,km\n2025-11-03,6\n2025-11-05,4\n", "--habit run")
      #expect(changed.text.hasPrefix("imported 1 entry"), "\(undone): \(changed)")
      #expect(ledger.standing("run", "km") == ["6", "4"], "\(undone)")
    }
  }

  @Test func `a row that is excused after an undone correction is imported once`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine floss --any", now: noon)
    let table = "day,floss\n2025-11-03,yes\n2025-11-05,yes\n"
    _ = try ledger.importTable(table, "")
    let id = try #require(ledger.stored().last { $0["day"] == "2025-11-03" }?["id"])
    try ledger.run(all: "log floss --note mine --replaces \(id)\nundo")
    let same = try ledger.importTable(table, "")
    #expect(same.text.contains("already there: 2"), "\(same)")

    let newer = table.replacing("03,yes", with: "03,ill") + "2025-11-06,yes\n"
    _ = try ledger.importTable(newer, "--excused ill")
    #expect(ledger.standing("floss", "day") == ["2025-11-05", "2025-11-06"])
    let again = try ledger.importTable(newer, "--excused ill")
    #expect(again.text.hasPrefix("imported 0 entries"), "\(again)")
  }

  @Test func `every file that changes a deleted record restores it, even after an undo`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init\ndefine run --at-least 1km", now: noon)
    _ = try ledger.importTable("Date,km\n2025-11-03,5\n", "--habit run")
    let id = try #require(ledger.stored().last?["id"])
    try ledger.run(all: "delete \(id)")
    for distance in ["6", "6", "7"] {
      _ = try ledger.importTable("Date,km\n2025-11-03,\(distance)\n", "--habit run")
      #expect(ledger.standing("run", "km") == [distance])
      try ledger.run(all: "undo")
      #expect(ledger.standing("run", "km") == [])
    }
    let same = try ledger.importTable("Date,km\n2025-11-03,5\n", "--habit run")
    #expect(same.text.contains("deleted here before, still deleted: 1"), "\(same)")
  }

  @Test
  func `two rows of a day are recognized in a later table that begins with the newest day`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init meditation", now: noon)
    _ = try ledger.importTable("day,meditation\n2025-11-01,20\n2025-11-01,5\n", "")
    let id = try #require(ledger.stored().first { $0["minutes"] == "20" }?["id"])
    try ledger.run(all: "log meditation 30m --replaces \(id)")
    let later = "day,meditation\n2025-11-02,7\n2025-11-01,20\n2025-11-01,5\n"
    for _ in 1...2 {
      _ = try ledger.importTable(later, "")
      #expect(ledger.standing("meditation", "minutes") == ["30", "5", "7"])
    }
  }

  private let noon = "2025-11-10T12:00:00+01:00"

  @Test func `an import with new habits is one batch of definitions, then excuses, then entries`() {
    let before = ledger.stored().count
    #expect(imports().status == .done)
    let lines = appended(after: before)
    #expect(lines.dropLast().allSatisfy { $0["more"] == "1" } && lines.last?["more"] == nil)
    let order = ["habit.defined", "days.excused", "entry.logged"]
    let ranks = lines.compactMap { order.firstIndex(of: $0["type"] ?? "") }
    #expect(ranks.count == lines.count && ranks == ranks.sorted() && Set(ranks).count == 3)
  }

  @Test
  func `undoing an import removes entries and habits, and undoing the undo restores them`() throws {
    let empty = try state()
    #expect(imports().status == .done)
    let imported = try state()
    let before = ledger.stored().count
    #expect(ledger.run("undo").status == .done)
    expectNoImportedHabits()
    let order = ["entry.deleted", "excuse.withdrawn", "habit.retired"]
    let lines = appended(after: before)
    #expect(
      lines.compactMap { $0["type"] }
        == lines.compactMap { $0["type"] }.sorted {
          (order.firstIndex(of: $0) ?? 9) < (order.firstIndex(of: $1) ?? 9)
        })
    for habit in Self.habits {
      let defined = try #require(
        ledger.stored().first { $0["type"] == "habit.defined" && $0["habit"] == habit }?["day"])
      let retired = lines.first { $0["type"] == "habit.retired" && $0["habit"] == habit }?["day"]
      #expect(retired == Day(defined)?.previous.description)
    }
    #expect(try state() != imported && empty != imported)

    let undo = try #require(lines.last?["id"])
    #expect(ledger.run(["undo", undo]).status == .done)
    #expect(try state() == imported)
    #expect(ledger.run("undo").status == .done)
    expectNoImportedHabits()
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `an import after its undo gives the same state again`() throws {
    let first = imports("--json")
    let imported = try state()
    #expect(ledger.run("undo").status == .done)
    let again = imports("--json")
    #expect(again["imported"] == first["imported"] && again["imported"] != "0")
    #expect(again["alreadyThere"] == "0" && again["deleted"] == "0")
    #expect(again["defined.2"] == first["defined.2"] && again["defined.2"] != nil)
    #expect(try state() == imported)
    #expect(ledger.run("undo").status == .done)
    expectNoImportedHabits()
  }

  @Test func `an undo of an import is refused while a new habit has a later entry`() throws {
    #expect(imports().status == .done)
    try ledger.run(all: "log pages 3pages --id later")
    let first = try #require(ledger.stored().first { $0["habit"] == "pages" }?["id"])
    let before = ledger.bytes()
    let refused = ledger.run(["undo", first])
    #expect(refused.status == .conflict)
    #expect(
      refused.errors.contains("pages has another entry, of 2025-11-03 (later); delete it first"),
      "\(refused.errors)")
    #expect(!refused.errors.contains("no definition before it"))
    #expect(ledger.bytes() == before)
    try ledger.run(all: "delete later")
    #expect(ledger.run(["undo", first]).status == .done)
    expectNoImportedHabits()
  }

  @Test func `undoing an import prints a summary, and with --verbose each entry`() throws {
    #expect(imports().status == .done)
    let summary = ledger.run("undo").text
    let lines = summary.split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "undid: imported 3 entries of 3 habits, 1 excuse and 3 definitions from Loop, "
        + "2025-10-27 to 2025-10-28", "\(summary)")
    #expect(lines.dropFirst().first == "  --verbose lists them")
    #expect(imports().status == .done)
    let rows = ledger.run("undo --verbose").text
    #expect(rows.contains("undid: defined pages, ") && !rows.contains("--verbose lists them"))
  }

  @Test func `an import lists its entries only with --verbose`() {
    #expect(!imports().text.contains("as entries:"))
    #expect(ledger.run("undo").status == .done)
    #expect(imports("--verbose").text.contains("as entries:\n  2025-10-27  meditation 12.5 min"))
  }

  @Test func `an import writes nothing if --expect or --if fails`() {
    let count = ledger.stored().count
    #expect(imports("--expect", "\(count + 1)").status != .done)
    #expect(imports("--if", "noalc.current > 3").status != .done)
    #expect(ledger.stored().count == count)
    #expect(imports("--expect", "\(count)", "--if", "noalc.current == 0").status == .done)
  }

  @Test func `an import by the library is one batch, and its undo withdraws the new habits`()
    async throws
  {
    let now = try #require(Timestamp(ledger.now)).instant.date
    let folder = StreakFolder(URL(filePath: ledger.events), writer: "app")
    let records = ImportedRecords.loop(URL(filePath: Self.loop))
    let summary = try await folder.importRecords(records, now: now)
    let lines = ledger.stored(in: "app")
    #expect(lines.count == summary.imported + summary.defined.count)
    #expect(lines.dropLast().allSatisfy { $0["more"] == "1" } && lines.last?["more"] == nil)
    try await folder.undo(now: now)
    expectNoImportedHabits()
    let again = try await folder.importRecords(records, now: now)
    #expect(again.imported == summary.imported && again.defined == summary.defined)
  }
}

/// The batches of an import that is larger than the log's limit.
struct ImportBatchTests {
  /// Returns the drafts of each batch, the entries as their days and other events as their types.
  private func batches(limit: Int) throws -> [[String]] {
    let folder = try TemporaryLedger(running: "init")
    let ledger = try FoldedLog(EventStream(folder: folder.events), writer: "main").ledger
    let now = try #require(Timestamp("2025-11-03T12:00:00+01:00")).instant
    let empty = try ImportPlan(ledger: ledger, now: now, zone: "Europe/Berlin") { _ in }
    let path = Repository.root + "/Tests/Fixtures/imports/loop"
    let plan = try ImportSource.loop(GivenNames()).plan(path, searchPath: "", into: empty)

    return try plan.drafts.batches(limit: limit).map { batch in
      var found: [String] = []
      try batch.each { draft in
        let type = draft.event.payload.type
        found.append(type == .entryLogged ? "\(draft.event.day)" : type.rawValue)
      }
      return found
    }
  }

  private let definitions = [String](repeating: "habit.defined", count: 3)

  @Test func `an import up to the size limit is one batch`() throws {
    let all = try batches(limit: 200_000)
    #expect(all.count == 1 && all[0].starts(with: definitions + ["days.excused"]))
    #expect(try batches(limit: all[0].count) == all)
  }

  @Test func `a larger import is split into batches, with definitions first and entries by day`()
    throws
  {
    let count = try batches(limit: 200_000)[0].count
    for limit in 4..<count {
      let batches = try batches(limit: limit)
      #expect(batches.count > 1 && batches.allSatisfy { !$0.isEmpty && $0.count <= limit })
      #expect(batches[0].starts(with: definitions))
      let days = batches.joined().filter { $0.hasPrefix("2025") }
      #expect(days == days.sorted() && batches.joined().count == count)
    }
  }
}

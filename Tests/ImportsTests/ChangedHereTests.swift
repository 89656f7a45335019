import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What an import reports about entries that a person corrected or deleted here.
struct ChangedHereTests {
  private func add(_ rows: String, to ledger: TemporaryLedger, _ options: String = "") throws
    -> Output
  {
    try ledger.importTable("day,minutes\n" + rows, "--habit meditation " + options)
  }

  private func id(of day: Int, in ledger: TemporaryLedger) -> String {
    ledger.standing("meditation", "id")[day - 1]
  }

  @Test func `a deleted entry that a changed file restores is reported`() throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    _ = try add("2025-11-01,20\n", to: ledger)
    try ledger.run(all: "delete \(id(of: 1, in: ledger))")
    let same = try add("2025-11-01,20\n", to: ledger)
    #expect(!same.text.contains("counts again"), "\(same)")
    let output = try add("2025-11-01,30\n2025-11-02,5\n", to: ledger)
    #expect(
      output.text.contains(
        "meditation: 2025-11-01 was deleted here and counts again, because the file changed"),
      "\(output)")
    #expect(ledger.standing("meditation", "minutes") == ["30", "5"])
    let next = try add("2025-11-01,40\n2025-11-02,5\n", to: ledger)
    #expect(!next.text.contains("counts again"), "\(next)")
  }

  @Test func `an import reports a correction that a newer file overrules`() throws {
    let ledger = try TemporaryLedger(running: "init meditation", now: "2025-11-01T20:00:00+01:00")
    _ = try add("2025-11-01,20\n", to: ledger)
    try ledger.run(all: "log meditation 25m --replaces \(id(of: 1, in: ledger))")
    ledger.now = "2025-11-03T20:00:00+01:00"
    let output = try add("2025-11-01,30\n2025-11-03,5\n", to: ledger)
    #expect(
      output.text.contains(
        "meditation: 2025-11-01 was corrected here, and the file's 30 min counts now"), "\(output)")
    #expect(ledger.standing("meditation", "minutes") == ["30", "5"])
  }

  @Test func `a kept correction is reported with the command that takes the file's value`() throws {
    let ledger = try TemporaryLedger(running: "init meditation", now: "2025-11-09T20:00:00+01:00")
    let first = (1...5).map { "2025-11-0\($0),20\n" }.joined()
    _ = try add(first, to: ledger)
    for day in 1...5 {
      try ledger.run(all: "log meditation 25m --replaces \(id(of: day, in: ledger))")
    }
    let output = try add(first.replacing("20\n", with: "30\n"), to: ledger)
    #expect(
      output.text.contains("kept: 5; without a date of its own, it is as old as its newest day"))
    #expect(output.text.contains("2 more stay as you changed them"), "\(output)")
    let command = "log meditation 30 min --replaces \(id(of: 1, in: ledger))"
    #expect(
      output.text.contains(
        "meditation: 2025-11-01 stays as you changed it; `streaks \(command)` takes the file's"),
      "\(output)")
    try ledger.run(all: command)
    #expect(ledger.standing("meditation", "minutes")[0] == "30")
    let again = try add(first.replacing("20\n", with: "30\n"), to: ledger)
    #expect(!again.text.contains("meditation: 2025-11-01"), "\(again)")
    #expect(again.text.contains("already there: 1\n"), "\(again)")
  }

  private static let changes = [
    (
      "--at-least 5pages", "7", "day,pages,note", "2025-11-01,12,a", "2025-11-01,13,it’s “b” & c",
      "13 --note 'it’s “b” & c'"
    ),
    (
      "--preset cardio", "running 6km", "at,km,minutes,activity,value,note,id",
      "2025-11-01T08:00+01:00,5,30,running,,,r1",
      "2025-11-02T09:30+01:00,6,31,nordic walking,wet,x,r1",
      "6 km 31 min 'nordic walking' --value 'wet' --note 'x' --on 2025-11-02 "
        + "--at 2025-11-02T09:30:00+01:00"
    ),
    (
      "--preset noalc", "wild", "day,level,note", "2025-11-01,steady,", "2025-11-01,easy,two words",
      "'easy' --note 'two words'"
    ),
    (
      "--rule '{\"kind\":\"completed\"}'", "completed --note so", "day,completed,note",
      "2025-11-01,1,", "2025-11-01,0,why", "failed --note 'why'"
    ),
  ]

  @Test(arguments: changes)
  func `the command that takes the file's entry takes all of it, and settles the difference`(
    rule: String, correction: String, header: String, first: String, second: String,
    arguments: String
  ) throws {
    let ledger = try TemporaryLedger(
      running: "init\ndefine lesen " + rule, now: "2025-11-09T20:00:00+01:00")
    func add(_ row: String) throws -> Output {
      try ledger.importTable("\(header)\n\(row)\n", "--habit lesen")
    }
    func id() -> String { ledger.standing("lesen", "id")[0] }

    _ = try add(first)
    try ledger.run(all: "log lesen \(correction) --replaces \(id())")
    let command = "log lesen \(arguments) --replaces \(id())"
    let kept = try add(second)
    #expect(kept.text.contains("; `streaks \(command)` takes the file's"), "\(kept)")
    try ledger.run(all: command)
    let again = try add(second)
    #expect(again.text.contains("already there: 1\n"), "\(again)")
  }

  @Test func `no command is named for a part of an entry that log would read otherwise`() throws {
    let ledger = try TemporaryLedger(
      running: "init\ndefine lesen --any", now: "2025-11-09T20:00:00+01:00")
    func add(_ activity: String) throws -> Output {
      try ledger.importTable("day,activity\n2025-11-01,\(activity)\n", "--habit lesen")
    }
    _ = try add("novel")
    try ledger.run(all: "log lesen --replaces \(ledger.standing("lesen", "id")[0])")
    #expect(try add("poem").text.contains("stays as you changed it\n"))
  }

  @Test func `a day that a later table lacks is reported, and --replace deletes its entry`() throws
  {
    let ledger = try TemporaryLedger(running: "init meditation", now: "2025-11-09T20:00:00+01:00")
    _ = try add("2025-11-01,20\n2025-11-02,20\n2025-11-03,20\n2025-11-05,20\n", to: ledger)
    let moved = "2025-11-02,20\n2025-11-04,20\n2025-11-05,20\n"
    let named = try add(moved, to: ledger)
    #expect(named.text.contains("which still count, on 2025-11-03; --replace deletes them"))
    let replaced = try add(moved, to: ledger, "--replace")
    #expect(replaced.text.contains("\n  taken back: 1\n"), "\(replaced)")
    // The table says nothing about the days before its first one.
    #expect(
      ledger.standing("meditation", "day")
        == ["2025-11-01", "2025-11-02", "2025-11-04", "2025-11-05"])
  }

  @Test func `--replace reports an entry of a newer table that it cannot delete`() throws {
    let ledger = try TemporaryLedger(running: "init meditation", now: "2025-11-09T20:00:00+01:00")
    _ = try add("2025-11-01,20\n2025-11-03,20\n2025-11-05,20\n", to: ledger)
    let output = try add("2025-11-01,20\n2025-11-04,20\n", to: ledger, "--replace")
    #expect(
      output.text.contains("on 2025-11-03; they are of a table with a newer day"), "\(output)")
    #expect(ledger.standing("meditation", "day").count == 4)
  }
}

import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct FrequencyTests {
  private static let header =
    """
    Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target \
    Type,
    """
    + "Target Value,Archived?\n"

  private func loop(_ ledger: TemporaryLedger, _ habit: String, _ days: String) throws -> [String] {
    let name = habit.split(separator: ",")[0]
    _ = try ledger.file("export/Habits.csv", Self.header + "001,\(habit)\n")
    _ = try ledger.file("export/001 \(name)/Checkmarks.csv", "Date,Value,Notes\n" + days)
    return ["import", "loop", ledger.folder + "/export"]
  }

  private func loop(_ ledger: TemporaryLedger, often frequency: String, _ days: String) throws
    -> [String]
  {
    let numbers = frequency.replacing("/", with: ",")
    return try loop(ledger, "Gym,YES_NO,,,\(numbers),#FF8F00,,,,false", days)
  }

  private func empty() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init")
  }

  private func definitions(_ ledger: TemporaryLedger) -> [String] {
    ledger.stored().filter { $0["type"] == "habit.defined" }.map(\.text)
  }

  @Test(
    arguments: [
      ("1/1", nil, nil), ("7/7", nil, nil),
      ("1/7", "{\"every\":7}", nil), ("1/30", "{\"every\":30}", nil),
      ("1/14", "{\"every\":14}", nil),
      (
        "3/7", "{\"times\":3,\"per\":\"week\"}",
        "3 in any 7 days there, here it is asked for 3 times a week"
      ),
      (
        "2/3", "{\"times\":5,\"per\":\"week\"}",
        "2 in any 3 days there, here it is asked for 5 times a week, the nearest that can be said"
      ),
      (
        "4/14", "{\"times\":2,\"per\":\"week\"}",
        "4 in any 14 days there, here it is asked for twice a week, the n"
      ),
      (
        "3/14", "{\"times\":2,\"per\":\"week\"}",
        "3 in any 14 days there, here it is asked for twice a week, the nearest that can be said"
      ),
      (
        "2/30", "{\"times\":2,\"per\":\"month\"}",
        "2 in any 30 days there, here it is asked for twice a month"
      ),
      (
        "30/31", "{\"times\":28,\"per\":\"month\"}",
        """
        30 in any 31 days there, here it is asked for 28 times a month, the nearest that can be said
        """
      ),
      (
        "2/365", "{\"every\":183}",
        "2 in any 365 days there, here it is asked for one day in 183, the nearest that can be said"
      ),
      (
        "1/400", "{\"every\":366}",
        "1 in any 400 days there, here it is asked for one day in 366, the nearest that can be said"
      ),
    ] as [(String, String?, String?)])
  func `a frequency of Loop becomes a schedule, and a difference is reported`(
    frequency: String, schedule: String?, says: String?
  ) throws {
    let ledger = try empty()
    let output = ledger.run(try loop(ledger, often: frequency, "2025-10-30,2,\n"))
    #expect(output.status == .done, "\(output.errors)")
    let defined = try #require(definitions(ledger).first)
    #expect(
      schedule.map { defined.contains("\"schedule\":\($0)") } ?? !defined.contains("schedule"),
      "\(defined)")
    #expect(says.map { output.text.contains("gym: " + $0) } ?? !output.text.contains(" there, "))
    #expect(ledger.entries(of: "gym", "day") == ["2025-10-30"])
    #expect(ledger.run("verify").status == .done)
  }

  @Test(arguments: ["0/7", "often/7", "3/0", "1/99999999999999999999"])
  func `an invalid frequency is refused with its file and line`(frequency: String) throws {
    let ledger = try empty()
    let before = ledger.bytes()
    let output = ledger.run(try loop(ledger, often: frequency, "2025-10-30,2,\n"))
    #expect(
      output.status == .badData && output.errors.contains("Habits.csv:2:1: "), "\(output.errors)")
    #expect(output.errors.contains("whole numbers above 0"), "\(output.errors)")
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: [
    (
      "pages,AT_LEAST,20.0",
      "{\"kind\":\"sum\",\"of\":\"amount\",\"unit\":\"pages\",\"atLeast\":20}", nil,
      "amount", "7.5"
    ),
    (
      "fl oz,AT_MOST,2.5", "{\"kind\":\"sum\",\"of\":\"amount\",\"unit\":\"fl_oz\",\"atMost\":2.5}",
      nil, "amount", "7.5"
    ),
    (
      "2 go,AT_LEAST,3", "{\"kind\":\"sum\",\"of\":\"amount\",\"atLeast\":3}",
      nil, "amount", "7.5"
    ),
    (
      "hours,AT_LEAST,1.5", "{\"kind\":\"sum\",\"of\":\"minutes\",\"atLeast\":90}",
      nil, "minutes", "450"
    ),
    ("km,AT_LEAST,5", "{\"kind\":\"sum\",\"of\":\"km\",\"atLeast\":5}", nil, "km", "7.5"),
    (
      "pages,AT_LEAST,0", "{\"kind\":\"any\"}", "its target of 0 has no counterpart", "value",
      "7.5 pages"
    ),
  ])
  func `a numerical habit of Loop becomes a sum in the habit's unit`(
    goal: String, rule: String, says: String?, field: String, value: String
  ) throws {
    let ledger = try empty()
    let output = ledger.run(
      try loop(ledger, "Mine,NUMERICAL,,,1,1,#FF8F00,\(goal),false", "2025-10-30,7500,\n"))
    #expect(output.status == .done, "\(output.errors)")
    let defined = try #require(definitions(ledger).first)
    #expect(defined.contains("\"rule\":\(rule)"), "\(defined)")
    #expect(says.map { output.text.contains("mine: " + $0) } ?? true, "\(output.text)")
    #expect(ledger.entries(of: "mine", field) == [value])
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `the command that retires an archived habit leaves no missed days`() throws {
    let ledger = try empty()
    let output = ledger.run(
      try loop(
        ledger, "Gym,YES_NO,,,1,1,#FF8F00,,,,true",
        "2025-11-01,UNKNOWN,\n2025-10-31,NO,\n2025-10-30,YES_MANUAL,\n"))
    let command = "define gym --retire --on 2025-10-30"
    #expect(output.text.contains("`streaks \(command)` ends it here"), "\(output)")
    func hasMissed() -> Bool {
      ledger.run("calendar gym --all --json").text.contains("\"verdict\":\"missed\"")
    }
    #expect(hasMissed())
    try ledger.run(all: command)
    #expect(!hasMissed())
  }

  @Test
  func `Loop numbers per 7 or 30 days become weekly or monthly sums, and others become daily sums`()
    throws
  {
    let ledger = try empty()
    let output = ledger.run(
      try loop(ledger, "Run,NUMERICAL,,,1,7,#FF8F00,km,AT_LEAST,20,true", "2025-10-30,21000,\n"))
    #expect(
      output.text.contains("  defined run: at least 20 km a week · strict\n"), "\(output.text)")
    #expect(output.text.contains("run: adds up any 7 days there, and a week from Monday here"))
    #expect(
      output.text.contains(
        "run: is archived there; `streaks define run --retire --on 2025-10-30` ends it here"))
    let limit = try empty()
    let said = limit.run(
      try loop(limit, "Tea,NUMERICAL,,,1,7,#FF8F00,cups,AT_MOST,9,false", "2025-10-30,2000,\n"))
    #expect(said.text.contains("  defined tea: at most 9 cups a week · strict\n"))
    #expect(definitions(limit)[0].contains(#""atMost":9,"per":"week"}"#))
    let others = try empty()
    let month = others.run(
      try loop(others, "Tea,NUMERICAL,,,1,30,#FF8F00,cups,AT_MOST,9,false", "2025-10-30,2000,\n"))
    #expect(month.text.contains("tea: adds up any 30 days there, and a calendar month here"))
    let other = try empty()
    let days = other.run(
      try loop(other, "Tea,NUMERICAL,,,1,10,#FF8F00,cups,AT_LEAST,9,false", "2025-10-30,2000,\n"))
    #expect(days.text.contains("tea: adds up 10 days there, and here one day must reach it"))
    #expect(limit.run("verify").status == .done)
  }

  @Test
  func `an import keeps an existing definition and reports a different frequency in the file`()
    throws
  {
    let ledger = try empty()
    try ledger.run(all: "define gym --rule '{\"kind\":\"any\"}'")
    let output = ledger.run(try loop(ledger, often: "3/7", "2025-10-30,2,\n"))
    #expect(definitions(ledger).count == 1)
    #expect(
      output.text.contains(
        "gym keeps its own definition: 3 in any 7 days there, here it is asked for every"))
    let later = try empty()
    _ = later.run(try loop(later, often: "3/7", "2025-10-30,2,\n"))
    let before = later.bytes()
    let changed = later.run(try loop(later, often: "5/7", "2025-10-30,2,\n"))
    #expect(
      changed.text.contains(
        "gym keeps its own definition: 5 in any 7 days there, here it is asked for 3 times a week"))
    #expect(later.bytes() == before)
  }

  @Test func `an undo of an import removes the entries and retires the new habit`() throws {
    let ledger = try empty()
    let words = try loop(ledger, often: "3/7", "2025-10-30,2,\n2025-10-31,3,\n")
    let dry = ledger.run(words + ["--dry-run"])
    #expect(
      dry.text.contains("would import 1 entry and 1 excuse")
        && dry.text.contains("  would define gym: any entry · 3/week · strict\n"))
    #expect(definitions(ledger).isEmpty)
    let expecting = ledger.run(words + ["--expect", "\(ledger.stored().count)", "--json"])
    #expect(expecting["imported"] == "2", "\(expecting.errors)")
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.state("gym.totals.entries") == "0" && ledger.state("gym.status") == "retired")
    #expect(ledger.run(["undo", ledger.stored().last?["id"] ?? ""]).status == .done)
    #expect(ledger.state("gym.totals.entries") == "1" && ledger.state("gym.status") != "retired")
  }

  /// Ten days of Loop's own test data: 2 is done, 1 implied, 0 not done.
  @Test
  func `Loop's sample export keeps its run, and the report lists the differences`()
    throws
  {
    let ledger = try empty()
    _ = try ledger.file(
      "export/Habits.csv",
      Self.header + "001,Meditate,YES_NO,Did you meditate this morning?,,1,1,#FF8F00,,,,false\n"
        + "002,Wake up early,YES_NO,Did you wake up before 6am?,,2,3,#00897B,,,,false\n")
    let marks = [2, 0, 1, 2, 2, 2, 1, 1, 2, 2].enumerated().map {
      "2015-01-\(25 - $0.offset),-1,\($0.element),\n"
    }
    _ = try ledger.file("export/Checkmarks.csv", "Date,Meditate,Wake up early,\n" + marks.joined())
    let output = ledger.run(["import", "loop", ledger.folder + "/export"])
    #expect(
      output.text.contains("  defined wake_up_early: any entry · 5/week · strict\n"),
      "\(output.text)")
    #expect(
      output.text.contains(
        "wake_up_early: 2 in any 3 days there, here it is asked for 5 times a week"))
    #expect(
      output.text.contains(
        "wake_up_early: its weeks begin on Monday here; Loop's export does not say when"))
    #expect(output.text.contains("3  were not done that day, only implied by how often it is due"))
    let calendar = ledger.run("calendar wake_up_early --all --json")
    // Loop shows two streaks: 16 to 23 January, with three implied days, and the 25th.
    let verdicts = (16...25).map {
      calendar["habits.wake_up_early.days.2015-01-\($0).verdict"] ?? "-"
    }
    #expect(
      verdicts == [
        "good", "good", "rest", "rest", "good", "good", "good", "rest", "missed", "good",
      ])
  }
}

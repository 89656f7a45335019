import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct HealthImportTests {
  private func ledger(_ habits: String = "noalc meditation cardio strength") throws
    -> TemporaryLedger
  {
    try TemporaryLedger(running: "init \(habits)")
  }

  @Test func `several drinks of a day add up, and the sum decides the level of the day`() throws {
    let ledger = try ledger()
    let output = try ledger.importHealth([
      HealthXML.drinks("2025-11-01 21:00", "1"), HealthXML.drinks("2025-11-01 19:00", "1"),
      HealthXML.drinks("2025-11-01 20:00", "0.5"), HealthXML.drinks("2025-11-02 19:00", "1"),
    ])
    #expect(output.status == .done)
    #expect(ledger.entries(of: "noalc", "drinks") == ["1", "2", "3", "1"])
    #expect(
      ledger.run("calendar noalc --all --json")["habits.noalc.days.2025-11-01.outcome"] == "easy")
  }

  @Test(arguments: ["2025-11-01 18:00", "2025-11-01 20:00", "2025-11-01 23:00"])
  func `a drink that a newer export adds updates the sum of its day`(time: String)
    throws
  {
    let ledger = try ledger()
    let old = [
      HealthXML.drinks("2025-11-01 19:00", "1"), HealthXML.drinks("2025-11-01 21:00", "3"),
    ]
    _ = try ledger.importHealth(old)
    let output = try ledger.importHealth(old + [HealthXML.drinks(time, "2")], "--json")
    #expect(output.status == .done, "\(output)")
    #expect(
      ledger.run("calendar noalc --all --json")["habits.noalc.days.2025-11-01.outcome"] == "wild")
    let drinks = ledger.standing("noalc", "drinks")
    #expect(drinks.count == 3 && drinks.last == "6", "\(drinks)")
  }

  @Test func `a source with one level per day counts the latest level instead of adding up`() throws
  {
    let ledger = try ledger()
    let output = try ledger.importHealth([
      HealthXML.drinks("2025-11-01 19:00", "4", from: "Levels"),
      HealthXML.drinks("2025-11-01 20:00", "4", from: "Levels"),
      HealthXML.drinks("2025-11-02 20:00", "0", from: "Levels"),
      HealthXML.drinks("2025-11-03 08:00", "6", from: "Levels"),
      HealthXML.drinks("2025-11-03 09:00", "0", from: "Levels"),
    ])
    #expect(output.text.contains("read as one level a day, not as counts that add up: \"Levels\""))
    #expect(ledger.entries(of: "noalc", "drinks") == ["4", "4", "0", "6", "0"])
    #expect(ledger.state("noalc.current") == "2")
  }

  @Test func `drinks beyond the maximum of an entry are left out`() throws {
    let ledger = try ledger()
    let output = try ledger.importHealth([
      HealthXML.drinks("2025-11-01 19:00", "99"), HealthXML.drinks("2025-11-01 20:00", "9"),
      HealthXML.drinks("2025-11-01 21:00", "1"),
    ])
    #expect(output.text.contains("1  more than 100 drinks"))
    #expect(ledger.entries(of: "noalc", "drinks") == ["99", "100"])
  }

  @Test(arguments: [("mcL", "500000", "0.5"), ("hL", "0.02", "2"), ("cup_us", "2", "0.473176")])
  func `water in microlitres, hectolitres and cups is converted to litres`(
    unit: String, value: String, litres: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init water")
    _ = try ledger.importHealth([
      HealthXML.record(
        "HKQuantityTypeIdentifierDietaryWater", "2025-11-02 09:00", "2025-11-02 09:00", value,
        unit: unit)
    ])
    #expect(ledger.standing("water", "amount") == [litres])
  }

  @Test(arguments: [
    (["0.0001004", "0.0001004", "0.0001004"], "L", "0.000301"),
    (["0.1234567", "0.1234567", "0.1234566"], "L", "0.37037"),
    (["0.4731764729999", "4.7E-7"], "L", "0.473177"), (["1", "1", "1"], "fl_oz_us", "0.088721"),
    (["0.333333333333333333", "0.333333333333333333"], "cup_us", "0.157725"),
  ])
  func `the records of a day are added up exactly, and the sum is rounded once`(
    values: [String], unit: String, litres: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init water")
    let type = "HKQuantityTypeIdentifierDietaryWater"
    let records = values.enumerated().map { index, value in
      HealthXML.record(
        type, "2025-11-02 1\(index):00", "2025-11-02 1\(index):00", value, unit: unit)
    }
    _ = try ledger.importHealth(records)
    #expect(ledger.standing("water", "amount") == [litres])
  }

  @Test
  func `a session of more than four hours counts completely, for the day on which it starts`()
    throws
  {
    let ledger = try ledger()
    _ = try ledger.importHealth([HealthXML.mindful("2025-11-01 22:00", "2025-11-02 03:30")])
    #expect(ledger.entries(of: "meditation", "minutes") == ["330"])
    #expect(ledger.entries(of: "meditation", "day") == ["2025-11-01"])
    #expect(ledger.entries(of: "meditation", "at") == ["2025-11-01T22:00:00+01:00"])
  }

  @Test func `every minute of overlapping sessions counts once`() throws {
    let ledger = try ledger()
    let output = try ledger.importHealth([
      HealthXML.mindful("2025-11-01 07:10", "2025-11-01 07:30", from: "Watch"),
      HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
      HealthXML.mindful("2025-11-01 07:12", "2025-11-01 07:18", from: "Phone"),
      HealthXML.mindful("2025-11-01 07:30", "2025-11-01 07:35"),
      HealthXML.mindful("2025-11-01 09:00", "2025-11-01 09:00"),
    ])
    #expect(ledger.entries(of: "meditation", "minutes") == ["20", "10", "5"])
    #expect(
      output.text.contains("1  is within other sessions")
        && output.text.contains("1  lasts no time"))
  }

  @Test func `a session that a newer export adds does not count any minute twice`()
    throws
  {
    let ledger = try ledger()
    let old = [
      HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
      HealthXML.mindful("2025-11-01 07:30", "2025-11-01 07:40"),
    ]
    _ = try ledger.importHealth(old)
    _ = try ledger.importHealth(
      old + [HealthXML.mindful("2025-11-01 06:50", "2025-11-01 07:45", from: "Watch")])
    #expect(ledger.standing("meditation", "minutes") == ["55"])
    #expect(ledger.state("meditation.totals.minutes") == "55")
  }

  @Test func `a minute imported from one source is not counted again from another source`() throws {
    let ledger = try ledger()
    let both = [
      HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
      HealthXML.mindful("2025-11-01 07:10", "2025-11-01 07:30", from: "Max’s\u{A0}Watch"),
    ]
    _ = try ledger.importHealth(both, "--source Sitting")
    #expect(ledger.entries(of: "meditation", "minutes") == ["20"])
    _ = try ledger.importHealth(both, "--source sitting --source \"max's watch\"")
    #expect(ledger.standing("meditation", "minutes") == ["20", "10"])
    let output = try ledger.importHealth(both, "--source Siting")
    #expect(
      output.text.contains("the file has no source \"Siting\" (did you mean \"Sitting\"?)"))
  }

  @Test(arguments: ["--type mindfulness", "--source Diary", "--since 2025-11-02"])
  func `an import with a filter does not delete the entries that the filter excludes`(
    option: String
  ) throws {
    let ledger = try ledger()
    let elements = [
      HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
      HealthXML.mindful("2025-11-02 07:00", "2025-11-02 07:20", from: "Watch"),
      HealthXML.drinks("2025-11-01 19:00", "1"),
    ]
    _ = try ledger.importHealth(elements)
    let before = ledger.bytes()
    #expect(try ledger.importHealth(elements, option + " --json")["takenBack"] == "0")
    #expect(ledger.bytes() == before)
  }

  @Test func `an import after an undo deletes the entry of a missing record again`() throws {
    let ledger = try ledger()
    let elements = (1...3).map { HealthXML.mindful("2025-11-0\($0) 07:00", "2025-11-0\($0) 07:20") }
    let fewer = [elements[0], elements[2]]
    _ = try ledger.importHealth(elements)
    _ = try ledger.importHealth(fewer)
    #expect(ledger.standing("meditation", "day") == ["2025-11-01", "2025-11-03"])
    try ledger.run(all: "undo")
    #expect(ledger.standing("meditation", "day").count == 3)
    #expect(try ledger.importHealth(fewer, "--json")["takenBack"] == "1")
    #expect(ledger.standing("meditation", "day") == ["2025-11-01", "2025-11-03"])
    let before = ledger.bytes()
    #expect(
      try ledger.importHealth(fewer, "--json")["takenBack"] == "0" && ledger.bytes() == before)
  }

  @Test func `a Health export imported twice adds nothing, and a duplicate record counts once`()
    throws
  {
    let ledger = try ledger()
    let drink = HealthXML.drinks("2025-11-01 19:00", "1")
    let elements = [
      drink, drink, HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
      HealthXML.workout(
        "Running", "2025-11-01 07:00", "2025-11-01 07:30", "duration=\"30\" durationUnit=\"min\""),
    ]
    let first = try ledger.importHealth(elements, "--json")
    #expect(first["imported"] == "3")
    #expect(first["leftOut.0.reason"] == "is a duplicate of an earlier row, and counts once")
    let before = ledger.bytes()
    let second = try ledger.importHealth(elements, "--json")
    #expect(second.status == .done && second["imported"] == "0" && second["alreadyThere"] == "3")
    #expect(ledger.bytes() == before)
  }

  @Test
  func `a Health record with another offset and number format is recognized as the same entry`()
    throws
  {
    let ledger = try ledger()
    let drink = HealthXML.drinks("2025-11-01 19:00", "1")
    _ = try ledger.importHealth([drink])
    // A phone in New York writes all times with its own offset.
    let moved = drink.replacing("19:00:00 +0100", with: "14:00:00 -0400").replacing(
      "value=\"1\"", with: "value=\"1.0\"")
    #expect(try ledger.importHealth([moved], "--json")["alreadyThere"] == "1")
  }

  @Test func `an imported entry that was deleted stays deleted in later imports`() throws {
    let ledger = try ledger()
    let elements = [
      HealthXML.drinks("2025-11-01 19:00", "6"), HealthXML.drinks("2025-11-01 20:00", "1"),
    ]
    _ = try ledger.importHealth([elements[0]])
    try ledger.run(all: "delete --last")
    let output = try ledger.importHealth([elements[0]])
    #expect(output.status == .done)
    #expect(output.text.contains("deleted here before, still deleted: 1"))
    #expect(ledger.state("noalc.totals.entries") == "0")
    _ = try ledger.importHealth(elements)
    #expect(ledger.standing("noalc", "drinks") == ["1"])
  }

  @Test func `a workout with a time zone counts for the day in that zone`() throws {
    let ledger = try ledger()
    _ = try ledger.importHealth([
      HealthXML.workout(
        "Running", "2025-11-02 03:00", "2025-11-02 03:30", "duration=\"30\"",
        inside: "<MetadataEntry key=\"HKTimeZone\" value=\"America/New_York\"/>")
    ])
    #expect(ledger.entries(of: "cardio", "day") == ["2025-11-01"])
    #expect(ledger.entries(of: "cardio", "at") == ["2025-11-01T22:00:00-04:00"])
  }

  @Test
  func `records before the habit's countsFrom are left out unless --since includes them`() throws {
    let ledger = try ledger("meditation")
    try ledger.run(all: "define noalc --preset noalc --counts-from 2025-11-01")
    let elements =
      (1...4).map { HealthXML.drinks("2025-10-3\($0 % 2) 19:00", "\($0)") } + [
        HealthXML.drinks("2025-11-01 19:00", "0"), HealthXML.drinks("2025-11-02 19:00", "0"),
      ]
    let plain = try ledger.importHealth(elements, "--dry-run --json")
    #expect(plain["imported"] == "2")
    #expect(
      plain["leftOut.0.reason"]?.hasPrefix("before 2025-11-01, from which \"noalc\" counts") == true
    )
    #expect(
      try ledger.importHealth(elements, "--dry-run --json --since 2025-10-31")["imported"] == "4")
    let until = try ledger.importHealth(elements, "--json --since 2025-11-01 --until 2025-11-01")
    #expect(until["imported"] == "1")
    #expect(until["leftOut.1.reason"] == "after 2025-11-01, as --until says")
    #expect(until["leftOut.0.reason"] == "before 2025-11-01, as --since says")
  }

  @Test func `--type selects records by a word or a Health identifier`() throws {
    let ledger = try ledger()
    let elements = [
      HealthXML.drinks("2025-11-01 19:00", "1"),
      HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
      HealthXML.workout("Running", "2025-11-01 07:00", "2025-11-01 07:30", "duration=\"30\""),
      HealthXML.workout("Yoga", "2025-11-01 09:00", "2025-11-01 09:30", "duration=\"30\""),
    ]
    func imported(_ options: String) throws -> String? {
      try ledger.importHealth(elements, "--dry-run --json \(options)")["imported"]
    }
    #expect(try imported("") == "4")
    #expect(try imported("--type alcohol") == "1")
    #expect(try imported("--type workout --type mindfulness") == "3")
    #expect(try imported("--type HKWorkoutActivityTypeYoga") == "1")
    #expect(try ledger.importHealth(elements, "--type alcohool").status == .usage)
  }

  @Test
  func `a Health record of an undefined habit is left out with the command that defines the habit`()
    throws
  {
    let ledger = try ledger("meditation")
    let output = try ledger.importHealth([
      HealthXML.drinks("2025-11-01 19:00", "1"), HealthXML.drinks("2025-11-02 19:00", "1"),
      HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20"),
    ])
    #expect(output.status == .done)
    #expect(
      output.text.contains(
        "2  no habit \"noalc\" is defined; `streaks define noalc --preset noalc` makes it")
    )
  }

  @Test func `a record that the ledger would refuse is left out with the reason`() throws {
    let ledger = try ledger("meditation")
    try ledger.run(
      all:
        """
        define noalc --rule '{\"kind\":\"minutes\",\"atLeast\":2}'\ndefine meditation --retire \
        --on 2025-11-01
        """
    )
    let output = try ledger.importHealth([
      HealthXML.drinks("2025-11-01 19:00", "1"),
      HealthXML.mindful("2025-11-02 07:00", "2025-11-02 07:20"),
      HealthXML.mindful("2026-11-02 07:00", "2026-11-02 07:20"),
    ])
    #expect(output.status == .failed)
    #expect(
      output.text.contains("1  an entry of \"noalc\", whose rule is \"minutes\", needs minutes"))
    #expect(output.text.contains("1  \"meditation\" is retired after 2025-11-01"))
    #expect(output.text.contains("1  belongs to a day that has not begun yet"))
  }

  @Test func `import --verbose lists each record that is left out with its location`() throws {
    let ledger = try ledger("meditation")
    let output = try ledger.importHealth(
      [HealthXML.drinks("2025-11-01 19:00", "1"), HealthXML.drinks("2025-11-02 19:00", "1")],
      "--verbose")
    let lines = output.text.split(separator: "\n").filter { $0.contains("export.xml:") }
    #expect(lines.count == 2)
    #expect(
      lines[0].contains(":15:")
        && lines[0].contains("NumberOfAlcoholicBeverages of 2025-11-01 from Diary: no habit"))
  }

  @Test
  func `a dry run of an import shows the first entries and the changes, and writes nothing`() throws
  {
    let ledger = try ledger()
    let before = ledger.bytes()
    let days = ["10-28", "10-29", "10-30", "10-31", "11-01", "11-02", "11-03"]
    let elements = days.map { HealthXML.mindful("2025-\($0) 07:00", "2025-\($0) 07:20") }
    let output = try ledger.importHealth(elements, "--dry-run")
    #expect(output.text.contains("would import 7 entries"))
    #expect(
      output.text.contains("  2025-10-28  meditation 20 min\n")
        && output.text.contains("  and 2 more"))
    #expect(output.text.contains("meditation: run 0 → 7, jokers 0 → 1"))
    #expect(try ledger.importHealth(elements, "--dry-run --json")["impact.format"] == "1")
    #expect(ledger.bytes() == before)
  }

  @Test func `import accepts --writer, --expect, --if and --guest`() throws {
    let ledger = try ledger()
    let elements = [HealthXML.drinks("2025-11-01 19:00", "1")]
    #expect(try ledger.importHealth(elements, "--expect 1").status == .conflict)
    #expect(try ledger.importHealth(elements, "--if 'noalc.current > 7'").status == .conflict)
    #expect(try ledger.importHealth(elements, "--id x").status == .usage)
    #expect(try ledger.importHealth(elements, "--guest").status == .done)
    #expect(ledger.entries(of: "noalc", "drinks") == [])
    #expect(try ledger.importHealth(elements, "--writer phone --zone Asia/Tokyo").status == .done)
    #expect(ledger.stored(in: "phone").last?["zone"] == "Asia/Tokyo")
    #expect(ledger.stored(in: "phone").last?["by"] == "apple-health:Diary")
    try ledger.run(all: "undo --writer phone\nverify")
  }

  @Test
  func `names from a Health export are printed and stored without control characters`() throws {
    let ledger = try ledger("meditation")
    let source = "Evil&#10;\u{202E}" + String(repeating: "x", count: 100)
    let output = try ledger.importHealth(
      [
        HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20", from: source),
        HealthXML.drinks("2025-11-01 19:00", "1", from: source),
      ], "--verbose")
    #expect(output.status == .done)
    #expect(!output.text.contains("\u{202E}"))
    #expect(ledger.stored().last?["by"]?.count == 64)
  }

  @Test func `steps and water are summed per day, and a changed sum replaces the entry`()
    throws
  {
    let ledger = try ledger("steps water")
    func steps(_ at: String, _ count: String, _ source: String = "Phone") -> String {
      HealthXML.record(
        "HKQuantityTypeIdentifierStepCount", at, at, from: source, count, unit: "count")
    }
    func water(_ at: String, _ count: String, _ unit: String) -> String {
      HealthXML.record(
        "HKQuantityTypeIdentifierDietaryWater", at, at, from: "Glass", count, unit: unit)
    }
    let morning = [
      steps("2025-11-02 09:00", "4000"), steps("2025-11-02 10:00", "5000"),
      water("2025-11-02 09:00", "500", "mL"),
      water("2025-11-02 10:00", "0.75", "L"), water("2025-11-02 11:00", "1", "lb"),
    ]
    let output = try ledger.importHealth(morning)
    #expect(
      output.text.contains("imported 2 entries") && output.text.contains("the unit \"lb\""),
      "\(output)")
    #expect(ledger.entries(of: "steps", "amount") == ["9000"])
    #expect(ledger.entries(of: "water", "amount") == ["1.25"])
    let evening =
      morning + [steps("2025-11-02 20:00", "3000"), steps("2025-11-02 20:00", "10", "Watch")]
    let second = try ledger.importHealth(evening)
    #expect(
      second.text.contains("changed since the last import: 1")
        && second.text.contains("already there: 1"))
    #expect(second.text.contains("steps: \"Phone\", \"Watch\" add up on 1 day"), "\(second)")
    #expect(ledger.state("steps.totals.amount") == "12010")
    let before = ledger.bytes()
    _ = try ledger.importHealth(evening)
    #expect(ledger.bytes() == before && ledger.run("verify").status == .done)
  }

  @Test func `an import that takes entries back is called so, and so is its undo`() throws {
    let ledger = try TemporaryLedger(running: "init meditation", now: "2025-11-04T12:00:00+01:00")
    let sessions = (1...4).map { day in
      HealthXML.mindful("2025-11-0\(day) 07:00", "2025-11-0\(day) 07:20")
    }
    let older = HealthXML.export(sessions, at: "2025-11-04 09:00:00 +0100")
    let newer = HealthXML.export(Array(sessions.prefix(1)), at: "2025-11-04 10:00:00 +0100")
    let paths = try [ledger.file("older.xml", older), ledger.file("newer.xml", newer)]
    ledger.run(["import", "apple-health", paths[0]])
    let output = ledger.run(["import", "apple-health", paths[1]])
    #expect(output.text.contains("taken back: 3"), "\(output)")

    let text = "took back 3 entries of meditation that no longer count in Apple Health"
    #expect(ledger.run("timeline -n 1").text.contains(text))
    let undo = ledger.run("undo")
    #expect(undo.text.contains("undid: took back meditation 20 min, 2025-11-02"), "\(undo)")
    #expect(
      ledger.run("timeline -n 1").text.contains("undid the taking back of 3 entries of meditation"))
  }

  @Test func `records that a newer file lacked and an older one brings back are named`() throws {
    let ledger = try TemporaryLedger(running: "init meditation", now: "2025-11-04T12:00:00+01:00")
    let sessions = (1...4).map { day in
      HealthXML.mindful("2025-11-0\(day) 07:00", "2025-11-0\(day) 07:20")
    }
    let newer = HealthXML.export([sessions[0], sessions[3]], at: "2025-11-04 10:00:00 +0100")
    let older = HealthXML.export(sessions, at: "2025-11-04 09:00:00 +0100")
    let first = ledger.run(["import", "apple-health", try ledger.file("newer.xml", newer)])
    #expect(!first.text.contains("newer file"))
    let output = ledger.run(["import", "apple-health", try ledger.file("older.xml", older)])
    #expect(output.text.contains("2 records that a newer file lacked count;"), "\(output)")
  }
}

import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct HealthSleepTests {
  private func sleep(
    _ start: String, _ end: String, _ value: String, from source: String = "Watch"
  ) -> String {
    HealthXML.record(
      "HKCategoryTypeIdentifierSleepAnalysis", start, end, from: source,
      "HKCategoryValueSleepAnalysis\(value)")
  }

  private func ledger(_ options: String = "") throws -> TemporaryLedger {
    try TemporaryLedger(running: "init \(options)\ndefine sleep --at-least 7h")
  }

  private func add(
    _ records: [String], _ options: String = "", to ledger: TemporaryLedger
  ) throws -> Output {
    let map =
      "{\"HKCategoryTypeIdentifierSleepAnalysis\": {\"habit\": \"sleep\", \"measure\": \"minutes\"}}"
    let path = try ledger.file("map.json", map)
    return try ledger.importHealth(records, "--map \(path) " + options)
  }

  private var night: [String] {
    [
      sleep("2025-11-01 22:30", "2025-11-02 07:00", "InBed", from: "Phone"),
      sleep("2025-11-01 23:10", "2025-11-02 00:40", "AsleepCore"),
      sleep("2025-11-02 00:40", "2025-11-02 02:00", "AsleepDeep"),
      sleep("2025-11-02 02:00", "2025-11-02 02:45", "Awake"),
      sleep("2025-11-02 02:45", "2025-11-02 06:30", "AsleepREM"),
    ]
  }

  @Test(arguments: ["", "--source Watch"])
  func `only time asleep counts, for the day on which the night ends`(options: String) throws {
    let ledger = try ledger()
    let output = try add(night, options, to: ledger)
    #expect(output.text.contains("2  were in bed or awake, and only sleep counts"), "\(output)")
    #expect(Set(ledger.entries(of: "sleep", "day")) == ["2025-11-02"])
    #expect(ledger.entries(of: "sleep", "minutes") == ["90", "80", "225"])
    #expect(ledger.state("sleep.totals.minutes") == "395")
    #expect(try add(night, "--json " + options, to: ledger)["alreadyThere"] == "3")
  }

  @Test(arguments: ["Asleep", "AsleepUnspecified", "AsleepCore", "AsleepDeep", "AsleepREM"])
  func `every kind of sleep in Health counts as time asleep`(value: String) throws {
    let ledger = try ledger()
    _ = try add([sleep("2025-11-01 23:00", "2025-11-02 06:00", value)], to: ledger)
    #expect(ledger.entries(of: "sleep", "minutes") == ["420"])
  }

  @Test func `time asleep that two devices recorded counts once`() throws {
    let ledger = try ledger()
    let both = [
      sleep("2025-11-01 23:00", "2025-11-02 06:00", "AsleepUnspecified", from: "Phone"),
      sleep("2025-11-01 22:00", "2025-11-02 07:00", "AsleepCore"),
      sleep("2025-11-02 01:00", "2025-11-02 02:00", "AsleepDeep"),
    ]
    _ = try add(both, to: ledger)
    #expect(ledger.state("sleep.totals.minutes") == "540")
    #expect(Set(ledger.entries(of: "sleep", "day")) == ["2025-11-02"])
  }

  @Test func `a night lasts from noon to noon, whenever the days of the ledger begin`() throws {
    let ledger = try ledger("--day-start 04:00")
    let records = [
      sleep("2025-11-01 21:00", "2025-11-01 22:00", "AsleepCore"),
      sleep("2025-11-02 00:00", "2025-11-02 01:00", "AsleepCore"),
      sleep("2025-11-02 11:30", "2025-11-02 12:30", "AsleepCore"),
      sleep("2025-11-01 12:00", "2025-11-01 13:00", "AsleepCore"),
      sleep("2025-11-02 13:00", "2025-11-02 14:00", "AsleepCore"),
    ]
    let output = try add(records, to: ledger)
    #expect(ledger.run("verify").status == .done)
    #expect(
      ledger.entries(of: "sleep", "day") == [
        "2025-11-02", "2025-11-02", "2025-11-02", "2025-11-02", "2025-11-03",
      ], "\(output)")
  }

  @Test func `an afternoon nap counts for the next day and is imported only then`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-03T18:00:00+01:00"
    let nap = [sleep("2025-11-03 14:00", "2025-11-03 15:00", "AsleepCore")]
    #expect(try add(nap, to: ledger).text.contains("1  belongs to a day that has not begun yet"))
    ledger.now = "2025-11-04T08:00:00+01:00"
    #expect(try add(nap, to: ledger).status == .done)
    #expect(ledger.entries(of: "sleep", "day") == ["2025-11-04"])
  }

  @Test
  func `sleep of an undefined habit is left out with a command that defines the habit`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let output = try add(night, to: ledger)
    #expect(
      output.text.contains(
        "3  no habit \"sleep\" is defined; `streaks define sleep --at-least 7h`, or with another "
          + "rule, makes it"), "\(output)")
    #expect(ledger.run("define sleep --at-least 7h").status == .done)
  }

  @Test(arguments: [
    ("fl_oz_us", "68", "2.011"), ("cup_us", "9", "2.129294"), ("pt_us", "5", "2.365882"),
    ("cup_imp", "9", "2.557176"), ("pt_imp", "5", "2.841306"), ("fl_oz_imp", "68", "1.932088"),
    ("dL", "5", "0.5"), ("cL", "50", "0.5"), ("mL", "500", "0.5"), ("L", "0.5", "0.5"),
  ])
  func `water in any unit of volume is converted to litres`(
    unit: String, value: String, litres: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init water")
    let at = "2025-11-01 09:00"
    _ = try ledger.importHealth([
      HealthXML.record("HKQuantityTypeIdentifierDietaryWater", at, at, value, unit: unit)
    ])
    #expect(ledger.entries(of: "water", "amount") == [litres])
  }

  @Test(arguments: [
    ("kcal", "Cal", "500", "500"), ("kcal", "kcal", "500", "500"), ("kcal", "kJ", "2092", "500"),
    ("kcal", "cal", "500000", "500"), ("kJ", "kcal", "100", "418.4"),
    ("kg", "lb", "180", "81.646627"), ("kg", "st", "12", "76.203518"),
    ("kg", "oz", "16", "0.453592"), ("g", "mcg", "5000", "0.005"),
    ("cm", "in", "70", "177.8"), ("cm", "ft", "5", "152.4"), ("metres", "yd", "400", "365.76"),
    ("h", "d", "1", "24"), ("s", "ms", "1500", "1.5"),
  ])
  func `energy, weight, length and time in other units are converted`(
    wanted: String, unit: String, value: String, number: String
  ) throws {
    let ledger = try TemporaryLedger(
      running: """
        init
        define sum --rule '{"kind":"sum","of":"amount","unit":"\(wanted)","atLeast":1}'
        """)
    let path = try ledger.file("map.json", "{\"HKQuantityTypeIdentifierX\": {\"habit\": \"sum\"}}")
    let at = "2025-11-01 09:00"
    let record = HealthXML.record("HKQuantityTypeIdentifierX", at, at, value, unit: unit)
    let output = try ledger.importHealth([record], "--map \(path)")
    #expect(ledger.entries(of: "sum", "amount") == [number], "\(output)")
  }
}

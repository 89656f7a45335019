import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct HealthMapTests {
  private let elements = [
    HealthXML.record(
      "HKQuantityTypeIdentifierDietaryWater", "2025-11-01 09:00", "2025-11-01 09:00", "250",
      unit: "mL"),
    HealthXML.record(
      "HKCategoryTypeIdentifierSleepAnalysis", "2025-11-01 23:00", "2025-11-02 06:00",
      "HKCategoryValueSleepAnalysisAsleep"),
    HealthXML.record(
      "HKQuantityTypeIdentifierAppleExerciseTime", "2025-11-01 10:00", "2025-11-01 10:00", "30",
      unit: "min"),
    HealthXML.record(
      "HKQuantityTypeIdentifierDistanceCycling", "2025-11-01 11:00", "2025-11-01 11:30", "2",
      unit: "mi"),
    HealthXML.workout("Running", "2025-11-01 07:00", "2025-11-01 07:30", "duration=\"30\""),
  ]

  private func run(_ map: String, _ ledger: TemporaryLedger) throws -> Output {
    let path = try ledger.file("map.json", map)
    return try ledger.importHealth(elements, "--map \(path)")
  }

  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init activity-tracker workout meditation cardio")
  }

  @Test func `the number of a category is a code, and never a measure`() throws {
    let ledger = try ledger()
    let hour = "HKCategoryTypeIdentifierAppleStandHour"
    let elements = [
      HealthXML.record(
        "HKCategoryTypeIdentifierMindfulSession", "2025-11-01 07:00", "2025-11-01 07:20", "0"),
      HealthXML.record(hour, "2025-11-01 09:00", "2025-11-01 10:00", "1"),
    ]
    let path = try ledger.file(
      "map.json", "{\"\(hour)\": {\"habit\": \"cardio\", \"measure\": \"km\"}}")
    let output = try ledger.importHealth(elements, "--map \(path)")
    #expect(output.text.contains("1  has no number to measure it by"), "\(output)")
    #expect(ledger.entries(of: "meditation", "minutes") == ["20"])
    #expect(ledger.entries(of: "cardio", "km") == [])
  }

  @Test func `--map assigns Health types to habits and measures`() throws {
    let ledger = try ledger()
    let output = try run(
      """
      {"HKQuantityTypeIdentifierDietaryWater": {"habit": "activity-tracker", "measure": "value"},
       "HKCategoryTypeIdentifierSleepAnalysis": {"habit": "meditation", "measure": "minutes"},
       "HKQuantityTypeIdentifierAppleExerciseTime": {"habit": "workout", "measure": "minutes"},
       "HKQuantityTypeIdentifierDistanceCycling": {"habit": "cardio", "measure": "km"},
       "Workout": {"habit": "workout"}}
      """, ledger)
    #expect(output.status == .done)
    #expect(ledger.entries(of: "activity-tracker", "value") == ["250 mL"])
    #expect(ledger.entries(of: "meditation", "minutes") == ["420"])
    #expect(ledger.entries(of: "workout", "minutes") == ["30", "30"])
    #expect(ledger.entries(of: "cardio", "km") == ["3.218688"])
  }

  @Test(arguments: [
    ("[]", "map.json:1:1: a mapping is an object"),
    ("{", "map.json:1:2: not valid JSON"),
    ("{\"Steps\": {\"habit\": \"x\"}}", "map.json:1:11: \"Steps\" is not a type of an export"),
    (
      "{\"HKX\": 3}", "map.json:1:9: \"HKX\" must be an object with habit and measure, not a number"
    ),
    (
      "{\"HKX\":\n {\"habt\": \"x\"}}",
      "map.json:2:11: unknown field \"habt\" (did you mean \"habit\"?)"
    ),
    ("{\"HKX\":\n {\"habit\": 3}}", "map.json:2:12: \"habit\" must be text, not a number"),
    ("{\"HKX\": {\"habit\": \"X\"}}", "map.json:1:19: \"habit\" is \"X\"; it must be 1 to 64"),
    ("{\"HKX\": {\"habit\": \"x\", \"measure\": \"minuts\"}}", "(did you mean \"minutes\"?)"),
    ("{\"HKX\": {\"measure\": \"minutes\"}}", "map.json:1:9: \"HKX\" names no habit"),
    (
      "{\"HKX\": {\"habit\": \"x\", \"measure\": \"workout\"}}",
      "\"HKX\" cannot be measured by workout"
    ),
  ])
  func `an invalid --map file is refused with its location`(map: String, says: String) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = try run(map, ledger)
    #expect(output.status == .badData)
    #expect(output.errors.contains(says), "\(output.errors)")
    #expect(ledger.bytes() == before)
  }

  @Test func `with --map, a record without a number or with an unsuitable unit is left out`() throws
  {
    let ledger = try ledger()
    let output = try run(
      """
      {"HKQuantityTypeIdentifierDietaryWater": {"habit": "meditation", "measure": "minutes"},
       "HKCategoryTypeIdentifierSleepAnalysis": {"habit": "cardio", "measure": "km"}}
      """, ledger)
    #expect(output.text.contains("1  has the unit \"mL\", which cannot be converted"))
    #expect(output.text.contains("1  has no number to measure it by"))
  }
}

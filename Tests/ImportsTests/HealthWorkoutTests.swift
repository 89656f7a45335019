import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct HealthWorkoutTests {
  private func ledger(_ habits: String = "noalc meditation cardio strength") throws
    -> TemporaryLedger
  {
    try TemporaryLedger(running: "init \(habits)")
  }

  @Test(arguments: [
    (
      "duration=\"31.5\" durationUnit=\"min\" totalDistance=\"5.2\" totalDistanceUnit=\"km\"",
      "31.5", "5.2"
    ),
    (
      "duration=\"1800\" durationUnit=\"s\" totalDistance=\"3\" totalDistanceUnit=\"mi\"", "30",
      "4.828032"
    ),
    (
      "duration=\"0.5\" durationUnit=\"hr\" totalDistance=\"1500\" totalDistanceUnit=\"m\"", "30",
      "1.5"
    ),
    ("duration=\"30\" totalDistance=\"1000\" totalDistanceUnit=\"yd\"", "30", "0.9144"),
    ("totalDistance=\"10000\" totalDistanceUnit=\"ft\"", "40", "3.048"),
    ("duration=\"30\" totalDistance=\"500000\" totalDistanceUnit=\"cm\"", "30", "5"),
    ("duration=\"30\" totalDistance=\"0\" totalDistanceUnit=\"km\"", "30", "-"),
  ])
  func `a workout has minutes and kilometres, whichever units the export uses`(
    fields: String, minutes: String, km: String
  )
    throws
  {
    let ledger = try ledger()
    _ = try ledger.importHealth([
      HealthXML.workout("Running", "2025-11-01 07:00", "2025-11-01 07:40", fields)
    ]
    )
    #expect(ledger.entries(of: "cardio", "activity") == ["running"])
    #expect(ledger.entries(of: "cardio", "minutes") == [minutes])
    #expect(ledger.entries(of: "cardio", "km") == [km])
  }

  @Test func `workouts of two apps at the same time are reported with the command that chooses`()
    throws
  {
    let ledger = try ledger()
    func run(_ day: String, _ minute: String, from source: String) -> String {
      let start = "2025-11-0\(day) 07:\(minute)"
      return HealthXML.workout(
        "Running", start, "2025-11-0\(day) 07:40", "duration=\"39\"", from: source)
    }
    let twice = try ledger.importHealth([
      run("1", "00", from: "Watch"), run("1", "01", from: "Strava"),
      run("2", "00", from: "Watch"),
    ])
    #expect(
      twice.text.contains(
        "\"Strava\", \"Watch\" overlap and both count on 1 day; if they record the same"),
      "\(twice)")
    #expect(twice.text.contains("--source 'Watch'"), "\(twice)")
    let once = try ledger.importHealth([
      run("1", "00", from: "Watch"), run("2", "00", from: "Strava"),
    ])
    #expect(!once.text.contains("overlap"), "\(once)")
  }

  @Test(arguments: ["Watch", "Strava"])
  func `--source takes the copy of the chosen app, whichever copy comes first`(
    source: String
  ) throws {
    let ledger = try ledger("noalc meditation cardio steps")
    let at = "2025-11-01 07:00"
    let copies = ["Strava", "Watch"].flatMap { source in
      [
        HealthXML.workout(
          "Running", at, "2025-11-01 07:40", "duration=\"40\"", from: source),
        HealthXML.record(
          "HKQuantityTypeIdentifierStepCount", at, at, from: source, "6000", unit: "count"),
      ]
    }
    let output = try ledger.importHealth(copies, "--source \(source)")
    #expect(output.text.hasPrefix("imported 2 entries"), "\(output)")
    #expect(ledger.entries(of: "cardio", "minutes") == ["40"])
    #expect(ledger.entries(of: "steps", "amount") == ["6000"])
    let all = try ledger.importHealth(copies)
    #expect(all.text.hasPrefix("imported 0 entries"), "\(all)")
  }

  @Test func `a workout with an impossibly long distance is left out`() throws {
    let ledger = try ledger()
    let part =
      """
      <WorkoutStatistics type=\"HKQuantityTypeIdentifierDistanceCycling\" sum=\"1e300\" \
      unit=\"km\"/>
      """
    let workout = HealthXML.workout(
      "Cycling", "2025-11-01 07:00", "2025-11-01 07:40", "duration=\"40\"",
      inside: String(repeating: part, count: 10_000))
    #expect(try ledger.importHealth([workout], "--json")["leftOut.0.count"] == "1")
  }

  @Test func `distances that are listed inside a workout are added up`() throws {
    let ledger = try ledger()
    func part(_ kind: String, _ sum: String, _ unit: String) -> String {
      """
      <WorkoutStatistics type=\"HKQuantityTypeIdentifier\(kind)\" sum=\"\(sum)\" unit=\"\(unit)\"/>
      """
    }
    let inside =
      part("DistanceSwimming", "750", "m") + part("DistanceCycling", "12.5", "mi")
      + part("ActiveEnergyBurned", "900", "kcal")
    _ = try ledger.importHealth([
      HealthXML.workout(
        "SwimBikeRun", "2025-11-01 07:00", "2025-11-01 09:00", "duration=\"120\"", inside: inside)
    ])
    #expect(ledger.entries(of: "cardio", "km") == ["20.8668"])
    #expect(ledger.entries(of: "cardio", "activity") == ["swim_bike_run"])
  }

  @Test func `a workout with an unknown unit is left out with the name of the unit`() throws {
    let ledger = try ledger()
    let output = try ledger.importHealth([
      HealthXML.workout(
        "Running", "2025-11-01 07:00", "2025-11-01 07:40",
        "totalDistance=\"5\" totalDistanceUnit=\"league\"")
    ])
    #expect(output.status == .failed)
    #expect(output.text.contains("1  has the unit \"league\", which cannot be converted"))
  }

  @Test(arguments: [
    ("cardio strength workout", "TraditionalStrengthTraining", "strength", "strength"),
    ("cardio strength workout", "FunctionalStrengthTraining", "cardio", "functional_strength"),
    ("cardio strength workout", "CoreTraining", "cardio", "core"),
    ("cardio strength workout", "HighIntensityIntervalTraining", "cardio", "hiit"),
    ("cardio strength workout", "Yoga", "cardio", "yoga"),
    ("cardio strength workout", "MindAndBody", "cardio", "mind_and_body"),
    ("strength", "CoreTraining", "strength", "strength"),
    ("workout", "TraditionalStrengthTraining", "workout", "traditional_strength"),
    ("workout", "Walking", "workout", "walking"),
  ])
  func `a workout goes to the habit whose rule fits the activity`(
    habits: String, activity: String, habit: String, name: String
  ) throws {
    let ledger = try ledger(habits)
    _ = try ledger.importHealth([
      HealthXML.workout(activity, "2025-11-01 07:00", "2025-11-01 07:40", "duration=\"40\"")
    ])
    #expect(ledger.entries(of: habit, "activity") == [name])
    #expect(
      ledger.state("\(habit).current") == "0" || ledger.state("\(habit).totals.minutes") == "40")
  }
}

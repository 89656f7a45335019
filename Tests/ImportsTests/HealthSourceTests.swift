import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// What the option `--source` of a second import takes back, and exports of another time zone.
struct HealthSourceTests {
  private func steps(_ day: Int, _ count: String, _ source: String) -> String {
    HealthXML.record(
      "HKQuantityTypeIdentifierStepCount", "2025-11-0\(day) 09:00", "2025-11-0\(day) 09:10",
      from: source, count, unit: "count")
  }

  @Test func `--source deletes the step count of a day that has no record of that source`() throws {
    let ledger = try TemporaryLedger(running: "init steps water")
    let records = [
      steps(1, "4000", "Phone"), steps(2, "5000", "Phone"), steps(2, "5500", "Watch"),
      HealthXML.record(
        "HKQuantityTypeIdentifierDietaryWater", "2025-11-01 09:00", "2025-11-01 09:00",
        from: "Phone", "1", unit: "L"),
    ]
    _ = try ledger.importHealth(records)
    #expect(ledger.standing("steps", "amount") == ["4000", "10500"])
    let chosen = try ledger.importHealth(records, "--source Watch")
    #expect(ledger.standing("steps", "amount") == ["5500"])
    // The watch has no water, so it says nothing about that.
    #expect(ledger.standing("water", "amount") == ["1"])
    #expect(chosen.text.contains("changed since the last import: 1\n  taken back: 1\n"))

    let all = try ledger.importHealth(records)
    #expect(ledger.standing("steps", "amount") == ["4000", "10500"])
    let note = "steps: \"Phone\", \"Watch\" add up on 1 day; if they record the same, import each "
    #expect(all.text.contains(note + "time with --type steps --source 'Phone'"), "\(all)")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `--source takes back the sessions of other sources, but not on days it may not read`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init meditation")
    let records = (1...2).flatMap { day in
      [
        HealthXML.mindful("2025-11-0\(day) 07:00", "2025-11-0\(day) 07:20", from: "Phone"),
        HealthXML.mindful("2025-11-0\(day) 07:10", "2025-11-0\(day) 07:40", from: "Watch"),
      ]
    }
    _ = try ledger.importHealth(records)
    #expect(ledger.standing("meditation", "minutes") == ["20", "20", "20", "20"])
    _ = try ledger.importHealth(records, "--source Watch --since 2025-11-02")
    #expect(ledger.standing("meditation", "minutes") == ["20", "20", "30"])
    _ = try ledger.importHealth(records, "--source Watch")
    #expect(ledger.standing("meditation", "minutes") == ["30", "30"])
  }

  @Test func `--source takes nothing back in a span in which the source has no record`() throws {
    let ledger = try TemporaryLedger(
      running: "init steps", now: "2025-11-08T12:00:00+01:00")
    let records = (1...6).map { steps($0, "4000", "Phone") } + [steps(6, "5000", "Watch")]
    _ = try ledger.importHealth(records)
    _ = try ledger.importHealth(records, "--source Watch --since 2025-11-04 --until 2025-11-05")
    #expect(ledger.standing("steps", "amount").count == 6)
  }

  @Test(arguments: [("+0900", "+0900", true), ("+0900", "+0100", false), ("+0100", "+0100", false)])
  func `an export made in another time zone is reported`(
    records: String, age: String, isReported: Bool
  ) throws {
    let ledger = try TemporaryLedger(running: "init steps")
    let moved = [steps(1, "4000", "Phone"), steps(2, "5000", "Phone")].map {
      $0.replacing("+0100", with: records)
    }
    let path = try ledger.file(
      "e.xml", HealthXML.export(moved, at: "2025-11-03 05:00:00 \(age)"))
    let output = ledger.run(["import", "apple-health", path])
    let note = "2 records of 2 are written with another UTC offset than Europe/Berlin had then"
    #expect(output.text.contains(note) == isReported, "\(output)")
  }
}

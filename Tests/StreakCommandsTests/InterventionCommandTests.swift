import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

struct InterventionCommandTests {
  private func documents(_ text: String) throws -> [NSDictionary] {
    try text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
    }
  }

  @Test func `each intervention of the sample says what the timeline says of its event`() throws {
    let all = try documents(TemporaryLedger.sample("timeline --json").text)
    let list = try #require(documents(TemporaryLedger.sample("audit --interventions --json").text).first)
    let interventions = try #require(list["interventions"] as? [NSDictionary])
    #expect(interventions.count == 39)
    for intervention in interventions {
      let position = try #require(intervention["position"] as? Int)
      for member in ["event", "type", "recorded", "verdicts", "books", "changes", "achievements"] {
        #expect(intervention[member] as? NSObject == all[position - 1][member] as? NSObject, "\(position)")
      }
    }
  }

  @Test func `an entry that another device logs late has its days, how late it is, and the writer`() throws {
    let ledger = try TemporaryLedger(running: "init awareness --writer phone")
    try ledger.run(all: "day --writer phone", at: "2025-11-05T12:00:00+01:00")
    ledger.now = "2025-11-05T13:00:00+01:00"
    try ledger.run(all: "log awareness --on 2025-11-03 --id late --writer laptop")
    let document = ledger.run("audit --interventions --json")
    #expect(document["interventions.late.writer"] == "laptop")
    #expect(document["interventions.late.lateDays"] == "2")
    #expect(document["interventions.late.days"] == "2025-11-03 2025-11-04")
    #expect(
      ledger.run("audit --interventions").text.contains(
        "2 days late, by laptop, changes 2025-11-03 to 2025-11-04\n"))
  }

  @Test(arguments: Cases.seeds(8))
  func `every event that changes the verdict or a joker of a closed day is listed`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    try ledger.write(stream.events(120).flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    var today = ""
    var wanted: Set<Int> = []
    for row in try documents(ledger.run("timeline --json").text) {
      // Some excuses of the stream are for dates that the time zone skipped.
      if row["type"] as? String == "days.excused" { continue }
      let verdicts = try #require(row["verdicts"] as? [NSDictionary])
      let books = try #require(row["books"] as? [NSDictionary])
      let lines = books.flatMap { book in
        ["removed", "added"].flatMap { book[$0] as? [NSDictionary] ?? [] }
      }
      let days = (verdicts + lines).compactMap { $0["day"] as? String }
      if days.contains(where: { $0 < today }) { wanted.insert(try #require(row["position"] as? Int)) }
      for change in row["changes"] as? [NSDictionary] ?? [] where change["path"] as? String == "today" {
        today = try #require(change["after"] as? String)
      }
    }
    let list = try #require(documents(ledger.run("audit --interventions --json").text).first)
    let found = try #require(list["interventions"] as? [NSDictionary]).compactMap { $0["position"] as? Int }
    #expect(wanted.isSubset(of: found) && !wanted.isEmpty, "seed \(seed)")
    #expect(found == found.sorted())
  }

  @Test func `days that the zone left out are no intervention, the same span by hand is one`() throws {
    let ledger = try TemporaryLedger(now: "2011-12-29T12:00:00-10:00")
    ledger.machineZone = "Pacific/Apia"
    try ledger.run(all: "init awareness --zone Pacific/Apia\nlog awareness")
    try ledger.run(all: "day", at: "2011-12-31T12:00:00+14:00")
    #expect(ledger.stored().contains { $0["reason"] == "zone" && $0["from"] == "2011-12-30" })
    #expect(ledger.run("audit --interventions").text == "no event changed a day that was over\n")
    try ledger.run(all: "excuse 2011-12-29 2011-12-30 --id trip")
    #expect(ledger.run("audit --interventions").text == "no event changed a day that was over\n")
    try ledger.run(all: "day\nexcuse 2012-01-01 2012-01-02 --id ill", at: "2012-01-03T12:00:00+14:00")
    #expect(ledger.run("audit --interventions --json")["interventions.ill.days"] == "2012-01-01 2012-01-02")
  }

  @Test func `an excuse that only says it is of the zone is an intervention`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-11-07T12:00:00+01:00"
    #expect(ledger.run("excuse 2025-11-04 2025-11-06 --reason zone").status == .usage)
    // The new day begins with the excuse's batch.
    let excuse =
      #"{"type":"days.excused","from":"2025-11-04","to":"2025-11-06","reason":"zone","id":"no-zone"}"#
    #expect(ledger.run("append -", input: excuse).status == .done)
    #expect(ledger.stored().suffix(2).map { $0["type"] } == ["day.changed", "days.excused"])
    #expect(
      ledger.run("audit --interventions --json")["interventions.no-zone.days"] == "2025-11-04 2025-11-06")
  }
}

import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `audit --interventions`: the events that changed closed days.
struct InterventionCommandTests {
  private func sample(_ words: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0)
  }

  private func documents(_ text: String) throws -> [NSDictionary] {
    try text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
    }
  }

  @Test func `each intervention of the sample says what the timeline says of its event`() throws {
    let all = try documents(sample("timeline --json").text)
    let list = try #require(documents(sample("audit --interventions --json").text).first)
    let interventions = try #require(list["interventions"] as? [NSDictionary])
    #expect(interventions.count == 39)
    for intervention in interventions {
      let position = try #require(intervention["position"] as? Int)
      for member in ["event", "type", "recorded", "verdicts", "books", "changes", "achievements"] {
        #expect(intervention[member] as? NSObject == all[position - 1][member] as? NSObject, "\(position)")
      }
    }
  }

  @Test func `of one habit only its days and changes are told`() throws {
    let list = try #require(documents(sample("audit noalc --interventions --json").text).first)
    let interventions = try #require(list["interventions"] as? [NSDictionary])
    #expect(interventions.count == 11)
    let paths = interventions.flatMap { $0["changes"] as? [NSDictionary] ?? [] }.map { "\($0["path"] ?? "")" }
    #expect(paths.allSatisfy { $0.hasPrefix("noalc.") })
  }

  @Test func `a day that another device had closed is not closed in the segment that was away`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init awareness --writer phone")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "day --writer phone")
    ledger.now = "2025-11-05T13:00:00+01:00"
    try ledger.run(all: "log awareness --on 2025-11-03 --id late --writer laptop")
    let document = ledger.run("audit --interventions --json")
    #expect(document["interventions.late.ownClosed"] == "0")
    #expect(document["interventions.late.lateDays"] == "2")
    #expect(document["interventions.late.days"] == "2025-11-03 2025-11-04")
    #expect(
      ledger.run("audit --interventions").text.contains(
        "2 days late, changes 2025-11-03 to 2025-11-04; in its own segment not over yet"))
    try ledger.run(all: "log awareness --on 2025-11-04 --id again --writer phone")
    #expect(ledger.run("audit --interventions --json")["interventions.again.ownClosed"] == "1")
  }

  @Test func `days that the zone left out are no intervention, the same span by hand is one`() throws {
    let ledger = try TemporaryLedger(now: "2011-12-29T12:00:00-10:00")
    ledger.machineZone = "Pacific/Apia"
    try ledger.run(all: "init awareness --zone Pacific/Apia\nlog awareness")
    ledger.now = "2011-12-31T12:00:00+14:00"
    try ledger.run(all: "day")
    #expect(ledger.stored().contains { $0["reason"] == "zone" && $0["from"] == "2011-12-30" })
    #expect(ledger.run("audit --interventions").text == "no event changed a day that was over\n")
    try ledger.run(all: "excuse 2011-12-29 2011-12-30 --id trip")
    #expect(ledger.run("audit --interventions").text == "no event changed a day that was over\n")
    ledger.now = "2012-01-03T12:00:00+14:00"
    try ledger.run(all: "day\nexcuse 2012-01-01 2012-01-02 --id ill")
    #expect(ledger.run("audit --interventions --json")["interventions.ill.days"] == "2012-01-01 2012-01-02")
  }

  @Test func `an excuse that only says it is of the zone is an intervention`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-11-07T12:00:00+01:00"
    #expect(ledger.run("excuse 2025-11-04 2025-11-06 --reason zone").status == .usage)
    // The day begins with the batch of the excuse.
    let excuse =
      #"{"type":"days.excused","from":"2025-11-04","to":"2025-11-06","reason":"zone","id":"no-zone"}"#
    #expect(ledger.run("append -", input: excuse).status == .done)
    #expect(ledger.stored().suffix(2).map { $0["type"] } == ["day.changed", "days.excused"])
    #expect(
      ledger.run("audit --interventions --json")["interventions.no-zone.days"] == "2025-11-04 2025-11-06")
  }

  @Test func `a batch that one program wrote is one group, and counts as imports where an import did`() throws
  {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init awareness")
    ledger.now = "2025-11-12T12:00:00+01:00"
    try ledger.run(all: "day")
    let lines = (3...9).map {
      #"{"type":"entry.logged","habit":"awareness","at":"2025-11-0\#($0)T09:00:00+01:00","by":"streaks-import-csv"}"#
    }
    #expect(ledger.run(["append"], input: lines.joined(separator: "\n")).status == .done)
    #expect(ledger.run("audit --interventions --json")["interventions.6.position"] == "10")
    let text = ledger.run("audit --interventions").text
    #expect(
      text.contains("4–10   2025-11-12  7 events by streaks-import-csv, the first: awareness"), "\(text)")
    #expect(text.contains("up to 9 days late, changes 2025-11-03 to 2025-11-11"))
    #expect(text.contains("awareness run 0 → 0") == false)
    #expect(text.contains("imports             7"), "\(text)")
    #expect(text.contains("late entries") == false)
  }

  @Test(arguments: ["--history", "--on 2025-11-01"])
  func `what has nothing to do with it is refused`(option: String) {
    let output = sample("audit --interventions \(option)")
    #expect(output.status == .usage)
    #expect(output.errors.contains("--interventions and \(option.prefix { $0 != " " }) do not go together"))
  }
}

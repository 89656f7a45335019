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

  @Test
  func `audit --interventions reports the same changes as timeline for each listed event`()
    throws
  {
    let all = try documents(TemporaryLedger.sample("timeline --json").text)
    let list = try #require(
      documents(TemporaryLedger.sample("audit --interventions --json").text).first)
    let interventions = try #require(list["interventions"] as? [NSDictionary])
    #expect(interventions.count > 5)
    for intervention in interventions {
      let position = try #require(intervention["position"] as? Int)
      for member in ["event", "type", "recorded", "verdicts", "books", "changes", "achievements"] {
        #expect(
          intervention[member] as? NSObject == all[position - 1][member] as? NSObject, "\(position)"
        )
      }
    }
  }

  @Test(arguments: Cases.seeds(8))
  func `audit --interventions lists every event that changes a verdict or joker of a closed day`(
    seed: UInt64
  ) throws {
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
      if days.contains(where: { $0 < today }) {
        wanted.insert(try #require(row["position"] as? Int))
      }
      for change in row["changes"] as? [NSDictionary] ?? []
      where change["path"] as? String == "today" {
        today = try #require(change["after"] as? String)
      }
    }
    let list = try #require(documents(ledger.run("audit --interventions --json").text).first)
    let found = try #require(list["interventions"] as? [NSDictionary]).compactMap {
      $0["position"] as? Int
    }
    #expect(wanted.isSubset(of: found) && !wanted.isEmpty, "seed \(seed)")
    #expect(found == found.sorted())
  }
}

import CommandFixtures
import Foundation
import StreakDomain
import Streaks
import Testing

struct StreakDataTests {
  @Test(arguments: [
    StreakData(
      currentStreakDays: 12, rewardsEarned: 1,
      lastActivityDate: Date(timeIntervalSince1970: 1_762_124_400)),
    StreakData(currentStreakDays: 0, rewardsEarned: 0, lastActivityDate: nil),
    StreakData(currentStreakDays: 365, rewardsEarned: 3, lastActivityDate: .distantPast),
  ])
  func `streak data can be encoded and decoded`(data: StreakData) throws {
    let bytes = try JSONEncoder().encode(data)
    #expect(try JSONDecoder().decode(StreakData.self, from: bytes) == data)
  }

  @Test func `streak data is decoded from the field names that apps have stored`() throws {
    let stored = #"{"currentStreakDays":5,"rewardsEarned":2,"lastActivityDate":0}"#
    let data = try JSONDecoder().decode(StreakData.self, from: Data(stored.utf8))
    #expect(data.currentStreakDays == 5)
    #expect(data.rewardsEarned == 2)
    #expect(data.lastActivityDate == Date(timeIntervalSinceReferenceDate: 0))
    let never = #"{"currentStreakDays":0,"rewardsEarned":0}"#
    #expect(
      try JSONDecoder().decode(StreakData.self, from: Data(never.utf8)).lastActivityDate == nil)
  }

  @Test func `streak data that the program exports can be decoded by an app`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init meditation")
    for day in 3...10 {
      ledger.now = "2025-11-\(day < 10 ? "0" : "")\(day)T21:00:00+01:00"
      try ledger.run(all: "log meditation 5m")
    }
    let exported = ledger.run("export streak-data meditation").text
    let data = try JSONDecoder().decode(StreakData.self, from: Data(exported.utf8))
    #expect(data.currentStreakDays == 8)
    #expect(data.rewardsEarned == 1)
    #expect(data.lastActivityDate == ISO8601DateFormatter().date(from: "2025-11-10T00:00:00+01:00"))
  }
}

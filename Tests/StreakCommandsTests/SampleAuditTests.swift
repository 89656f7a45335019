import CommandFixtures
import Foundation
import Testing

/// Audits of the sample ledger, whose parts must add up to the whole.
struct SampleAuditTests {
  private func object(_ command: String) throws -> [String: Any] {
    let output = TemporaryLedger.sample(command)
    return try #require(
      JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any],
      "\(output.screen)")
  }

  private func rows(_ command: String) -> [[String]] {
    TemporaryLedger.sample(command).text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `the rows of export csv xp add up to the XP of the state`() throws {
    let xp = try #require(try object("show --json")["xp"] as? Int)
    #expect(rows("export csv xp").compactMap { Int($0[1]) }.reduce(0, +) == xp)
    let ofCardio = rows("export csv xp cardio")
    #expect(ofCardio.allSatisfy { $0[2] == "cardio" && !$0[3].isEmpty && $0[4].isEmpty })
    #expect(rows("export csv xp noalc").isEmpty)
  }

  @Test func `export csv achievements lists those of the state, and for a habit its milestones`()
    throws
  {
    let achievements = try #require(
      try object("replay --json --at end")["achievements"] as? [[String: Any]])
    let keys = rows("export csv achievements").map { $0[1] }
    #expect(keys == achievements.compactMap { $0["key"] as? String })
    let milestones = rows("export csv achievements noalc").map { $0[1] }
    let wanted = keys.filter { (key: String) -> Bool in key.hasPrefix("milestone:noalc:") }
    #expect(milestones == wanted)
  }

  @Test func `why xp lists only entries that earned XP or that an achievement depends on`() throws {
    let chain = try #require(try object("why xp --json")["chain"] as? [[String: Any]])
    let texts = chain.compactMap { $0["says"] as? String }.filter { $0.contains(" XP") }
    let numbers = texts.compactMap { (text: String) -> Int? in
      guard let match = text.firstMatch(of: #/: (\d+) XP/#) else { return nil }
      return Int(match.1)
    }
    let ofEntries = rows("export csv xp").compactMap { (row: [String]) -> Int? in
      row[4].isEmpty ? Int(row[1]) : nil
    }
    #expect(numbers.reduce(0, +) == ofEntries.reduce(0, +))
    #expect(numbers.count == ofEntries.count)
    #expect(texts.filter { $0.contains("no XP") }.allSatisfy { $0.contains(", for ") })
    let entries = chain.compactMap { $0["says"] as? String }.filter { $0.hasPrefix("strength ") }
    #expect(entries.count == 3, "\(entries)")
  }

  @Test(arguments: ["noalc", "meditation"])
  func `each month of a joker book begins with the closing balance of the month before`(
    habit: String
  ) throws {
    func balance(_ period: [String: Any], _ name: String) -> [String: Int] {
      period[name] as? [String: Int] ?? [:]
    }
    var last: [String: Int]?
    for month in ["2025-08", "2025-09", "2025-10", "2025-11"] {
      let end = ["2025-08": "31", "2025-09": "30", "2025-10": "31", "2025-11": "20"][month] ?? ""
      let document = try object("audit \(habit) --from \(month)-01 --to \(month)-\(end) --json")
      let book = try #require((document["habits"] as? [[String: Any]])?.first)
      let period = try #require(book["period"] as? [String: Any])
      let lines = try #require(book["book"] as? [[String: Any]])

      let opening = balance(period, "opening")
      let closing = balance(period, "closing")
      if let last { #expect(opening == last, "\(month)") }
      last = closing
      for (name, action) in [
        ("earned", "earned"), ("spent", "spent"), ("penalised", "penalised"),
        ("forfeited", "forfeited"),
      ] {
        let count = lines.count { $0["action"] as? String == action }
        #expect(closing[name] == (opening[name] ?? 0) + count, "\(month) \(name)")
      }
      let gone = (closing["spent"] ?? 0) + (closing["penalised"] ?? 0)
      #expect(closing["earned"] == (closing["held"] ?? 0) + gone, "\(month)")
    }
    let jokers = try #require(
      (try object("audit \(habit) --json")["habits"] as? [[String: Any]])?.first?["jokers"]
        as? [String: Int])
    #expect(last == jokers)
  }
}

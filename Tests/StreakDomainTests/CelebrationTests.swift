import DomainFixtures
import StreakDomain
import Testing

struct CelebrationTests {
  private func keys(_ rows: String) -> [String] { Histories(rows).ledger.celebrations().map(\.key) }

  @Test func `a good day is celebrated on that day and on the next day`() {
    let key = "completed:meditation:2025-09-02"
    #expect(keys("meditation 22").contains(key))
    #expect(keys("meditation 22.").contains(key))
    #expect(!keys("meditation 22..").contains(key))
    #expect(!keys("meditation 21").contains(key))
  }

  @Test func `a day with both rituals completed is celebrated as perfect`() {
    let perfect = keys("morning_ritual C\nevening_reflection C\ndaily_complete .")
    #expect(perfect.contains("perfect-day:2025-09-01"))
    #expect(perfect.contains("completed:morning_ritual:2025-09-01"))
    #expect(perfect.contains("completed:evening_reflection:2025-09-01"))
    let half = keys("morning_ritual C\nevening_reflection .\ndaily_complete .")
    #expect(half == ["completed:morning_ritual:2025-09-01"])
  }

  @Test(arguments: [(3, "CCC"), (7, "CCCCCCC"), (14, "CCCCCCCCCCCCCC")])
  func `a milestone is celebrated for seven days`(length: Int, days: String) {
    let key = "milestone:morning_ritual:\(length):2025-09-01"
    #expect(keys("morning_ritual \(days)").contains(key))
    #expect(keys("morning_ritual \(days)......").contains(key))
    #expect(!keys("morning_ritual \(days).......").contains(key))
  }

  @Test
  func `a celebration that was seen does not return, and the next good day has a new celebration`()
  {
    var days = Histories("awareness x")
    days.add(.celebrationSeen(celebration: "completed:awareness:2025-09-01"), on: 1)
    #expect(days.ledger.celebrations().isEmpty)
    days.add(.entryLogged(Entry(habit: "awareness")), on: 1)
    #expect(days.ledger.celebrations().isEmpty)
    days.add(.entryLogged(Entry(habit: "awareness")), on: 2)
    #expect(days.ledger.celebrations().map(\.key) == ["completed:awareness:2025-09-02"])
  }

  @Test(arguments: Cases.seeds(20))
  func `achievements of the last seven days are celebrated, and no others`(seed: UInt64) throws {
    var stream = WideStream(seed: seed)
    var ledger = Ledger()
    for (place, event) in stream.events(20).enumerated() {
      ledger.fold(event)
      guard let today = ledger.today, place.isMultiple(of: 3) else { continue }
      let recent = ledger.achievements().filter {
        $0.on > today + -7 && !$0.key.begins(with: "milestone:")
      }
      let celebrated = ledger.recentCelebrations().compactMap { celebration -> String? in
        if case .achievement(let key) = celebration.ground { key } else { nil }
      }
      try #require(celebrated == recent.map(\.key), "seed \(seed), event \(place)")
    }
  }

  @Test func `entries of more than a week ago bring no celebration`() {
    #expect(keys("meditation 2222222222........").isEmpty)
  }

  @Test func `good days of a limit are not celebrated`() {
    #expect(keys("saboteur-avoidance ..") == [])
  }

  @Test func `celebrations are sorted by day, then by key`() {
    #expect(
      keys("meditation 22\nworkout .2") == [
        "completed:meditation:2025-09-01", "completed:meditation:2025-09-02",
        "completed:workout:2025-09-02",
      ])
  }
}

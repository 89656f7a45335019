import StreakDomain
import TestSupport
import Testing

struct AchievementTests {
  private func achievement(_ key: String, _ rows: String) -> Achievement? {
    Histories(rows).ledger.achievements().first { $0.key == key }
  }

  // Rows begin on a Monday.
  @Test(
    arguments: [
      ("s......", "y.r....", 3), ("......s", "y.r....", 7), ("s......", "yy.....", nil),
      (".......", "yr.....", nil), ("s......", "r......y", nil), ("s......s", "r......yr", 9),
    ] as [(String, String, Int?)])
  func `strength, yoga and another cardio in one week are a tri-threat`(
    strength: String, cardio: String, place: Int?
  ) {
    let found = achievement("tri-threat", "strength \(strength)\ncardio \(cardio)")
    #expect(found?.on == place.map(Histories.day))
    #expect(found.map { $0.xp == 100 } ?? true)
  }

  @Test(arguments: [(20, true), (21, false)])
  func `ten cardio entries within thirty days make a cardio king`(rest: Int, isKing: Bool) {
    let days = "rrrrrrrrr" + String(repeating: ".", count: rest) + "r"
    let found = achievement("cardio-king", "cardio \(days)")
    #expect(found?.on == (isKing ? Histories.day(30) : nil))
    #expect(found?.because == (isKing ? ["cardio-30"] : nil))
    #expect(found.map { $0.xp == 150 } ?? true)
  }

  // September has thirty days.
  @Test(arguments: [
    ("s", "r", 31, true), ("s", "r", 30, false), ("ss", ".r", 31, false), ("ss", "rr", 31, true),
    ("s", ".", 31, false), (".", ".", 31, false),
  ])
  func `a month with as many strength days as cardio days is balanced once it is over`(
    strength: String, cardio: String, today: Int, isBalanced: Bool
  ) {
    let rest = String(repeating: ".", count: today - strength.count)
    let found = achievement("balanced-warrior", "strength \(strength)\(rest)\ncardio \(cardio)\(rest)")
    #expect(found?.on == (isBalanced ? Day("2025-09-30") : nil))
    #expect(found.map { $0.xp == 200 } ?? true)
  }

  @Test(arguments: [(119.999, false), (120, true), (300, true)])
  func `one cardio entry of two hours is ultra endurance`(minutes: Double, isUltra: Bool) {
    var day = Histories("cardio .")
    day.add(.entryLogged(.activity("cardio", "cycling", minutes: minutes)), on: 1, id: "long")
    let found = day.ledger.achievements().first { $0.key == "ultra-endurance" }
    #expect((found != nil) == isUltra)
    #expect(found?.because == (isUltra ? ["long"] : nil))
    #expect(day.ledger.xp == 40 + (isUltra ? 300 : 0))
  }

  @Test func `two entries of an hour are not ultra endurance`() {
    var day = Histories("cardio .")
    day.add(.entryLogged(.activity("cardio", "cycling", minutes: 60)), on: 1)
    day.add(.entryLogged(.activity("cardio", "cycling", minutes: 60)), on: 1)
    #expect(!day.ledger.achievements().contains { $0.key == "ultra-endurance" })
  }

  @Test(arguments: [
    ("streak-master:bronze", 3), ("streak-master:silver", 7), ("streak-master:gold", 14),
    ("streak-master:diamond", 30), ("streak-master:legendary", 60), ("devotee:bronze", 3),
    ("devotee:legendary", 60), ("marathon:bronze", 7), ("marathon:silver", 30), ("marathon:gold", 60),
    ("marathon:diamond", 120), ("marathon:legendary", 365), ("collector:bronze", 10),
    ("collector:silver", 25), ("collector:gold", 50), ("collector:diamond", 100),
    ("collector:legendary", 250),
  ])
  func `tiers are reached on the day their number is full`(key: String, place: Int) {
    let found = achievement(key, "awareness \(String(repeating: "x", count: 366))")
    #expect(found?.on == Histories.day(place))
    #expect(found?.because == ["awareness-\(place)"])
    #expect(achievement(key, "awareness \(String(repeating: "x", count: place - 1))") == nil)
  }

  @Test func `variety counts the habits that have an entry`() {
    let rows = ["a", "b", "c", "d"].map { "\($0):awareness" }
    let found = achievement(
      "variety:bronze", "\(rows[0]) x..\n\(rows[1]) .x.\n\(rows[2]) ..x\n\(rows[3]) ..x")
    #expect(found?.on == Histories.day(3))
    #expect(found?.because == ["c-3", "d-3"])
    #expect(achievement("variety:bronze", "\(rows[0]) xxx\n\(rows[1]) xxx\n\(rows[2]) ...") == nil)
  }

  @Test func `a composite's milestone names the entries of its members`() {
    let found = achievement(
      "milestone:daily_complete:3", "morning_ritual CCC\nevening_reflection CCC\ndaily_complete ...")
    #expect(found?.because == ["morning_ritual-3", "evening_reflection-3"])
  }

  @Test(arguments: 1...5)
  func `days logged in any order bring the milestones that they bring in order`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let length = 40
    var late = Histories("awareness \(String(repeating: ".", count: length))")
    var logged: Set<Int> = []
    func told(_ ledger: Ledger) -> [String] {
      ledger.achievements().filter { $0.key.hasPrefix("milestone:") }.map { "\($0.key) \($0.on)" }
    }
    for place in (1...length).shuffled(using: &random) {
      logged.insert(place)
      late.add(.entryLogged(Entry(habit: "awareness")), on: place)
      let days = (1...length).map { logged.contains($0) ? "x" : "." }.joined()
      try #require(told(late.ledger) == told(Histories("awareness \(days)").ledger), "\(seed): \(days)")
    }
  }

  @Test func `a deletion takes an achievement back, and logging again does not give it twice`() {
    var days = Histories("awareness xxxx")
    #expect(days.ledger.achievements().contains { $0.key == "milestone:awareness:3" })
    days.add(.entryDeleted(entry: "awareness-2", reason: nil), on: 4)
    #expect(!days.ledger.achievements().contains { $0.key == "milestone:awareness:3" })
    #expect(!days.ledger.achievements().contains { $0.key == "streak-master:bronze" })
    days.add(.entryLogged(Entry(habit: "awareness")), on: 2, id: "again")
    let found = days.ledger.achievements().filter { $0.key == "milestone:awareness:3" }
    #expect(found.map(\.on) == [Histories.day(3)])
    #expect(found.map(\.because) == [["awareness-3"]])
  }

  @Test func `a second run of the same length is no second achievement`() {
    let days = Histories("game CCC.CCC")
    #expect(
      days.ledger.achievements().filter { $0.key == "milestone:game:3" }.map(\.on) == [Histories.day(3)])
  }

  @Test func `without a streak there is no milestone, yet every entry counts`() {
    let keys = Histories("activity-tracker \(String(repeating: "x", count: 10))").ledger.achievements().map(
      \.key)
    #expect(!keys.contains { $0.hasPrefix("milestone:") || $0.hasPrefix("streak-master:") })
    #expect(keys.contains("collector:bronze"))
    #expect(keys.contains("devotee:silver"))
  }
}

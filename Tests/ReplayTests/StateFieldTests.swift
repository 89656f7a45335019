import Replay
import StreakDomain
import TestSupport
import Testing

struct StateFieldTests {
  /// Predicates tell habit and field apart by this alone, for habits have dots, too.
  @Test func `no field of a habit is the tail of another`() {
    for field in HabitField.allCases {
      #expect(!HabitField.allCases.contains { $0.rawValue.hasSuffix("." + field.rawValue) })
    }
  }

  @Test func `a field with few words is text, and nothing but keys is a list`() {
    for field in HabitField.allCases where field.words != nil { #expect(field.kind == .text) }
    #expect(LedgerField.allCases.filter { $0.kind == .keys } == [.achievements, .celebrations])
  }

  @Test func `every field is listed once, in the order of the catalogue`() {
    let ledger = History(Preset.noalc.definition, "SSSSSSE.S").ledger
    let all = StateField.all(of: ledger)
    #expect(Set(all.map(\.field)).count == all.count)
    #expect(
      all.map(\.field).prefix(LedgerField.allCases.count) == LedgerField.allCases.map { .ledger($0) }[...])
    let values = Dictionary(uniqueKeysWithValues: all.map { ("\($0.field)", "\($0.value)") })
    #expect(values["noalc.jokers.spent"] == "1")
    #expect(values["noalc.days.healed"] == "1")
    #expect(values["noalc.start"] == "2025-09-09")
    #expect(values["noalc.icon"] == "🍀")
    #expect(values["activity.lastActivity"] == "null")
  }

  @Test(arguments: 1...25)
  func `reading one field is reading it off the whole state, after every event`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    for event in stream.events(60) {
      _ = ledger.apply(event)
      var settled = ledger
      settled.settle()
      for habit in ledger.definedHabits {
        let place = try #require(ledger.place(of: habit))
        ledger.settle(place)
        let state = try #require(settled.state(of: habit))
        for field in HabitField.allCases {
          let one = field.value(of: place, in: ledger)
          try #require(one == field.value(of: state), "\(habit).\(field.rawValue), seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: 1...25)
  func `an achievement or a celebration asked for alone is as it is in the list`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    let habits = ["a", "b", "both"]
    let keys =
      AchievementKey.fixed + habits.flatMap { habit in (2...9).map { .milestone(habit: habit, run: $0) } }
    var everPending: Set<String> = ["achievement:tri-threat"]
    for event in stream.events(80) {
      _ = ledger.apply(event)
      ledger.settle()
      let all = ledger.achievements()
      for key in keys {
        let listed = all.first { $0.key == key.description }
        try #require(ledger.day(of: key) == listed?.on, "\(key), seed \(seed)")
      }
      try #require(ledger.xp == ledger.xp(with: all))
      let pending = ledger.celebrations(with: all)
      everPending.formUnion(pending)
      for text in everPending {
        let key = try #require(CelebrationKey(text))
        try #require(ledger.isPending(key) == pending.contains(text), "\(text), seed \(seed)")
      }
    }
  }

  @Test func `the key of an achievement is read as it is written`() {
    for key in AchievementKey.fixed { #expect(AchievementKey(key.description) == key) }
    #expect(AchievementKey("milestone:my.habit:7") == .milestone(habit: "my.habit", run: 7))
    for wrong in [
      "", "tri", "milestone:a:1", "milestone:a:07", "milestone::7", "collector:11", "milestone:a",
    ] {
      #expect(AchievementKey(wrong) == nil)
    }
  }

  @Test(arguments: [
    ("completed:a:2025-11-03", true), ("perfect-day:2025-11-03", true), ("milestone:a:7:2025-11-03", true),
    ("achievement:streak-master:gold", true), ("achievement:milestone:a:7", false), ("completed:a", false),
    ("perfect-day:2025-11-31", false), ("milestone:a:7", false), ("", false), ("achievement", false),
  ])
  func `the key of a celebration is known by its form`(text: String, isKey: Bool) {
    #expect((CelebrationKey(text) != nil) == isKey)
  }
}

import DomainFixtures
import EventLog
import Inspection
import StreakDomain
import Testing

extension Facts {
  /// Whether a habit has a future definition that changes `countsFrom`.
  fileprivate var awaitsAnotherCount: Bool {
    definedHabits.contains { habit in
      guard let today, let next = definition(of: habit, after: today) else { return false }
      return definition(of: habit, after: next.day) != nil
        || next.source.countsFrom != countsFrom(of: habit)
    }
  }
}

struct StateFieldTests {
  /// Only this lets predicates separate habit and field, because habit ids may contain dots.
  @Test func `no field name ends with a dot and the name of another field`() {
    for field in HabitField.allCases {
      #expect(!HabitField.allCases.contains { $0.path.hasSuffix("." + field.path) })
    }
  }

  @Test
  func `a field with fixed words is a text, and only achievements and celebrations are lists`() {
    for field in HabitField.allCases where field.words != nil { #expect(field.kind == .text) }
    #expect(LedgerField.allCases.filter { $0.kind == .keys } == [.achievements, .celebrations])
  }

  @Test(arguments: Cases.seeds(25, part: 12))
  func `a run still exists after the day of safeThrough and ends after the next day`(seed: UInt64)
    throws
  {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    for event in stream.events(80) {
      ledger.fold(event)
      // `safeThrough` assumes today's `countsFrom`, which a future definition may change.
      if ledger.facts.awaitsAnotherCount { continue }
      for state in ledger.states()
      where state.current > 0 && ![.off, .retired].contains(state.status) {
        func current(on day: Day) -> Int? {
          var later = ledger
          later.advance(to: day)
          return later.state(of: state.habit)?.current
        }
        let today = try #require(ledger.today)
        let note: Comment = "\(state.habit), seed \(seed), position \(ledger.position)"
        if let last = state.safeThrough {
          try #require(current(on: last + 1) != 0 && current(on: last + 2) == 0, note)
        } else {
          try #require(current(on: today + 367) != 0, note)
        }
      }
    }
  }

  @Test(arguments: Cases.seeds(25, part: 12))
  func `achievement keys, XP and celebrations agree with the achievements after every event`(
    seed: UInt64
  )
    throws
  {
    var stream = RandomStream(seed: seed)
    var ledger = Ledger()
    for event in stream.events(80) {
      ledger.fold(event)
      let all = ledger.achievements()
      try #require(ledger.achievementKeys == Set(all.map(\.key)), "seed \(seed)")
      let entryXP = ledger.xpByHabit().reduce(0) { $0 + $1.xp }
      try #require(ledger.xp == entryXP + all.reduce(0) { $0 + $1.xp }, "seed \(seed)")
      for key in all.map(\.key) {
        let parsed = try #require(AchievementKey(key))
        try #require(parsed.description == key && ledger.hasAchievement(parsed), "seed \(seed)")
      }
      for pending in ledger.celebrations() {
        let key = try #require(CelebrationKey(pending.key))
        try #require(ledger.hasGround(for: key), "\(pending.key), seed \(seed)")
      }
    }
  }

  @Test func `an achievement key is read as it is written, and a malformed key is refused`() {
    for key in AchievementKey.withoutMilestones {
      #expect(AchievementKey(key.description) == key)
    }
    #expect(AchievementKey("milestone:my.habit:7") == .milestone(habit: "my.habit", run: 7))
    for wrong in [
      "", "tri", "milestone:a:1", "milestone:a:07", "milestone::7", "collector:iron", "milestone:a",
    ] {
      #expect(AchievementKey(wrong) == nil)
    }
  }

  @Test(arguments: [
    ("completed:a:2025-11-03", true), ("perfect-day:2025-11-03", true),
    ("milestone:a:7:2025-11-03", true),
    ("achievement:streak-master:gold", true), ("achievement:milestone:a:7", false),
    ("completed:a", false),
    ("perfect-day:2025-11-31", false), ("milestone:a:7", false), ("", false),
    ("achievement", false),
  ])
  func `only a well-formed text is a celebration key`(text: String, isKey: Bool) {
    #expect((CelebrationKey(text) != nil) == isKey)
  }
}

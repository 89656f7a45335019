import DomainFixtures
import StreakDomain
import Testing

struct PresetTests {
  @Test(
    arguments: [
      (Preset.meditation, "minutes", "joker", true, nil, "🧘"),
      (.workout, "minutes", "joker", true, nil, "💪"),
      (.noalc, "level", "joker", true, nil, "🍀"), (.noalcStrict, "level", "joker", true, nil, "🍀"),
      (.awareness, "any", "joker", true, nil, "💭"),
      (.activityTracker, "any", "none", false, nil, "💧"),
      (.saboteurAwareness, "any", "joker", true, nil, "👀"),
      (.saboteurAvoidance, "none", "none", true, nil, "🚫"),
      (.morningRitual, "completed", "grace", true, "ritual", "🌅"),
      (.eveningReflection, "completed", "grace", true, "ritual", "🌙"),
      (.dailyComplete, "all", "grace", true, "ritual", "🔥"),
      (.game, "completed", "none", true, "game", "🎮"),
      (.strength, "activity", "none", true, "strength", "🏋️"),
      (.cardio, "activity", "none", true, "cardio", "🏃"),
      (.activity, "either", "none", true, nil, "🔥"),
    ] as [(Preset, String, String, Bool, String?, String)])
  func `each preset has the expected rule, forgiveness, streak, group and icon`(
    preset: Preset, rule: String, forgiveness: String, streak: Bool, group: String?, icon: String
  ) {
    let definition = preset.definition
    let kinds: String
    switch definition.forgiveness ?? .nothing {
    case .nothing: kinds = "none"
    case .joker(let rule):
      kinds = "joker"
      #expect(rule.every == 7)
      #expect(rule.cap == 3)
    case .grace(let days):
      kinds = "grace"
      #expect(days == 1)
    }
    #expect(definition.rule.name.rawValue == rule)
    #expect(kinds == forgiveness)
    #expect((definition.streak ?? true) == streak)
    #expect(definition.group?.string == group)
    #expect(definition.icon?.string == icon)
  }

  @Test(
    arguments: [
      ("running", 9.999, 0.999, false), ("running", 10, nil, true), ("cycling", nil, 1, true),
      ("swimming", 10, nil, true), ("hiking", 9.999, nil, false), ("hiking", nil, 1, true),
      ("walking", 29.999, 2.999, false), ("walking", 30, nil, true), ("walking", nil, 3, true),
      ("yoga", 14.999, 100, false), ("yoga", 15, nil, true), ("hiit", 15, nil, true),
      ("functional_strength", 15, nil, true), ("core", 15, nil, true),
      ("flexibility", 14.999, nil, false),
      ("traditional_strength", 600, nil, false), ("rowing", 19.999, 50, false),
      ("rowing", 20, nil, true),
      (nil, 20, nil, true), (nil, 19.999, nil, false), ("running", nil, nil, false),
      ("running", 300, nil, true),
    ] as [(String?, Double?, Double?, Bool)])
  func `a cardio day is good from the threshold of its activity on`(
    activity: String?, minutes: Double?, km: Double?, isGood: Bool
  ) {
    #expect(
      isGoodDay(.cardio, .activity("cardio", activity.map { Text($0) }, minutes: minutes, km: km))
        == isGood)
  }

  @Test(
    arguments: [
      ("strength", 2, nil, false), ("strength", 3, nil, true), ("strength", nil, 9.999, false),
      ("strength", nil, 10, true), ("running", 9, 90, false), (nil, 3, nil, false),
    ] as [(String?, Int?, Double?, Bool)])
  func `a strength day is good from 3 sets or 10 minutes on`(
    activity: String?, sets: Int?, minutes: Double?, isGood: Bool
  ) {
    #expect(
      isGoodDay(
        .strength, .activity("strength", activity.map { Text($0) }, minutes: minutes, sets: sets))
        == isGood)
  }

  @Test(
    arguments: [
      (29.999, 4.999, 15), (30, nil, 25), (60, nil, 40), (20, 5, 25), (20, 10, 45), (60, 10, 70),
      (9, 0.5, 0), (29.999499, 4.999499, 15), (29.9995, nil, 25), (20, 4.9995, 25),
      (9.9995, nil, 15), (9.999499, nil, 0),
    ] as [(Double?, Double?, Int)])
  func `a cardio entry earns 15 XP and the bonuses for its minutes and distance`(
    minutes: Double?, km: Double?, xp: Int
  ) {
    #expect(ledger(.cardio, [.activity("cardio", "running", minutes: minutes, km: km)]).xp == xp)
  }

  @Test func `each entry of a day earns XP, and an entry below its threshold earns nothing`() {
    let entries = [
      Entry.activity("cardio", "running", minutes: 30), .activity("cardio", "yoga", minutes: 14),
    ]
    #expect(ledger(.cardio, entries).xp == 25)
    #expect(ledger(.cardio, [entries[0], entries[0]]).xp == 50)
    #expect(ledger(.strength, [.activity("strength", "strength", minutes: 60)]).xp == 0)
  }

  private func isGoodDay(_ preset: Preset, _ entry: Entry) -> Bool {
    ledger(preset, [entry]).state(of: preset.rawValue)?.current == 1
  }

  private func ledger(_ preset: Preset, _ entries: [Entry]) -> Ledger {
    var ledger = Ledger()
    var sequence = Sequence()
    ledger.fold(sequence.event(.habitDefined(preset.definition), on: History.start))
    for entry in entries { ledger.fold(sequence.event(.entryLogged(entry), on: History.start)) }
    return ledger
  }
}

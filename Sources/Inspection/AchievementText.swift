import EventLog
package import StreakDomain

/// The texts for achievements and celebrations, such as their names.
///
/// In JSON, an achievement is identified by its key instead.
package enum AchievementText {
  /// Returns the name of the achievement `key`, such as `365 days of Meditation` or `Streak master, silver`.
  ///
  /// The name isn't escaped.
  package static func name(_ key: String, _ ledger: Ledger) -> String {
    switch AchievementKey(key) {
    case .milestone(let habit, let run)?: return milestone(habit, run, ledger)
    case .named, nil:
      let parts = key.parts(at: ":")
      let words = parts[0] == "tri-threat" ? key : parts[0].rewriting { $0 == "-" ? " " : nil }
      let first = words.unicodeScalars.first.map { $0.properties.uppercaseMapping } ?? ""
      return first + words.droppingBytes(1) + parts.dropFirst().map { ", " + $0 }.joined()
    }
  }

  /// Returns the condition for unlocking the achievement `key`, such as `entries on 3 days in a row`.
  ///
  /// Returns `nil` if the key is unknown.
  package static func condition(_ key: String, _ ledger: Ledger) -> String? {
    switch AchievementKey(key) {
    case .milestone(let habit, let run)?: return "a run of \(counted(run, ledger.runUnit(of: habit)))"
    case .named, nil: break
    }
    let parts = key.parts(at: ":")
    func number(_ numbers: [Int]) -> Int {
      parts.count == 2 ? Tier.names.firstIndex(of: String(parts[1])).map { numbers[$0] } ?? 0 : 0
    }
    switch parts[0] {
    case "tri-threat": return "strength, yoga and another cardio activity in one week, Monday to Sunday"
    case "cardio-king": return "10 cardio entries within 30 days"
    case "balanced-warrior":
      return "a past month with as many strength days as cardio days, at least one of each"
    case "ultra-endurance": return "one cardio entry of 120 minutes"
    case "streak-master": return "a run of \(counted(number(Tier.streakMaster), "day"))"
    case "collector": return counted(number(Tier.collector), "entry")
    case "marathon": return "entries on \(counted(number(Tier.marathon), "different day"))"
    case "devotee": return "entries on \(counted(number(Tier.devotee), "day")) in a row"
    case "variety": return "entries of \(counted(number(Tier.variety), "habit"))"
    default: return nil
    }
  }

  package static func xp(_ achievement: Achievement) -> String {
    achievement.xp > 0 ? ", \(achievement.xp) XP" : ""
  }

  package static func celebration(_ celebration: Celebration, _ ledger: Ledger) -> String {
    switch celebration.ground {
    case .completed(let habit): return "\(title(habit, ledger)): done"
    case .perfectDay: return "🌟 a perfect day"
    case .milestone(let habit, let run):
      return "🎉 \(title(habit, ledger)): a run of \(counted(run, ledger.runUnit(of: habit)))"
    case .achievement(let key):
      return "🏆 " + name(key, ledger) + (ledger.achievements().first { $0.key == key }.map(xp) ?? "")
    }
  }

  package static func celebration(key: String, _ ledger: Ledger) -> String {
    switch CelebrationKey(key) {
    case .completed(let habit, let day)?: return "\(title(habit, ledger)) done on \(day)"
    case .perfectDay(let day)?: return "the perfect day \(day)"
    case .milestone(let habit, let run, _)?: return milestone(habit, run, ledger)
    case .achievement(let key)?: return name(key.description, ledger)
    case nil: return key
    }
  }

  private static func milestone(_ habit: String, _ run: Int, _ ledger: Ledger) -> String {
    "\(counted(run, ledger.runUnit(of: habit))) of \(ledger.definition(of: habit)?.name?.string ?? habit)"
  }

  private static func title(_ habit: String, _ ledger: Ledger) -> String {
    ledger.definition(of: habit)?.title ?? habit
  }
}

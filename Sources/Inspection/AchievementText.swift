import EventLog
package import StreakDomain

/// The texts for achievements and celebrations, which JSON identifies by their keys.
package enum AchievementText {
  /// Returns the unescaped name of an achievement, such as `365 days of Meditation`.
  package static func name(_ key: String, _ ledger: Ledger) -> String {
    switch AchievementKey(key) {
    case .milestone(let habit, let run)?:
      let name = ledger.facts.definition(of: habit)?.name?.string ?? habit
      return "\(counted(run, ledger[habit]?.runUnit() ?? "day")) of \(name)"
    case .single, .tiered, nil:
      let parts = key.parts(at: ":")
      let words = parts[0] == "tri-threat" ? key : parts[0].rewriting { $0 == "-" ? " " : nil }
      let first = words.unicodeScalars.first.map { $0.properties.uppercaseMapping } ?? ""
      return first + words.droppingBytes(1) + parts.dropFirst().map { ", " + $0 }.joined()
    }
  }

  /// Returns the keys of the achievements called `name`, in any case; habits of one name have
  /// several.
  package static func keys(named name: String, _ ledger: Ledger) -> [String] {
    let run = Int(name.parts(at: " ")[0]) ?? 0
    let keys =
      AchievementKey.withoutMilestones.map(\.description)
      + ledger.facts.definedHabits.map { "milestone:\($0):\(run)" }
    return keys.filter { Text(self.name($0, ledger).asciiLowercased) == Text(name.asciiLowercased) }
  }

  /// Returns a condition such as `entries on 3 days in a row`, or `nil` if the key is unknown.
  package static func condition(_ key: String, _ ledger: Ledger) -> String? {
    switch AchievementKey(key) {
    case .milestone(let habit, let run)?:
      return "a run of \(counted(run, ledger[habit]?.runUnit() ?? "day"))"
    case .single(.triThreat)?:
      let first = ledger.facts.weekStart
      return
        "strength, yoga and another cardio activity in one week, \(first.name) to "
        + first.previous.name
    case .single(.cardioKing)?: return "10 cardio entries within 30 days"
    case .single(.balancedWarrior)?:
      return "a past month with as many strength days as cardio days, at least one of each"
    case .single(.ultraEndurance)?: return "one cardio entry of 120 minutes"

    case .tiered(let achievement, let tier)?:
      let number = achievement.required[tier]
      switch achievement {
      case .streakMaster: return "a run of \(counted(number, "day"))"
      case .collector: return counted(number, "entry")
      case .marathon: return "entries on \(counted(number, "different day"))"
      case .devotee: return "entries on \(counted(number, "day")) in a row"
      case .variety: return "entries of \(counted(number, "habit"))"
      }
    case nil: return nil
    }
  }

  package static func xp(_ achievement: Achievement) -> String {
    achievement.xp > 0 ? ", \(achievement.xp) XP" : ""
  }

  /// Returns the text for the celebration `key`, such as `🎉 🍀 NoAlc: a run of 7 days`, and an
  /// unknown key as it is.
  package static func celebration(_ key: String, _ ledger: Ledger) -> String {
    func title(_ habit: String) -> String { ledger.facts.definition(of: habit)?.title ?? habit }
    switch CelebrationKey(key) {
    case .completed(let habit, _)?: return "\(title(habit)): done"
    case .perfectDay?: return "🌟 a perfect day"
    case .milestone(let habit, let run, _)?:
      return "🎉 \(title(habit)): a run of \(counted(run, ledger[habit]?.runUnit() ?? "day"))"
    case .achievement(let key)?:
      let achievement = Achievements(of: ledger).all.first { $0.key == key.description }
      return "🏆 " + name(key.description, ledger) + (achievement.map(xp) ?? "")
    case nil: return key
    }
  }
}

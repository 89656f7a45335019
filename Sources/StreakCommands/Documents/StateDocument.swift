import Inspection
import StreakDomain

extension LedgerState {
  var json: JSON {
    .object([
      "format": .whole(1), "position": .whole(position), "event": .text(event),
      "recorded": .text(recorded?.description), "today": .day(today), "zone": .text(zone),
      "habits": .list(habits.map(\.json)), "achievements": .list(achievements.map(\.json)),
      "activity": .object([
        "strengthDays": .whole(activity.strengthDays), "cardioDays": .whole(activity.cardioDays),
        "mixedDays": .whole(activity.mixedDays), "lastActivity": .text(activity.lastActivity?.rawValue),
      ]),
      "xp": .whole(xp), "celebrations": .texts(celebrations),
    ])
  }
}

extension Streak {
  /// The fields as nested JSON; a part such as `quota` is null if none of its fields has a value.
  var json: JSON {
    var members: [(key: String, value: JSON)] = [("habit", .text(habit))]
    for (part, fields) in Streak.parts {
      let values = fields.map { (key: $0.key, value: $0.field.value(of: self)) }
      let json = values.map { (key: $0.key, value: $0.value.json) }
      guard let part else { members += json; continue }
      members.append((part, values.allSatisfy { $0.value == .null } ? .null : .object(JSON.Members(json))))
    }
    return .object(JSON.Members(members))
  }

  private static let parts: [String?: [(key: String, field: HabitField)]] = {
    let fields = HabitField.allCases.map { (path: $0.rawValue.parts(at: ".").map(String.init), field: $0) }
    return Dictionary(grouping: fields) { $0.path.count > 1 ? $0.path[0] : nil }
      .mapValues { $0.map { (key: $0.path.last ?? "", field: $0.field) } }
  }()
}

extension Achievement {
  var json: JSON {
    .object(["key": .text(key), "on": .day(on), "because": .texts(because), "xp": .whole(xp)])
  }
}

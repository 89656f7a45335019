import StreakDomain

/// Everything that is known of a ledger at a point.
struct StateDocument {
  let position: Int
  let event: String?
  let recorded: Instant?
  let today: Day?
  let zone: String?
  let habits: [HabitState]
  let achievements: [Achievement]
  let activity: Activity
  let xp: Int
  let celebrations: [String]

  /// Reads the ledger.
  init(_ ledger: Ledger, event: String?, recorded: Instant?, habit: String? = nil) {
    position = ledger.position
    self.event = event
    self.recorded = recorded
    let isEmpty = ledger.position == 0
    today = isEmpty ? nil : ledger.today
    zone = ledger.zone
    habits = habit.map { ledger.state(of: $0).map { [$0] } ?? [] } ?? ledger.states()
    achievements = ledger.achievements()
    activity = ledger.activity
    xp = ledger.xp
    celebrations = ledger.celebrations().map(\.key)
  }

  var json: JSON {
    .object([
      "format": .whole(1), "position": .whole(position), "event": .text(event),
      "recorded": .text(recorded?.description), "today": .day(today), "zone": .text(zone),
      "habits": .list(habits.map(\.json)), "achievements": .list(achievements.map(\.json)),
      "activity": .object([
        "strengthDays": .whole(activity.strengthDays), "cardioDays": .whole(activity.cardioDays),
        "mixedDays": .whole(activity.mixedDays), "lastActivity": .text(activity.lastActivity),
      ]),
      "xp": .whole(xp), "celebrations": .texts(celebrations),
    ])
  }
}

extension HabitState {
  var json: JSON {
    .object([
      "habit": .text(habit), "name": .text(name), "icon": .text(icon), "current": .whole(current),
      "start": .day(start), "best": .whole(best), "longest": .whole(longest), "lastGood": .day(lastGood),
      "status": .text(status.rawValue), "ifMissed": .text(ifMissed.rawValue),
      "safeThrough": .day(safeThrough),
      "jokers": jokers.json, "quota": quota?.json ?? .null,
      "days": .object(
        JSON.Members(Verdict.allCases.map { ($0.name, .whole(days[$0])) })),
      "totals": .object([
        "entries": .whole(totals.entries), "minutes": .number(totals.minutes), "km": .number(totals.km),
        "sets": .whole(totals.sets), "drinks": .whole(totals.drinks), "amount": .number(totals.amount),
        "played": .whole(totals.played), "completed": .whole(totals.completed),
      ]),
    ])
  }
}

extension Quota {
  var json: JSON {
    .object([
      "times": .whole(times), "good": .whole(good), "rests": .whole(rests), "through": .day(through),
    ])
  }
}

extension JokerCounts {
  var json: JSON {
    .object([
      "held": .whole(held), "earned": .whole(earned), "spent": .whole(spent), "forfeited": .whole(forfeited),
      "penalised": .whole(penalised),
    ])
  }
}

extension Achievement {
  var json: JSON {
    .object(["key": .text(key), "on": .day(on), "because": .texts(because), "xp": .whole(xp)])
  }
}

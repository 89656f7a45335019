extension Ledger {
  /// `tri-threat`, `cardio-king`, `balanced-warrior` and `ultra-endurance`.
  func activityGrounds() -> [Achievement] {
    let found: [(key: String, on: Day?, xp: Int)] = [
      ("tri-threat", triThreat, 100), ("cardio-king", cardioKing, 150),
      ("balanced-warrior", balancedWarrior, 200),
      ("ultra-endurance", activeDays.first { daily[$0].ultra > 0 }, 300),
    ]
    return found.compactMap { key, on, xp in
      on.map { day in
        let about = defined.filter { habits[$0].terms(on: day).group != .other }
        return Achievement(key: key, on: day, because: entries(of: about, on: day), xp: xp)
      }
    }
  }

  /// Strength, yoga and another cardio activity in one ISO week.
  private var triThreat: Day? {
    var week = Day.first
    var strength = false
    var yoga = false
    var other = false
    return activeDays.first { day in
      if day.monday != week {
        week = day.monday
        (strength, yoga, other) = (false, false, false)
      }
      let ground = daily[day]
      strength = strength || ground.strength > 0
      yoga = yoga || ground.yoga > 0
      other = other || ground.cardio > ground.yoga
      return strength && yoga && other
    }
  }

  /// Ten cardio entries within thirty consecutive days.
  private var cardioKing: Day? {
    var within: Int32 = 0
    return activeDays.first { day in
      within += daily[day].cardio - daily[day + -30].cardio
      return within >= 10
    }
  }

  /// A closed month with as many strength days as cardio days.
  private var balancedWarrior: Day? {
    guard let today else { return nil }
    var month = Day.first
    var strength = 0
    var cardio = 0
    for day in activeDays {
      if day.startOfMonth != month {
        if strength > 0, strength == cardio { return month.endOfMonth }
        month = day.startOfMonth
        (strength, cardio) = (0, 0)
      }
      strength += daily[day].strength > 0 ? 1 : 0
      cardio += daily[day].cardio > 0 ? 1 : 0
    }
    return strength > 0 && strength == cardio && today > month.endOfMonth ? month.endOfMonth : nil
  }
}

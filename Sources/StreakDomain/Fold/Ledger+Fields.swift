/// Single fields of `state(of:)`, in O(1) except for `safeThrough`, for callers that ask after every event.
extension Ledger {
  package func place(of habit: String) -> HabitPlace? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? HabitPlace(index: $0) : nil }
  }

  /// Returns a number that changes with every fact that may affect the habit's totals.
  package func revision(_ habit: HabitPlace) -> Int { habits[habit.index].revision }

  /// Returns a number that changes with every fact that may affect the rest of the state, apart from the
  /// date.
  package func outcomeRevision(_ habit: HabitPlace) -> Int { habits[habit.index].outcomeRevision }

  package func current(_ habit: HabitPlace) -> Int { Int(record(habit).run) }

  package func best(_ habit: HabitPlace) -> Int {
    max(Int(habits[habit.index].days.closed.best), Int(record(habit).run))
  }

  package func longest(_ habit: HabitPlace) -> Int {
    isCutOff ? best(habit) : max(habits[habit.index].records.longest, best(habit))
  }

  package func jokersHeld(_ habit: HabitPlace) -> Int { Int(record(habit).held) }

  package func status(_ habit: HabitPlace) -> Streak.Status {
    let record = record(habit)
    return status(habit.index, record, hasGoodDay: lastGood(habit.index, record) != nil)
  }

  package func ifMissed(_ habit: HabitPlace) -> Streak.IfMissed { ifMissed(habit.index, record(habit)) }

  package func safeThrough(_ habit: HabitPlace) -> Day? { safeThrough(habit.index, record(habit)) }

  package func lastGood(_ habit: HabitPlace) -> Day? { lastGood(habit.index, record(habit)) }

  package func quota(_ habit: HabitPlace) -> Quota? { quota(habit.index, record(habit)) }

  package func progress(_ habit: HabitPlace) -> SumProgress? { progress(habit.index) }

  private func record(_ habit: HabitPlace) -> DayRecord {
    today.map { todaysRecord(habit.index, on: $0) } ?? DayRecord()
  }
}

package import StreakDomain

extension HabitView {
  /// Whether the habit was defined by mistake: it has no entries, and was retired on its first day
  /// or before.
  ///
  /// An undo of the definition retires the habit on the day before, or on its first day if the
  /// calendar has no day before.
  package var isWithdrawn: Bool {
    guard let first = facts.definitions(of: id).map(\.day).min(), let today,
      state.totals.entries == 0,
      let last = facts.retirement(of: id, on: max(first, today).next)
    else { return false }
    return last <= first
  }
}

package import StreakDomain

/// The words about a clock that is or was wrong.
package enum ClockText {
  package static func ahead(today: Day, date: Day) -> String {
    """
    this event moved the ledger to \(today), but the clock says \(date); if the clock that wrote \
    the event was wrong, 
    """
      + "run `streaks day --correct`"
  }
}

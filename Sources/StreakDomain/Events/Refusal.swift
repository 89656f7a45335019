/// Why an event may not join the ledger as it is; what one event shows by itself is checked before.
package enum Refusal: Error, Equatable, Sendable {
  case unknownHabit(String, known: [String])
  case unknownMember(String, of: String, known: [String])
  case circularMember(String, of: String)
  case entryForComposite(String, members: [String])
  case missingMeasure(habit: String, rule: String, needs: String)
  case unknownLevel(String, habit: String, known: [String])
  case levelDisagrees(level: String, drinks: Int, band: String?)
  case unknownOutcome(String, field: String, known: [String])
  case unknownEntry(String)
  case entryDeletedBefore(String)
  case unknownExcuse(String)
  case excuseWithdrawnBefore(String)
  case excuseOfZone(String, ClosedRange<Day>)
  case dayNotChanged(to: Day, today: Day)
  case dayIsNotTo(day: Day, to: Day)
  case movesNoDay(String)
  case movesNotBeyond(String, Day)
  /// Today is not after the date of now, or a correction is to another day.
  case notAhead(today: Day, date: Day)
  case retiredBefore(habit: String, after: Day)
  case afterRetirement(habit: String, after: Day, day: Day)
  case inTheFuture(at: Timestamp, now: Instant)
  case dayAfterItsTime(day: Day, localDay: Day, dayStart: ClockTime)
  /// `nearest` ends the sentence: the names that may be meant, or that this machine knows none.
  case unknownZone(String, nearest: String)
  case beyondTheCalendar(at: Timestamp)
  case notOpened
  case noLevel(drinks: Int, habit: String)
  case notGrouped(subject: String?)
  case unknownCelebration(String, pending: [String])
  case overLimit(Limit, habit: String, count: Int)
}

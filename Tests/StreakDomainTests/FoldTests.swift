import StreakDomain
import TestSupport
import Testing

struct FoldTests {
  @Test func `one missed day is graced, the second ends the run`() {
    #expect(History(Preset.eveningReflection.definition, "CC.CC..C").verdicts == "ggtggtmg")
    #expect(History(Preset.eveningReflection.definition, "CC.").state?.status == .due)
    #expect(History(Preset.eveningReflection.definition, "CC..").state?.status == .grace)
  }

  @Test func `a game completed after a failed try starts again at 1`() {
    let history = History(Preset.game.definition, "CCCRCF")
    #expect(history.verdicts == "gggngb")
    #expect(History(Preset.game.definition, "CCCR").state?.current == 1)
    #expect(history.state?.best == 3)
  }

  @Test func `avoidance counts the days without an entry once they are over`() {
    let history = History(Preset.saboteurAvoidance.definition, "..x...")
    #expect(history.verdicts == "ggbgg?")
    #expect(history.state?.current == 2)
    #expect(history.state?.ifMissed == .safe)
    #expect(history.state?.safeThrough == nil)
  }

  @Test func `a tracker without a streak has verdicts and no run`() {
    let history = History(Preset.activityTracker.definition, "x.x.")
    #expect(history.verdicts == "gmg?")
    #expect(history.state?.current == 0)
    #expect(history.state?.status == .off)
  }

  @Test func `an excused day is as if the calendar did not have it`() {
    let history = History(Preset.meditation.definition, "222..2", excused: "...ee.")
    #expect(history.verdicts == "gggeeg")
    #expect(history.state?.current == 4)
  }

  @Test func `jokers show how long a run is safe`() {
    let history = History(Preset.meditation.definition, "22222222222222.")
    #expect(history.state?.ifMissed == .heals)
    #expect(history.state?.safeThrough == History.start + 15)
  }

  @Test func `a late entry mends the run it was missing from, and a deletion takes it back`() {
    var ledger = History(Preset.workout.definition, "22.22").ledger
    #expect(ledger.state(of: "workout")?.current == 2)
    var sequence = Sequence()
    var late = Entry(habit: "workout")
    late.minutes = Thousandths(5)
    ledger.add(sequence.event(.entryLogged(late), on: History.start + 2, id: "late"))
    #expect(ledger.state(of: "workout")?.current == 5)
    ledger.add(
      sequence.event(.entryDeleted(entry: "late", reason: nil), on: History.start + 4, id: "undo"))
    #expect(ledger.state(of: "workout")?.current == 2)
    #expect(ledger.state(of: "workout")?.best == 2)
    #expect(ledger.state(of: "workout")?.longest == 5)
  }

  @Test func `a deletion may stand before the entry it deletes`() {
    var fold = LedgerFold()
    var sequence = Sequence()
    _ = fold.apply(sequence.event(.habitDefined(Preset.awareness.definition), on: History.start))
    _ = fold.apply(sequence.event(.entryDeleted(entry: "x", reason: nil), on: History.start))
    _ = fold.apply(sequence.event(.entryLogged(Entry(habit: "awareness")), on: History.start, id: "x"))
    let ledger = fold.settled
    #expect(ledger.state(of: "awareness")?.totals.entries == 0)
    #expect(ledger.today == History.start)
  }

  @Test func `a redefinition holds from its day on and leaves the days before`() {
    var ledger = History(Preset.meditation.definition, "555555").ledger
    var stricter = Preset.meditation.definition
    stricter.rule = Rule(.minutes(atLeast: Thousandths(10)))
    var sequence = Sequence()
    ledger.add(sequence.event(.habitDefined(stricter), on: History.start + 3, id: "new"))
    let outcomes = ledger.verdicts(of: "meditation", in: Day.first...Day.last).map(\.outcome)
    #expect(outcomes == ["good", "good", "good", "missed", "missed", "missed"])
  }

  @Test func `nothing before countsFrom counts, whatever the order`() {
    var definition = Preset.awareness.definition
    definition.countsFrom = History.start + 3
    let history = History(definition, "xxxxx")
    #expect(history.state?.current == 2)
    #expect(history.state?.totals.entries == 2)
  }

  @Test func `an entry logged too late is still an entry`() {
    var fold = LedgerFold()
    var sequence = Sequence()
    _ = fold.apply(sequence.event(.habitDefined(Preset.morningRitual.definition), on: History.start))
    var entry = Entry(habit: "morning_ritual")
    entry.completed = true
    _ = fold.apply(sequence.event(.entryLogged(entry), on: History.start, late: 2))
    _ = fold.apply(sequence.event(.entryLogged(entry), on: History.start + 1, late: 1))
    let ledger = fold.settled
    #expect(ledger.state(of: "morning_ritual")?.current == 1)
    #expect(ledger.state(of: "morning_ritual")?.totals.entries == 2)
  }

  @Test func `after retirement days are excused until the habit is defined again`() {
    var ledger = History(Preset.workout.definition, "222...2").ledger
    var sequence = Sequence()
    ledger.add(sequence.event(.habitRetired(habit: "workout"), on: History.start + 2, id: "r"))
    #expect(ledger.state(of: "workout")?.status == .retired)
    #expect(ledger.state(of: "workout")?.current == 3)
    ledger.add(
      sequence.event(.habitDefined(Preset.workout.definition), on: History.start + 6, id: "d"))
    #expect(ledger.state(of: "workout")?.current == 4)
  }
}

import DomainFixtures
import StreakDomain
import Testing

struct TrackerTests {
  @Test(arguments: [Preset.awareness, .saboteurAwareness])
  func `any entry makes an awareness day good, whatever its value and however many there are`(preset: Preset)
  {
    var tracker = Histories("\(preset.rawValue) x..")
    for value: Text in ["sad", "glad", "sad"] {
      var entry = Entry(habit: preset.rawValue)
      entry.value = value
      tracker.add(.entryLogged(entry), on: 2)
    }
    #expect(tracker.verdicts(preset.rawValue) == "gg?")
    #expect(tracker.state(preset.rawValue)?.current == 2)
    #expect(tracker.state(preset.rawValue)?.totals.entries == 4)
  }

  @Test func `a tracker's run grows a day at a time and a missed day without a joker ends it`() {
    #expect(History(Preset.awareness.definition, "xxx").state?.current == 3)
    #expect(History(Preset.awareness.definition, "xxxx").state?.current == 4)
    #expect(History(Preset.awareness.definition, "xxx.x").state?.current == 1)
    #expect(History(Preset.awareness.definition, "xxxxxxx.x").verdicts == "ggggggghg")
  }

  @Test func `avoidance counts from its definition, without any entry`() {
    var fold = LedgerFold()
    var sequence = Sequence()
    _ = fold.apply(sequence.event(.ledgerOpened(owner: nil), on: History.start))
    let avoidance = Preset.saboteurAvoidance.definition
    _ = fold.apply(sequence.event(.habitDefined(avoidance), on: History.start + 2))
    fold.settled.advance(to: History.start + 5)
    let ledger = fold.settled
    #expect(ledger.state(of: avoidance.habit)?.current == 3)
    #expect(ledger.state(of: avoidance.habit)?.start == History.start + 2)
  }

  @Test func `avoidance from an earlier day on counts from there`() {
    var definition = Preset.saboteurAvoidance.definition
    definition.countsFrom = History.start + 3
    #expect(History(definition, "......").state?.current == 2)
  }

  @Test(arguments: [("x", 0, "b"), ("...x", 0, "gggb"), ("..xx.", 0, "ggbb?"), ("..x..", 1, "ggbg?")])
  func `any entry breaks avoidance at once`(days: String, current: Int, verdicts: String) {
    let history = History(Preset.saboteurAvoidance.definition, days)
    #expect(history.verdicts == verdicts)
    #expect(history.state?.current == current)
  }

  @Test func `a tracker's streak is switched on and off from a day on, and the runs of before stay`() {
    var tracker = Histories("water:activity-tracker xxxxx")
    #expect(tracker.state("water")?.status == .off)
    var on = Preset.activityTracker.definition(for: "water")
    on.streak = true
    tracker.add(.habitDefined(on), on: 4)
    #expect(tracker.state("water")?.current == 2)
    #expect(tracker.state("water")?.status == .done)
  }
}

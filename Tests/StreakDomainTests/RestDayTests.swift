import DomainFixtures
import StreakDomain
import Testing

/// Rest days where a habit has no streak for a while, or a composite none of its own days yet (domain.md, "The
/// fold").
struct RestDayTests {
  /// The verdicts and runs of a habit every three days, of whose days some are of `streak: false`.
  private func everyThirdDay(_ days: String, off: String) -> (verdicts: String, runs: String) {
    var definition = Habit("plants", rule: Rule(.any))
    definition.schedule = .every(days: 3)
    var sequence = Sequence()
    var ledger = Ledger()
    ledger.add(sequence.event(.ledgerOpened(owner: nil), on: History.start))
    var isOff = false
    for (offset, (mark, streak)) in zip(days, off).enumerated() {
      if offset == 0 || (streak == "o") != isOff {
        isOff = streak == "o"
        definition.streak = !isOff
        ledger.add(sequence.event(.habitDefined(definition), on: History.start + offset))
      }
      for entry in History.entries("plants", mark) {
        ledger.add(sequence.event(.entryLogged(entry), on: History.start + offset))
      }
    }
    ledger.advance(to: History.start + days.utf8.count)
    let found = ledger.verdicts(of: "plants", in: History.start...History.start + (days.utf8.count - 1))
    return (found.map { History.sign($0.verdict) }.joined(), found.map { String($0.run) }.joined())
  }

  // `o` is a day of `streak: false`.
  @Test(
    arguments: [
      // Two rest days without a streak use up both of the three days, so the next miss counts.
      ("x...x", "-oo--", "grrmg", "11101"),
      // One of each does, too.
      ("x...x", "-o---", "grrmg", "11101"),
      // Once both are used up, a missed day without a streak is missed, and the run stays.
      ("x....x", "-ooo--", "grrmmg", "111101"),
      // A good day without a streak is no end of the count.
      ("x.x..x", "-oo---", "grgrmg", "111101"),
      // With a streak it is.
      ("x.x..x", "------", "grgrrg", "112223"),
    ] as [(String, String, String, String)])
  func `days that rest without a streak count for every, and good ones do not begin the count anew`(
    days: String, off: String, verdicts: String, runs: String
  ) {
    let found = everyThirdDay(days, off: off)
    #expect(found.verdicts == verdicts)
    #expect(found.runs == runs)
  }

  /// What a composite of a composite has, where the inner one may count from a later day: `sport` is all of `jog`, on
  /// Mondays, Wednesdays and Fridays, and the outer one of `sport` and `others`.
  private func outer(_ jog: String, _ read: String, others: [String], countsFrom: Int?) -> String {
    var definitions = ["jog", "read"].map { Habit($0, rule: Rule(.any)) }
    definitions[0].schedule = .weekdays(Weekdays([.monday, .wednesday, .friday]))
    definitions.append(Habit("sport", rule: Rule(.all(of: ["jog"]))))
    definitions[2].countsFrom = countsFrom.map(Histories.day)
    definitions.append(Habit("outer", rule: Rule(.all(of: ["sport"] + others))))
    var sequence = Sequence()
    var ledger = Ledger()
    ledger.add(sequence.event(.ledgerOpened(owner: nil), on: History.start))
    for definition in definitions {
      ledger.add(sequence.event(.habitDefined(definition), on: History.start))
    }
    for (habit, days) in [("jog", jog), ("read", read)] {
      for (offset, mark) in days.enumerated() {
        for entry in History.entries(habit, mark) {
          ledger.add(sequence.event(.entryLogged(entry), on: History.start + offset))
        }
      }
    }
    ledger.advance(to: History.start + jog.utf8.count)
    return ledger.verdicts(of: "outer", in: History.start...History.start + (jog.utf8.count - 1)).map {
      History.sign($0.verdict)
    }.joined()
  }

  // The days are from Monday to Tuesday of the next week, on whose Monday `sport` begins.
  @Test(
    arguments: [
      // `sport` begins with `jog`; before that only its days asked for are missed.
      (".......x.", "xxxxxxxxx", ["read"], nil, "mgmgmgggg"),
      // It counts from the second Monday on; before that it is good, missed or resting as its member is.
      ("x...x..x.", "xxxxx.xxx", ["read"], 8, "ggmggmggg"),
      // Where all members rest, the day rests.
      ("x...x..x.", "xxxxxxxxx", [], 8, "grmrgrrgr"),
    ] as [(String, String, [String], Int?, String)])
  func `a composite rests before its own first day where its members let it go`(
    jog: String, read: String, others: [String], countsFrom: Int?, verdicts: String
  ) {
    #expect(outer(jog, read, others: others, countsFrom: countsFrom) == verdicts)
  }
}

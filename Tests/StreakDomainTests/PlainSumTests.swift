import DomainFixtures
import StreakDomain
import Testing

/// The plain fold does with sums of a week or month what is written in histories by hand.
struct PlainSumTests {
  @Test(arguments: PeriodHistory.all)
  func `the plain fold has the verdicts of a history`(history: PeriodHistory) {
    var plain = PlainLedger(history.events, today: history.today)
    #expect(plain.days("h").map { History.sign($0.verdict) }.joined() == history.verdicts)
  }

  @Test(arguments: CompositeOfSums.all)
  func `the plain fold leaves out a member whose week is not decided that day`(history: CompositeOfSums) {
    var plain = PlainLedger(history.events, today: history.today)
    for (habit, verdicts) in history.verdicts {
      #expect(plain.days(habit).map { History.sign($0.verdict) }.joined() == verdicts, "\(habit)")
    }
  }

  @Test(arguments: RetiredHistory.all)
  func `the plain fold ends a retirement only with a later event`(history: RetiredHistory) {
    var plain = PlainLedger(history.events, today: history.today)
    #expect(plain.days("h").map { History.sign($0.verdict) }.joined() == history.verdicts)
  }

  @Test func `random streams decide weeks and months in each way, and none twice`() throws {
    var seen: [String: Int] = [:]
    for seed in 1...40 as ClosedRange<UInt64> {
      var stream = RandomStream(seed: seed)
      var plain = PlainLedger(stream.events(120))
      for habit in ["a", "b", "c", "d"] {
        guard let first = plain.firstDay(habit) else { continue }
        var decided: Set<String> = []
        for (place, record) in plain.days(habit).enumerated() {
          let day = first + place
          guard let sum = plain.definition(habit, day)?.rule.sum, let per = sum.per,
            ![.rest, .open, .excused].contains(record.verdict)
          else { continue }
          let span = per.days(around: day)
          let isNew = decided.insert("\(per) \(span.lowerBound)").inserted
          try #require(isNew, "seed \(seed), \(habit) on \(day)")
          let isLast = day == span.upperBound
          seen["\(per) \(sum.of) \(record.verdict)", default: 0] += 1
          seen["\(per) \(record.verdict == .good) \(isLast ? "at its end" : "before")", default: 0] += 1
        }
      }
    }
    for per in Schedule.Period.allCases {
      for isGood in [true, false] {
        for place in ["at its end", "before"] {
          #expect(seen["\(per) \(isGood) \(place)", default: 0] > 0, "\(per), good \(isGood), \(place)")
        }
      }
    }
    for measure in [Measure.minutes, .amount, .entries, .drinks] {
      #expect(seen.keys.contains { $0.hasPrefix("week \(measure) ") }, "\(measure)")
    }
  }

  @Test func `progress is the sum of today, or so far of its week or month`() {
    func progress(_ sum: Sum, _ days: Int) -> PlainLedger.Progress? {
      var sequence = Sequence()
      var events = [sequence.event(.ledgerOpened(owner: nil), on: History.start)]
      events.append(
        sequence.event(.habitDefined(Habit("h", rule: Rule(.sum(sum)))), on: History.start))
      for day in 0..<days {
        var entry = Entry(habit: "h")
        entry.minutes = Thousandths(5)
        events.append(sequence.event(.entryLogged(entry), on: History.start + day))
      }
      return PlainLedger(events).progress("h")
    }
    let (ten, start) = (Thousandths(10), History.start)
    let day = progress(Sum(of: .minutes, atLeast: ten), 9)
    #expect(day?.total == Thousandths(5) && day?.per == "day" && day?.through == start + 8)
    let week = progress(Sum(of: .minutes, atLeast: ten, per: .week), 9)
    #expect(week?.total == ten && week?.per == "week" && week?.through == start + 13)
    #expect(week?.atLeast == ten && week?.atMost == nil)
    let month = progress(Sum(of: .minutes, atMost: ten, per: .month), 9)
    #expect(month?.total == Thousandths(45) && month?.per == "month" && month?.through == start + 29)
  }
}

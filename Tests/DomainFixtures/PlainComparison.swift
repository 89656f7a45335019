package import StreakDomain

/// The kinds of random streams on which the ledger is compared with the plain one.
package enum StreamKind: String, CaseIterable, Sendable {
  case random, dense, wide, slipped, slippedDense, keyed, decimals

  /// Whether the streams contain undos and corrected days.
  package var hasSlips: Bool { [.slipped, .slippedDense, .keyed, .decimals].contains(self) }

  /// Returns a stream in which some events form batches, and some lines are copies.
  package func events(_ seed: UInt64) -> [Event] {
    let single = singleEvents(seed).withWeekStarts(seed: seed).withOpenExcuses(seed: seed)
    let events = BatchedStream.events(single, seed: seed, hasSlips: hasSlips)
    return self == .keyed ? events.withKeys(seed: seed) : events
  }

  /// Returns a stream in which nearly every event is a step of its own.
  package func singleEvents(_ seed: UInt64) -> [Event] {
    switch self {
    case .random:
      var stream = RandomStream(seed: seed)
      return stream.events(70)
    case .dense:
      var stream = RandomStream(seed: seed, isDense: true)
      return stream.events(60)
    case .wide:
      var stream = WideStream(seed: seed)
      return stream.events(seed.isMultiple(of: 2) ? 30 : 10)
    case .slipped: return SlippedStream(seed: seed).events(26)
    case .slippedDense: return SlippedStream(seed: seed, isDense: true).events(30)
    case .keyed:
      let kinds: [StreamKind] = [.slipped, .slippedDense, .dense, .wide]
      return kinds[Int(seed % 4)].singleEvents(seed)
    case .decimals:
      let kinds: [StreamKind] = [.random, .slipped, .dense, .wide]
      return kinds[Int(seed % 4)].singleEvents(seed).withDecimals(seed: seed)
    }
  }
}

extension PlainLedger {
  /// Returns the fields and verdicts in which `ledger` differs from this ledger.
  ///
  /// `longest` isn't compared, because it depends on earlier states (`PlainRecord`).
  package mutating func differences(from ledger: Ledger) -> [String] {
    var found: [String] = []
    func compare<Value: Equatable>(_ field: String, _ value: Value, _ wanted: Value) {
      if value != wanted { found.append("\(field) is \(value), not \(wanted)") }
    }
    compare("today", ledger.today ?? Day.first, today)
    compare("habits", ledger.definedHabits.sorted(), definitions.keys.sorted())
    for state in ledger.states() {
      let habit = state.habit
      let days = days(habit)
      let last = days.last ?? PlainDay()
      let verdicts = ledger.verdicts(of: habit, in: Day.first...Day.last)
      compare("\(habit) verdicts", verdicts.map(\.verdict), days.map(\.verdict))
      compare("\(habit) first day", verdicts.first?.day, days.isEmpty ? nil : firstDay(habit))
      compare("\(habit).current", state.current, last.run)
      compare("\(habit).start", state.start, last.start)
      compare("\(habit).best", state.best, days.map(\.run).max() ?? 0)
      let lastGood = days.lastIndex { $0.verdict == .good || $0.verdict == .restarted }
      compare(
        "\(habit).lastGood", state.lastGood,
        lastGood.flatMap { place in firstDay(habit).map { $0 + place } })
      compare("\(habit).status", state.status, status(habit))
      compare("\(habit).ifMissed", state.ifMissed, ifMissed(habit))
      compare("\(habit).safeThrough", state.safeThrough, safeThrough(habit))
      let quota = quota(habit)
      compare(
        "\(habit).quota", state.quota.map { [$0.times, $0.good, $0.rests] },
        quota.map { [$0.times, $0.good, $0.rests] })
      compare("\(habit).quota.through", state.quota?.through, quota?.through)
      compare("\(habit).progress", state.progress.map(Progress.init), progress(habit))
      let jokers = state.jokers
      compare(
        "\(habit).jokers",
        [jokers.held, jokers.earned, jokers.spent, jokers.forfeited, jokers.penalised],
        [last.held, last.earned, last.spent, last.forfeited, last.penalised])
      for verdict in Verdict.allCases {
        compare(
          "\(habit).days.\(verdict)", state.days[verdict], days.count { $0.verdict == verdict })
      }
      compare("\(habit).totals", state.totals.numbers, numbers(of: standing(habit)))
    }
    return found
  }

  /// Returns the same numbers as `Totals.numbers`.
  private func numbers(of standing: [Entry]) -> [Int64] {
    func sum(_ values: [Int64]) -> Int64 { rounded(values.reduce(0, +)) }
    return [
      Int64(standing.count), sum(standing.compactMap(\.minutes?.count)),
      sum(standing.compactMap(\.km?.count)),
      Int64(standing.compactMap(\.sets).reduce(0, +)),
      Int64(standing.compactMap(\.drinks).reduce(0, +)),
      sum(standing.compactMap(\.amount?.count)), Int64(standing.count { $0.completed != nil }),
      Int64(standing.count { $0.completed == true }),
    ]
  }
}

extension Totals {
  fileprivate var numbers: [Int64] {
    [
      Int64(entries), minutes.count, km.count, Int64(sets), Int64(drinks), amount.count,
      Int64(played),
      Int64(completed),
    ]
  }
}

extension PlainLedger.Progress {
  fileprivate init(_ progress: SumProgress) {
    self.init(
      total: progress.total, atLeast: progress.atLeast, atMost: progress.atMost, per: progress.per,
      through: progress.through)
  }
}

/// Sums of a week or month; a day with the code `none` decides only if it is the last one.
extension HabitFold {
  /// Returns the days whose codes an entry can change: its day or, for a sum, the rest of the week or month.
  @inline(__always)
  func extent(ofEntryOn day: Day) -> ClosedRange<Day> {
    guard let per = definition(on: day).per else { return day...day }
    return day...min(per.days(around: day).upperBound, Day.last)
  }

  func extent(ofDefinitionsOn days: ClosedRange<Day>, _ made: CompiledDefinition? = nil) -> ClosedRange<Day> {
    guard definitions.traits.contains(.periodSum) || made?.per != nil else { return days }
    let ends = Schedule.Period.allCases.map { $0.days(around: days.upperBound).upperBound }
    return days.lowerBound...min(ends.reduce(days.upperBound, max), Day.last)
  }

  func daysAdded(to days: ClosedRange<Day>) -> ClosedRange<Day> {
    guard definitions.traits.contains(.periodSum) else { return days }
    let starts = Set(definitions.compiled.compactMap(\.per)).map {
      $0.days(around: days.lowerBound).lowerBound
    }
    return max(starts.reduce(days.lowerBound, min), Day.first)...days.upperBound
  }

  /// Sets the codes of a week or month, and returns the range of days whose codes changed.
  mutating func setCodes(of per: Schedule.Period, around day: Day) -> ClosedRange<Day>? {
    let period = per.days(around: day)
    var codes: [(day: Day, code: DayCode)] = []
    var isDecided = false
    eachSum(per, in: max(period.lowerBound, Day.first)...min(period.upperBound, Day.last)) {
      day, definition, sum in
      var code = isDecided ? DayCode.letGo : .none
      if !isDecided, let outcome = definition.test.decision(at: sum, isLastDay: day == period.upperBound) {
        isDecided = true
        if outcome != definition.emptyOutcome { code = DayCode(outcome) }
      }
      codes.append((day, code))
    }
    var changed: ClosedRange<Day>?
    for (day, code) in codes where days.set(day, code) { changed = changed?.joined(day...day) ?? day...day }
    return changed
  }

  func decision(before day: Day) -> Day? {
    guard let per = definition(on: day).per, days.tree[day] == .letGo else { return nil }
    var earlier = day.previous
    while earlier >= per.days(around: day).lowerBound {
      if definition(on: earlier).per == per, days.tree[earlier].outcome != nil { return earlier }
      earlier = earlier.previous
    }
    return nil
  }

  func sumSoFar(on day: Day) -> Thousandths {
    guard let per = definition(on: day).per else {
      return Thousandths(count: entries.cells[day]?.sum ?? 0)
    }
    var last: Int64 = 0
    eachSum(per, in: max(per.days(around: day).lowerBound, Day.first)...day) { _, _, sum in last = sum }
    return Thousandths(count: last)
  }

  /// Calls `body` for each day with such a sum in force; sums of different measures or units are separate.
  private func eachSum(
    _ per: Schedule.Period, in days: ClosedRange<Day>, _ body: (Day, CompiledDefinition, Int64) -> Void
  ) {
    var sums: [(what: Sum, total: Int64)] = []
    var day = days.lowerBound
    while day <= days.upperBound {
      let regime = definitions.regime(on: day)
      let definition = definitions.compiled[definitions.regimes[regime].place]
      let end = min(definitions.end(ofRegime: regime), days.upperBound)
      guard definition.per == per, let what = definition.source.rule.sum else {
        day = end.next
        continue
      }
      let place = sums.firstIndex { $0.what.addsUpAs(what) } ?? sums.count
      if place == sums.count { sums.append((what, 0)) }
      while day <= end {
        sums[place].total += entries.cells[day]?.sum ?? 0
        body(day, definition, sums[place].total)
        day = day.next
      }
    }
  }
}

extension Sum {
  fileprivate func addsUpAs(_ other: Sum) -> Bool {
    of == other.of && unit == other.unit
  }
}

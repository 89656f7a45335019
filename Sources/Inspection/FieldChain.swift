package import StreakDomain

/// The events that explain the value of a field.
///
/// A ledger that contains only these events has the same value.
package struct FieldChain: Sendable {
  package let field: StateField
  package let value: StateValue
  /// The events in stream order.
  ///
  /// An event that matters for several reasons has only the role that was found first.
  package let links: [ChainLink]
  /// The days whose events the chain contains, or `nil` if the chain contains the events of all days.
  package let days: ClosedRange<Day>?
  /// The last day before `days` on which a run ended.
  ///
  /// `links` contains the events of this day, too. `nil` if a run continued up to `days`, if no run had ended before,
  /// or if the field doesn't depend on it.
  package let breakDay: Day?

  /// Creates the chain of `field`, or returns `nil` if the field's habit isn't defined.
  ///
  /// The search goes backwards run by run, until a ledger with only the chain's events has the same value.
  package init?(of field: StateField, in ledger: Ledger) {
    guard let value = field.value(in: ledger) else { return nil }
    self.field = field
    self.value = value
    func isEnough(_ links: [ChainLink]) -> Bool {
      field.value(in: ledger.rebuilt(of: links)) == value
    }
    let all = Day.first...Day.last
    if case .habit(let habit, let part) = field {
      var spans = FieldChain.spans(of: part, habit, in: ledger)
      while let span = spans.next() {
        var links = ledger.links(of: habit, in: span, includesAll: false)
        var breakDay: Day?
        if part.chain.needsDayBefore, span.lowerBound > Day.first {
          let before = span.lowerBound.previous
          breakDay =
            ledger.start(ofRunOf: habit, on: before) != nil
            ? nil : ledger.lastBreak(of: habit, before: span.lowerBound)
          links += ledger.breakLinks(of: habit, on: breakDay ?? before, isBreak: breakDay != nil)
        }
        links = links.inStreamOrder
        guard isEnough(links) else { continue }
        (self.links, days, self.breakDay) = (links, span, breakDay)
        return
      }
      breakDay = nil
      let links = ledger.links(of: habit, in: all, includesAll: true)
      // Excuses don't affect sums of entries, so the chain is tried without them first.
      for links in [links.filter { $0.role != .excuse }, links] where isEnough(links) {
        (self.links, days) = (links, nil)
        return
      }
    } else {
      breakDay = nil
    }
    if field == .ledger(.today) {
      (links, days) = ([], nil)
      return
    }
    let links = ledger.activityLinks(includesAll: false).filter { $0.role != .excuse }
    (self.links, days) = (isEnough(links) ? links : ledger.activityLinks(includesAll: true), nil)
  }

  package func renamed(to field: StateField) -> FieldChain { FieldChain(field, self) }

  private init(_ field: StateField, _ other: FieldChain) {
    self.field = field
    (value, links, days, breakDay) = (other.value, other.links, other.days, other.breakDay)
  }

  /// Returns the ranges of days in which to look for the events behind `field`, smallest first.
  ///
  /// The result is empty for totals, which depend on every entry, and for a ledger without a today.
  private static func spans(of field: HabitField, _ habit: String, in ledger: Ledger) -> Spans {
    guard let today = ledger.today else { return Spans(ledger, habit, []) }
    switch field.chain {
    case .entries: return Spans(ledger, habit, [])
    case .record:
      guard let run = ledger.longestRun(of: habit) else { return Spans(ledger, habit, [today...Day.last]) }
      let start = ledger.chainStart(of: habit, run.lowerBound...run.upperBound)
      let end = ledger.end(ofRunOf: habit, after: run.upperBound) ?? today
      return Spans(ledger, habit, [start...end, start...Day.last])
    case .lastGood:
      let day = ledger.state(of: habit)?.lastGood ?? today
      return Spans(ledger, habit, [day...day, day...Day.last])
    case .definition: return Spans(ledger, habit, [today...today, today...Day.last])
    case .period:
      let definition = ledger.definition(of: habit, on: today)
      var per = definition?.rule.sum?.per
      if case .times(_, let period)? = definition?.schedule { per = period }
      let start = per.map { max($0.days(around: today).lowerBound, Day.first) } ?? today
      return Spans(ledger, habit, [start...today, start...Day.last])
    case .allDays: return Spans(ledger, habit, [Day.first...today, Day.first...Day.last])
    case .run, .held:
      var start = ledger.start(ofRunOf: habit, on: today) ?? ledger.lastBreak(of: habit) ?? today
      // If no joker is held, the chain must explain how the last one was lost.
      if field == .held, let line = ledger.jokerBook(of: habit).last { start = min(start, line.day) }
      let first = ledger.chainStart(of: habit, start...today, countsHeld: field.chain == .held)
      return Spans(ledger, habit, [first...today, first...Day.last])
    }
  }
}

/// The ranges of days in which to look for the events behind a field, in the order in which they are tried.
///
/// The planned ranges come first. Each further range begins 1, 2, 4, … runs before the previous range.
private struct Spans {
  private let ledger: Ledger
  private let habit: String
  private var planned: [ClosedRange<Day>]
  private var start: Day?
  private var runs = 1

  init(_ ledger: Ledger, _ habit: String, _ planned: [ClosedRange<Day>]) {
    self.ledger = ledger
    self.habit = habit
    self.planned = planned.reversed()
    start = planned.last?.lowerBound
  }

  mutating func next() -> ClosedRange<Day>? {
    if let next = planned.popLast() { return next }
    guard var day = start, day > Day.first else { return nil }
    for _ in 0..<runs { day = ledger.start(ofRunOf: habit, before: day) ?? Day.first }
    runs *= 2
    start = day
    return day...Day.last
  }
}

extension Ledger {
  /// Returns the first day of the runs that earned the jokers spent or lost on `days`.
  ///
  /// The days of these runs are searched, too, so the result can be much earlier. It is the first of `days` if no
  /// earlier run is needed. If `countsHeld` is true, jokers that are still held are included.
  fileprivate func chainStart(of habit: String, _ days: ClosedRange<Day>, countsHeld: Bool = false) -> Day {
    let book = jokerBook(of: habit)
    var earned: [Int: Day] = [:]
    for line in book where line.action == .earned { earned[line.lot?.number ?? 0] = line.day }
    let gone = Set(book.filter { $0.action != .earned }.compactMap(\.lot?.number))
    var start = days.lowerBound
    while true {
      let spent = book.filter { $0.action != .earned && $0.day >= start && $0.day <= days.upperBound }
      var lots = Set(spent.compactMap(\.lot?.number))
      if countsHeld { lots.formUnion(Set(earned.keys).subtracting(gone)) }
      let first = lots.compactMap { earned[$0] }.min() ?? start
      let begin = self.start(ofRunOf: habit, on: first) ?? first
      guard begin < start else { return start }
      start = begin
    }
  }
}

extension StateField {
  /// Parses a path such as `noalc.jokers.held` or `xp`; the habit needn't exist.
  package init?(path: String) {
    if let field = LedgerField(rawValue: path) {
      self = .ledger(field)
      return
    }
    for dot in path.indices where path[dot] == "." && dot > path.startIndex {
      guard let field = HabitField(rawValue: String(path[path.index(after: dot)...])) else { continue }
      self = .habit(String(path[..<dot]), field)
      return
    }
    return nil
  }
}

package import StreakDomain

/// The events that explain the value of a field.
///
/// A ledger that contains only these events has the same value.
package struct FieldChain: Sendable {
  package var field: StateField
  package let value: StateValue
  /// The events in stream order, without duplicates.
  ///
  /// An event with several roles keeps the first of them (`ChainLink.Role`).
  package let links: [ChainLink]
  /// The days whose events the chain contains, or `nil` for all days.
  package let days: ClosedRange<Day>?
  /// The last day before `days` on which a run ended, or `nil` if the field doesn't depend on that
  /// day.
  package private(set) var breakDay: Day?

  /// Creates the chain that explains the value of `field`, or returns `nil` if the field's habit
  /// isn't defined.
  ///
  /// Tries ever larger ranges of days until their events alone give the field the same value as in
  /// `ledger`.
  package init?(of field: StateField, in ledger: Ledger) {
    guard let value = field.value(in: ledger) else { return nil }
    self.field = field
    self.value = value

    func isEnough(_ links: [ChainLink]) -> Bool {
      field.value(in: ledger.rebuilt(of: links)) == value
    }

    var links: [ChainLink] = []
    if case .habit(let id, let part) = field, let habit = ledger[id] {
      for days in FieldChain.spans(of: part, habit) {
        links = habit.links(in: days, includesAll: false)
        breakDay = nil
        if part.chain.needsDayBefore, days.lowerBound > Day.first {
          let before = days.lowerBound.previous
          let isRun = habit.runStart(on: before) != nil
          breakDay = isRun ? nil : habit.lastBreak(before: days.lowerBound)
          links += habit.breakLinks(on: breakDay ?? before, isBreak: breakDay != nil)
        }

        // Without the correction of a wrong clock, its record would stay.
        if part == .longest {
          let corrections = ledger.facts.corrections(ofEventsAt: links.map(\.position))
          links += corrections.map { ChainLink(position: $0, role: .today) }
        }

        links = links.inStreamOrder
        if isEnough(links) {
          self.links = links
          self.days = days
          return
        }
      }
      links = habit.links(in: Day.first...Day.last, includesAll: true)
    } else if field == .ledger(.xp), case let ofXP = [ChainLink](ofXPIn: ledger), isEnough(ofXP) {
      links = ofXP
    } else if field != .ledger(.today) {
      links = [ChainLink](ofActivityIn: ledger, includesAll: false)
      if !isEnough(links) { links = [ChainLink](ofActivityIn: ledger, includesAll: true) }
    }

    days = nil
    breakDay = nil
    // Excuses don't affect sums of entries, so the chain is tried without them first.
    let others = links.filter { $0.role != .excuse }
    self.links = others.count < links.count && isEnough(others) ? others : links
  }

  /// Returns the ranges of days to search for the events that explain `field`, smallest first.
  ///
  /// Totals need every entry, so they have no ranges.
  private static func spans(of field: HabitField, _ habit: HabitView) -> [ClosedRange<Day>] {
    guard let today = habit.today else { return [] }

    var days = today...today
    switch field.chain {
    case .entries: return []
    case .definition: break
    case .record:
      if let run = habit.longestRun {
        days = habit.chainStart(run)...run.upperBound
      }
    case .lastGood:
      let day = habit.state.lastGood ?? today
      days = day...day
    case .period:
      let definition = habit.definition(on: today)
      var per = definition.rule.sum?.per
      if case .times(_, let period)? = definition.schedule { per = period }
      if let per {
        let start = per.days(around: today, from: habit.facts.weekStart).lowerBound
        days = max(start, Day.first)...today
      }
    case .allDays: days = Day.first...today
    case .run, .held:
      var start = habit.runStart(on: today) ?? habit.lastBreak() ?? today
      // If no joker is held, the chain must explain how the last one was lost.
      if field == .held, let line = habit.jokerBook.last {
        start = min(start, line.day)
      }
      days = habit.chainStart(start...today, countsHeld: field.chain == .held)...today
    }

    return [days, days.lowerBound...Day.last, Day.first...Day.last]
  }
}

extension HabitView {
  /// Returns the first day whose events are needed to explain the runs and jokers of `days`.
  ///
  /// It is the first day of `days`, or of an earlier run that earned a joker spent since then. If
  /// `countsHeld` is true, the runs that earned the jokers still held are included, too.
  fileprivate func chainStart(_ days: ClosedRange<Day>, countsHeld: Bool = false) -> Day {
    let book = jokerBook
    var earned: [Int: Day] = [:]
    for line in book where line.action == .earned { earned[line.lot?.number ?? 0] = line.day }
    let gone = Set(book.filter { $0.action != .earned }.compactMap(\.lot?.number))

    var start = days.lowerBound
    while true {
      let spent = book.filter {
        $0.action != .earned && $0.day >= start && $0.day <= days.upperBound
      }
      var lots = Set(spent.compactMap(\.lot?.number))
      if countsHeld { lots.formUnion(Set(earned.keys).subtracting(gone)) }

      let first = lots.compactMap { earned[$0] }.min() ?? start
      let begin = runStart(on: first) ?? first
      guard begin < start else { return start }
      start = begin
    }
  }
}

extension StateField {
  /// Returns a hint for the unknown `word`, such as ` (did you mean "xp"?)`.
  ///
  /// It is an empty text if nothing is similar. The candidates are the ledger's fields. If `word`
  /// contains a dot, the fields of `habits` are candidates, too, and otherwise `others`.
  package static func hint(_ word: String, of habits: [String], others: [String]) -> Sentence {
    let fields = HabitField.allCases.map(\.path)
    for habit in habits where word.begins(with: habit + ".") {
      let field = String(word.droppingBytes(habit.utf8.count + 1))
      let words = [
        "run": "current", "streak": "current", "record": "longest", "jokers": "jokers.held",
      ]
      let meant = words[field] ?? fields.first { $0.ends(with: "." + field) }
      if let meant = meant ?? Nearest.names(to: field, among: fields).first {
        return Nearest.meant("\(habit).\(meant)")
      }
    }
    if HabitField(path: word) != nil, let habit = habits.first {
      return Nearest.meant("\(habit).\(word)")
    }
    let paths =
      word.holds(".") ? habits.flatMap { habit in fields.map { "\(habit).\($0)" } } : others
    return Nearest.hint(word, among: LedgerField.allCases.map(\.rawValue) + paths)
  }

  /// Parses a path such as `noalc.jokers.held` or `xp`; the habit needn't exist.
  package init?(path: String) {
    if let field = LedgerField(rawValue: path) {
      self = .ledger(field)
      return
    }
    for dot in path.indices where path[dot] == "." && dot > path.startIndex {
      guard let field = HabitField(path: String(path[path.index(after: dot)...])) else { continue }
      self = .habit(String(path[..<dot]), field)
      return
    }
    return nil
  }
}

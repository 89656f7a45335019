package import StreakDomain

/// Everything that a ledger reports, as text, for comparing ledgers.
package struct ToldLedger: Equatable, Sendable {
  package let lines: [String]

  package init(_ ledger: Ledger) {
    var lines = [
      "\(ledger.position) \(ledger.zone ?? "") \(ledger.dayStart) \(ledger.isCutOff)",
      "\(String(describing: ledger.today)) \(ledger.todaysEvent ?? "") \(ledger.movers(beyond: Day.first))",
      "\(ledger.activity) \(ledger.xp) \(ledger.earnedXP) \(ledger.hasUndone)",
      "\(ledger.reminders.sorted { $0.key < $1.key }) \(ledger.seenCelebrations.sorted())",
      "\(ledger.achievements()) \(ledger.celebrations())", "\(ledger.standingExcuses)",
      "\(ledger.lastStandingEntry ?? "") \(ledger.entryPositions(of: Day.first...Day.last))",
    ]
    for habit in ledger.definedHabits {
      lines.append("\(String(describing: ledger.state(of: habit)))")
      lines.append("\(String(describing: ledger.definition(of: habit))) \(ledger.composites(above: habit))")
      lines.append("\(ledger.jokerBook(of: habit))")
      lines.append("\(ledger.verdicts(of: habit, in: Day.first...Day.last))")
    }
    for position in stride(from: 1, through: ledger.position, by: 1) {
      let id = ledger.id(at: position)
      let entry = ledger.entry(of: id).map { "\($0)" } ?? ""
      let fact = ledger.fact(ofEntryAt: position).map { "\($0.at) \($0.position) \($0.lateness)" } ?? ""
      lines.append("\(id) \(ledger.position(of: id) ?? 0) \(ledger.fate(of: id)) \(fact) \(entry)")
    }
    self.lines = lines
  }

  package func difference(from other: ToldLedger) -> String? {
    if let (one, two) = zip(lines, other.lines).first(where: { $0 != $1 }) { return "\(one)\n\(two)" }
    return lines.count == other.lines.count ? nil : "\(lines.count) and \(other.lines.count) lines"
  }
}

import StreakDomain

/// A habit's joker book as it was at the last look; a look takes as long as there are lines that differ.
struct KnownBook: Sendable {
  private(set) var lines: [JokerLine] = []

  /// Looks again at the lines of some days.
  ///
  /// - Returns: the lines that are gone and those that are new, by value, each in the order of the book.
  mutating func update(
    _ habit: HabitPlace, in ledger: inout Ledger, _ days: ClosedRange<Day>
  ) -> (removed: [JokerLine], added: [JokerLine]) {
    let low = lines.partitioningIndex { $0.day >= days.lowerBound }
    let high = lines.partitioningIndex { $0.day > days.upperBound }
    let before = lines[..<low].last.map { last in
      (earned: lines[..<low].last { $0.action == .earned }?.lot?.number ?? 0, held: last.held)
    }
    let new = ledger.bookLines(of: habit, in: days, after: before)
    let old = Array(lines[low..<high])
    guard new != old else { return ([], []) }
    let shifted = KnownBook.earned(new) - KnownBook.earned(old)
    let moved = KnownBook.gone(new) - KnownBook.gone(old)
    let rest = shifted == 0 && moved == 0 ? [] : Array(lines[high...])
    let later = rest.map { $0.moved(by: $0.action == .earned ? shifted : moved) }
    lines.replaceSubrange(low..<high + rest.count, with: new + later)
    return KnownBook.difference(old + rest, new + later)
  }

  /// The lines from a day on that are gone in a later look, and those that are new, each in the order of the book.
  func difference(to later: KnownBook, from day: Day) -> (removed: [JokerLine], added: [JokerLine]) {
    func rest(_ lines: [JokerLine]) -> [JokerLine] {
      Array(lines[lines.partitioningIndex { $0.day >= day }...])
    }
    return KnownBook.difference(rest(lines), rest(later.lines))
  }

  private static func difference(
    _ old: [JokerLine], _ new: [JokerLine]
  ) -> (removed: [JokerLine], added: [JokerLine]) {
    if old.isEmpty || new.isEmpty { return (old, new) }
    let (before, after) = (Set(old), Set(new))
    return (old.filter { !after.contains($0) }, new.filter { !before.contains($0) })
  }

  private static func earned(_ lines: [JokerLine]) -> Int { lines.count { $0.action == .earned } }

  /// How many jokers were spent or taken.
  private static func gone(_ lines: [JokerLine]) -> Int {
    lines.count { $0.action == .spent || $0.action == .penalised }
  }
}

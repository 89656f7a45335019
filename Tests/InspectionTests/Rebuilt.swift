import Inspection
import StreakDomain
import Testing

struct Rebuilt {
  /// Sums begin at 0, all other fields without a value.
  private var fields: [String: StateValue] = Dictionary(
    uniqueKeysWithValues: [
      "xp", "activity.strengthDays", "activity.cardioDays", "activity.mixedDays",
    ].map {
      ($0, .number(.zero))
    })
  private var verdicts: [String: Verdict] = [:]
  private var books: [String: [JokerLine]] = [:]
  private var achievements: Set<String> = []

  init() {}

  private init(_ ledger: Ledger) {
    apply(Difference.between(Ledger(), ledger))
  }

  mutating func apply(_ difference: Difference) {
    for change in difference.changes {
      #expect(fields["\(change.field)"] ?? .null == change.before, "\(change.field)")
      fields["\(change.field)"] = change.after == .null ? nil : change.after
    }
    for change in difference.verdicts {
      for number in change.days.lowerBound.number...change.days.upperBound.number {
        let key = "\(change.habit) \(Day(unchecked: number))"
        #expect(verdicts[key] == change.before, "\(key)")
        verdicts[key] = change.after
      }
    }
    for book in difference.books {
      books[book.habit, default: []].removeAll { book.removed.contains($0) }
      books[book.habit, default: []] += book.added
    }
    achievements.formUnion(difference.unlocked)
    achievements.subtract(difference.revoked)
  }

  func expectEqual(_ ledger: Ledger, _ context: String) {
    let there = Rebuilt(ledger)
    #expect(fields == there.fields, "\(context)")
    #expect(verdicts == there.verdicts, "\(context)")
    #expect(
      books.filter { !$0.value.isEmpty }.mapValues(Set.init) == there.books.mapValues(Set.init),
      "\(context)")
    #expect(achievements == there.achievements, "\(context)")
  }
}

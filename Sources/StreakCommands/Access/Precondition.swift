import EventLog
import Inspection
import StreakDomain

extension LedgerReader {
  /// Parses a predicate whose habits are checked later, unless an error needs their names for a suggestion.
  func predicate(_ text: String) throws(Failure) -> Predicate {
    do throws(Failure) {
      return try Predicate(parsing: text)
    } catch {
      let known = (try? load().ledger.definedHabits) ?? []
      _ = try Predicate(parsing: text, habits: known)
      throw error
    }
  }

  func condition() throws(Failure) -> (@Sendable (Ledger) -> Failure?)? {
    guard let text = invocation.arguments.value("--if") else { return nil }
    let predicate = try predicate(text)
    return { ledger in
      if let error = predicate.firstUnknown(among: ledger.definedHabits) {
        return Failure(.conditionUnknown, error.says, at: error.place, text: error.text)
      }
      guard !predicate.holds(in: ledger) else { return nil }
      return Failure(
        .conditionUnmet,
        "the condition \(quoted(predicate.text)) is false: \(predicate.found(in: ledger))")
    }
  }
}

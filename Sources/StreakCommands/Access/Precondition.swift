import EventLog
import Inspection
import StreakDomain

// Predicates on the command line, and as the precondition of an append.
extension LedgerReader {
  /// Reads a predicate whose habits are checked later, where the ledger is read anyway.
  ///
  /// If it is wrong the ledger is read after all, so that the error can name the nearest habit and field.
  func predicate(_ text: String) throws(Failure) -> Predicate {
    do throws(Failure) {
      return try Predicate(parsing: text)
    } catch {
      let known = (try? load().ledger.definedHabits) ?? []
      _ = try Predicate(parsing: text, habits: known)
      throw error
    }
  }

  /// What `--if` has against an append, judged at the head.
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

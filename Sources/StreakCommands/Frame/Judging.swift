import EventLog
import Replay
import StreakDomain

/// Predicates on the command line and under the lock.
extension Invocation {
  /// Reads a predicate whose habits are checked later, where the ledger is read anyway.
  ///
  /// If it is wrong the ledger is read after all, so that the error can name the nearest habit and field.
  func predicate(_ text: String) throws(CommandError) -> Predicate {
    do throws(PredicateError) {
      return try Predicate(parsing: text)
    } catch {
      let known = (try? load().ledger.definedHabits) ?? []
      do throws(PredicateError) {
        _ = try Predicate(parsing: text, habits: known)
      } catch { throw .predicate(error) }
      throw .predicate(error)
    }
  }
}

extension Predicate {
  /// The compared fields as they are: `noalc.current = 5, noalc.jokers.held = 0`; safe to show.
  func found(in ledger: Ledger, at place: StreamPlace) -> String {
    let readings = readings(in: ledger, at: place)
    guard !readings.isEmpty else { return "no field is compared" }
    return readings.map { Escaping.visible($0.description) }.joined(separator: ", ")
  }
}

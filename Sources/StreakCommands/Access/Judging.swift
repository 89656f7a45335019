import EventLog
import Inspection
package import StreakDomain

// Predicates on the command line and under the lock.
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
  func condition() throws(Failure) -> (@Sendable (Ledger, StreamPlace) -> Failure?)? {
    guard let text = invocation.arguments.value("--if") else { return nil }
    let predicate = try predicate(text)
    return { ledger, place in
      if let error = predicate.firstUnknown(among: ledger.definedHabits) {
        return error.judging(.conditionUnknown)
      }
      guard !predicate.holds(in: ledger, at: place) else { return nil }
      return Failure(
        .conditionUnmet,
        "the condition \(quoted(predicate.text)) is false: \(predicate.found(in: ledger, at: place))")
    }
  }
}

extension Failure {
  /// What is wrong with a predicate, as what an append is refused for.
  fileprivate func judging(_ kind: FailureKind) -> Failure { Failure(kind, says, at: place, text: text) }
}

/// What is judged of an expectation before it is written.
package enum ExpectationJudgement {
  /// Refuses what cannot be read, and names of habits that are not defined.
  package static func form(_ expects: String, _ ledger: Ledger, _ place: StreamPlace) -> Failure? {
    do throws(Failure) {
      _ = try Predicate(parsing: expects, habits: ledger.definedHabits)
      return nil
    } catch {
      return Failure(.badExpectation, "\"expects\": \(error.says)\(error.excerpt)")
    }
  }

  /// Refuses what does not hold, too.
  static func truth(_ expects: String, _ ledger: Ledger, _ place: StreamPlace) -> Failure? {
    do throws(Failure) {
      let predicate = try Predicate(parsing: expects, habits: ledger.definedHabits)
      guard !predicate.holds(in: ledger, at: place) else { return nil }
      return Failure(
        .expectationUnmet,
        "\(quoted(expects)) is false, so nothing was written: \(predicate.found(in: ledger, at: place))")
    } catch { return error.judging(.conditionUnknown) }
  }

  /// What a stored expectation gets wrong about the state before it, in one line; nil if it holds.
  static func violation(of expects: String, _ ledger: Ledger, _ place: StreamPlace) -> String? {
    do throws(Failure) {
      let predicate = try Predicate(parsing: expects)
      guard !predicate.holds(in: ledger, at: place) else { return nil }
      return "expected \(expects), but \(predicate.found(in: ledger, at: place))"
    } catch { return "\(error.says), at byte \(error.column) of \(quoted(error.text))" }
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

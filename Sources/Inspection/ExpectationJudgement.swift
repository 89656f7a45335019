package import StreakDomain

/// What is judged of an expectation before it is written.
package enum ExpectationJudgement {
  /// Refuses what cannot be read, and names of habits that are not defined.
  package static func form(_ expects: String, _ ledger: Ledger) -> Failure? {
    do throws(Failure) {
      _ = try Predicate(parsing: expects, habits: ledger.definedHabits)
      return nil
    } catch {
      return Failure(.badExpectation, "\"expects\": \(error.says)\(error.excerpt)")
    }
  }

  /// Refuses what does not hold, too.
  package static func truth(_ expects: String, _ ledger: Ledger) -> Failure? {
    do throws(Failure) {
      let predicate = try Predicate(parsing: expects, habits: ledger.definedHabits)
      guard !predicate.holds(in: ledger) else { return nil }
      return Failure(
        .expectationUnmet,
        "\(quoted(expects)) is false, so nothing was written: \(predicate.found(in: ledger))")
    } catch { return error.judging(.conditionUnknown) }
  }

  /// What a stored expectation gets wrong about the state before it, in one line; nil if it holds.
  package static func violation(of expects: String, _ ledger: Ledger) -> String? {
    do throws(Failure) {
      let predicate = try Predicate(parsing: expects)
      guard !predicate.holds(in: ledger) else { return nil }
      return "expected \(expects), but \(predicate.found(in: ledger))"
    } catch { return "\(error.says), at byte \(error.column) of \(quoted(error.text))" }
  }
}

extension Predicate {
  /// The compared fields as they are: `noalc.current = 5, noalc.jokers.held = 0`; safe to show.
  package func found(in ledger: Ledger) -> String {
    let readings = readings(in: ledger)
    guard !readings.isEmpty else { return "no field is compared" }
    return readings.map { Escaping.visible($0.description) }.joined(separator: ", ")
  }
}

extension Failure {
  /// What is wrong with a predicate, as what an append is refused for.
  package func judging(_ kind: FailureKind) -> Failure { Failure(kind, says, at: place, text: text) }
}

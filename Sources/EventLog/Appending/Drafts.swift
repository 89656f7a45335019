import StreakDomain

/// The drafts of one batch in their order, made again each time they are gone through, so that many are never held at once.
package struct Drafts {
  /// Whose ledgers they are judged by.
  package let subjects: Set<String?>
  private let pass: ((Draft) throws(LogError) -> Void) throws(LogError) -> Void

  /// Drafts that `pass` hands on one after the other, the same ones in every pass.
  ///
  /// `subjects` are all that they name.
  package init(
    of subjects: Set<String?>, _ pass: @escaping ((Draft) throws(LogError) -> Void) throws(LogError) -> Void
  ) {
    self.subjects = subjects
    self.pass = pass
  }

  package init(_ drafts: [Draft]) {
    subjects = Set(drafts.map(\.event.subject))
    pass = { body throws(LogError) in for draft in drafts { try body(draft) } }
  }

  /// Goes through all of them, from the first.
  package func each(_ body: (Draft) throws(LogError) -> Void) throws(LogError) { try pass(body) }

  /// The first that holds to a condition; all after it are made in vain, so this is for what ends in an error.
  func first(where holds: (Draft) -> Bool) throws(LogError) -> Draft? {
    var found: Draft?
    try each { draft in if found == nil, holds(draft) { found = draft } }
    return found
  }
}

/// What the caller's own judgement has against an append; the caller words it, because it knows what was asked.
package struct Objection: Equatable, Sendable {
  package enum Kind: Sendable {
    /// The condition of the append does not hold at the head.
    case conditionUnmet
    /// The condition names what the ledger does not have.
    case conditionUnknown
    /// What is to be brought back would not be as it was.
    case notRestored
    /// An expectation that was to hold now does not.
    case expectationUnmet
    /// An expectation that says nothing, or names what the ledger does not have.
    case badExpectation
  }

  package let kind: Kind
  package let says: String

  package init(_ kind: Kind, _ says: String) {
    self.kind = kind
    self.says = says
  }
}

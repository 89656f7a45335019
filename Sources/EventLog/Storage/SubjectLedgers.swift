package import StreakDomain

/// Ledgers of several subjects fed from one stream, each with its own events only.
package struct SubjectLedgers: Sendable {
  private var ledgers: [String?: Ledger] = [:]
  /// Of every subject, as the last event left it.
  package private(set) var zone: String?
  package private(set) var owner: String?

  /// Makes room for the ledgers of these subjects; nil is the owner, and events of others are passed over.
  package init(_ subjects: Set<String?>) {
    for subject in subjects { ledgers[subject] = Ledger(subject: subject) }
  }

  /// Folds an event into the ledger of its subject.
  package mutating func apply(_ event: Event) {
    switch event.payload {
    case .ledgerOpened(let owner):
      zone = event.zone
      if self.owner == nil, let owner { self.owner = owner }
    case .dayChanged: zone = event.zone
    default: break
    }
    // Only the owner's ledger knows that a name is the owner's, so it sees every event until one is named.
    if ledgers[nil] != nil, event.subject == nil || owner == nil || event.subject == owner {
      _ = ledgers[nil]?.apply(event)
    }
    if let subject = event.subject, subject != owner { _ = ledgers[subject]?.apply(event) }
  }

  /// Settles the ledger of a subject where it stands, for a copy would be one of all its facts.
  package mutating func settle(_ subject: String?) { ledgers[subject == owner ? nil : subject]?.settle() }

  /// The ledger of a subject; the owner's name and none at all are the same.
  package subscript(subject: String?) -> Ledger? {
    get { subject == owner ? ledgers[nil] : ledgers[subject] }
    set { if subject == owner { ledgers[nil] = newValue } else { ledgers[subject] = newValue } }
  }
}

import StreakDomain

/// A name of the owner that was not known when events under it were read: they were passed over, and are the
/// consumer's now.
struct OwnerClaim {
  /// Whose events the consumer asked for; nil is the owner.
  let subject: String?
  /// The name before, if there was one.
  let before: String?
  let owner: String

  /// Whether events of this subject are the consumer's by that name only.
  func takes(_ subject: String?) -> Bool {
    folds(subject) && !Ledger.folds(subject, for: self.subject, owner: before)
  }

  /// Whether they are the consumer's by that name.
  func folds(_ subject: String?) -> Bool { Ledger.folds(subject, for: self.subject, owner: owner) }

  /// Whose ledger is folded.
  var folded: String? { subject == owner ? nil : subject }
}

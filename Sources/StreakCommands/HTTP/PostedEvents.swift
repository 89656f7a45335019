package import EventLog
import StreakDomain

/// The events of a request that posts, and what must be true of the ledger for them to be recorded.
package struct PostedEvents: Sendable {
  let drafts: [Draft]
  let condition: Condition
  /// How many bytes the request had for them.
  let bytes: Int

  /// What a request wants of the ledger's position.
  package enum Condition: Sendable {
    case none
    /// Any position but that of an empty ledger.
    case begun
    /// One of these.
    case positions([Int])
  }

  /// What became of them.
  package struct Answer: Sendable {
    package let results: [AppendResult]
    /// The ledger's position behind the last of them.
    package let position: Int
  }

  package init(_ drafts: [Draft], condition: Condition = .none, bytes: Int = 0) {
    (self.drafts, self.condition, self.bytes) = (drafts, condition, bytes)
  }

  /// Whether they may begin a ledger.
  var opens: Bool { drafts.first?.event.payload.type == .ledgerOpened }

  /// Decides them as a command of a group, on the state after those before it.
  ///
  /// - Returns: the place of the results among those of the group.
  func decide(in group: inout Group, _ options: AppendOptions) throws(Problem) -> Int {
    var options = options
    switch condition {
    case .none: break
    case .begun:
      guard group.position > 0 else { throw Problem(.moved, "there is no ledger yet") }
    case .positions(let positions):
      options.expected = positions.first { $0 == group.position } ?? positions.first
    }
    if group.position == 0, !opens { throw Problem(.noLedger(folder: "")) }
    do throws(LogError) { return try group.add(drafts, options) } catch { throw Problem(error) }
  }
}

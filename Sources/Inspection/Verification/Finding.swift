package import StreakDomain

/// A fault of a segment or of the ledger, as `verify` reports it.
package struct Finding: Sendable, Equatable {
  package enum Check: String, Sendable, CaseIterable {
    /// A line that isn't an event, or is out of order.
    case form
    case torn
    /// A seal that doesn't match the bytes before it, or bytes that no seal can protect.
    case seal
    case redaction
    /// A repeated id: a copy from another segment, or a second line of the same segment.
    case identity
    /// An id that two segments use for different events.
    case reusedID = "reused-id"
    /// A reference to a missing event or habit, or an entry that its rule can't use.
    case reference
    case invariant
    /// Missing bytes that stored heads cover.
    case history
    /// A segment with missing or different lines according to another writer, or an evicted one.
    case seen
    case clock
  }

  package let check: Check
  package let segment: Text
  package let line: Int
  package let event: String?
  package let says: String
  package var absent: Absent?
  /// Whether the finding has no effect on any number, so that a person may accept it.
  package var onlyInforms = false

  /// Whether bytes or events were lost or changed, rather than recorded in a way that may be a mistake.
  package var isLossOrChange: Bool {
    switch check {
    case .form, .seal, .seen, .history, .reusedID: true
    case .identity: !onlyInforms
    case .torn, .redaction, .reference, .invariant, .clock: false
    }
  }

  package enum Absent: Sendable, Equatable {
    case habit(EventType)
    case entry
  }

  package init(check: Check, segment: Text, line: Int, event: String?, says: String) {
    self.check = check
    self.segment = segment
    self.line = line
    self.event = event
    self.says = says
  }
}

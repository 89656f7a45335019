package import StreakDomain

/// Something that `verify` found wrong, and where.
package struct Finding: Sendable, Equatable {
  package enum Check: String, Sendable, CaseIterable {
    /// A line that is no event, or is in the wrong order.
    case form
    /// A torn tail.
    case torn
    /// A seal that does not match the bytes before it, or bytes that no seal could show.
    case seal
    /// A redacted text that is still in a segment.
    case redaction
    /// A repeated or reused id.
    case identity
    /// A reference to something that is not there, or an entry that its rule cannot use.
    case reference
    /// A state that contradicts itself.
    case invariant
    /// Bytes that stored heads cover and that are missing now.
    case history
    /// A segment of which another writer saw more lines, or others, or that was evicted.
    case seen
    /// A today that is ahead of the clock.
    case clock
  }

  package let check: Check
  package let segment: Text
  package let line: Int
  package let event: String?
  package let says: String
  /// What it speaks of that no segment has.
  package var absent: Absent?
  /// Whether no number is wrong for it, so that a person may settle it.
  package var onlyInforms = false

  package enum Absent: Sendable, Equatable {
    /// The habit of an event of some type.
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

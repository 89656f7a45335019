package import StreakDomain

/// A place in the stream (cli.md, "Points and predicates").
package enum Point: Equatable, Sendable {
  /// After the first so many events; 0 is the empty ledger.
  case position(Int)
  /// After the event with this id.
  case event(String)
  /// Everything recorded up to this instant.
  case time(Timestamp)
  /// Everything recorded up to the end of this day in the ledger's zone.
  case day(Day)
  case end

  /// Reads a point; anything that is no number, time or day is taken for an id.
  package init?(_ text: String) {
    if text == "end" {
      self = .end
    } else if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let position = Int(text) {
      self = .position(position)
    } else if let day = Day(text) {
      self = .day(day)
    } else if let time = Timestamp(text) {
      self = .time(time)
    } else if (1...64).contains(text.utf8.count), !text.contains(" "), !Point.looksLikeDate(text) {
      self = .event(text)
    } else {
      return nil
    }
  }

  /// Whether a text begins as a date does, so that a wrong one is not taken for an id.
  private static func looksLikeDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(10))
    return bytes.count == 10
      && bytes.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == 0x2D : (0x30...0x39).contains($1) }
  }

  /// The day that a state at this point is seen from, read in a zone; nil leaves the state its own today.
  package func today(in day: (Instant) -> Day?) -> Day? {
    switch self {
    case .day(let day): day
    case .time(let time): day(time.instant)
    case .position, .event, .end: nil
    }
  }
}

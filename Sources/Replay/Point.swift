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
    } else if (1...64).contains(text.utf8.count), !text.contains(" ") {
      self = .event(text)
    } else {
      return nil
    }
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

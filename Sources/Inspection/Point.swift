package import StreakDomain

/// A place in the stream (time-travel.md, "Two clocks").
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

  /// Reads a point: a reserved word or form, else an id; `id:WORD` is the id WORD whatever it looks like.
  package init?(_ text: String) {
    if text.begins(with: Point.id) {
      let id = String(text.droppingBytes(Point.id.utf8.count))
      guard Event.isID(id) else { return nil }
      self = .event(id)
    } else if text == "end" {
      self = .end
    } else if !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit }), let position = Int(text) {
      self = .position(position)
    } else if let day = Day(text) {
      self = .day(day)
    } else if let time = Timestamp(text) {
      self = .time(time)
    } else if Event.isID(text), !Point.looksLikeDate(text) {
      self = .event(text)
    } else {
      return nil
    }
  }

  private static let id = "id:"

  /// Whether a text begins as a date does, so that a wrong one is not taken for an id.
  private static func looksLikeDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(10))
    return bytes.count == 10
      && bytes.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == 0x2D : $1.isDigit }
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

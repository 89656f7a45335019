public import StreakDomain

/// A point in a ledger's history (time-travel.md, "Two clocks").
public enum Point: Hashable, Sendable {
  /// The point after this number of events; 0 is the empty ledger.
  case position(Int)
  /// The point after the event with this id.
  case event(String)
  /// The point after all events recorded up to this time.
  ///
  /// In the state at this point, today is the day of this time.
  case time(Timestamp)
  /// The point after all events recorded up to the end of this day in the ledger's zone.
  ///
  /// In the state at this point, today is this day.
  case day(Day)
  /// The point after the last event.
  case end

  /// Parses `end`, a position, a day, a time or an event id; the prefix `id:` marks an event id.
  package init?(_ text: String) {
    if text.begins(with: "id:") {
      let id = String(text.droppingBytes(3))
      guard Syntax.isID(id) else { return nil }
      self = .event(id)
    } else if text == "end" {
      self = .end
    } else if !text.isEmpty, text.utf8.allSatisfy({ $0.isDigit }), let position = Int(text) {
      self = .position(position)
    } else if let day = Day(text) {
      self = .day(day)
    } else if let time = Timestamp(typed: text) {
      self = .time(time)
    } else if Syntax.isID(text), !Point.looksLikeDate(text) {
      self = .event(text)
    } else {
      return nil
    }
  }

  /// Whether `text` looks like a date; a malformed date, such as `2025-13-45`, is a mistake and
  /// never an event id.
  private static func looksLikeDate(_ text: String) -> Bool {
    let isDate = text.utf8.prefix(10).enumerated().allSatisfy {
      $0 == 4 || $0 == 7 ? $1 == 0x2D : $1.isDigit
    }
    return isDate && text.utf8.count >= 10
  }

  /// Returns the date of a point that is a day or a time, or `nil` for a position, an event or the
  /// end.
  ///
  /// `day` converts an instant to a day.
  package func today(in day: (Instant) -> Day?) -> Day? {
    switch self {
    case .day(let day): day
    case .time(let time): day(time.instant)
    case .position, .event, .end: nil
    }
  }
}

extension Timestamp {
  /// Creates a timestamp from a time that a person typed; the seconds are optional, as in
  /// `2025-11-03T20:15Z`.
  package init?(typed text: String) {
    let minute = text.utf8.prefix(16)
    let rest = text.utf8.dropFirst(16)
    guard let mark = rest.first, "Zz+-".utf8.contains(mark) else {
      self.init(text)
      return
    }
    self.init(String(decoding: Array(minute) + Array(":00".utf8) + Array(rest), as: UTF8.self))
  }
}

import EventLog
import StreakDomain

/// A lookup of events by id, by the beginning or end of an id, or by position (`streaks help words`).
///
///     0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b   0199a1b2-c3   3f4a5b   @4359   4359   id:4359
enum EventWord {
  static let form =
    "an event's id, at least 4 characters of its beginning or end, or its position such as @12"

  private static let listed = 10

  enum Reading {
    case id(String)
    /// A text that could be an id, but isn't the id of any event.
    case unknown(String)
    /// A part of several ids.
    ///
    /// The payload is the first ten of these ids, and the number of all.
    case unclear([String], of: Int)
    /// A position after the last event; the payload is the last position.
    case pastEnd(Int)
    /// A number that is a position and also the id of another event.
    case ambiguousPosition
  }

  static func position(_ text: String) -> Int? {
    let digits = text.begins(with: "@") ? String(text.droppingBytes(1)) : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit }) else { return nil }
    return Int(digits)
  }

  static func forced(_ text: String) -> String? {
    text.begins(with: "id:") ? String(text.droppingBytes(3)) : nil
  }

  /// Whether `text` has the form of a complete generated id.
  ///
  /// Such an id needn't be looked up.
  static func isWhole(_ text: String) -> Bool {
    text.utf8.count == 36
      && text.utf8.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == 0x2D : UInt8(byte).hexDigit != nil
      }
  }

  static func read(_ word: String, in ledger: Ledger) -> Reading {
    let exact = ledger.position(of: word)
    if let wanted = position(word) {
      let placed = (1...max(1, ledger.position)).contains(wanted) && ledger.position > 0 ? wanted : nil
      switch (exact, placed) {
      case (let exact?, let placed?): return exact == placed ? .id(word) : .ambiguousPosition
      case (_?, nil): return .id(word)
      case (nil, let placed?): return .id(ledger.id(at: placed))
      case (nil, nil): return .pastEnd(ledger.position)
      }
    }
    if exact != nil { return .id(word) }
    let part = word.begins(with: "…") ? String(word.droppingBytes(3)) : word
    guard part.utf8.count >= 4 else { return .unknown(word) }
    var found: [String] = []
    var matches = 0
    for position in stride(from: 1, through: ledger.position, by: 1) {
      let id = ledger.id(at: position)
      guard id.begins(with: part) || id.ends(with: part) else { continue }
      matches += 1
      if matches <= listed { found.append(id) }
    }
    return matches == 1 ? .id(found[0]) : matches == 0 ? .unknown(word) : .unclear(found, of: matches)
  }
}

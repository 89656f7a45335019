import EventLog
import Inspection
import StreakDomain

/// A lookup of events by id, by the beginning or end of an id, or by position (`streaks help
/// words`).
///
///     0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b   0199a1b2-c3   3f4a5b   @4359   4359   id:4359
///     @4359–4360   a step, as `timeline` shows it; a hyphen is read, too
enum EventWord {
  static func position(_ text: String) -> Int? {
    text.droppingBytes(text.begins(with: "@") ? 1 : 0).number(digits: 1...Int.max)
  }

  /// Returns the positions of a step such as `@4359–4360`, or `nil` if `text` isn't of this form.
  static func positions(_ text: String) -> ClosedRange<Int>? {
    guard text.begins(with: "@") else { return nil }
    let parts = text.replacingBytes(of: "–", with: "-").parts(at: "-").map(String.init)
    guard parts.count == 2, let first = position(parts[0]), let last = position(parts[1]),
      first > 0, first <= last
    else { return nil }
    return first...last
  }

  /// Returns the ids that begin or end with `part`, in the order of the stream.
  static func ids(with part: String, in ledger: Ledger) -> [String] {
    stride(from: 1, through: ledger.position, by: 1).map { ledger.facts.id(at: $0) }
      .filter { $0.begins(with: part) || $0.ends(with: part) }
  }
}

extension LedgerWords {
  /// Returns the id of the event that `word` identifies, such as `@4848` or `…2b3c4d`, or `word` if
  /// no event matches.
  func event(named word: String) throws(Failure) -> String {
    try invocation.session.cached(\.eventIDs[word]) { () throws(Failure) in
      try eventID(named: word)
    }
  }

  /// Returns the ids of the events that `word` identifies.
  ///
  /// A step such as `@4859–4860` can have several; every other word identifies one event.
  func events(named word: String) throws(Failure) -> [String] {
    guard takesWords, let positions = EventWord.positions(word) else {
      return [try event(named: word)]
    }
    let facts = try storedLedger().facts
    guard positions.upperBound <= facts.position else {
      throw .usage(
        "there is no position \(positions.upperBound); the ledger ends at \(facts.position)")
    }
    return positions.map { facts.id(at: $0) }
  }

  private func eventID(named word: String) throws(Failure) -> String {
    if EventWord.positions(word) != nil, takesWords, let last = try events(named: word).last {
      return last
    }
    let isForced = word.begins(with: "id:")
    if isForced || !takesWords {
      let id = isForced ? String(word.droppingBytes(3)) : word
      guard Syntax.isID(id) else {
        throw .usage("\(quoted(word)) is not an id; an id is \(Syntax.id)")
      }
      return id
    }

    let number = EventWord.position(word)
    guard Syntax.isID(word) || number != nil || word.begins(with: "…") else {
      throw .usage(
        """
        \(quoted(word)) is not an event; say its id, at least 4 characters of its beginning or \
        end, or its position such as @12
        """)
    }

    let ledger = try storedLedger()
    let exact = ledger.facts.position(of: word)
    if let number, number > 0, number <= ledger.position {
      guard exact ?? number == number else { throw .usage(isBoth(word)) }
      return ledger.facts.id(at: number)
    }
    if exact != nil { return word }
    if number != nil {
      let isEnd = word.utf8.count > 3 && !EventWord.ids(with: word, in: ledger).isEmpty
      let hint = isEnd ? "; …\(word) is part of an id" : ""
      throw .usage("there is no position \(word); the ledger ends at \(ledger.position)\(hint)")
    }

    let part = word.begins(with: "…") ? String(word.droppingBytes(3)) : word
    let ids = part.utf8.count < 4 ? [] : EventWord.ids(with: part, in: ledger)
    guard ids.count > 1 else { return ids.first ?? word }
    throw .usage("\(quoted(word)) is part of \(ids.count) ids; say more of one, such as \(ids[0])")
  }

  private func storedLedger() throws(Failure) -> Ledger {
    try invocation.reader.ofStored.whole().ledger
  }

  private func isBoth(_ word: String) -> Sentence {
    "\(quoted(word)) is a position and the id of another event; say @\(word) or id:\(word)"
  }

  func point(_ option: String) throws(Failure) -> Point? {
    guard let text = invocation.arguments.value(option) else { return nil }
    return try point(named: text, by: "\(option: option) is ")
  }

  func point(named text: String, by whose: Sentence = "") throws(Failure) -> Point {
    var isEvent = text.begins(with: "…")
    switch Point(text) {
    case .position(let position): return try point(at: position, or: text)
    case .event where takesWords && !text.begins(with: "id:"): isEvent = true
    case let point?: return point
    case nil: break
    }
    if takesWords, text.begins(with: "@") {
      let position = EventWord.positions(text)?.upperBound ?? EventWord.position(text)
      if let position { return .position(position) }
    }

    if DayWord.isInOtherForm(text) {
      throw .usage("\(whose)\(quoted(text)), a day in another form; \(pointForm)")
    }
    let isDay = DayWord.needsToday(text)
    guard takesWords, isDay || TimeWord.needsZone(text) else {
      guard isEvent else {
        let isDate = DayWord.hasFullForm(text)
        let what = isDate ? ": there is no such day" : ", which is not a point"
        throw .usage("\(whose)\(quoted(text))\(what); \(pointForm)")
      }
      return .event(try event(named: text))
    }

    if isEvent, try storedLedger().facts.position(of: text) != nil {
      throw .usage(
        "\(whose)\(quoted(text)), which is an event and a time; say id:\(text), or it in full")
    }
    let ledger = try wordLedger()
    if isDay { return .day(try day(named: text, by: "the point", in: ledger)) }
    return .time(try time(named: text, by: "the point", on: wordClock(ledger).today, in: ledger))
  }

  /// Returns the point at `position`.
  ///
  /// The word can also be `id`, the id of an event. If `takesWords` is true, and that is another
  /// event, throws.
  private func point(at position: Int, or id: String) throws(Failure) -> Point {
    // A cached ledger knows its last position, so nothing needs to be read.
    if !takesWords, let loaded = invocation.reader.loadedLedger, position <= loaded.ledger.position
    {
      return .position(position)
    }
    // Unreadable lines are reported later, when the ledger is read up to the point.
    guard let ledger = try? storedLedger(), let exact = ledger.facts.position(of: id) else {
      return .position(position)
    }
    if exact == position || position > ledger.position { return .event(id) }
    guard takesWords else { return .position(position) }
    throw .usage(isBoth(id))
  }

  private var pointForm: String {
    let words = takesWords ? "yesterday, 08:00" : "2025-11-03T08:00:00Z"
    return
      """
      a point is a position, an event, a day, a time, or end, such as 4848, 2025-11-03, \(words); \
      id:WORD is always an id
      """
  }
}

import EventLog
import Inspection
import StreakDomain
import TimeZones

struct LedgerWords {
  let invocation: Invocation

  /// Returns the day that the word `today` means, and the clock for parsing times.
  func wordClock(_ ledger: Ledger) throws(Failure) -> (today: Day, clock: DayClock) {
    let zone = invocation.arguments.value("--zone") ?? ledger.zone ?? invocation.context.machineZone()
    let clock = try invocation.reader.clock(in: zone, from: ledger.dayStart)
    let date = clock.day(of: try invocation.now())
    return (max(date, ledger.today ?? date), clock)
  }

  /// Returns the day given by `option`, or `nil` if the option isn't given.
  ///
  /// A day relative to today, such as `yesterday`, needs a ledger. It is read if `ledger` is `nil`.
  func day(
    _ option: String, _ direction: DayWord.Direction = .past, in ledger: Ledger? = nil
  ) throws(Failure) -> Day? {
    guard let text = invocation.arguments.value(option) else { return nil }
    return try day(named: text, by: option, direction, in: ledger)
  }

  func dayToRecord(
    _ option: String, _ direction: DayWord.Direction = .past, in ledger: Ledger
  ) throws(Failure) -> Day? {
    guard let word = invocation.arguments.value(option) else { return nil }
    let (today, clock) = try wordClock(ledger)
    guard case .past = direction else { return try day(named: word, by: option, direction, in: ledger) }
    // In a zone to the west the date may still be before today; then entries count for that date.
    let date = min(today, clock.day(of: try invocation.now()))
    let day = try day(named: word, by: option, .pastOrNamed, in: ledger, from: date)
    // With `--at`, the time may be in another time zone, where the next day has already begun.
    if day > today, !invocation.arguments.has("--at") {
      throw Failure(.untimely, LedgerWords.ahead(option, word, today, clock))
    }
    return day
  }

  private static func ahead(_ whose: String, _ text: String, _ today: Day, _ clock: DayClock) -> Sentence {
    let begins = clock.start == .midnight ? "" : " (days begin at \(clock.start))"
    return "\(whose) is \(quoted(text)), which is after today, \(today)\(begins); record it on that day"
  }

  func point(_ option: String) throws(Failure) -> Point? {
    guard let text = invocation.arguments.value(option) else { return nil }
    return try point(named: text, by: "\(option) is ")
  }

  /// Parses a day.
  ///
  /// A word such as `mon` is relative to `date`, by default to today. A date without a year is the nearest one in
  /// `direction`. A warning says that the year may be wrong if that date is long ago and the same date of the next year
  /// is soon.
  func day(
    named text: String, by whose: String, _ direction: DayWord.Direction = .past, in ledger: Ledger? = nil,
    from date: Day? = nil
  ) throws(Failure) -> Day {
    if let day = Day(text) { return day }
    guard invocation.takesWords else { throw .usage("\(whose) is \(quoted(text)); it must be \(Forms.day)") }
    if DayWord.needsToday(text) {
      let known: Ledger
      if let ledger { known = ledger } else { known = try wordLedger() }
      let (today, clock) = try wordClock(known)
      if let day = DayWord.read(text, today: date ?? today, direction) {
        if case .future = direction { return day }
        if today - day > 180, let next = DayWord.read(text, today: today, .future(from: today)),
          (1...60).contains(next - today)
        {
          invocation.warn(
            "\(whose) \(text) is \(day), the latest that has come; if \(next) was meant, say the year")
        }
        return day
      }
      if case .past = direction, DayWord.read(text, today: today, .future(from: today)) != nil {
        throw .usage(LedgerWords.ahead(whose, text, today, clock))
      }
    }
    throw .usage("\(whose) is \(quoted(text)); it must be \(direction.form)")
  }

  private func wordLedger() throws(Failure) -> Ledger {
    let ledger = try invocation.reader.whole().ledger
    try invocation.reader.reportClock(ledger)
    return ledger
  }

  /// Returns the time given by `option`, or `nil` if the option isn't given.
  ///
  /// A time without a date is on `day`, by default today.
  func time(_ option: String, on day: Day? = nil, in ledger: Ledger) throws(Failure) -> Timestamp? {
    guard let text = invocation.arguments.value(option) else { return nil }
    return try time(named: text, by: option, on: day, in: ledger)
  }

  /// Parses a time such as `2025-11-03T08:00`, or `08:00` on `day`, which is today by default.
  func time(
    named text: String, by option: String, on day: Day?, in ledger: Ledger
  ) throws(Failure) -> Timestamp {
    if let time = Timestamp(typed: text) { return time }
    guard invocation.takesWords, TimeWord.needsZone(text) else {
      throw .usage("\(option) is \(quoted(text)); it must be \(TimeWord.form)")
    }
    let (today, clock) = try wordClock(ledger)
    if let (date, time) = TimeWord.local(text) { return try self.time(time, on: date, clock, option, text) }
    guard let time = TimeWord.clock(text) else {
      throw .usage("\(option) is \(quoted(text)); it must be \(TimeWord.form)")
    }
    // In a zone to the west the clock may still show the previous day.
    let now = try invocation.now()
    let inside = day ?? min(today, clock.day(of: now))
    let date = TimeWord.date(of: time.minute, inside: inside, from: clock.start)
    let found = try self.time(time, on: date, clock, option, text)
    guard found.instant <= now || day != nil else {
      let before = try self.time(time, on: date.previous, clock, option, text)
      throw .usage(
        "\(option) is \(quoted(text)), which is later than now; yesterday's is \(option) \(before)")
    }
    return found
  }

  private func time(
    _ time: TimeWord.Clock, on date: Day, _ clock: DayClock, _ option: String, _ text: String
  ) throws(Failure) -> Timestamp {
    switch TimeWord.read(time, on: date, in: clock) {
    case .time(let time): return time
    case .unclear(let times, let isLeftOut):
      throw .usage(
        "\(option) is \(quoted(text)), which \(clock.zone) \(isLeftOut ? "left out" : "had twice") on \(date); "
          + "say \(times.map { "\($0)" }.joined(separator: " or "))")
    case nil: throw .usage("\(option) is \(quoted(text)); it must be \(TimeWord.form)")
    }
  }

  /// Returns the id of the event that `word` identifies, such as `@4848` or `…2b3c4d`; `word` itself if there is none.
  func event(named word: String) throws(Failure) -> String {
    if let known = invocation.context.inputs.events[word] { return known }
    let id = try eventID(named: word)
    invocation.context.inputs.events[word] = id
    return id
  }

  private func eventID(named word: String) throws(Failure) -> String {
    let id = EventWord.forced(word)
    if id != nil || !invocation.takesWords || EventWord.isWhole(word) {
      guard Forms.isID(id ?? word) else { throw .usage("\(quoted(word)) is no id; an id is \(Forms.id)") }
      return id ?? word
    }
    guard Forms.isID(word) || EventWord.position(word) != nil || word.begins(with: "…") else {
      throw .usage("\(quoted(word)) is no event; say \(EventWord.form)")
    }
    switch try eventReading(of: word) {
    case .id(let id): return id
    case .unknown(let id): return id
    case .ambiguousPosition:
      throw .usage("\(quoted(word)) is a position and the id of another event; say @\(word) or id:\(word)")
    case .pastEnd(let count):
      throw .usage("there is no position \(word); the ledger ends at \(count)")
    case .unclear(let ids, let count):
      throw .usage(
        Sentence(
          "\(quoted(word)) is part of \(count) ids; say more of one:"
            + (try invocation.reader.candidates(ids, of: count))))
    }
  }

  private func eventReading(of word: String) throws(Failure) -> EventWord.Reading {
    EventWord.read(word, in: try invocation.reader.ofStored.whole().ledger)
  }

  func point(named text: String, by whose: String = "") throws(Failure) -> Point {
    let point = Point(text)
    if case .position(let position)? = point { return try self.point(at: position, or: text, by: whose) }
    if let point, !invocation.takesWords || text.begins(with: "id:") { return point }
    if case .event? = point {} else if let point { return point }
    if invocation.takesWords, text.begins(with: "@"), let position = EventWord.position(text) {
      return .position(position)
    }
    guard invocation.takesWords, DayWord.needsToday(text) || TimeWord.needsZone(text) else {
      guard point != nil || text.begins(with: "…") else {
        let what = text.utf8.count == 10 ? ": there is no such day" : ", which is no point"
        throw .usage("\(whose)\(quoted(text))\(what); \(pointForm)")
      }
      return .event(try event(named: text))
    }
    if Forms.isID(text), case .id(let id) = try eventReading(of: text), id == text {
      throw .usage("\(whose)\(quoted(text)), which is an event and a time; say id:\(text), or it in full")
    }
    let ledger = try wordLedger()
    if DayWord.needsToday(text) { return .day(try day(named: text, by: "the point", in: ledger)) }
    let (today, _) = try wordClock(ledger)
    return .time(try time(named: text, by: "the point", on: today, in: ledger))
  }

  /// Returns the point for a number, which is either a position or the id of an event.
  ///
  /// If the number is both, it is the position for a program. On the command line, it is an error.
  private func point(at position: Int, or id: String, by whose: String) throws(Failure) -> Point {
    // A cached ledger knows its last position, so nothing needs to be read.
    if !invocation.takesWords, let known = invocation.reader.known, position <= known.ledger.position {
      return .position(position)
    }
    // Unreadable lines are reported later, when the ledger is read up to the point.
    switch (try? eventReading(of: id)) ?? .unknown(id) {
    case .id where position == 0, .ambiguousPosition:
      guard invocation.takesWords else { return .position(position) }
      throw .usage(
        "\(whose)\(quoted(id)), which is a position and the id of another event; say @\(id) or id:\(id)")
    case .id(let found) where found == id: return .event(found)
    case .id, .unknown, .unclear, .pastEnd: return .position(position)
    }
  }

  private var pointForm: String {
    let words = invocation.takesWords ? "yesterday, 08:00" : "2025-11-03T08:00:00Z"
    return
      "a point is a position, an event, a day, a time, or end, such as 4848, 2025-11-03, \(words); id:WORD is always an id"
  }

  func require(_ habit: String, in ledger: Ledger) throws(Failure) {
    guard ledger.state(of: habit) == nil else { return }
    throw .notFound(
      "no habit \(quoted(habit)) is defined\(Nearest.habit(habit, among: ledger.definedHabits))")
  }

  func habit(named word: String, in ledger: Ledger) throws(Failure) -> String {
    guard invocation.takesWords else {
      try require(word, in: ledger)
      return word
    }
    let ids = HabitWord.ids(of: word, in: ledger)
    guard let id = ids.first else {
      let known = HabitWord.known(in: ledger)
      throw .notFound("no habit \(quoted(word)) is defined\(Nearest.habit(word, among: known))")
    }
    guard ids.count == 1 else {
      throw .usage("\(quoted(word)) is the name of \(ids.joined(separator: " and ")); say which")
    }
    return id
  }

  /// Returns the habit that `word` identifies, for a new event.
  ///
  /// An unknown habit causes the same error as in `append`.
  func habit(toRecord word: String, in ledger: Ledger) throws(Failure) -> String {
    guard !HabitWord.ids(of: word, in: ledger).isEmpty else {
      throw Failure.unknownHabit(word, among: HabitWord.known(in: ledger)).at(invocation.place, "")
    }
    return try habit(named: word, in: ledger)
  }

  func chosenHabit(in ledger: Ledger) throws(Failure) -> String? {
    guard let word = invocation.arguments.positionals.first else { return nil }
    return try habit(named: word, in: ledger)
  }

  /// Returns the habit given by `option`, or `nil` if the option isn't given.
  ///
  /// The ledger is read only if it is given.
  func habit(_ option: String) throws(Failure) -> String? {
    guard let word = invocation.arguments.value(option) else { return nil }
    return try habit(readFor: word)
  }

  /// Returns the habit that `word` identifies.
  ///
  /// If `word` is the id of a habit, only the start of the log is read.
  func habit(readFor word: String) throws(Failure) -> String {
    // Habits are usually defined near the beginning of the log, so an id is found quickly.
    var replay = try invocation.reader.replay()
    while let event = try replay.nextEvent() {
      if case .habitDefined(let definition) = event.payload, definition.id == word {
        return word
      }
    }
    return try habit(named: word, in: invocation.reader.loadToday().ledger)
  }
}

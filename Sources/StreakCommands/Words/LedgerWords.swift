import EventLog
import Inspection
import StreakDomain

/// A parser for days, times, events and habits, as people type them (`streaks help words`).
///
/// Each word is converted once to a full day, time or id. If the invocation comes from another
/// program, such as an HTTP client, only full forms are accepted (`takesWords` is false).
struct LedgerWords {
  let invocation: Invocation

  var takesWords: Bool { invocation.takesWords }

  /// Returns the day that the word `today` means, and the clock for parsing times.
  func wordClock(_ ledger: Ledger) throws(Failure) -> (today: Day, clock: DayClock) {
    let zone = try invocation.context.zone(
      known: invocation.arguments.value("--zone") ?? ledger.facts.zone)
    let clock = try invocation.reader.clock(in: zone, from: ledger.facts.dayStart)
    let date = clock.day(of: try invocation.now())
    return (max(date, ledger.today ?? date), clock)
  }

  func wordLedger() throws(Failure) -> Ledger {
    let ledger = try invocation.reader.whole().ledger
    try invocation.reader.reportClock(ledger)
    return ledger
  }

  /// Returns the day given by `option`, or `nil` if the option isn't given.
  ///
  /// A word such as `yesterday` needs a ledger, which is read if `ledger` is `nil`.
  func day(
    _ option: String, _ direction: DayWord.Direction = .past, in ledger: Ledger? = nil
  ) throws(Failure) -> Day? {
    guard let text = invocation.arguments.value(option) else { return nil }
    return try day(named: text, by: option, direction, in: ledger)
  }

  func dayToRecord(_ option: String, in ledger: Ledger) throws(Failure) -> Day? {
    guard let word = invocation.arguments.value(option) else { return nil }
    let (today, clock) = try wordClock(ledger)
    // After a move west, the local date can be before today. Entries then get the local date.
    let date = min(today, clock.day(of: try invocation.now()))
    if takesWords, DayWord.isDate(word), let past = DayWord.read(word, today: date),
      let next = DayWord.read(word, today: today, .future(from: today)),
      isNearer(next, than: past, to: today)
    {
      let hint: Sentence = "; for \(past) say the year"
      throw Failure(.untimely, ahead(option, word, today, clock) + hint)
    }

    let day = try day(named: word, by: option, .pastOrNamed, in: ledger, from: date)
    // With `--at`, the time may be in another time zone, where the next day has already begun.
    if day > today, !invocation.arguments.has("--at") {
      throw Failure(.untimely, ahead(option, word, today, clock))
    }
    return day
  }

  /// Whether a date without a year more likely means the day `next` than the day `past`.
  ///
  /// `next` is to come, and `past` can be long ago.
  private func isNearer(_ next: Day, than past: Day, to today: Day) -> Bool {
    today - past > 180 && (1...60).contains(next - today)
  }

  private func ahead(_ whose: String, _ text: String, _ today: Day, _ clock: DayClock) -> Sentence {
    let begins = clock.start == .midnight ? "" : " (days begin at \(clock.start))"
    return "\(option: whose) is \(quoted(text)), which is after today, \(today)\(begins)"
  }

  /// Parses a day; words such as `mon` are relative to `date`, or to today if `date` is `nil`.
  ///
  /// Warns if a date without a year means a day long ago, although the same date a year later is
  /// near.
  func day(
    named text: String, by whose: String, _ direction: DayWord.Direction = .past,
    in ledger: Ledger? = nil,
    from date: Day? = nil
  ) throws(Failure) -> Day {
    if let day = Day(text) { return day }
    let form = takesWords ? direction.form : Syntax.day
    guard takesWords, DayWord.needsToday(text) else {
      let what =
        DayWord.hasFullForm(text)
        ? ", and there is no such day"
        : DayWord.isInOtherForm(text) ? ", a day in another form" : ""
      let near = Nearest.hint(text, among: takesWords ? ["today", "yesterday", "tomorrow"] : [])
      throw .usage(
        """
        \(option: whose) is \(quoted(text))\(what)\(near); it must be \(form)
        """)
    }

    let basis: Ledger
    if let ledger { basis = ledger } else { basis = try wordLedger() }
    let (today, clock) = try wordClock(basis)
    let next = DayWord.read(text, today: today, .future(from: today))
    guard let day = DayWord.read(text, today: date ?? today, direction) else {
      throw .usage(
        next == nil
          ? "\(option: whose) is \(quoted(text)); it must be \(form)"
          : ahead(whose, text, today, clock))
    }

    // A date without a year may be meant for the other year.
    if !direction.isFuture, let next, isNearer(next, than: day, to: today) {
      invocation.warn(
        "\(whose) \(text) is \(day), the latest that has come; if \(next) was meant, say the year")
    }
    return day
  }

  /// Returns the time given by `option`; a time without a date is on `day`, or today if `day` is
  /// `nil`.
  func time(_ option: String, on day: Day? = nil, in ledger: Ledger) throws(Failure) -> Timestamp? {
    guard let text = invocation.arguments.value(option) else { return nil }
    return try time(named: text, by: option, on: day, in: ledger)
  }

  /// Parses a time such as `2025-11-03T08:00`, or `08:00` on `day`, which is today by default.
  func time(
    named text: String, by option: String, on day: Day?, in ledger: Ledger
  ) throws(Failure) -> Timestamp {
    if let time = Timestamp(typed: text) { return time }
    guard takesWords, let word = TimeWord(text) else {
      throw .usage("\(option: option) is \(quoted(text)); it must be \(TimeWord.form)")
    }
    let (today, clock) = try wordClock(ledger)
    if let date = word.date { return try time(word, on: date, clock, by: option, text) }

    // In a zone to the west the clock may still show the previous day.
    let now = try invocation.now()
    let ledgerDay = day ?? min(today, clock.day(of: now))
    // If days begin at 04:00, for example, 02:30 is on the next date.
    let date = word.minute < clock.start ? ledgerDay.next : ledgerDay
    let time = try time(word, on: date, clock, by: option, text)
    guard time.instant <= now || day != nil else {
      let before = try self.time(word, on: date.previous, clock, by: option, text)
      throw .usage(
        """
        \(option: option) is \(quoted(text)), which is later than now; yesterday's is \
        \(option: option) \(before)
        """)
    }
    return time
  }

  private func time(
    _ word: TimeWord, on date: Day, _ clock: DayClock, by option: String, _ text: String
  ) throws(Failure) -> Timestamp {
    let (minutes, isLeftOut) = Zones.readings(of: date, minute: word.minute.minutes, in: clock.zone)
    let times = minutes.map {
      Timestamp(instant: $0.instant + Int64(word.seconds) * 1_000_000, offset: Int($0.offset))
    }
    if times.count == 1, !isLeftOut { return times[0] }
    let readings = times.map { "\($0)" }.joined(separator: " or ")
    throw .usage(
      """
      \(option: option) is \(quoted(text)), which \(clock.zone) \
      \(isLeftOut ? "skipped" : "had twice") on \(date); say \(readings)
      """)
  }
}

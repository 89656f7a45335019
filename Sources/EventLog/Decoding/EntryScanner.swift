import StreakDomain

/// The fast road for what nearly every line is: an `entry.logged` in canonical order and plain ASCII.
///
/// It goes through the line once, eight bytes at a time, straight into the fact the fold needs. Whatever it does
/// not recognize, it leaves to `EventDecoder`, which judges the line and words the error; so being fast never
/// means being lenient. Dates, offsets and names are mostly those of the line before, so each is first compared
/// with what was read last.
struct EntryScanner {
  struct Scanned {
    var id = EventKey(high: 0, low: 0)
    var recorded: Int64 = 0
    /// With the lateness of days from midnight.
    var fact = EntryFact()
    /// Of the day that the person's clock showed.
    var second: Int32 = 0
    var more = false
    /// Where the value and the note stand in the line, between their quotes; empty without.
    var value = 0..<0
    var note = 0..<0
  }

  private let patterns = EntryPatterns()
  private var head = HeadMemo()
  private var atDate = DateMemo()
  private var recordedDate = DateMemo()
  private var dayDate = DateMemo()
  /// Six bytes, so that no offset is equal to what stands here before the first.
  private var offsetWord = UInt64.max
  private var offsetMinutes = 0
  private var names = NameMemo()

  /// Reads one line with its end.
  ///
  /// - Returns: the number of bytes up to and with the newline, or 0 if this is not such a line.
  mutating func scan(_ window: ByteWindow, into entry: inout Scanned, names all: inout Names) -> Int {
    var place = 0
    guard
      head.matches(window) && scanSameHead(window, &place, &entry) || scanHead(window, &place, &entry, &all)
    else { return 0 }
    guard let habit = names.read(.habit, window, &place, &all) else { return 0 }
    entry.fact.habit = habit
    entry.more = false
    (entry.value, entry.note) = (0..<0, 0..<0)
    guard scanPayload(window, &place, &entry, &all) else { return 0 }
    return window.byte(place) == UInt8(ascii: "}") && window.byte(place + 1) == UInt8(ascii: "\n")
      ? place + 2 : 0
  }

  /// Reads what moves in a head that is otherwise that of the line before.
  @inline(__always)
  private func scanSameHead(_ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned) -> Bool {
    let recorded = head.places.recordedTime
    guard let key = UUIDScan.key(window, HeadMemo.Places.id),
      let atSeconds = ClockScan.seconds(window.word(HeadMemo.Places.atTime)),
      let seconds = ClockScan.seconds(window.word(recorded)),
      let fraction = ClockScan.sixDecimals(window.word(recorded + 8))
    else { return false }
    let reading = head.reading
    entry.id = key
    entry.recorded = EntryScanner.microseconds(reading.recorded, seconds) + fraction
    entry.fact.at = EntryScanner.microseconds(reading.at, atSeconds - reading.offsetMinutes * 60)
    entry.second = Int32(truncatingIfNeeded: atSeconds)
    entry.fact.day = Day(unchecked: reading.day)
    entry.fact.lateness = UInt16(clamping: reading.at - reading.day)
    place = head.places.end
    return true
  }

  /// Microseconds since 1970 at so many seconds of a day.
  @inline(__always)
  private static func microseconds(_ day: Int32, _ seconds: Int) -> Int64 {
    (Int64(day) * 86_400 + Int64(seconds)) * 1_000_000
  }

  /// Reads a head up to the habit, piece by piece.
  private mutating func scanHead(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned, _ all: inout Names
  ) -> Bool {
    guard patterns.id.matches(window, 0) else { return false }
    place = patterns.id.count
    guard scanID(window, &place, &entry, &all), patterns.type.matches(window, place) else { return false }
    place += patterns.type.count
    guard patterns.at.matches(window, place) else { return false }
    place += patterns.at.count
    let atTime = place + 11
    guard let at = scanAt(window, &place, &entry), patterns.recorded.matches(window, place) else {
      return false
    }
    place += patterns.recorded.count
    let recordedTime = place + 11
    guard let recorded = scanRecorded(window, &place, &entry), patterns.day.matches(window, place) else {
      return false
    }
    place += patterns.day.count
    guard let day = dayDate.read(window, place) else { return false }
    place += 10
    guard patterns.zone.matches(window, place) else { return false }
    place += patterns.zone.count
    guard names.read(.zone, window, &place, &all) != nil, patterns.habit.matches(window, place) else {
      return false
    }
    place += patterns.habit.count
    entry.fact.day = Day(unchecked: day)
    entry.fact.lateness = UInt16(clamping: at.day - day)
    if atTime == HeadMemo.Places.atTime, window.byte(atTime + 8) != UInt8(ascii: ".") {
      head.learn(
        window, HeadMemo.Places(recordedTime: recordedTime, end: place),
        HeadMemo.Reading(at: at.day, recorded: recorded, day: day, offsetMinutes: at.offsetMinutes))
    }
    return true
  }

  @inline(__always)
  private func scanID(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned, _ names: inout Names
  ) -> Bool {
    if window.byte(place + 36) == UInt8(ascii: "\""), let key = UUIDScan.key(window, place) {
      entry.id = key
      place += 36
      return true
    }
    var length = 0
    while EntryPatterns.isID[Int(window.byte(place + length))], length <= 64 { length += 1 }
    guard length >= 1, length <= 64, window.byte(place + length) == UInt8(ascii: "\"") else { return false }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    for offset in 0..<length { bytes.append(window.byte(place + offset)) }
    entry.id = EventKey(names.intern(bytes.span))
    place += length
    return true
  }

  /// Reads `at`, the closing quote left, and returns the day its own clock showed and its minutes east of UTC.
  @inline(__always)
  private mutating func scanAt(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned
  ) -> (day: Int32, offsetMinutes: Int)? {
    guard let day = atDate.read(window, place), window.byte(place + 10) == UInt8(ascii: "T"),
      let seconds = ClockScan.seconds(window.word(place + 11))
    else { return nil }
    place += 19
    var fraction: Int64 = 0
    if window.byte(place) == UInt8(ascii: ".") {
      guard let read = ClockScan.fraction(window, &place) else { return nil }
      fraction = read
    }
    guard let offset = scanOffset(window, &place) else { return nil }
    entry.fact.at = EntryScanner.microseconds(day, seconds - offset * 60) + fraction
    entry.second = Int32(truncatingIfNeeded: seconds)
    return (day, offset)
  }

  /// Minutes east of UTC from `Z` or `±HH:MM`.
  @inline(__always)
  private mutating func scanOffset(_ window: ByteWindow, _ place: inout Int) -> Int? {
    if window.byte(place) == UInt8(ascii: "Z") {
      place += 1
      return 0
    }
    let word = window.word(place) & 0x0000_FFFF_FFFF_FFFF
    place += 6
    return word == offsetWord ? offsetMinutes : learnOffset(window, place - 6, word)
  }

  private mutating func learnOffset(_ window: ByteWindow, _ place: Int, _ word: UInt64) -> Int? {
    guard let minutes = Timestamp.minutes(ofOffset: (0..<6).map { window.byte(place + $0) }) else {
      return nil
    }
    (offsetWord, offsetMinutes) = (word, minutes)
    return minutes
  }

  /// Reads `recorded`, the closing quote left, and returns its day in UTC.
  @inline(__always)
  private mutating func scanRecorded(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned
  ) -> Int32? {
    guard let day = recordedDate.read(window, place), window.byte(place + 10) == UInt8(ascii: "T"),
      let seconds = ClockScan.seconds(window.word(place + 11)),
      let fraction = ClockScan.sixDecimals(window.word(place + 19))
    else { return nil }
    entry.recorded = EntryScanner.microseconds(day, seconds) + fraction
    place += 27
    return day
  }

  /// Reads the measures in the catalogue's order; each may be absent, none may come late.
  @inline(__always)
  private mutating func scanPayload(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned, _ all: inout Names
  ) -> Bool {
    entry.fact.clear()
    place += 1
    if window.byte(place) == UInt8(ascii: "}") { return true }
    return scanMeasures(window, &place, &entry) && scanWords(window, &place, &entry, &all)
  }

  @inline(__always)
  private func scanMeasures(_ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned) -> Bool {
    if patterns.minutes.matches(window, place) {
      place += patterns.minutes.count
      guard let value = ClockScan.thousandths(window, &place, limit: 1440) else { return false }
      entry.fact.minutes = value
    }
    if patterns.km.matches(window, place) {
      place += patterns.km.count
      guard let value = ClockScan.thousandths(window, &place, limit: 1000) else { return false }
      entry.fact.km = value
    }
    if patterns.sets.matches(window, place) {
      place += patterns.sets.count
      guard let value = ClockScan.thousandths(window, &place, limit: 1000), value % 1000 == 0 else {
        return false
      }
      entry.fact.sets = Int16(value / 1000)
    }
    if patterns.drinks.matches(window, place) {
      place += patterns.drinks.count
      guard let value = ClockScan.thousandths(window, &place, limit: 100), value % 1000 == 0 else {
        return false
      }
      entry.fact.drinks = Int8(value / 1000)
    }
    if patterns.amount.matches(window, place) {
      place += patterns.amount.count
      guard let value = ClockScan.thousandths(window, &place, limit: Int32(Sum.most)) else { return false }
      entry.fact.amount = value
    }
    return true
  }

  @inline(__always)
  private mutating func scanWords(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned, _ all: inout Names
  ) -> Bool {
    guard window.byte(place) != UInt8(ascii: "}") else { return true }
    if patterns.level.matches(window, place) {
      place += patterns.level.count
      guard let name = names.read(.word, window, &place, &all) else { return false }
      entry.fact.level = name.value + 1
      place += 1
    }
    if patterns.completedTrue.matches(window, place) {
      place += patterns.completedTrue.count
      entry.fact.completed = 1
    } else if patterns.completedFalse.matches(window, place) {
      place += patterns.completedFalse.count
      entry.fact.completed = 0
    }
    if patterns.activity.matches(window, place) {
      place += patterns.activity.count
      guard let name = names.read(.word, window, &place, &all) else { return false }
      entry.fact.activity = name.value + 1
      place += 1
    }
    if patterns.value.matches(window, place) {
      place += patterns.value.count
      let start = place
      guard skipText(window, &place) else { return false }
      entry.value = start..<place - 1
    }
    if patterns.note.matches(window, place) {
      place += patterns.note.count
      let start = place
      guard skipText(window, &place) else { return false }
      entry.note = start..<place - 1
    }
    if patterns.more.matches(window, place) {
      place += patterns.more.count
      entry.more = true
    }
    return true
  }

  /// Skips plain printable ASCII of at most 1,024 bytes and its closing quote.
  private func skipText(_ window: ByteWindow, _ place: inout Int) -> Bool {
    let start = place
    while true {
      let byte = window.byte(place)
      if byte == UInt8(ascii: "\"") { break }
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\"), place - start < 1024 else { return false }
      place += 1
    }
    place += 1
    return true
  }
}

import StreakDomain

/// The fast reader of valid `entry.logged` lines; any other line is left to `EventDecoder`, which reports the
/// errors.
///
/// Dates, offsets and names usually repeat, so each is first compared with that of the previous line. Methods
/// called for every line are inlined or `mutating`, because other methods receive a copy of the scanner.
struct EntryScanner {
  struct Scanned {
    var id = EventKey(high: 0, low: 0)
    var recorded: Int64 = 0
    /// The entry; its lateness assumes that days begin at midnight.
    var fact = EntryFact()
    /// The second of the local day in the offset of `at`.
    var second: Int32 = 0
  }

  private struct Days {
    var at: Int32 = 0
    var recorded: Int32 = 0
    var offsetMinutes = 0
  }

  var fields = FieldPlaces()
  private var head = HeadMemo()
  private var atDate = DateMemo()
  private var recordedDate = DateMemo()
  private var dayDate = DateMemo()
  /// The six bytes of the last offset; the initial value can't equal any offset.
  private var offsetWord = UInt64.max
  private var offsetMinutes = 0
  var names = NameMemo()
  let idBytes = Forms.idBytes

  /// Clears the cached names, before the scanner is used with another symbol table.
  mutating func forgetNames() { names.clear() }

  /// Reads one line with its newline; returns its length, or 0 if only `EventDecoder` can read it.
  mutating func scan(_ window: ByteWindow, into entry: inout Scanned, names all: inout SymbolTable) -> Int {
    var place = 0
    entry.fact.values = EntryValues()
    if head.begins(window), scanSameHead(window, &place, &entry, &all) {
      // A version after the head was not compared.
      guard fields.scan(window, &place, behind: head.fields), head.fields.contains(.v) || isVersionOne(window)
      else { return 0 }
    } else {
      guard fields.scan(window, &place), readHead(window, &entry, &all) else { return 0 }
    }
    return readPayload(window, &entry, &all) ? place + 1 : 0
  }

  func has(_ field: Field) -> Bool { fields[field].form != .absent }

  func text(_ field: Field, _ window: ByteWindow) -> [UInt8] {
    let value = fields[field]
    return value.form == .absent ? [] : LineText.bytes(window, value.range)
  }

  /// Reads the id and times of a line whose head is otherwise equal to that of the previous line.
  @inline(__always)
  private mutating func scanSameHead(
    _ window: ByteWindow, _ place: inout Int, _ entry: inout Scanned, _ all: inout SymbolTable
  ) -> Bool {
    let id = scanID(window, head.places.id, &entry, &all)
    let recorded = id + head.places.recordedTime
    guard id > 0, head.goesOn(window, behind: id),
      let atSeconds = ClockScan.seconds(window.word(id + head.places.atTime)),
      let seconds = ClockScan.seconds(window.word(recorded)),
      let fraction = ClockScan.sixDecimals(window.word(recorded + 8))
    else { return false }
    place = id + head.places.end
    let reading = head.reading
    entry.recorded = EntryScanner.microseconds(reading.recorded, seconds) + fraction
    entry.fact.at = EntryScanner.microseconds(reading.at, atSeconds - reading.offsetMinutes * 60)
    entry.second = Int32(truncatingIfNeeded: atSeconds)
    entry.fact.day = Day(unchecked: reading.day)
    entry.fact.lateness = UInt16(clamping: reading.at - reading.day)
    return true
  }

  @inline(__always)
  private static func microseconds(_ day: Int32, _ seconds: Int) -> Int64 {
    (Int64(day) * 86_400 + Int64(seconds)) * 1_000_000
  }

  private mutating func readHead(_ window: ByteWindow, _ entry: inout Scanned, _ all: inout SymbolTable)
    -> Bool
  {
    guard fields.present.contains(Field.required), isEntry(window),
      fields[.id].form == .plain,
      scanID(window, Int(fields[.id].start), &entry, &all) == Int(fields[.id].end),
      names.read(.zone, window, fields[.zone], &all) != nil, fields[.day].form == .plain,
      fields[.day].count == 10,
      let day = dayDate.read(window, Int(fields[.day].start))
    else { return false }
    var days = Days()
    guard readAt(window, &entry, &days), readRecorded(window, &entry, &days) else { return false }
    entry.fact.day = Day(unchecked: day)
    entry.fact.lateness = UInt16(clamping: days.at - day)
    learnHead(window, entry, day, days)
    return true
  }

  @inline(__always)
  private func isEntry(_ window: ByteWindow) -> Bool {
    let type = fields[.type]
    let start = Int(type.start)
    return type.form == .plain && type.count == 12 && window.word(start) == 0x6F6C_2E79_7274_6E65
      && window.half(start + 8) == 0x6465_6767 && isVersionOne(window)
  }

  @inline(__always)
  private func isVersionOne(_ window: ByteWindow) -> Bool {
    let version = fields[.v]
    return version.form == .absent
      || version.form == .number && version.count == 1 && window.byte(Int(version.start)) == UInt8(ascii: "1")
  }

  /// Reads the id at `start` up to its quote; returns the offset of its end, or 0 if it is invalid.
  @inline(__always)
  private mutating func scanID(
    _ window: ByteWindow, _ start: Int, _ entry: inout Scanned, _ all: inout SymbolTable
  ) -> Int {
    if window.byte(start + 36) == UInt8(ascii: "\""), let key = UUIDScan.key(window, start) {
      entry.id = key
      return start + 36
    }
    var end = start
    while idBytes[Int(window.byte(end))], end - start < 65 { end += 1 }
    guard (1...64).contains(end - start), window.byte(end) == UInt8(ascii: "\"") else { return 0 }
    let split = max(start, end - EventKey.tailLength)
    var tail = EventKey.Tail()
    for place in split..<end { tail.append(window.byte(place)) }
    entry.id = EventKey(names.readStem(window, start..<split, &all), tail)
    return end
  }

  @inline(__always)
  private mutating func readAt(_ window: ByteWindow, _ entry: inout Scanned, _ days: inout Days) -> Bool {
    let at = fields[.at]
    var place = Int(at.start)
    guard at.form == .plain, (20...32).contains(at.count), let day = atDate.read(window, place),
      window.byte(place + 10) == UInt8(ascii: "T"), let seconds = ClockScan.seconds(window.word(place + 11))
    else { return false }
    place += 19
    var fraction: Int64 = 0
    if window.byte(place) == UInt8(ascii: ".") {
      guard let read = ClockScan.fraction(window, &place) else { return false }
      fraction = read
    }
    guard let offset = readOffset(window, &place), place == Int(at.end) else { return false }
    entry.fact.at = EntryScanner.microseconds(day, seconds - offset * 60) + fraction
    entry.second = Int32(truncatingIfNeeded: seconds)
    (days.at, days.offsetMinutes) = (day, offset)
    return true
  }

  @inline(__always)
  private mutating func readOffset(_ window: ByteWindow, _ place: inout Int) -> Int? {
    if window.byte(place) == UInt8(ascii: "Z") {
      place += 1
      return 0
    }
    let word = window.word(place) & 0x0000_FFFF_FFFF_FFFF
    place += 6
    return word == offsetWord ? offsetMinutes : learnOffset(window, place - 6, word)
  }

  private mutating func learnOffset(_ window: ByteWindow, _ place: Int, _ word: UInt64) -> Int? {
    let bytes = (0..<6).map { window.byte(place + $0) }
    guard let minutes = Timestamp.offset(bytes.span) else { return nil }
    (offsetWord, offsetMinutes) = (word, minutes)
    return minutes
  }

  @inline(__always)
  private mutating func readRecorded(
    _ window: ByteWindow, _ entry: inout Scanned, _ days: inout Days
  ) -> Bool {
    let recorded = fields[.recorded]
    let place = Int(recorded.start)
    guard recorded.form == .plain, recorded.count == 27, let day = recordedDate.read(window, place),
      window.byte(place + 10) == UInt8(ascii: "T"), let seconds = ClockScan.seconds(window.word(place + 11)),
      let fraction = ClockScan.sixDecimals(window.word(place + 19))
    else { return false }
    entry.recorded = EntryScanner.microseconds(day, seconds) + fraction
    days.recorded = day
    return true
  }

  @inline(__always)
  private mutating func learnHead(_ window: ByteWindow, _ entry: Scanned, _ day: Int32, _ days: Days) {
    let hasFraction = window.byte(Int(fields[.at].start) + 19) == UInt8(ascii: ".")
    guard fields.head.fields.contains(Field.required), !hasFraction else { return }
    let id = Int(fields[.id].end)
    head.learn(
      window, behind: id,
      HeadMemo.Places(
        id: Int(fields[.id].start), atTime: Int(fields[.at].start) + 11 - id,
        recordedTime: Int(fields[.recorded].start) + 11 - id, end: fields.head.end - id),
      fields.head.fields,
      HeadMemo.Reading(at: days.at, recorded: days.recorded, day: day, offsetMinutes: days.offsetMinutes))
  }
}

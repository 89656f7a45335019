package import StreakDomain

/// The fast reader of valid `entry.logged` lines; `EventDecoder` reads all other lines and reports
/// errors.
///
/// Dates and names usually repeat, so each is first compared with the previous one. Methods called
/// for every line are inlined or `mutating`, because calls of other methods copy the scanner.
package struct EntryScanner {
  private var fields = LineFields()
  private var atDate = DateMemo()
  private var recordedDate = DateMemo()
  private var asOfDate = DateMemo()
  private var dayDate = DateMemo()
  private var symbols = NameMemo()
  private let idBytes = Syntax.idBytes
  // Copies, because each access to a static property checks whether it is initialized.
  private let required = Field.required
  private let measures = FieldSet([.minutes, .km, .sets, .drinks, .amount])
  private let words = FieldSet([
    .key, .asOf, .level, .completed, .activity, .value, .note, .by, .subject, .cause, .more,
  ])

  package init() {}

  /// Clears the cached names; required before the scanner is used with another symbol table.
  mutating func forgetNames() { symbols = NameMemo() }

  /// Reads the entry at the start of `line` into `item`; more lines or padding must follow it.
  ///
  /// `fact.lateness` is computed as if days began at midnight.
  ///
  /// - Returns: The length of the entry's line with its newline, or 0 if only `EventDecoder` can
  ///   read the line. In that case, `id`, `recorded`, `fact` and `second` of `item` may already
  ///   have changed.
  package mutating func scan(
    _ line: Span<UInt8>, into item: inout StreamItem, names: inout SymbolTable
  ) -> Int {
    item.fact.values = EntryValues()
    item.claim = nil
    guard let end = fields.scan(line), readHead(line, &item, &names),
      readPayload(line, &item, &names)
    else { return 0 }
    item.isContinued = fields.has(.more)
    return end + 1
  }

  /// Sets `value`, `note` and `by` of `item` from `line`, which must be the line that `scan` has
  /// just read.
  package func readTexts(_ line: Span<UInt8>, into item: inout StreamItem) {
    let texts = StreamItem.Box(
      text(.value, line) ?? "", text(.note, line) ?? "", by: text(.by, line))
    item.boxed = texts.isEmpty ? nil : texts
  }

  private func text(_ field: Field, _ line: Span<UInt8>) -> Text? {
    guard fields.has(field) else { return nil }
    return Text(String(decoding: StringScan.bytes(line, fields[field].range), as: UTF8.self))
  }
}

extension EntryScanner {
  private mutating func readHead(
    _ line: Span<UInt8>, _ item: inout StreamItem, _ all: inout SymbolTable
  )
    -> Bool
  {
    guard fields.present.contains(required), isEntry(line), readID(line, &item, &all),
      symbols.read(.zone, line, fields[.zone], &all) != nil, fields[.day].kind == .plain,
      fields[.day].count == 10, let day = dayDate.read(line, Int(fields[.day].start)),
      let atDay = readAt(line, &item), readRecorded(line, &item)
    else { return false }
    item.fact.day = Day(unchecked: day)
    item.fact.lateness = UInt16(clamping: atDay - day)
    return true
  }

  @inline(__always)
  private func isEntry(_ line: Span<UInt8>) -> Bool {
    let type = fields[.type]
    let version = fields[.v]
    let start = Int(type.start)
    // The bytes of `entry.lo` and `gged`.
    return type.kind == .plain && type.count == 12 && line.word(start) == 0x6F6C_2E79_7274_6E65
      && line.half(start + 8) == 0x6465_6767
      && (version.kind == .absent
        || version.kind == .number && version.count == 1
          && line[Int(version.start)] == UInt8(ascii: "1"))
  }

  @inline(__always)
  private mutating func readID(
    _ line: Span<UInt8>, _ item: inout StreamItem, _ all: inout SymbolTable
  ) -> Bool {
    let id = fields[.id]
    guard id.kind == .plain else { return false }
    if id.count == 36, let key = UUIDScan.key(line, Int(id.start)) {
      item.id = key
      return true
    }
    guard let key = readKey(.id, line, &all) else { return false }
    item.id = key
    return true
  }

  /// Returns the id in `field` as a key, or `nil` if the value isn't a plain id.
  private mutating func readKey(
    _ field: Field, _ line: Span<UInt8>, _ all: inout SymbolTable
  ) -> EventKey? {
    guard isID(field, line) else { return nil }
    let value = fields[field]
    if value.count == 36, let key = UUIDScan.key(line, Int(value.start)) { return key }

    let split = max(Int(value.start), Int(value.end) - EventKey.tailLength)
    var tail = EventKey.Tail()
    for index in split..<Int(value.end) { tail.append(line[index]) }
    return EventKey(all.intern(line.extracting(Int(value.start)..<split)), tail)
  }

  /// Reads the field `at` into `item`, and returns the date of `at` as a day number.
  @inline(__always)
  private mutating func readAt(_ line: Span<UInt8>, _ item: inout StreamItem) -> Int32? {
    let at = fields[.at]
    var index = Int(at.start)
    guard at.kind == .plain, (20...32).contains(at.count), let day = atDate.read(line, index),
      line[index + 10] == UInt8(ascii: "T"), let seconds = ClockScan.seconds(line, index + 11)
    else { return nil }
    index += 19
    var fraction: Int64 = 0
    if line[index] == UInt8(ascii: ".") {
      guard let read = ClockScan.fraction(line, &index) else { return nil }
      fraction = read
    }
    guard let offset = readOffset(line, &index), index == Int(at.end) else { return nil }
    item.fact.at = (Int64(day) * 86_400 + Int64(seconds - offset * 60)) * 1_000_000 + fraction
    item.second = Int32(truncatingIfNeeded: seconds)
    return day
  }

  @inline(__always)
  private func readOffset(_ line: Span<UInt8>, _ index: inout Int) -> Int? {
    let start = index
    index += line[start] == UInt8(ascii: "Z") ? 1 : 6
    return index == start + 1 ? 0 : Timestamp.offset(line.extracting(start..<index))
  }

  @inline(__always)
  private mutating func readRecorded(_ line: Span<UInt8>, _ item: inout StreamItem) -> Bool {
    guard let instant = EntryScanner.instant(fields[.recorded], line, &recordedDate) else {
      return false
    }
    item.recorded = instant
    return true
  }

  /// Returns the instant in `value`, or `nil` if it isn't in UTC with six decimals.
  @inline(__always)
  private static func instant(
    _ value: LineFields.Value, _ line: Span<UInt8>, _ date: inout DateMemo
  ) -> Instant? {
    let index = Int(value.start)
    guard value.kind == .plain, value.count == 27, let day = date.read(line, index),
      line[index + 10] == UInt8(ascii: "T"), let seconds = ClockScan.seconds(line, index + 11),
      line[index + 19] == UInt8(ascii: "."), let fraction = line.decimal(index + 20, 6),
      line[index + 26] == UInt8(ascii: "Z")
    else { return nil }
    let time = Int64(day) * 86_400 + Int64(seconds)
    return Instant(microseconds: time * 1_000_000 + Int64(fraction))
  }

  /// Reads the fields `key` and `asOf` into the claim of `item`.
  private mutating func readClaim(
    _ line: Span<UInt8>, _ item: inout StreamItem, _ all: inout SymbolTable
  ) -> Bool {
    var asOf = item.recorded
    if fields.has(.asOf) {
      guard let instant = EntryScanner.instant(fields[.asOf], line, &asOfDate) else { return false }
      asOf = instant
    }
    guard fields.has(.key) else { return true }
    // The cause of an entry with a key is the entry that it replaces, which a fact doesn't keep.
    guard !fields.has(.cause) else { return false }
    guard let key = readKey(.key, line, &all) else { return false }
    item.claim = KeyClaim(key: key, asOf: asOf)
    return true
  }
}

extension EntryScanner {
  @inline(__always)
  private mutating func readPayload(
    _ line: Span<UInt8>, _ item: inout StreamItem, _ all: inout SymbolTable
  ) -> Bool {
    guard let habit = symbols.read(.habit, line, fields[.habit], &all) else { return false }
    item.fact.habit = habit
    if fields.present.overlaps(measures), !readMeasures(line, &item.fact) { return false }
    guard fields.present.overlaps(words) else { return true }
    return readClaim(line, &item, &all) && readWords(line, &item.fact, &all)
      && isPrintable(.value, line) && isPrintable(.note, line)
      && isOthers(line) && fields[.subject].kind == .absent
      && (!fields.has(.cause) || isID(.cause, line))
      && (fields[.more].kind == .absent || fields[.more].kind == .yes)
  }

  private mutating func readMeasures(_ line: Span<UInt8>, _ fact: inout EntryFact) -> Bool {
    guard let minutes = millionths(.minutes, line, upTo: Limits.minutes),
      let km = millionths(.km, line, upTo: Limits.km),
      let sets = millionths(.sets, line, upTo: Limits.sets),
      let drinks = millionths(.drinks, line, upTo: Limits.drinks),
      let amount = millionths(.amount, line, upTo: Limits.amount),
      sets < 0 || sets % 1_000_000 == 0, drinks < 0 || drinks % 1_000_000 == 0
    else { return false }
    fact.values.minutes = Int32(minutes)
    fact.values.km = Int32(km)
    fact.values.amount = amount
    fact.values.sets = sets < 0 ? -1 : Int16(sets / 1_000_000)
    fact.values.drinks = drinks < 0 ? -1 : Int8(drinks / 1_000_000)
    return true
  }

  /// Returns the value of `field` in millionths, or -1 if the field is absent.
  ///
  /// The result is `nil` if the value isn't from 0 to `limit`.
  @inline(__always)
  private func millionths(_ field: Field, _ line: Span<UInt8>, upTo limit: Int) -> Int64? {
    let value = fields[field]
    guard value.kind != .absent else { return -1 }
    guard value.kind == .number else { return nil }
    guard let read = ClockScan.millionths(line, value.range) ?? ClockScan.exact(line, value.range)
    else { return nil }
    return read >= 0 && read <= Int64(limit) * 1_000_000 ? read : nil
  }

  private mutating func readWords(
    _ line: Span<UInt8>, _ fact: inout EntryFact, _ all: inout SymbolTable
  ) -> Bool {
    if fields.has(.level) {
      guard let name = symbols.read(.word, line, fields[.level], &all) else { return false }
      fact.values.level = name.value + 1
    }
    if fields.has(.activity) {
      guard let name = symbols.read(.word, line, fields[.activity], &all) else { return false }
      fact.values.activity = name.value + 1
    }
    switch fields[.completed].kind {
    case .absent: break
    case .yes: fact.values.completed = 1
    case .no: fact.values.completed = 0
    default: return false
    }
    return true
  }

  @inline(__always)
  private func isID(_ field: Field, _ line: Span<UInt8>) -> Bool {
    let value = fields[field]
    guard value.kind == .plain, Limits.id.contains(value.count) else { return false }
    for index in value.range where !idBytes[Int(line[index])] { return false }
    return true
  }

  /// Whether `by` is absent or names another program; this program's labels such as `streaks-undo`
  /// need `EventDecoder`.
  @inline(__always)
  private func isOthers(_ line: Span<UInt8>) -> Bool {
    let by = fields[.by]
    if by.kind == .absent { return true }
    return by.kind == .plain && Limits.writer.contains(by.count)
      && (by.count < 8 || line.word(Int(by.start)) != EntryScanner.ownLabel)
  }

  /// The bytes of `streaks-` as an integer, the first byte in the lowest bits.
  private static let ownLabel: UInt64 = 0x2D73_6B61_6572_7473

  @inline(__always)
  private func isPrintable(_ field: Field, _ line: Span<UInt8>) -> Bool {
    let value = fields[field]
    switch value.kind {
    case .absent: return true
    case .plain: return value.count <= Limits.text
    case .rich:
      let bytes = StringScan.bytes(line, value.range)
      return bytes.count <= Limits.text && StringScan.isPrintable(bytes)
    default: return false
    }
  }
}

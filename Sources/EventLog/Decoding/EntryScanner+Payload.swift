import StreakDomain

extension EntryScanner {
  @inline(__always)
  mutating func readPayload(
    _ window: ByteWindow, _ entry: inout Scanned, _ all: inout SymbolTable
  ) -> Bool {
    let present = fields.present
    guard let habit = names.read(.habit, window, fields[.habit], &all) else { return false }
    entry.fact.habit = habit
    if present.overlaps(EntryScanner.measures), !readMeasures(window, &entry.fact) { return false }
    guard present.overlaps(EntryScanner.words) else { return true }
    return readWords(window, &entry.fact, &all) && isPrintable(.value, window) && isPrintable(.note, window)
      && isOthers(window) && fields[.subject].form == .absent && isID(.cause, window)
      && (fields[.more].form == .absent || fields[.more].form == .yes)
  }

  @inline(__always)
  private func isID(_ field: Field, _ window: ByteWindow) -> Bool {
    let value = fields[field]
    if value.form == .absent { return true }
    return value.form == .plain && (1...64).contains(value.count)
      && value.range.allSatisfy { idBytes[Int(window.byte($0))] }
  }

  /// Whether `by` isn't a label of this program, whose events need the complete decoder.
  @inline(__always)
  private func isOthers(_ window: ByteWindow) -> Bool {
    let by = fields[.by]
    if by.form == .absent { return true }
    return by.form == .plain && (1...64).contains(by.count)
      && (by.count < 8 || window.word(Int(by.start)) != EntryScanner.ownLabel)
  }

  /// The bytes of `streaks-` as a little-endian word.
  private static let ownLabel: UInt64 = 0x2D73_6B61_6572_7473

  private static let measures = FieldSet([.minutes, .km, .sets, .drinks, .amount])
  private static let words = FieldSet([
    .level, .completed, .activity, .value, .note, .by, .subject, .cause, .more,
  ])

  private mutating func readMeasures(_ window: ByteWindow, _ fact: inout EntryFact) -> Bool {
    guard let minutes = thousandths(.minutes, window, upTo: 1440),
      let km = thousandths(.km, window, upTo: 1000),
      let sets = thousandths(.sets, window, upTo: 1000), let drinks = thousandths(.drinks, window, upTo: 100),
      let amount = thousandths(.amount, window, upTo: Sum.most), sets < 0 || sets % 1000 == 0,
      drinks < 0 || drinks % 1000 == 0
    else { return false }
    (fact.values.minutes, fact.values.km, fact.values.amount) = (minutes, km, amount)
    fact.values.sets = sets < 0 ? -1 : Int16(sets / 1000)
    fact.values.drinks = drinks < 0 ? -1 : Int8(drinks / 1000)
    return true
  }

  /// Returns a number in thousandths, -1 if the field is absent, or `nil` if the number is out of range.
  @inline(__always)
  private func thousandths(_ field: Field, _ window: ByteWindow, upTo limit: Int) -> Int32? {
    let value = fields[field]
    guard value.form != .absent else { return -1 }
    guard value.form == .number else { return nil }
    guard let read = ClockScan.thousandths(window, value.range) ?? ClockScan.exact(window, value.range)
    else { return nil }
    return read >= 0 && read <= Int64(limit) * 1000 ? Int32(read) : nil
  }

  private mutating func readWords(_ window: ByteWindow, _ fact: inout EntryFact, _ all: inout SymbolTable)
    -> Bool
  {
    if fields.present.contains(.level) {
      guard let name = names.read(.word, window, fields[.level], &all) else { return false }
      fact.values.level = name.value + 1
    }
    if fields.present.contains(.activity) {
      guard let name = names.read(.word, window, fields[.activity], &all) else { return false }
      fact.values.activity = name.value + 1
    }
    switch fields[.completed].form {
    case .absent: break
    case .yes: fact.values.completed = 1
    case .no: fact.values.completed = 0
    default: return false
    }
    return true
  }

  @inline(__always)
  private func isPrintable(_ field: Field, _ window: ByteWindow) -> Bool {
    let value = fields[field]
    switch value.form {
    case .absent: return true
    case .plain: return value.count <= 1024
    case .rich:
      let bytes = LineText.bytes(window, value.range)
      return bytes.count <= 1024 && LineText.isPrintable(bytes)
    default: return false
    }
  }
}

import EventLog
package import StreakDomain

/// The requested records, stored in 64 bytes each with shared texts, because an export may contain millions.
package struct HealthRecords: Sendable {
  private var packed: [Packed] = []
  /// The distinct combinations of properties that records share.
  private(set) var kinds: [Kind] = []
  private var kindNumbers: [Kind: UInt32] = [:]
  private var values: [Text] = []
  private var valueNumbers: [Text: UInt32] = [:]
  private let file: String
  package let dayStart: ClockTime

  struct Kind: Hashable {
    var type: Text
    var source: Text
    var unit: Text?
    var unknownUnit: Text?
  }

  private struct Packed {
    var id = EventKey(high: 0, low: 0)
    var start: Int64
    let end: Int64
    let line: UInt32
    let column: UInt32
    let kind: UInt32
    /// 1 + the index in `values`, or 0 for none.
    let value: UInt32
    /// The thousandths, or -1 for none.
    let minutes: Int32
    let km: Int32
    var amount = Amount.notPlanned
    var startOffset: Int16
    let endOffset: Int16
  }

  /// The computed number of the entry: drinks, or thousandths of a minute.
  enum Amount {
    static let notPlanned: Int32 = -2
    static let asRecorded: Int32 = -1
  }

  package init(file: String, dayStart: ClockTime) {
    self.file = file
    self.dayStart = dayStart
  }

  package mutating func append(_ record: HealthRecord) {
    func count(_ number: Thousandths?) -> Int32 { number.map { Int32(clamping: $0.count) } ?? -1 }
    packed.append(
      Packed(
        start: record.start.instant.microseconds, end: record.end.instant.microseconds,
        line: UInt32(clamping: record.place.line), column: UInt32(clamping: record.place.column),
        kind: kind(of: record), value: record.value.map { value($0) } ?? 0, minutes: count(record.minutes),
        km: count(record.km), startOffset: Int16(clamping: record.start.offset),
        endOffset: Int16(clamping: record.end.offset)))
  }

  private mutating func kind(of record: HealthRecord) -> UInt32 {
    let kind = Kind(
      type: record.type, source: record.source, unit: record.unit, unknownUnit: record.unknownUnit)
    if let last = packed.last?.kind, kinds[Int(last)] == kind { return last }
    if let known = kindNumbers[kind] { return known }
    kinds.append(kind)
    kindNumbers[kind] = UInt32(kinds.count - 1)
    return UInt32(kinds.count - 1)
  }

  private mutating func value(_ text: Text) -> UInt32 {
    if let last = packed.last?.value, last != 0, values[Int(last) - 1] == text {
      return last
    }
    if let known = valueNumbers[text] { return known }
    values.append(text)
    valueNumbers[text] = UInt32(values.count)
    return UInt32(values.count)
  }

  func kind(at index: Int) -> Int { Int(packed[index].kind) }

  func id(at index: Int) -> EventKey { packed[index].id }

  /// Sets the id of every record, sorts the records by time, and removes and returns duplicates.
  mutating func identify(_ id: (HealthRecord, _ kind: Int) -> EventKey) -> [HealthRecord] {
    for index in packed.indices {
      let id = id(self[index], kind(at: index))
      packed[index].id = id
    }
    let (kinds, values) = (kinds, values)
    packed.sort { HealthRecords.precedes($0, $1, kinds, values) }
    var repeats: [HealthRecord] = []
    var kept = 0
    // Duplicates have equal times, types, sources and numbers, so sorting makes them adjacent.
    for index in packed.indices {
      if kept > 0, packed[kept - 1].id == packed[index].id {
        repeats.append(self[index])
        continue
      }
      if kept != index { packed[kept] = packed[index] }
      kept += 1
    }
    packed.removeLast(packed.count - kept)
    return repeats
  }

  private static func precedes(_ a: Packed, _ b: Packed, _ kinds: [Kind], _ values: [Text]) -> Bool {
    if a.start != b.start { return a.start < b.start }
    if a.end != b.end { return a.end < b.end }
    if a.kind != b.kind {
      let (one, other) = (kinds[Int(a.kind)], kinds[Int(b.kind)])
      if one.source != other.source { return one.source < other.source }
      if one.type != other.type { return one.type < other.type }
    }
    if a.minutes != b.minutes { return a.minutes < b.minutes }
    if a.value != b.value {
      let first: Text = a.value == 0 ? "" : values[Int(a.value) - 1]
      let second: Text = b.value == 0 ? "" : values[Int(b.value) - 1]
      // Numbers come before other texts, so that the order is total.
      switch (ForeignNumber.read(first.string), ForeignNumber.read(second.string)) {
      case (let one?, let other?): if one != other { return one < other }
      case (_?, nil): return true
      case (nil, _?): return false
      case (nil, nil): return first < second
      }
    }
    return (a.line, a.column) < (b.line, b.column)
  }

  /// Records that a record becomes an entry with this amount and time.
  mutating func plan(at index: Int, amount: Int32, _ at: Timestamp) {
    packed[index].amount = amount
    packed[index].start = at.instant.microseconds
    packed[index].startOffset = Int16(clamping: at.offset)
  }

  func amount(at index: Int) -> Int32? {
    let amount = packed[index].amount
    return amount == Amount.notPlanned ? nil : amount
  }
}

extension HealthRecords: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { packed.count }

  package subscript(index: Int) -> HealthRecord {
    let packed = packed[index]
    let kind = kinds[Int(packed.kind)]
    func time(_ microseconds: Int64, _ offset: Int16) -> Timestamp {
      Timestamp(instant: Instant(microseconds: microseconds), offset: Int(offset))
    }
    func number(_ count: Int32) -> Thousandths? { count < 0 ? nil : Thousandths(count: Int64(count)) }
    var record = HealthRecord(
      type: kind.type, source: kind.source,
      start: time(packed.start, packed.startOffset), end: time(packed.end, packed.endOffset),
      value: packed.value == 0 ? nil : values[Int(packed.value) - 1], unit: kind.unit,
      minutes: number(packed.minutes),
      km: number(packed.km), unknownUnit: kind.unknownUnit,
      place: Place(file: file, line: Int(packed.line), column: Int(packed.column)))
    record.dayStart = dayStart
    return record
  }
}

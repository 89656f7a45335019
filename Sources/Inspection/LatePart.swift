package import EventLog
public import StreakDomain

/// A part of a segment that arrived late: another device began a day without it, although its
/// events had been recorded by then.
///
///     phone      e1 . . e2 e3 . . .       e2 and e3 are of the 3rd
///     laptop     . . new day 4 . new day 5
///     it saw        e1            e1 to e3
///
/// Here `e2` and `e3` arrived late, between the new days 4 and 5 of the laptop
/// (event-format.md, "What another writer saw").
public struct LatePart: Codable, Hashable, Sendable {
  /// The segment.
  public let writer: LedgerText
  public let lines: ClosedRange<Int>
  /// The ids of the late events of `lines`.
  public let ids: [String]
  /// When the first and the last of these events were written.
  public let recorded: ClosedRange<Instant>
  /// The range of days of these events.
  public let days: ClosedRange<Day>
  /// The segment of the device that lacked the events.
  public let lackedBy: LedgerText
  /// When that device last began a day without them.
  public let lackedAt: Instant
  /// When the device `lackedBy` first began a day with the events, or `nil` if it hasn't yet.
  public let arrivedBy: Instant?

  private enum CodingKeys: String, CodingKey {
    case writer, lines, ids = "events", recorded, days, lackedBy, lackedAt, arrivedBy
  }
}

/// The parts of segments that arrived late, found in a pass over the stream.
package struct LateParts {
  /// A line of a segment.
  private struct Line {
    let number: Int
    let id: EventKey
    /// When the line was written; no later than the lines after it in its segment.
    var written: Instant
    let day: Day
  }

  /// A segment whose lines arrive, and the segment of a device that reads them.
  private struct Pair: Hashable {
    let writer: Int
    let reader: Int
  }

  /// The lines of a segment that a device hadn't seen when it began a day.
  private struct Lack {
    /// The indexes of the lines in the segment's `lines`.
    var lines: Range<Int>
    let today: Day
    let at: Instant
    /// When the device began a later day with the lines, or `nil` if it hasn't yet.
    var arrivedBy: Instant?
  }

  /// A new day that a device began, when it had seen so many lines of other segments.
  private struct NewDay {
    let today: Day
    let at: Instant
    let reader: Int
    let lengths: [SeenSegment]
  }

  private let segments: [Text]
  /// The lines of each segment, by the segment's index.
  private var lines: [Int: [Line]] = [:]
  /// The new days that devices began, in stream order.
  private var newDays: [NewDay] = []
  /// The lines that each device lacked when it began a day; only the last of a pair may not have
  /// arrived yet.
  private var lacks: [Pair: [Lack]] = [:]

  /// Creates an empty collection for a stream of `segments`.
  package init(of segments: [Text]) { self.segments = segments }

  /// Adds an event that was written at `written`; `isMoved` is true if a `day.corrected` names the
  /// event, which then began no day.
  package mutating func note(_ item: StreamItem, writtenAt written: Instant, isMoved: Bool) {
    lines[item.segment, default: []].append(
      Line(number: item.line, id: item.id, written: written, day: item.day))

    guard case .dayChanged(let today, _, let lengths)? = item.event?.payload, !isMoved else {
      return
    }
    newDays.append(NewDay(today: today, at: written, reader: item.segment, lengths: lengths))
  }

  /// Returns all late parts, sorted by the time of their first event.
  ///
  /// A line that several devices lacked belongs to the part of the device that lacked it last.
  package consuming func parts(_ names: SymbolTable) -> [LatePart] {
    limitTimes()
    findLacks()
    return lines.keys.flatMap { parts(of: $0, names) }.sorted {
      ($0.recorded.lowerBound, $0.writer) < ($1.recorded.lowerBound, $1.writer)
    }
  }

  /// Moves the time of each line to that of a later line of its segment that was written before it
  /// by its stamp.
  private mutating func limitTimes() {
    for (writer, var all) in lines {
      for index in all.indices.dropLast().reversed() {
        all[index].written = min(all[index].written, all[index + 1].written)
      }
      lines[writer] = all
    }
  }

  /// Compares each new day with the lines that had been written by then, also those that a wrong
  /// clock stamped later.
  private mutating func findLacks() {
    var seen: [Pair: Int] = [:]
    for newDay in newDays {
      for length in newDay.lengths {
        guard let writer = segments.firstIndex(of: length.segment) else { continue }
        let pair = Pair(writer: writer, reader: newDay.reader)
        seen[pair] = max(seen[pair] ?? 0, length.lines)
      }
      for writer in lines.keys where writer != newDay.reader {
        let pair = Pair(writer: writer, reader: newDay.reader)
        begin(newDay, pair, seen: seen[pair] ?? 0)
      }
    }
  }

  /// Adds what the device `pair.reader` lacked of `pair.writer` when it began a day.
  ///
  /// The device has recorded that it had seen `seen` lines.
  private mutating func begin(_ newDay: NewDay, _ pair: Pair, seen: Int) {
    let all = lines[pair.writer] ?? []
    let lines = all[..<all.partitioningIndex { $0.written > newDay.at }]
    let firstUnseen = lines.partitioningIndex { $0.number > seen }

    var lacks = lacks[pair] ?? []
    if var last = lacks.last, last.arrivedBy == nil {
      lacks.removeLast()
      if last.lines.lowerBound < firstUnseen {
        last.lines = last.lines.clamped(to: 0..<firstUnseen)
        last.arrivedBy = newDay.at
        lacks.append(last)
      }
    }
    if firstUnseen < lines.count {
      lacks.append(Lack(lines: firstUnseen..<lines.count, today: newDay.today, at: newDay.at))
    }
    self.lacks[pair] = lacks
  }

  private func parts(of writer: Int, _ names: SymbolTable) -> [LatePart] {
    let all = lines[writer] ?? []
    // Of each line, what the device that lacked it last lacked.
    var lastLacks: [Int: (pair: Pair, lack: Lack)] = [:]
    for (pair, lack) in listedLacks(of: writer) {
      for index in lack.lines where all[index].day < lack.today && all[index].written < lack.at {
        let isLast = lastLacks[index].map { $0.lack.at < lack.at } ?? true
        if isLast { lastLacks[index] = (pair, lack) }
      }
    }

    var parts: [(pair: Pair, lack: Lack, lines: [Line])] = []
    for (index, (pair, lack)) in lastLacks.sorted(by: { $0.key < $1.key }) {
      if let last = parts.last, last.pair == pair, last.lack.at == lack.at,
        last.lack.arrivedBy == lack.arrivedBy
      {
        parts[parts.count - 1].lines.append(all[index])
      } else {
        parts.append((pair, lack, [all[index]]))
      }
    }
    return parts.map { pair, lack, lines in
      LatePart(
        writer: segments[writer], lines: lines[0].number...lines[lines.count - 1].number,
        ids: lines.map { $0.id.text(names) }, recorded: span(of: lines.map(\.written)),
        days: span(of: lines.map(\.day)), lackedBy: segments[pair.reader], lackedAt: lack.at,
        arrivedBy: lack.arrivedBy)
    }
  }

  private func span<Value: Comparable>(of values: [Value]) -> ClosedRange<Value> {
    values.reduce(values[0]...values[0]) { min($0.lowerBound, $1)...max($0.upperBound, $1) }
  }

  /// Returns what devices lacked of the segment `writer`, unless they were away themselves.
  ///
  /// If two devices were apart, each lacked the events of the other. Then the file that arrived is
  /// listed; if neither is known to have arrived, both are.
  private func listedLacks(of writer: Int) -> [(Pair, Lack)] {
    lacks.filter { $0.key.writer == writer }.flatMap { pair, ofPair in
      let opposite = lacks[Pair(writer: pair.reader, reader: pair.writer)] ?? []
      return ofPair.filter { lack in
        guard lack.arrivedBy == nil else { return true }
        return !opposite.contains { $0.arrivedBy != nil && overlap(lack, of: pair, $0) }
      }.map { (pair, $0) }
    }
  }

  /// Whether `other`, what `pair.writer` lacked of `pair.reader`, is of the same time as `lack`.
  private func overlap(_ lack: Lack, of pair: Pair, _ other: Lack) -> Bool {
    guard let first = lines[pair.writer]?[lack.lines.lowerBound].written,
      let otherFirst = lines[pair.reader]?[other.lines.lowerBound].written
    else { return false }
    return first <= other.at && otherFirst <= lack.at
  }
}

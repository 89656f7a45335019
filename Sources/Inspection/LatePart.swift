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
  /// The name of the segment that the part belongs to.
  public let writer: LedgerText
  /// The range of the part's line numbers in the segment, from 1.
  public let lines: ClosedRange<Int>
  /// The ids of the late events of `lines`.
  public let ids: [String]
  /// The times at which the first and the last of the late events were written.
  public let recorded: ClosedRange<Instant>
  /// The range of days of the late events.
  public let days: ClosedRange<Day>
  /// The segment of the device that lacked the events.
  public let lackedBy: LedgerText
  /// The last time at which the device `lackedBy` began a day without the events.
  public let lackedAt: Instant
  /// The time at which the device `lackedBy` first began a day with the events, or `nil` if it
  /// hasn't begun one yet.
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
    /// The time at which the line was written.
    ///
    /// `limitTimes` makes sure that no later line of the segment has an earlier time.
    var written: Instant
    let day: Day
  }

  /// The indexes of two segments: `writer` is the segment whose lines arrive, and `reader` is the
  /// segment of the device that reads these lines.
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
    /// The time at which the device began a later day with the lines, or `nil` if it hasn't begun
    /// one yet.
    var arrivedBy: Instant?
  }

  /// A day that a device began, and the numbers of lines of other segments that the device had seen
  /// by then.
  private struct NewDay {
    /// Whether the device didn't begin the day, because its clock was wrong; it saw the lines all
    /// the same.
    let isMoved: Bool
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
  /// The ranges of lines that a device lacked when it began a day, by the pair of segments.
  ///
  /// The ranges of a pair are in the order of the days. All but the last have arrived.
  private var lacks: [Pair: [Lack]] = [:]

  /// Creates an empty collection for a stream of `segments`.
  package init(of segments: [Text]) { self.segments = segments }

  /// Adds an event that was written at `written`.
  ///
  /// If `isMoved` is true, a `day.corrected` names the event, so it began no day.
  package mutating func note(_ item: StreamItem, writtenAt written: Instant, isMoved: Bool) {
    lines[item.segment, default: []].append(
      Line(number: item.line, id: item.id, written: written, day: item.day))

    guard case .dayChanged(let today, _, let lengths)? = item.event?.payload else { return }
    newDays.append(
      NewDay(
        isMoved: isMoved, today: today, at: written, reader: item.segment, lengths: lengths))
  }

  /// Returns the day of the last event before the line that `seen` names in its segment.
  ///
  /// Only the events so far are considered. If none of the segment is before the line, returns the
  /// earliest day with which any segment begins.
  package func lastDay(before seen: SeenSegment) -> Day? {
    let all = segments.firstIndex(of: seen.segment).flatMap { lines[$0] }
    let last = all?.last { $0.number < seen.lines }
    return last?.day ?? lines.values.compactMap(\.first?.day).min()
  }

  /// Returns all late parts, sorted by the time of their first event.
  ///
  /// A line that several devices lacked belongs to the part of the device that lacked it last.
  package consuming func parts(_ names: SymbolTable) -> [LatePart] {
    limitTimes()
    findLacks(names)
    return lines.keys.flatMap { parts(of: $0, names) }.sorted {
      ($0.recorded.lowerBound, $0.writer) < ($1.recorded.lowerBound, $1.writer)
    }
  }

  /// Lowers the time of each line to the earliest time of the lines after it in its segment.
  ///
  /// A segment is written in order, so a line can't be newer than a later line.
  private mutating func limitTimes() {
    for (writer, var all) in lines {
      for index in all.indices.dropLast().reversed() {
        all[index].written = min(all[index].written, all[index + 1].written)
      }
      lines[writer] = all
    }
  }

  /// Finds the lines that each device lacked at each of its new days.
  ///
  /// A line counts as written at its `written` time, even if a wrong clock gave it a later stamp. A
  /// line that was seen counts as seen even if it has another number now.
  private mutating func findLacks(_ names: SymbolTable) {
    let numbers = numbersOfSeenLines(names)
    var seen: [Pair: Int] = [:]
    // Pairs of which a line has a larger number now than when it was seen: a line was inserted
    // before it, and nobody knows which.
    var shifted: Set<Pair> = []
    for newDay in newDays {
      for length in newDay.lengths {
        guard let writer = segments.firstIndex(of: length.segment) else { continue }
        let pair = Pair(writer: writer, reader: newDay.reader)
        let id = EventKey.find(length.last, names: names)
        let number = id.flatMap { numbers[writer]?[$0] } ?? 0
        seen[pair] = max(seen[pair] ?? 0, length.lines, number)
        if number > length.lines { shifted.insert(pair) }
      }

      for writer in lines.keys where writer != newDay.reader && !newDay.isMoved {
        let pair = Pair(writer: writer, reader: newDay.reader)
        let isMissing = lacks[pair]?.last.map { $0.arrivedBy == nil } ?? false
        // The inserted line may be one of those that the device lacked, so nothing has arrived.
        if isMissing, shifted.contains(pair) { continue }
        begin(newDay, pair, seen: seen[pair] ?? 0)
      }
    }
  }

  /// Returns the present numbers of the lines whose ids devices recorded as seen, by segment.
  private func numbersOfSeenLines(_ names: SymbolTable) -> [Int: [EventKey: Int]] {
    let last = newDays.flatMap(\.lengths).map(\.last)
    let ids = Set(last.compactMap { EventKey.find($0, names: names) })
    return lines.mapValues { all in
      let seen = all.filter { ids.contains($0.id) }
      return Dictionary(seen.map { ($0.id, $0.number) }, uniquingKeysWith: max)
    }
  }

  /// Notes the lines of `pair.writer` that the device `pair.reader` lacked when it began `newDay`.
  ///
  /// `seen` is the number of lines that the device had recorded as seen. If these include lines
  /// that it lacked before, `newDay` is the time at which those arrived.
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
    // For each line, the last lack that contains the line.
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

  /// Returns the lines of the segment `writer` that devices lacked and that count as late.
  ///
  /// Two devices that were apart lack lines of each other. If the lines of only one of them are
  /// known to have arrived, that one was disconnected, and only its lines count. If no lines are
  /// known to have arrived, those of both do.
  private func listedLacks(of writer: Int) -> [(Pair, Lack)] {
    lacks.filter { $0.key.writer == writer }.flatMap { pair, ofPair in
      let opposite = lacks[Pair(writer: pair.reader, reader: pair.writer)] ?? []
      return ofPair.filter { lack in
        guard lack.arrivedBy == nil else { return true }
        return !opposite.contains { $0.arrivedBy != nil && overlap(lack, of: pair, $0) }
      }.map { (pair, $0) }
    }
  }

  /// Whether two devices lacked lines of each other in overlapping periods.
  ///
  /// `lack` has the lines of `pair.writer` that the device `pair.reader` lacked, `other` those of
  /// `pair.reader` that the device `pair.writer` lacked.
  private func overlap(_ lack: Lack, of pair: Pair, _ other: Lack) -> Bool {
    guard let first = lines[pair.writer]?[lack.lines.lowerBound].written,
      let otherFirst = lines[pair.reader]?[other.lines.lowerBound].written
    else { return false }
    return first <= other.at && otherFirst <= lack.at
  }
}

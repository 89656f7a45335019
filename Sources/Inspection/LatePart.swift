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
  public fileprivate(set) var lines: ClosedRange<Int>
  /// The ids of the late events of `lines`.
  public fileprivate(set) var ids: [String]
  /// When the first and the last of these events were written.
  public fileprivate(set) var recorded: ClosedRange<Instant>
  /// The range of days of these events.
  public fileprivate(set) var days: ClosedRange<Day>
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
  fileprivate struct Line {
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
  /// The ids of the events of a wrong clock, which began no day.
  private let moved: Set<String>
  /// The lines of each segment, by the segment's index.
  private var lines: [Int: [Line]] = [:]
  /// The new days that devices began, in stream order.
  private var newDays: [NewDay] = []
  /// The number of lines of each other segment that a segment has recorded as seen.
  private var seen: [Pair: Int] = [:]
  /// The lines that each device lacked when it last began a day.
  private var open: [Pair: Lack] = [:]
  /// The lines that a device lacked, and had when it began a later day.
  private var arrived: [Pair: [Lack]] = [:]

  /// Creates an empty collection for a stream of `segments`; `moved` contains the ids of the events
  /// that a `day.corrected` names.
  package init(of segments: [Text], moved: Set<String>) {
    self.segments = segments
    self.moved = moved
  }

  /// Adds an event that was written at `written`, with the `names` of its ledger.
  package mutating func note(_ item: StreamItem, writtenAt written: Instant, _ names: SymbolTable) {
    lines[item.segment, default: []].append(
      Line(number: item.line, id: item.id, written: written, day: item.day))

    guard case .dayChanged(let today, _, let lengths)? = item.event?.payload,
      moved.isEmpty || !moved.contains(item.id.text(names))
    else { return }
    newDays.append(NewDay(today: today, at: written, reader: item.segment, lengths: lengths))
  }

  /// Compares each new day with the lines that had been written by then, also those that a wrong
  /// clock stamped later.
  private mutating func beginDays() {
    for writer in lines.keys { lines[writer]?.limitTimes() }
    for newDay in newDays {
      for length in newDay.lengths {
        guard let writer = segments.firstIndex(of: length.segment) else { continue }
        let pair = Pair(writer: writer, reader: newDay.reader)
        seen[pair] = max(seen[pair] ?? 0, length.lines)
      }
      for writer in lines.keys where writer != newDay.reader {
        beginDay(newDay.today, at: newDay.at, Pair(writer: writer, reader: newDay.reader))
      }
    }
    newDays = []
  }

  /// Notes that the device `pair.reader` began the day `today` with the lines of `pair.writer` that
  /// it has recorded as seen.
  private mutating func beginDay(_ today: Day, at time: Instant, _ pair: Pair) {
    let all = lines[pair.writer] ?? []
    let lines = all[..<all.partitioningIndex { $0.written > time }]
    let seen = seen[pair] ?? 0
    let firstUnseen = lines.partitioningIndex { $0.number > seen }

    if var lack = open[pair], lack.lines.lowerBound < firstUnseen {
      lack.lines = lack.lines.lowerBound..<min(firstUnseen, lack.lines.upperBound)
      lack.arrivedBy = time
      arrived[pair, default: []].append(lack)
    }
    let hasUnseen = firstUnseen < lines.count
    open[pair] =
      hasUnseen ? Lack(lines: firstUnseen..<lines.count, today: today, at: time) : nil
  }

  // MARK: Parts

  /// Returns all late parts, sorted by the time of their first event.
  ///
  /// A line that several devices lacked belongs to the part of the device that lacked it last.
  package mutating func parts(_ names: SymbolTable) -> [LatePart] {
    beginDays()
    var parts: [LatePart] = []
    for writer in lines.keys {
      parts += self.parts(of: writer, names)
    }
    return parts.sorted {
      ($0.recorded.lowerBound, $0.writer) < ($1.recorded.lowerBound, $1.writer)
    }
  }

  private func parts(of writer: Int, _ names: SymbolTable) -> [LatePart] {
    let all = lines[writer] ?? []
    var lacks: [(pair: Pair, lack: Lack)?] = Array(repeating: nil, count: all.count)
    for (pair, lack) in listedLacks(of: writer) {
      for index in lack.lines where all[index].day < lack.today && all[index].written < lack.at {
        if lacks[index].map({ $0.lack.at < lack.at }) ?? true { lacks[index] = (pair, lack) }
      }
    }

    var parts: [LatePart] = []
    var last: (pair: Pair, at: Instant, arrivedBy: Instant?)?
    for (line, found) in zip(all, lacks) {
      guard let (pair, lack) = found else { continue }
      let isSamePart =
        last.map { $0.pair == pair && $0.at == lack.at && $0.arrivedBy == lack.arrivedBy } ?? false
      if isSamePart {
        parts[parts.count - 1].add(line.number, line.id.text(names), line.written, line.day)
      } else {
        parts.append(
          LatePart(
            writer: segments[writer], lines: line.number...line.number,
            ids: [line.id.text(names)], recorded: line.written...line.written,
            days: line.day...line.day, lackedBy: segments[pair.reader], lackedAt: lack.at,
            arrivedBy: lack.arrivedBy))
      }
      last = (pair, lack.at, lack.arrivedBy)
    }
    return parts
  }

  /// Returns what devices lacked of the segment `writer`, unless they were away themselves.
  ///
  /// If two devices were apart, each lacked the events of the other. Then the file that arrived is
  /// listed; if neither is known to have arrived, both are.
  private func listedLacks(of writer: Int) -> [(Pair, Lack)] {
    let pairs = Set(arrived.keys).union(open.keys).filter { $0.writer == writer }
    return pairs.flatMap { pair in
      let opposite = lacks(of: Pair(writer: pair.reader, reader: pair.writer))
      return lacks(of: pair).filter { lack in
        let wereApart = opposite.contains { overlap(lack, of: pair, $0) }
        guard wereApart, lack.arrivedBy == nil else { return true }
        return !opposite.contains { $0.arrivedBy != nil && overlap(lack, of: pair, $0) }
      }.map { (pair, $0) }
    }
  }

  private func lacks(of pair: Pair) -> [Lack] {
    (arrived[pair] ?? []) + (open[pair].map { [$0] } ?? [])
  }

  /// Whether `other`, what `pair.writer` lacked of `pair.reader`, is of the same time as `lack`.
  private func overlap(_ lack: Lack, of pair: Pair, _ other: Lack) -> Bool {
    guard let first = lines[pair.writer]?[lack.lines.lowerBound].written,
      let otherFirst = lines[pair.reader]?[other.lines.lowerBound].written
    else { return false }
    return first <= other.at && otherFirst <= lack.at
  }
}

extension [LateParts.Line] {
  /// Moves the time of each line to that of a later line that was written before it by its stamp.
  fileprivate mutating func limitTimes() {
    for index in indices.dropLast().reversed() {
      self[index].written = Swift.min(self[index].written, self[index + 1].written)
    }
  }
}

extension LatePart {
  fileprivate mutating func add(_ line: Int, _ id: String, _ written: Instant, _ day: Day) {
    lines = lines.lowerBound...line
    ids.append(id)
    recorded =
      min(recorded.lowerBound, written)...max(recorded.upperBound, written)
    days = min(days.lowerBound, day)...max(days.upperBound, day)
  }
}

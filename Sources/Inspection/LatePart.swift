package import EventLog
package import StreakDomain

/// A part of a segment that arrived late: another device began a day without it, although its
/// events had been recorded by then.
///
///     phone      e1 . . e2 e3 . . .       e2 and e3 are of the 3rd
///     laptop     . . new day 4 . new day 5
///     it saw        e1            e1 to e3
///
/// Here `e2` and `e3` arrived late, between the new days 4 and 5 of the laptop
/// (event-format.md, "What another writer saw").
package struct LatePart: Sendable {
  /// The segment.
  package let writer: Text
  package fileprivate(set) var lines: ClosedRange<Int>
  /// The ids of the events of `lines`.
  package fileprivate(set) var ids: [String] = []
  /// The first and the last stamp of these events.
  package fileprivate(set) var recorded: ClosedRange<Instant>
  /// The range of days of these events.
  package fileprivate(set) var days: ClosedRange<Day>
  /// The segment of the device that lacked the events.
  package let lackedBy: Text
  /// When that device last began a day without them.
  package fileprivate(set) var lackedAt: Instant
  /// When that device first began a day with them, or `nil` if it hasn't done so.
  package fileprivate(set) var arrivedBy: Instant?
}

/// The parts of segments that arrived late, found in a pass over the stream.
package struct LateParts {
  private struct Line {
    let number: Int
    let id: EventKey
    let recorded: Instant
    let day: Day
  }

  private struct Pair: Hashable {
    let writer: Int
    let reader: Int
  }

  private let segments: [Text]
  /// The lines of each segment, by the segment's index.
  private var lines: [Int: [Line]] = [:]
  /// The number of lines of each other segment that a segment has recorded as seen.
  private var seen: [Pair: Int] = [:]
  /// The parts that haven't arrived yet.
  private var open: [Pair: LatePart] = [:]
  private var arrived: [LatePart] = []

  /// Creates the parts of a stream of `segments`.
  package init(of segments: [Text]) {
    self.segments = segments
  }

  /// All parts, in the order of their stamps; a part that several devices lacked is listed once.
  package var parts: [LatePart] {
    let all = (arrived + open.values).sorted {
      ($0.writer, $0.lines.lowerBound, $1.lackedAt) < ($1.writer, $1.lines.lowerBound, $0.lackedAt)
    }
    var parts: [LatePart] = []
    for part in all where isListed(part, among: all) {
      let isKnown = parts.contains {
        $0.writer == part.writer && $0.lines.contains(part.lines.lowerBound)
          && $0.lines.contains(part.lines.upperBound)
      }
      if !isKnown { parts.append(part) }
    }
    return parts.sorted { $0.recorded.lowerBound < $1.recorded.lowerBound }
  }

  /// Whether `part` is listed, although the device that lacked it may have been away itself then.
  ///
  /// Of two devices that were apart, each lacked the events of the other. A part is listed if its
  /// file arrived; if neither file is known to have arrived, the smaller one is listed.
  private func isListed(_ part: LatePart, among all: [LatePart]) -> Bool {
    let opposite = all.first { other in
      other.writer == part.lackedBy && other.lackedBy == part.writer
        && other.recorded.contains(part.lackedAt)
    }
    guard let opposite, part.arrivedBy == nil else { return true }
    guard opposite.arrivedBy == nil else { return false }
    return length(of: part.writer) <= length(of: part.lackedBy)
  }

  private func length(of segment: Text) -> Int {
    segments.firstIndex(of: segment).flatMap { lines[$0]?.count } ?? 0
  }

  /// Adds an event, with the `names` of its ledger.
  package mutating func note(_ item: StreamItem, _ names: SymbolTable) {
    lines[item.segment, default: []].append(
      Line(number: item.line, id: item.id, recorded: item.recorded, day: item.day))

    guard case .dayChanged(let today, _, let lengths)? = item.event?.payload else { return }
    for length in lengths {
      guard let writer = segments.firstIndex(of: length.segment) else { continue }
      let pair = Pair(writer: writer, reader: item.segment)
      seen[pair] = max(seen[pair] ?? 0, length.lines)
    }
    for writer in lines.keys where writer != item.segment {
      beginDay(today, at: item.recorded, Pair(writer: writer, reader: item.segment), names)
    }
  }

  /// Notes that the device `pair.reader` began the day `today` with the lines of `pair.writer` that
  /// it has recorded as seen.
  private mutating func beginDay(
    _ today: Day, at time: Instant, _ pair: Pair, _ names: SymbolTable
  ) {
    let seen = seen[pair] ?? 0
    if var part = open[pair], seen >= part.lines.upperBound {
      part.arrivedBy = time
      arrived.append(part)
      open[pair] = nil
    }

    let lines = lines[pair.writer] ?? []
    let unseen = lines[lines.partitioningIndex { $0.number > seen }...]
    let late = unseen.filter { $0.day < today }
    guard let first = late.first, let last = late.last else { return }
    let span = first.number...last.number
    guard open[pair]?.lines != span else {
      open[pair]?.lackedAt = time
      return
    }

    let all = unseen.filter { span.contains($0.number) }
    let days = late.map(\.day)
    open[pair] = LatePart(
      writer: segments[pair.writer], lines: span, ids: all.map { $0.id.text(names) },
      recorded: first.recorded...max(first.recorded, last.recorded),
      days: (days.min() ?? first.day)...(days.max() ?? first.day),
      lackedBy: segments[pair.reader], lackedAt: time)
  }
}

import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain

/// A ledger whose segments arrive gradually: `main` at once, the others late, with copies and torn
/// ends.
final class Arrivals {
  private struct Segment {
    let file: String
    var lines: [[UInt8]] = []
    var ids: Set<String> = []
    var arrived = 0

    func batchEnd(upTo count: Int) -> Int {
      var count = count
      let more = Array("\"more\":true}\n".utf8)
      while count > 0, lines[count - 1].suffix(more.count).elementsEqual(more) { count -= 1 }
      return count
    }
  }

  private let ledger: TemporaryLedger
  private var random: SeededRandom
  private var rest: ArraySlice<Event>
  private var clock: Int64 = 0
  private var segments = ["main", "phone", "watch"].map { Segment(file: $0) }

  var folder: String { ledger.events }
  var isDone: Bool { rest.isEmpty }

  init(seed: UInt64, count: Int = 90) throws {
    ledger = try TemporaryLedger()
    random = SeededRandom(seed: seed)
    var stream = RandomStream(seed: seed)
    rest = stream.events(count)[...]
  }

  /// Records the next `count` events, the last one in `main`, and makes parts of the segments
  /// visible.
  func arrive(_ count: Int) throws {
    let last =
      rest.index(rest.startIndex, offsetBy: count, limitedBy: rest.endIndex) ?? rest.endIndex
    var batches: [(segment: Int, events: ArraySlice<Event>)] = []
    while rest.startIndex < last {
      let index = rest.startIndex == last - 1 ? 0 : random.below(segments.count)
      let count = index == 0 ? 1 : 1 + random.below(min(3, last - 1 - rest.startIndex))
      batches.append((index, rest.prefix(count)))
      rest.removeFirst(count)
    }
    record(batches)
    for index in segments.indices where index == 0 || random.chance(60) { try show(index) }
    if random.chance(30) { try copy(random.below(segments.count)) }
  }

  /// Records the events of batches, the last batch at the end; the others may overlap if they are
  /// of different segments.
  private func record(_ given: [(segment: Int, events: ArraySlice<Event>)]) {
    var batches = given
    while !batches.isEmpty {
      let isNext = { (index: Int) in
        !batches[..<index].contains { $0.segment == batches[index].segment }
      }
      let candidates = batches.indices.dropLast(batches.count > 1 ? 1 : 0).filter(isNext)
      let index = random.chance(50) ? 0 : candidates[random.below(candidates.count)]

      var event = batches[index].events.removeFirst()
      let segment = batches[index].segment
      event.more = !batches[index].events.isEmpty
      if !event.more { batches.remove(at: index) }
      record(event, in: segment)
      if !event.more, random.chance(15) { record(event, in: random.below(segments.count)) }
    }
  }

  private func record(_ event: Event, in index: Int) {
    guard segments[index].ids.insert(event.id).inserted else { return }
    var event = event
    clock += 1
    event.recorded = Instant(microseconds: 1_700_000_000_000_000 + clock)
    segments[index].lines.append(EventEncoder.line(event))
  }

  private func show(_ index: Int) throws {
    let segment = segments[index]
    let new = segment.lines.count - segment.arrived
    let isWhole = index == 0 || random.chance(70)
    let count = isWhole ? segment.lines.count : segment.arrived + random.below(new + 1)
    segments[index].arrived = segment.batchEnd(upTo: count)
    var bytes = Array(segment.lines[..<count].joined())
    if count < segment.lines.count { bytes += segment.lines[count].prefix(random.below(40)) }
    if !bytes.isEmpty { try ledger.write(bytes, to: segment.file + ".jsonl") }
  }

  /// Leaves a copy of a segment's visible part, or of a piece of it, like a sync tool.
  private func copy(_ index: Int) throws {
    let segment = segments[index]
    let count = segment.batchEnd(upTo: random.below(segment.arrived + 1))
    if count > 0 {
      try ledger.write(
        Array(segment.lines[..<count].joined()), to: "\(segment.file) \(clock).jsonl")
    }
  }
}

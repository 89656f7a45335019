import EventLog
import StreakDomain

/// Duplicate events, by the two segments that have them: many of one pair are a copy that a sync program left.
struct Repeats {
  private let segments: [Text]
  /// How many events each segment has.
  private var counts: [Int]
  private var repeats: [Pair: [Finding]] = [:]

  private struct Pair: Hashable {
    let copy: Int
    let original: Int
  }

  init(segments: [Text]) {
    self.segments = segments
    counts = Array(repeating: 0, count: segments.count)
  }

  mutating func count(_ item: StreamItem) { counts[item.segment] += 1 }

  /// Takes note of an event that is also before it in another segment.
  mutating func add(_ event: String, _ item: StreamItem, first: Int, _ place: Place) {
    let isCopy = SegmentName.isOriginal(segments[first], of: segments[item.segment])
    let pair = isCopy ? Pair(copy: item.segment, original: first) : Pair(copy: first, original: item.segment)
    repeats[pair, default: []].append(
      Finding(
        check: .identity, segment: segments[item.segment], line: item.line, event: event,
        says: "is a duplicate; first at \(place.file):\(place.line)"))
  }

  /// One for each file that is a copy, whole or in part; one for each event where it is the only one.
  var findings: [Finding] {
    repeats.flatMap { pair, found -> [Finding] in
      let total = counts[pair.copy]
      guard found.count > 1 || found.count == total else { return found }
      let original = "\(segments[pair.original]).jsonl"
      let says =
        found.count == total
        ? "is a copy of \(original), which has all of its events, \(total): a sync program may have left it; remove it"
        : "is in part a copy of \(original): \(found.count) of its \(total) events are there, too; a sync program may "
          + "have left it"
      return [Finding(check: .identity, segment: segments[pair.copy], line: 0, event: nil, says: says)]
    }.map { finding in
      var finding = finding
      finding.onlyInforms = true
      return finding
    }
  }
}

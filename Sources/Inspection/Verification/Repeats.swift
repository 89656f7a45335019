import EventLog
import StreakDomain

/// Duplicate events by pair of segments; many for one pair mean that a sync program left a copy of a file.
struct Repeats {
  private let segments: [Text]
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

  mutating func add(_ event: String, _ item: StreamItem, first: Int, _ place: Place) {
    let isCopy = SegmentName.isOriginal(segments[first], of: segments[item.segment])
    let pair = isCopy ? Pair(copy: item.segment, original: first) : Pair(copy: first, original: item.segment)
    repeats[pair, default: []].append(
      Finding(
        check: .identity, segment: segments[item.segment], line: item.line, event: event,
        says: "is a duplicate; first at \(place.file):\(place.line)"))
  }

  /// One finding for each file that is a complete or partial copy, else one for each duplicate event.
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

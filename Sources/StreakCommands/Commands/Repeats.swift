import EventLog
import StreakDomain

/// Duplicate events, by the two segments that have them: many of one pair are a copy that a sync program left.
struct Repeats {
  private let segments: [String]
  /// Of each segment into which a merge has put another machine's lines, the one beside which it is.
  private let originals: [Int?]
  /// How many events each segment has.
  private var counts: [Int]
  private var repeats: [Pair: [Finding]] = [:]

  private struct Pair: Hashable {
    let copy: Int
    let original: Int
  }

  init(segments: [String]) {
    self.segments = segments
    let places = Dictionary(segments.indices.map { (segments[$0].spelling, $0) }, uniquingKeysWith: min)
    originals = segments.map { copy in
      SegmentName.originals(ofMerged: copy).lazy.compactMap { places[$0.spelling] }.first
    }
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

  /// One for each file that is a copy, whole or in part, or that a merge has made; one for each event where it is the
  /// only one.
  var findings: [Finding] {
    mergedFindings
      + repeats.filter { originals[$0.key.copy] == nil }.flatMap { pair, found -> [Finding] in
        let total = counts[pair.copy]
        guard found.count > 1 || found.count == total else { return found }
        let original = segments[pair.original] + ".jsonl"
        let says =
          found.count == total
          ? "is a copy of \(original), which has all of its events, \(total): a sync program may have left it; remove it"
          : "is in part a copy of \(original): \(found.count) of its \(total) events are there, too; a sync program may "
            + "have left it"
        return [Finding(check: .identity, segment: segments[pair.copy], line: 0, event: nil, says: says)]
      }
  }

  /// One for all segments that hold what other machines wrote to one, whatever else has their events.
  private var mergedFindings: [Finding] {
    Set(originals.compactMap(\.self)).sorted().compactMap { original in
      let copies = originals.indices.filter { originals[$0] == original }
      let events = repeats.filter { copies.contains($0.key.copy) }.values.joined().compactMap(\.event)
      guard !events.isEmpty else { return nil }
      let twice = Set(events.map(\.spelling)).count
      return Finding(
        check: .identity, segment: segments[original], line: 0, event: nil,
        says:
          "two machines wrote it, and a git merge kept both, the other in \(Remains.files(copies.map { segments[$0] })); "
          + "\(counted(twice, "event")) of both \(twice == 1 ? "counts" : "count") once. "
          + "All numbers are right, and there is nothing to do")
    }
  }
}

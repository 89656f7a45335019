import EventLog
package import StreakDomain

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
    // Of two equal segments, the one with the longer name is probably the copy.
    let (one, other) = (segments[first], segments[item.segment])
    let isCopy = (one.string.utf8.count, one) < (other.string.utf8.count, other)
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
      // Sync programs add to the name of the original. Of other names, either may be the device's own file.
      let isNamedAfter = segments[pair.copy].string.begins(with: segments[pair.original].string)
      let advice =
        isNamedAfter
        ? "a sync program may have left it; remove it"
        : "keep the one that a device writes, and remove the other"
      let says =
        found.count == total
        ? "is a copy of \(original), which has all of its events, \(total): \(advice)"
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

package enum Invariants {
  package static func violation(of state: Streak, book: [JokerLine], in ledger: Ledger) -> String? {
    let jokers = state.jokers
    let counted = JokerLine.Action.allCases.map { action in book.count { $0.action == action } }
    if counted != [jokers.earned, jokers.spent, jokers.forfeited, jokers.penalised] {
      return "\(state.habit): the book's lines do not add up to \(jokers)"
    }
    if let last = book.last, last.held != jokers.held {
      return "\(state.habit): the book ends with \(last.held) held, the state with \(jokers.held)"
    }
    if jokers.earned != jokers.held + jokers.spent + jokers.penalised {
      return
        "\(state.habit): \(jokers.earned) jokers earned, but \(jokers.held) held, \(jokers.spent) spent and "
        + "\(jokers.penalised) penalised"
    }
    let caps = ledger.definitions(of: state.habit).compactMap(\.definition.forgiveness?.cap)
    if jokers.held < 0 || jokers.held > caps.max() ?? 0 {
      return "\(state.habit): \(jokers.held) jokers held, more than any definition allows"
    }
    let folded = ledger.firstFoldedDay(of: state.habit).map { (ledger.today ?? $0) - $0 + 1 } ?? 0
    if Verdict.allCases.reduce(0, { $0 + state.days[$1] }) != folded {
      return "\(state.habit): the verdicts do not add up to the \(folded) days folded"
    }
    if state.current > state.best || state.best > state.longest {
      return "\(state.habit): current \(state.current), best \(state.best), longest \(state.longest)"
    }
    return nil
  }
}

import EventLog
import Replay
import StreakDomain

extension Command {
  static let when = Command(
    name: "when", words: "PREDICATE", summary: "the event after which something first held, or every change",
    options: [
      json, Option("--all", nil, "every event after which it held anew or no longer"),
      Option("--from", "POINT", "look only at events after this point (default: 0)"),
    ],
    details: [
      "The predicate is judged after every event, on the state with its own today, in one pass. It compares",
      "fields of the state: HABIT.current, .best, .longest, .status, .jokers.held, .totals.minutes …, xp, today,",
      "achievements; with == != < <= > >= has, joined by and, or, not and parentheses. Put it in quotes.",
      "Exit status 1 if it never held.", "",
      "  streaks when 'noalc.current >= 7 and noalc.jokers.held == 0'",
      "  streaks when 'meditation.status == broken' --all",
      "  streaks when 'achievements has tri-threat' --from 2025-10-01 --json",
    ]
  ) { invocation throws(CommandError) in
    let predicate = try invocation.predicate(try invocation.predicateWords())
    let search = try invocation.search(for: predicate)
    if invocation.isJSON {
      invocation.print(search.json.line)
    } else {
      for line in search.lines(isAll: invocation.arguments.has("--all"), style: invocation.style) {
        invocation.print(line)
      }
    }
    guard search.flips.isEmpty else { return .done }
    throw .notFound(search.never)
  }
}

/// Where a predicate changed sides.
private struct Search {
  struct Flip {
    let position: Int
    let event: String
    let recorded: Instant
    let holds: Bool
    let found: String
  }

  let predicate: Predicate
  /// As it was given; nil for the whole stream.
  let from: String?
  var flips: [Flip] = []
  /// The nearest that a comparison of numbers came.
  var closest = ""

  var json: JSON {
    .object([
      "format": .whole(1), "predicate": .text(predicate.text),
      "flips": .list(
        flips.map { flip in
          .object([
            "position": .whole(flip.position), "event": .text(flip.event),
            "recorded": .text(flip.recorded.description), "holds": .bool(flip.holds),
          ])
        }),
    ])
  }

  func lines(isAll: Bool, style: Style) -> [String] {
    guard isAll else {
      return flips.flatMap { flip in
        ["position \(flip.position) · \(flip.event)", "recorded \(flip.recorded)", flip.found]
      }
    }
    let width = flips.last.map { String($0.position).count } ?? 0
    return flips.map { flip in
      let number = String(flip.position)
      let sign = flip.holds ? style.paint("holds", .green) : style.paint("ended", .grey)
      return String(repeating: " ", count: width - number.count) + number
        + "  \(sign)  \(flip.recorded)  \(flip.event)  \(flip.found)"
    }
  }

  var never: String {
    "\(quoted(predicate.text)) never held" + (from.map { " after \($0)" } ?? "")
      + (closest.isEmpty ? "" : "; the closest was " + closest)
  }
}

extension Invocation {
  /// The predicate, which may come as one word or as several.
  func predicateWords() throws(CommandError) -> String {
    _ = try word(0, "a PREDICATE, such as 'noalc.current >= 7'")
    return arguments.positionals.joined(separator: " ")
  }

  fileprivate func search(for predicate: Predicate) throws(CommandError) -> Search {
    var gate = try gate()
    var watch = PredicateWatch(predicate)
    var search = Search(predicate: predicate, from: arguments.value("--from"))
    let isAll = arguments.has("--all")
    let loaded = try load { ledger, item in
      guard gate.lets(item, ledger) else { return true }
      // Found; reading goes on only until every habit is known to be one.
      if !isAll, !search.flips.isEmpty { return !watch.knowsHabits(of: ledger) }
      guard watch.look(at: &ledger) else { return true }
      search.flips.append(
        Search.Flip(
          position: ledger.position, event: item.id.text(ledger.names), recorded: item.recorded,
          holds: watch.holds, found: predicate.found(in: ledger, at: StreamPlace(of: ledger))))
      return isAll || !watch.knowsHabits(of: ledger)
    }
    if let error = predicate.firstUnknown(among: loaded.ledger.definedHabits) { throw .predicate(error) }
    if search.flips.isEmpty { try check(gate.point, reached: loaded, isOpen: gate.isOpen) }
    if let closest = watch.closest {
      let event = loaded.ledger.index.key(at: closest.position).text(loaded.ledger.names)
      let found = closest.readings.map { Escaping.visible($0.description) }.joined(separator: ", ")
      search.closest = "\(found) at \(closest.position), event \(event)"
    }
    return search
  }

  private func gate() throws(CommandError) -> Gate {
    let point =
      try arguments.read("--from", "a position, an event id, a day, a time, or end") { Point($0) }
      ?? .position(0)
    do throws(LogError) {
      return Gate(point: point, bound: try bound(of: point))
    } catch { throw .log(error) }
  }

  /// Refuses a `--from` that the ledger does not reach.
  private func check(_ point: Point, reached loaded: LoadedLedger, isOpen: Bool) throws(CommandError) {
    switch point {
    case .event where isOpen: return
    case .time, .day: return
    default: try check(point, reached: loaded)
    }
  }
}

/// Lets events pass that come after a point.
private struct Gate {
  let point: Point
  /// The last instant of a point in time.
  let bound: Instant?
  private(set) var isOpen = false

  init(point: Point, bound: Instant?) {
    self.point = point
    self.bound = bound
  }

  mutating func lets(_ item: StreamItem, _ ledger: Ledger) -> Bool {
    if isOpen { return true }
    switch point {
    case .position(let position): isOpen = ledger.position > position
    case .time, .day: isOpen = bound.map { item.recorded > $0 } ?? true
    case .event(let id):
      isOpen = item.id.text(ledger.names) == id
      return false
    case .end: return false
    }
    return isOpen
  }
}

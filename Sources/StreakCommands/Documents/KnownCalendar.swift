import EventLog
import Inspection
import StreakDomain

/// The verdicts of some days as they were known at several points.
struct KnownCalendar {
  let habit: String
  let title: String
  let days: ClosedRange<Day>
  var rows: [Row] = []

  static let mostRows = 1000
  static let mostDays = 3660

  struct Row {
    /// What the row is called: its day, its point, or `end`.
    let label: String
    let position: Int
    let event: String?
    let recorded: Instant?
    let verdicts: [Verdict?]
  }
}

/// A point at which a row is taken.
private struct Stop {
  let label: String
  let point: Point
  /// Everything recorded up to then, of a point in time.
  let bound: Instant?
  /// The day the row is seen from; nil is the ledger's own today.
  let day: Day?
  var row: KnownCalendar.Row?
}

/// The points of which no row is taken yet, by what ends them.
private struct Waiting {
  /// Places of stops, the next one last.
  private var times: [(bound: Instant, place: Int)]
  private var positions: [(position: Int, place: Int)]
  private var events: [String: [Int]] = [:]
  /// Those of the event that came last.
  private var passed: [Int] = []

  init(_ stops: [Stop]) {
    let all = stops.enumerated()
    times = all.compactMap { place, stop in stop.bound.map { (bound: $0, place: place) } }
    times.sort { $0.bound > $1.bound }
    positions = all.compactMap { place, stop in
      if case .position(let position) = stop.point { (position: position, place: place) } else { nil }
    }
    positions.sort { $0.position > $1.position }
    for (place, stop) in all {
      if case .event(let id) = stop.point { events[id, default: []].append(place) }
    }
  }

  /// The stops that come before an event, the next after so many.
  mutating func reached(before item: StreamItem, at position: Int) -> [Int] {
    var found = passed
    if !passed.isEmpty { passed = [] }
    while let next = times.last, item.recorded > next.bound { found.append(times.removeLast().place) }
    while let next = positions.last, position >= next.position { found.append(positions.removeLast().place) }
    return found
  }

  /// Takes note of an event that was folded.
  mutating func pass(_ item: StreamItem, _ names: @autoclosure () -> SymbolTable) {
    if !events.isEmpty { passed = events.removeValue(forKey: item.id.text(names())) ?? [] }
  }

  /// The stops that the end of the stream reaches, and those of events that it has not.
  var atEnd: (reached: [Int], missing: [Int]) {
    (passed + times.map(\.place) + positions.map(\.place), events.values.flatMap { $0 })
  }
}

/// Reads what was known of some days when (`calendar --known`).
struct KnownCalendarReader {
  let invocation: Invocation

  func calendar(of habit: String, _ days: ClosedRange<Day>) throws(Failure) -> KnownCalendar {
    var stops = try stops()
    var waiting = Waiting(stops)
    var recorded: Instant?
    func take(_ place: Int, _ ledger: Ledger, seenFrom day: Day?) {
      let position = ledger.position
      stops[place].row = KnownCalendar.Row(
        label: stops[place].label, position: position,
        event: position == 0 ? nil : ledger.id(at: position), recorded: recorded,
        verdicts: ledger.verdicts(of: habit, in: days, seenFrom: day))
    }
    var walk = try invocation.reader.walk()
    var corrections: [(at: Instant, recorded: Instant)] = []
    while try walk.read() {
      for place in waiting.reached(before: walk.item, at: walk.fold.position) {
        let known = walk.fold.place(of: habit).map { [$0] } ?? []
        take(place, walk.fold[settling: known], seenFrom: stops[place].day)
      }
      guard try walk.take() else { continue }
      recorded = walk.item.recorded
      if walk.item.type == .dayCorrected, let event = walk.item.event {
        corrections.append((event.at.instant, event.recorded))
      }
      waiting.pass(walk.item, walk.fold.names)
    }
    let loaded = try walk.end()
    let date = try invocation.reader.clock(of: loaded.ledger)?.day(of: try invocation.now())
    let (reached, missing) = waiting.atEnd
    if let place = missing.first, case .event(let id) = stops[place].point {
      throw .usage(
        "there is no event \(quoted(id)); --known takes daily, weekly, monthly, or points such as 4847,end")
    }
    for place in reached {
      if case .event = stops[place].point { continue }
      var there = loaded
      there.event = nil
      try invocation.reader.check(stops[place].point, reached: there)
    }
    for place in stops.indices where stops[place].row == nil {
      let today = date.map { max($0, loaded.ledger.today ?? $0) }
      take(place, loaded.ledger, seenFrom: stops[place].point == .end ? today : stops[place].day)
    }
    let times = stops.compactMap { stop in
      stop.bound.map { LedgerReader.AskedTime(stop.point, $0, stop.row?.position ?? 0) }
    }
    let isCorrected = times.contains { time in
      corrections.contains { at, recorded in at <= time.bound && time.bound < recorded }
    }
    if !times.isEmpty {
      try invocation.reader.reportStamps(invocation.reader.opened(), times, isCorrected: isCorrected)
    }
    let title = loaded.ledger.state(of: habit)?.title ?? habit
    let rows = stops.enumerated().sorted {
      ($0.element.row?.position ?? 0, $0.offset) < ($1.element.row?.position ?? 0, $1.offset)
    }
    return KnownCalendar(habit: habit, title: title, days: days, rows: rows.compactMap(\.element.row))
  }

  /// The points that `--known` names.
  private func stops() throws(Failure) -> [Stop] {
    let words = invocation.arguments.all("--known").flatMap { $0.parts(at: ",").map(String.init) }
    if words.count < 2, let word = words.first, let end = KnownCalendarReader.end(ofEach: word) {
      return try stops(atEnds: end, word)
    }
    guard words.count <= KnownCalendar.mostRows else { throw tooMany(words.count, "give fewer") }
    return try words.map { (word) throws(Failure) in
      if KnownCalendarReader.end(ofEach: word) != nil {
        throw .usage("--known takes \(word) alone, or points")
      }
      let point = try invocation.words.point(named: word, by: "--known is ")
      return Stop(
        label: word, point: point, bound: try invocation.reader.bound(of: point),
        day: try invocation.reader.today(of: point), row: nil)
    }
  }

  /// The end of the day, week or month that a day is in, for a word that takes one row of each.
  private static func end(ofEach word: String) -> ((Day) -> Day)? {
    switch word {
    case "daily": { $0 }
    case "weekly": { $0.monday + 6 }
    case "monthly": { $0.endOfMonth }
    default: nil
    }
  }

  /// The ends of days, weeks or months from the first event's to the last before now, then the end.
  private func stops(atEnds end: (Day) -> Day, _ word: String?) throws(Failure) -> [Stop] {
    var stops: [Stop] = []
    let clock = try invocation.reader.lastClock()
    let now = try invocation.now()
    if let first = try invocation.reader.firstRecorded() {
      var day = end(clock.day(of: first))
      while day < Day.last, clock.end(of: day) < now {
        // A date that never was ends with the one before.
        if clock.end(of: day) != stops.last?.bound {
          stops.append(
            Stop(label: "\(day)", point: .day(day), bound: clock.end(of: day), day: day, row: nil))
        }
        guard stops.count < KnownCalendar.mostRows else {
          throw tooMany(nil, word == "monthly" ? "name points" : "say --known monthly, or name points")
        }
        day = end(day.next)
      }
    }
    return stops + [Stop(label: "end", point: .end, bound: nil, day: nil, row: nil)]
  }

  private func tooMany(_ count: Int?, _ advice: String) -> Failure {
    .usage(
      "\(count.map { "\($0)" } ?? "more than \(KnownCalendar.mostRows)") rows; at most \(KnownCalendar.mostRows) are shown; \(advice)"
    )
  }
}

extension KnownCalendar {
  private var eachDay: [Day] { (0..<days.count).map { days.lowerBound + $0 } }

  var json: JSON {
    .object([
      "format": .whole(1), "habit": .text(habit), "days": .list(eachDay.map { .day($0) }),
      "rows": .list(
        rows.map { row in
          .object([
            "position": .whole(row.position), "event": .text(row.event),
            "recorded": .text(row.recorded?.description),
            "verdicts": .list(row.verdicts.map { .text($0?.rawValue) }),
          ])
        }),
    ])
  }
}

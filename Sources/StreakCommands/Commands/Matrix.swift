import EventLog
import Replay
import StreakDomain

extension Command {
  static let matrix = Command(
    name: "matrix", group: .lookBack, words: "HABIT",
    summary: "verdicts as known at each time: rows are times, columns days",
    options: [
      json, Option("--csv", nil, "the same as CSV"),
      Option("--days", "DAY..DAY", "which days, such as 2025-10-01..2025-10-31"),
      Option(
        "--known", "POINTS", "daily, weekly (the default), monthly, or points such as 4847,4848,end",
        repeatable: true),
    ],
    details: [
      "Each row has the verdicts as they were known at the end of a day, a Sunday or a month, seen from that day; the",
      "last is what `calendar` shows now. Points are those of `replay --at`. A ! marks a verdict of a day that was over",
      "and had another verdict in the row above; ×3 means three equal rows.", "",
      "  streaks matrix noalc --days 2025-10-01..2025-10-31",
      "  streaks matrix noalc --days -30..today --known daily --csv",
    ],
    example: Example(
      line: "streaks matrix noalc --days 2025-10-20..2025-10-26 --known 4847,4848",
      answer: [
        "🍀 NoAlc  2025-10-20 to 2025-10-26",
        "",
        "      2025-10",
        "      2 2 2 2 2 2 2",
        "      0 1 2 3 4 5 6",
        "4847  ● ★ ★ ● ● ● ●",
        "4848  ● ★!✗ ● ● ● ●",
        "",
        "● good   ★ healed   ✗ bad",
      ])
  ) { invocation throws(CommandError) in
    let run = MatrixRun(invocation: invocation)
    let word = invocation.word(0)
    if invocation.isJSON, invocation.arguments.has("--csv") {
      throw .usage("--csv and --json do not go together")
    }
    let days = try run.matrixDays()
    let habit = try invocation.words.habit(readFor: word)
    let matrix = try run.matrix(of: habit, days)
    if invocation.isJSON {
      invocation.print(matrix.json.line)
    } else if invocation.arguments.has("--csv") {
      for line in matrix.csv { invocation.print(line) }
    } else {
      let text = MatrixText(matrix, columns: invocation.context.columns, style: invocation.style)
      for line in text.lines { invocation.print(line) }
    }
    return .done
  }
}

/// The verdicts of some days as they were known at several points.
struct Matrix {
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
  var row: Matrix.Row?
}

/// The points of which no row is taken yet, by what ends them.
private struct Waiting {
  /// Places of stops, the next one last.
  private var times: [(bound: Instant, place: Int)]
  private var positions: [(position: Int, place: Int)]
  private var events: [Spelling: [Int]] = [:]
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
      if case .event(let id) = stop.point { events[id.spelling, default: []].append(place) }
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
    if !events.isEmpty { passed = events.removeValue(forKey: item.id.text(names()).spelling) ?? [] }
  }

  /// The stops that the end of the stream reaches, and those of events that it has not.
  var atEnd: (reached: [Int], missing: [Int]) {
    (passed + times.map(\.place) + positions.map(\.place), events.values.flatMap { $0 })
  }
}

/// The steps of `matrix`.
private struct MatrixRun {
  let invocation: Invocation

  /// The days that `--days` names.
  func matrixDays() throws(CommandError) -> ClosedRange<Day> {
    guard let text = invocation.arguments.value("--days") else {
      throw .usage("matrix needs --days DAY..DAY, such as --days 2025-10-01..2025-10-31 or --days -30..today")
    }
    let words = text.parts(at: ".").filter { !$0.isEmpty }.map(String.init)
    guard words.count == 2, text.holds("..") else {
      throw .usage("--days is \(quoted(text)); it must be DAY..DAY, such as 2025-10-01..2025-10-31")
    }
    let first = try invocation.words.day(named: words[0], by: "--days")
    let last = try invocation.words.day(named: words[1], by: "--days")
    guard first <= last else { throw .usage("--days is \(quoted(text)), which ends before it begins") }
    guard last - first < Matrix.mostDays else {
      throw .usage(
        "--days is \(quoted(text)), \(last - first + 1) days; at most \(Matrix.mostDays) are shown")
    }
    return first...last
  }

  func matrix(of habit: String, _ days: ClosedRange<Day>) throws(CommandError) -> Matrix {
    var stops = try stops()
    var waiting = Waiting(stops)
    var recorded: Instant?
    func take(_ place: Int, _ ledger: Ledger, seenFrom day: Day?) {
      let position = ledger.position
      stops[place].row = Matrix.Row(
        label: stops[place].label, position: position,
        event: position == 0 ? nil : ledger.id(at: position), recorded: recorded,
        verdicts: ledger.verdicts(of: habit, in: days, seenFrom: day))
    }
    let loaded = try invocation.reader.load { fold, item in
      recorded = item.recorded
      waiting.pass(item, fold.names)
      return true
    } before: { fold, item in
      for place in waiting.reached(before: item, at: fold.position) {
        let known = fold.place(of: habit).map { [$0] } ?? []
        take(place, fold[settling: known], seenFrom: stops[place].day)
      }
    }
    let date = try invocation.reader.clock(of: loaded.ledger)?.day(of: try invocation.now())
    let (reached, missing) = waiting.atEnd
    for place in missing + reached {
      if case .event = stops[place].point, !missing.contains(place) { continue }
      var there = loaded
      there.event = nil
      try invocation.reader.check(stops[place].point, reached: there)
    }
    for place in stops.indices where stops[place].row == nil {
      let today = date.map { max($0, loaded.ledger.today ?? $0) }
      take(place, loaded.ledger, seenFrom: stops[place].point == .end ? today : stops[place].day)
    }
    let title = loaded.ledger.state(of: habit)?.title ?? habit
    let rows = stops.enumerated().sorted {
      ($0.element.row?.position ?? 0, $0.offset) < ($1.element.row?.position ?? 0, $1.offset)
    }
    return Matrix(habit: habit, title: title, days: days, rows: rows.compactMap(\.element.row))
  }

  /// The points that `--known` names.
  private func stops() throws(CommandError) -> [Stop] {
    let words = invocation.arguments.all("--known").flatMap { $0.parts(at: ",").map(String.init) }
    let periods: [String: (Day) -> Day] = [
      "daily": { $0 }, "weekly": { $0.monday + 6 }, "monthly": { $0.endOfMonth },
    ]
    if words.count < 2, let end = periods[words.first ?? "weekly"] {
      return try stops(atEnds: end, words.first)
    }
    guard words.count <= Matrix.mostRows else { throw tooMany(words.count, "give fewer") }
    return try words.map { (word) throws(CommandError) in
      if periods[word] != nil { throw .usage("--known takes \(word) alone, or points") }
      let point = try invocation.words.point(named: word, by: "--known is ")
      return Stop(
        label: word, point: point, bound: try invocation.reader.bound(of: point),
        day: try invocation.reader.today(of: point), row: nil)
    }
  }

  /// The ends of days, weeks or months from the first event's to the last before now, then the end.
  private func stops(atEnds end: (Day) -> Day, _ word: String?) throws(CommandError) -> [Stop] {
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
        guard stops.count < Matrix.mostRows else {
          throw tooMany(nil, word == "monthly" ? "name points" : "say --known monthly, or name points")
        }
        day = end(day.next)
      }
    }
    return stops + [Stop(label: "end", point: .end, bound: nil, day: nil, row: nil)]
  }

  private func tooMany(_ count: Int?, _ advice: String) -> CommandError {
    .usage(
      "\(count.map { "\($0)" } ?? "more than \(Matrix.mostRows)") rows; at most \(Matrix.mostRows) are shown; \(advice)"
    )
  }
}

extension Matrix {
  private var eachDay: [Day] { (0..<days.count).map { days.lowerBound + $0 } }

  var json: JSON {
    .object([
      "format": .whole(1), "habit": .text(habit), "days": .list(eachDay.map { .day($0) }),
      "rows": .list(
        rows.map { row in
          .object([
            "position": .whole(row.position), "event": .text(row.event),
            "recorded": .text(row.recorded?.description),
            "verdicts": .list(row.verdicts.map { .text($0?.name) }),
          ])
        }),
    ])
  }

  /// A line a row, an empty field where nothing was known.
  var csv: [String] {
    [CSV.line(["known", "position", "event", "recorded"] + eachDay.map { "\($0)" })]
      + rows.map { row in
        CSV.line(
          [
            CSV.text(row.label), "\(row.position)", CSV.ids(row.event.map { [$0] } ?? []),
            row.recorded.map { "\($0)" } ?? "",
          ]
            + row.verdicts.map { $0?.name ?? "" })
      }
  }
}

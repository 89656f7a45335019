import EventLog
import Inspection
import StreakDomain

/// A habit's history beside what it would be, for people: a column a definition, then the days that flip.
struct BacktestText {
  private let document: BacktestDocument
  private let style: Style
  private let columns: Int?
  private let showsAll: Bool

  /// How many spans of days that flip are listed before the rest is only counted.
  private static let shown = 20

  init(_ document: BacktestDocument, _ invocation: Invocation) {
    self.document = document
    style = invocation.style
    columns = invocation.context.columns
    showsAll = invocation.arguments.has("--all")
  }

  struct Row {
    let name: String
    /// Of the history as it is, then of each test.
    let values: [String]
  }

  var lines: [String] {
    let now = document.real.definition(of: document.habit)
    var lines = [style.paint(Escaping.visible(now?.title ?? document.habit), .bold)]
    if document.tests.count == 1 {
      lines += document.changes.map { "  " + $0 }
    }
    lines += [""] + table
    for test in document.tests where test.unread > 0 {
      let whose = document.tests.count == 1 ? "the tested rule" : "the rule of \(test.label)"
      lines.append("\(counted(test.unread, "entry")) without what \(whose) looks at")
    }
    if document.tests.count == 1 { lines += flips(document.tests[0].flips) }
    return lines
  }

  /// The rows, as many tests beside each other as there is room for.
  private var table: [String] {
    let rows = rows
    let labels = ["real"] + document.tests.map(\.label)
    let front = rows.map { Layout.columns(of: $0.name) }.max() ?? 0
    let widths = labels.indices.map { place in
      2 + max(labels[place].utf8.count, rows.map { $0.values[place].utf8.count }.max() ?? 0)
    }
    var lines: [String] = []
    var place = 1
    while place < labels.count {
      var end = place + 1
      var used = front + widths[0] + widths[place]
      while end < labels.count, used + widths[end] <= columns ?? 80 {
        used += widths[end]
        end += 1
      }
      let shown = [0] + Array(place..<end)
      if place > 1 { lines.append("") }
      lines.append(Style.padded("", front) + shown.map { right(labels[$0], widths[$0]) }.joined())
      for row in rows {
        let cells = shown.map { column in
          let cell = right(row.values[column], widths[column])
          return row.values[column] == row.values[0] ? cell : style.paint(cell, .yellow)
        }
        lines.append(Style.padded(row.name, front) + cells.joined())
      }
      place = end
    }
    return lines
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  var rows: [Row] {
    let ledgers = [document.real] + document.tests.map(\.ledger)
    let states = ledgers.map { $0.state(of: document.habit) }
    func row(_ name: String, _ value: (Streak) -> Int) -> Row {
      Row(name: name, values: states.map { $0.map { "\(value($0))" } ?? "–" })
    }
    let verdicts = Verdict.allCases.map { verdict in row(verdict.rawValue) { $0.days[verdict] } }
    let runs = [
      row("current run") { $0.current }, row("best run") { $0.best }, row("longest ever") { $0.longest },
    ]
    let jokers = [
      row("jokers earned") { $0.jokers.earned }, row("jokers spent") { $0.jokers.spent },
      row("jokers forfeited") { $0.jokers.forfeited }, row("jokers penalised") { $0.jokers.penalised },
      row("jokers held") { $0.jokers.held },
    ]
    // What never occurs is left out; runs are shown in any case.
    var rows = occurring(verdicts) + runs + occurring(jokers)
    for name in document.real.composites(above: document.habit) {
      let title = Escaping.visible(document.real.definition(of: name)?.title ?? name)
      let own = ledgers.map { $0.state(of: name) }
      rows.append(Row(name: title + " run", values: own.map { "\($0?.current ?? 0)" }))
      rows.append(Row(name: title + " best run", values: own.map { "\($0?.best ?? 0)" }))
    }
    rows.append(Row(name: "XP", values: ledgers.map { "\($0.xp)" }))
    let flips = document.tests.map { test in "\(test.flips.reduce(0) { $0 + $1.days.count })" }
    return rows + [Row(name: "days that flip", values: ["–"] + flips)]
  }

  private func occurring(_ rows: [Row]) -> [Row] {
    rows.filter { $0.values.contains(where: BacktestText.isMore) }
  }

  private static func isMore(_ count: String) -> Bool { Int(count) != 0 }

  private func flips(_ flips: [VerdictChange]) -> [String] {
    guard !flips.isEmpty else { return ["", "no day flips"] }
    let told = showsAll ? flips : Array(flips.prefix(BacktestText.shown))
    let rest = flips.dropFirst(told.count).reduce(0) { $0 + $1.days.count }
    let lines = told.map { flip in
      "  " + Style.padded(DayText.span(flip.days), 26)
        + "\(flip.before?.rawValue ?? "–") → \(flip.after?.rawValue ?? "–")"
    }
    return [""] + lines
      + (rest > 0 ? ["  and \(counted(rest, "day")) more; `--all` shows them"] : [])
  }
}

extension BacktestDocument {
  /// What the only test changes of the definitions, a line a field; of each by itself where they do not all change
  /// alike.
  var changes: [String] {
    guard tests.count == 1 else { return [] }
    // Those in force, the last of each day.
    let inForce = tests[0].definitions.filter { real.base(of: habit, on: $0.day)?.event == $0.event }
    let each = inForce.sorted { $0.day < $1.day }.map { definition in
      let lines = DefinitionText.changes(from: definition.real, to: definition.tested).map {
        "\($0.field)  " + Escaping.visible("\($0.before ?? "–") → \($0.after ?? "–")")
      }
      return (day: definition.day, lines: lines)
    }
    guard let last = each.last, each.contains(where: { $0.lines != last.lines }) else {
      return each.last?.lines ?? []
    }
    return each.flatMap { definition in
      let lines = definition.lines.isEmpty ? ["as it is"] : definition.lines
      return lines.map { "from \(definition.day)  " + $0 }
    }
  }
}

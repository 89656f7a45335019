import EventLog
import Inspection
import StreakDomain

/// A habit's history beside what it would be, for people, then the days that flip.
struct BacktestText {
  private let document: BacktestDocument
  private let style: Style
  private let showsAll: Bool

  /// How many spans of days that flip are listed before the rest is only counted.
  private static let shown = 20

  init(_ document: BacktestDocument, _ invocation: Invocation) {
    self.document = document
    style = invocation.style
    showsAll = invocation.arguments.has("--all")
  }

  struct Row {
    let name: String
    let real: String
    let tested: String
  }

  var lines: [String] {
    let now = document.real.definition(of: document.habit)
    let title = style.paint(Escaping.visible(now?.title ?? document.habit), .bold)
    var lines = [title] + document.changes.map { "  " + $0 } + [""] + table
    if document.unread > 0 {
      lines.append("\(counted(document.unread, "entry")) without what the tested rule looks at")
    }
    return lines + flips(document.flips)
  }

  private var table: [String] {
    let rows = rows
    let front = rows.map { Layout.columns(of: $0.name) }.max() ?? 0
    let real = 2 + (rows.map(\.real.utf8.count).max() ?? 0)
    let tested = 2 + (rows.map(\.tested.utf8.count) + ["tested".utf8.count]).reduce(0, max)
    let head = Style.padded("", front) + right("real", max(real, 6)) + right("tested", tested)
    return [head]
      + rows.map { row in
        let cell = right(row.tested, tested)
        return Style.padded(row.name, front) + right(row.real, max(real, 6))
          + (row.tested == row.real ? cell : style.paint(cell, .yellow))
      }
  }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.utf8.count)) + text
  }

  var rows: [Row] {
    func row(
      _ name: String, of habit: String = document.habit, else missing: String = "–", _ value: (Streak) -> Int
    ) -> Row {
      let both = [document.real, document.tested].map { ledger in
        ledger.state(of: habit).map { "\(value($0))" } ?? missing
      }
      return Row(name: name, real: both[0], tested: both[1])
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
      rows.append(row(title + " run", of: name, else: "0") { $0.current })
      rows.append(row(title + " best run", of: name, else: "0") { $0.best })
    }
    rows.append(Row(name: "XP", real: "\(document.real.xp)", tested: "\(document.tested.xp)"))
    let flips = document.flips.reduce(0) { $0 + $1.days.count }
    return rows + [Row(name: "days that flip", real: "–", tested: "\(flips)")]
  }

  private func occurring(_ rows: [Row]) -> [Row] {
    rows.filter { $0.real != "0" || $0.tested != "0" }
  }

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
  /// What is tested of the definitions, a line a field; of each by itself where they do not all change alike.
  var changes: [String] {
    // Those in force, the last of each day.
    let inForce = definitions.filter { real.base(of: habit, on: $0.day)?.event == $0.event }
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

import EventLog
import Replay
import ReportPage
import StreakDomain

/// A habit's history beside what it would be, as a page: the table, then each year with a day that flips, side by side.
struct BacktestPage {
  private let document: BacktestDocument
  private let rows: [BacktestText.Row]

  init(_ document: BacktestDocument, _ invocation: Invocation) {
    self.document = document
    rows = BacktestText(document, invocation).rows
  }

  /// The whole file as UTF-8.
  var html: [UInt8] {
    let title =
      "\(document.real.definition(of: document.habit)?.title(document.habit) ?? document.habit), backtested"
    let parts = ["<h1>\(escaped(title))</h1>"] + introduction + table + years + flips
    return ReportPage.still(title: Escaping.visible(title), body: parts.joined(separator: "\n"))
  }

  private func escaped(_ text: String) -> String { Escaping.xml(Escaping.visible(text)) }

  private var labels: [String] { ["real"] + document.tests.map(\.label) }

  private var introduction: [String] {
    let today = document.real.today.map { ", seen from \($0)" } ?? ""
    let what =
      "<p>The whole history of \(counted(document.real.position, "event")) as it is, and as it would be\(today). Nothing was written.</p>"
    return [what] + document.changes.map { "<p class=\"change\">\(escaped($0))</p>" }
  }

  private var table: [String] {
    let head = labels.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let lines = rows.map { row in
      let cells = row.values.map { value in
        "<td\(value == row.values[0] || row.values[0] == "–" && value == "0" ? "" : " class=\"other\"")>\(escaped(value))</td>"
      }
      return "<tr><th scope=\"row\">\(escaped(row.name))</th>\(cells.joined())</tr>"
    }
    return ["<table><thead><tr><td></td>\(head)</tr></thead><tbody>"] + lines + ["</tbody></table>"]
  }

  /// The years with a flip, the newest first; without one that of today.
  private var years: [String] {
    var shown: Set<Int> = []
    for test in document.tests {
      for flip in test.flips {
        shown.formUnion(flip.days.lowerBound.date.year...flip.days.upperBound.date.year)
      }
    }
    if shown.isEmpty, let today = document.real.today { shown = [today.date.year] }
    return shown.sorted(by: >).flatMap { year in
      ["<section class=\"years\">"]
        + ([document.real] + document.tests.map(\.ledger)).enumerated().map { place, ledger in
          let drawing = ledger.state(of: document.habit).map {
            YearDrawing($0, ledger, year: year, id: "\(year)-\(place)")
          }
          return "<figure><figcaption>\(escaped(labels[place]))</figcaption>\(drawing?.svg ?? "")</figure>"
        } + ["</section>"]
    }
  }

  private var flips: [String] {
    document.tests.flatMap { test in
      let heading = document.tests.count == 1 ? "Days that flip" : "Days that flip with \(test.label)"
      let lines = test.flips.map { flip in
        "<tr><th scope=\"row\">\(DayWords.span(flip.days))</th><td>\(escaped(flip.before?.name ?? "–"))</td>"
          + "<td>→ \(escaped(flip.after?.name ?? "–"))</td></tr>"
      }
      return ["<h2>\(escaped(heading))</h2>"]
        + (lines.isEmpty ? ["<p>None.</p>"] : ["<table><tbody>"] + lines + ["</tbody></table>"])
    }
  }
}

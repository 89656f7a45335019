import EventLog
import Imports
import Inspection
import StreakDomain

/// The report of an import as text, with the JSON document.
struct ImportReport {
  let kind: ImportKind
  let file: String
  var plan: ImportPlan
  let isDry: Bool
  /// The results of the batches, for the JSON document.
  var results: [AppendResult] = []
  /// The number of batches that were written.
  var steps = 1
  /// Lines about what was lost on the days that ended with the import; empty with `--json`.
  var losses: [String] = []
  /// The changes of all batches, for the output without `--json`.
  var changes: AnswerChanges?
  /// The changes that the import would make; only for a dry run with `--json`.
  var impact: LedgerDifference?

  private var summary: ImportSummary { plan.summary }

  /// Whether the import found nothing: no record to import, and none that had been imported before.
  var isEmpty: Bool {
    [
      summary.imported, summary.takenBack, summary.alreadyThere, summary.deleted, summary.older,
      summary.kept,
      summary.defined.count,
    ]
    .allSatisfy { $0 == 0 }
  }

  var lines: [String] {
    let imported = summary.imported
    let excuses = summary.excuses > 0 ? [counted(summary.excuses, "excuse")] : []
    let entries = imported - summary.excuses
    let counts = (entries > 0 || excuses.isEmpty ? [counted(entries, "entry")] : []) + excuses
    let habits = summary.habits.map { "\($0.habit) \($0.imported)" }.joined(separator: ", ")

    var lines = [
      (isDry ? "would import " : "imported ") + counts.joined(separator: " and ") + " from \(file)"
        + (imported == 0 ? "" : ": " + habits)
    ]
    lines += plan.drafts.definitions.compactMap(\.event.defined).map {
      "  \(isDry ? "would define" : "defined") \($0.id): \($0.summary)"
    }

    let leftOut = summary.leftOut.reduce(0) { $0 + $1.count }
    let changed = summary.takenBack - summary.gone
    // A Health export names its date.
    let age =
      kind == .appleHealth ? "" : "; without a date of its own, it is as old as its newest day"
    for (count, says) in [
      (summary.alreadyThere, "already there: \(summary.alreadyThere)"),
      (changed, "changed since the last import: \(changed)"),
      (summary.gone, "taken back: \(summary.gone)"),
      (summary.deleted, "deleted here before, still deleted: \(summary.deleted)"),
      (summary.kept, "changed here after the file, and kept: \(summary.kept)" + age),
      (summary.older, "older than what a newer file said: \(summary.older)"),
      (leftOut, "skipped: \(leftOut)"),
    ] where count > 0 { lines.append("  " + says) }
    lines += summary.leftOut.map { "    \($0.count)  \($0.countedSentence)" }

    if !summary.passedOver.isEmpty {
      let kinds = summary.passedOver.prefix(5).map { "\($0.type) \($0.count)" }.joined(
        separator: ", ")
      let more =
        summary.passedOver.count > 5 ? " and \(summary.passedOver.count - 5) more types" : ""
      lines.append("  of types that are not asked for: " + kinds + more)
    }

    let skipped = leftOut + summary.passedOver.count
    if isEmpty, skipped == 0 { lines.append("  there is nothing in it to import") }
    lines += summary.notes.map { "  " + $0 }
    lines += plan.leftOut.map { "\($0.place): \($0.what): \($0.reason)" }
    if isDry || plan.keepsLines { lines += rows }
    return lines.map(Escaping.visible) + changeLines.map { "  " + $0 }
  }

  private var changeLines: [String] {
    guard let changes else { return [] }
    let verb = isDry ? "would be written" : "written"
    let stepLine = "\(verb) in \(steps) steps; each `streaks undo` takes one back"
    let states = plan.summary.defined.compactMap { changes.after[$0]?.state }
    let runs = states.filter { $0.longest > 0 }.map {
      Escaping.visible("\($0.title): run \($0.current), longest \($0.longest)")
    }
    return (steps > 1 ? [stepLine] : []) + runs + losses
      + changes.closedDays(before: changes.before.today) + changes.lines
  }

  /// The new entries and excuses, or only the first ones without `--verbose`.
  private var rows: [String] {
    let imported = summary.imported
    guard imported > 0 else { return [] }
    let words = EventText(ledger: plan.ledger)
    let limit = plan.keepsLines ? imported : 5
    let rows = plan.drafts.events(upTo: limit).map { "  \($0.day)  \(words.text(of: $0))" }
    let more = imported > rows.count ? ["  and \(imported - rows.count) more"] : []
    return ["as entries:"] + rows + more
  }

  /// The report as JSON.
  var document: ImportDocument {
    ImportDocument(
      of: plan, kind.rawValue, file, isDryRun: isDry, results.map { EventResult($0) }, impact)
  }
}

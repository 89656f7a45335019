import EventLog
import Imports
import Inspection
import StreakDomain

struct ImportReport {
  let kind: ImportKind
  let file: String
  let plan: ImportPlan
  let isDry: Bool
  /// The id for `streaks undo` that restores `plan.deletedBefore`, or `nil` if no single command deleted them.
  var removal: String?
  /// The results of the batches, for the JSON document.
  var results: [AppendResult] = []
  /// A line for each habit that the import changed, for the output without `--json`.
  var changes: [String] = []
  /// The changes that a dry run would make, as JSON.
  var impact: JSON?

  private var imported: Int { plan.count - plan.takenBack }

  /// Whether the file contained nothing to import, and nothing that had been imported before.
  var isEmpty: Bool {
    plan.count == 0 && plan.alreadyThere == 0 && plan.deletedBefore.isEmpty && plan.definitions.isEmpty
  }

  var lines: [String] {
    let habits = plan.habits.map { "\($0.habit) \($0.count)" }.joined(separator: ", ")
    var lines = [
      (isDry ? "would import " : "imported ") + counted(imported, "event") + " from \(file)"
        + (imported == 0 ? "" : ": " + habits)
    ]
    lines += plan.definitions.compactMap(\.event.defined).map {
      "  \(isDry ? "would define" : "defined") \($0.id): \($0.asked)"
    }
    let deleted = plan.deletedBefore.count
    let restoring =
      removal.map { "`streaks undo \(Event.shortID($0))` restores them" }
      ?? "importing again does not restore them"
    let leftOut = plan.reasons.reduce(0) { $0 + $1.count }
    for (count, says) in [
      (plan.alreadyThere, "already there: \(plan.alreadyThere)"),
      (plan.takenBack, "changed since, the earlier entries deleted: \(plan.takenBack)"),
      (deleted, "deleted here before, still deleted: \(deleted); \(restoring)"),
      (leftOut, "skipped: \(leftOut)"),
    ] where count > 0 { lines.append("  " + says) }
    lines += plan.reasons.map { "    \($0.count)  \($0.reason.sentence)" }
    if !plan.passedOver.isEmpty {
      let kinds = plan.passedOver.prefix(5).map { "\($0.kind) \($0.count)" }.joined(separator: ", ")
      let more = plan.passedOver.count > 5 ? " and \(plan.passedOver.count - 5) more types" : ""
      lines.append("  of types that are not asked for: " + kinds + more)
    }
    if isEmpty, leftOut == 0, plan.passedOver.isEmpty { lines.append("  there is nothing in it to import") }
    lines += notes.map { "  " + $0 }
    lines += plan.leftOut.map { "\($0.place): \($0.what): \($0.reason.sentence)" }
    if isDry, imported > 0 {
      let words = EventText(ledger: plan.ledger)
      lines += ["as entries:"] + plan.preview.map { "  \($0.event.day)  \(words.text(of: $0.event))" }
      if imported > plan.preview.count { lines.append("  and \(imported - plan.preview.count) more") }
    }
    return lines.map(Escaping.visible) + changes.map { "  " + $0 }
  }

  var notes: [String] {
    let columns = plan.unusedColumns.map(quoted).joined(separator: ", ")
    return (columns.isEmpty ? [] : ["columns not used: \(columns); --columns names each column"]) + plan.notes
  }

  var members: JSON.Members {
    func list(_ items: [JSON.Members]) -> JSON { .list(items.map { .object($0) }) }
    var members: JSON.Members = [
      "kind": .text(kind.rawValue), "file": .text(file), "dryRun": .bool(isDry),
      "imported": .whole(imported), "takenBack": .whole(plan.takenBack), "undoable": .bool(removal != nil),
      "alreadyThere": .whole(plan.alreadyThere), "deleted": .whole(plan.deletedBefore.count),
      "habits": list(plan.habits.map { ["habit": .text($0.habit), "imported": .whole($0.count)] }),
      "defined": .texts(plan.definitions.compactMap { $0.event.defined?.id }),
      "leftOut": list(plan.reasons.map { ["reason": .text($0.reason.sentence), "count": .whole($0.count)] }),
      "passedOver": list(plan.passedOver.map { ["type": .text($0.kind), "count": .whole($0.count)] }),
      "notes": .texts(notes),
      "events": isDry ? .texts(results.map(\.id)) : JSON(of: results),
    ]
    members["impact"] = impact
    if plan.keepsLines {
      members["lines"] = list(
        plan.leftOut.map {
          ["place": .text("\($0.place)"), "what": .text($0.what), "reason": .text($0.reason.sentence)]
        })
    }
    return members
  }
}

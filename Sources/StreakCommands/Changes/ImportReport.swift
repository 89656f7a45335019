import EventLog
import Imports
import Inspection
import StreakDomain

struct ImportReport {
  let kind: ImportKind
  let file: String
  let plan: ImportPlan
  /// The id of an event of the command that deleted entries of an earlier import, or `nil` if there is no such command.
  ///
  /// Undoing this command restores the entries.
  var removal: String?

  static let kinds = 5

  private var imported: Int { plan.count - plan.takenBack }

  var leftOut: Int { plan.reasons.reduce(0) { $0 + $1.count } }

  /// Whether the file contained nothing to import, and nothing that had been imported before.
  var isInVain: Bool {
    plan.count == 0 && plan.alreadyThere == 0 && plan.deletedBefore.isEmpty && plan.definitions.isEmpty
  }

  func lines(isDry: Bool) -> [String] {
    let count = imported
    let what = counted(count, "event")
    var lines = [
      (isDry ? "would import " : "imported ") + what + " from \(file)"
        + (count == 0 ? "" : ": " + plan.habits.map { "\($0.habit) \($0.count)" }.joined(separator: ", "))
    ]
    if !plan.definitions.isEmpty {
      lines.append(
        (isDry ? "  would define: " : "  defined: ")
          + plan.definitions.compactMap { $0.event.defined?.brief }.joined(separator: ", "))
    }
    if plan.alreadyThere > 0 { lines.append("  already there: \(plan.alreadyThere)") }
    if plan.takenBack > 0 { lines.append("  changed since, the earlier entries deleted: \(plan.takenBack)") }
    let deleted = plan.deletedBefore.count
    if deleted > 0 { lines.append("  deleted here before, still deleted: \(deleted)" + told) }
    if leftOut > 0 { lines.append("  left out: \(leftOut)") }
    lines += plan.reasons.map { "    \($0.count)  \($0.reason.sentence)" }
    if !plan.passedOver.isEmpty {
      let named = plan.passedOver.prefix(ImportReport.kinds).map { "\($0.kind) \($0.count)" }
      let rest = plan.passedOver.count - named.count
      lines.append(
        "  of types that are not asked for: " + named.joined(separator: ", ")
          + (rest > 0 ? " and \(rest) more types" : ""))
    }
    if isInVain, leftOut == 0, plan.passedOver.isEmpty { lines.append("  there is nothing in it to import") }
    lines += notes.map { "  " + $0 }
    lines += plan.leftOut.map { "\($0.place): \($0.what): \($0.reason.sentence)" }
    if isDry, count > 0 {
      lines.append("as entries:")
      lines += plan.preview.map { "  " + $0.phrase }
      if count > plan.preview.count { lines.append("  and \(count - plan.preview.count) more") }
    }
    return lines.map(Escaping.visible)
  }

  private var notes: [String] {
    let columns = plan.unusedColumns.map(quoted).joined(separator: ", ")
    return (columns.isEmpty ? [] : ["columns not used: \(columns); --columns names each column"]) + plan.notes
  }

  private var told: String {
    removal.map { "; `streaks undo \(Event.shortID($0))` brings them back" }
      ?? "; importing again does not bring them back"
  }

  func members(_ results: [AppendResult], isDry: Bool) -> JSON.Members {
    var members: JSON.Members = [
      "format": .whole(1), "kind": .text(kind.rawValue), "file": .text(file), "dryRun": .bool(isDry),
      "imported": .whole(imported), "alreadyThere": .whole(plan.alreadyThere),
      "deleted": .whole(plan.deletedBefore.count), "undoable": .bool(removal != nil),
      "takenBack": .whole(plan.takenBack),
      "habits": .list(
        plan.habits.map { .object(["habit": .text($0.habit), "imported": .whole($0.count)]) }),
      "defined": .texts(plan.definitions.compactMap { $0.event.defined?.id }),
      "leftOut": .list(
        plan.reasons.map { .object(["reason": .text($0.reason.sentence), "count": .whole($0.count)]) }),
      "passedOver": .list(
        plan.passedOver.map { .object(["type": .text($0.kind), "count": .whole($0.count)]) }),
      "notes": .texts(notes),
      "events": isDry ? .texts(results.map(\.id)) : .list(results.map(\.json)),
    ]
    if plan.options.keepsLines {
      members["lines"] = .list(
        plan.leftOut.map {
          .object([
            "place": .text($0.place.description), "what": .text($0.what), "reason": .text($0.reason.sentence),
          ])
        })
    }
    return members
  }
}

/// The combined results of the batches of an import.
///
/// The batches aren't stored, because they could fill the memory.
struct ImportOutcome {
  private let keepsResults: Bool
  private(set) var results: [AppendResult] = []
  private(set) var count = 0
  private(set) var position: Int?
  private var before: Ledger?
  private var after: Ledger?
  var impact: JSON?

  init(keepsResults: Bool) { self.keepsResults = keepsResults }

  mutating func add(_ decision: Decision) {
    if keepsResults { results += decision.results }
    count += decision.results.count
    position = decision.position + decision.batch.count
    before = before ?? decision.ledgerBefore
    after = decision.ledgerAfter
  }

  /// Releases the ledger of the last batch, to save memory while the next batch is written.
  mutating func release() { after = nil }

  /// Continues from `other`, the outcome of the batch with the definitions.
  ///
  /// The count, the position and the first ledger are copied, but not the results.
  mutating func `continue`(_ other: ImportOutcome) {
    (count, position, before) = (other.count, other.position, other.before)
  }

  var changes: [String] {
    guard let before, let after else { return [] }
    return after.changes(since: before)
  }
}

extension ImportReport {
  func print(_ outcome: ImportOutcome, by invocation: Invocation) -> ExitStatus {
    let isDry = invocation.arguments.has("--dry-run")
    if invocation.isJSON {
      var members = self.members(outcome.results, isDry: isDry)
      if isDry, let impact = outcome.impact { members["impact"] = impact }
      invocation.print(JSON.object(members).line)
    } else {
      for line in lines(isDry: isDry) { invocation.print(line) }
      for line in outcome.changes { invocation.print("  " + line) }
    }
    return isInVain ? .failed : .done
  }
}

extension Habit {
  fileprivate var brief: String {
    var parts = [id]
    if let sum = rule.sum {
      let unit = sum.of == .amount ? sum.unit?.string : sum.of.rawValue
      for (word, bound) in [("at least", sum.atLeast), ("at most", sum.atMost)] {
        if let bound { parts += [word, bound.description] + (unit.map { [$0] } ?? []) }
      }
      if let per = sum.per { parts.append("a \(per.rawValue)") }
    }
    if let schedule { parts.append(schedule.short) }
    if streak == false { parts.append("without a streak") }
    return parts.joined(separator: " ")
  }
}

extension Draft {
  fileprivate var phrase: String {
    var parts = [day?.description ?? "", habit ?? ""]
    switch event.payload {
    case .entryLogged(let entry):
      parts += [entry.measureWords(unit: nil), entry.note.map { "“\($0)”" } ?? ""].filter { !$0.isEmpty }
    case .daysExcused(_, _, _, let reason): parts += ["excused", reason.map { "(\($0))" } ?? ""]
    default: break
    }
    return parts.joined(separator: "  ")
  }
}

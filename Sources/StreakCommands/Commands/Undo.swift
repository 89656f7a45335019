import EventLog
import StreakDomain

extension Command {
  static let undo = Command(
    name: "undo", words: "",
    summary: "take back what the last command appended, by events that make up for it",
    options: [json] + writing,
    details: [
      "Nothing is removed: an entry is deleted, a deleted entry is logged again, a definition is followed by the one",
      "before it. Undoing an undo brings everything back. What has no counterpart is named, and nothing is written.",
      "", "  streaks undo --dry-run",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(0, "")
    if let id = invocation.arguments.value("--id"), let known = try invocation.event(id) {
      // The same undo again; another would undo it.
      guard let cause = known.cause else {
        throw .usage("the id \(quoted(id)) is taken by an event that undid nothing")
      }
      invocation.print(Escaping.visible("undid \(cause) before, with \(known.payload.type.rawValue) \(id)"))
      return .done
    }
    let ledger = try invocation.load().ledger
    let batch = try invocation.lastBatch(of: ledger)
    guard !batch.isEmpty else { throw .notFound("there is nothing to undo") }
    let compensation = try Compensation(of: batch, in: ledger, invocation)
    guard let (written, drafts) = try compensation.write(by: &invocation) else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
      return .done
    }
    for (result, draft) in zip(written.results, drafts) {
      let made = draft.event.payload.type.rawValue
      invocation.print(Escaping.visible("undid \(draft.event.cause ?? "") with \(made) \(result.id)"))
    }
    for line in invocation.changes(written) { invocation.print("  " + line) }
    return .done
  }
}

extension Invocation {
  /// The events of the subject of a ledger in its batch that was recorded last.
  func lastBatch(of ledger: Ledger) throws(CommandError) -> [Event] {
    var stream = try stream(inFull: true)
    // The own events of each segment's latest batch, and of a last one that another subject's has followed there.
    var batches: [Int: [Event]] = [:]
    var ongoing: Set<Int> = []
    var lastSegment: Int?
    var last: [Event] = []
    do throws(LogError) {
      var names = Names()
      var item = StreamItem()
      while try stream.next(&item, names: &names) {
        guard let event = item.event else { continue }
        let segment = item.segment
        if !ongoing.contains(segment) {
          if segment == lastSegment {
            last = batches[segment] ?? []
            lastSegment = nil
          }
          batches[segment] = []
        }
        if event.more { ongoing.insert(segment) } else { ongoing.remove(segment) }
        guard ledger.folds(event.subject) else { continue }
        batches[segment, default: []].append(event)
        lastSegment = segment
      }
    } catch { throw .log(error) }
    return lastSegment.flatMap { batches[$0] } ?? last
  }
}

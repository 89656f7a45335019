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
    let position = try invocation.load().ledger.position
    let batch = try invocation.lastBatch()
    guard !batch.isEmpty else { throw .notFound("there is nothing to undo") }
    var drafts = try Compensation(of: batch, invocation).drafts()
    guard !drafts.isEmpty else {
      throw .notFound("the last command left nothing to undo but a new day, which stays begun")
    }
    if let id = invocation.arguments.value("--id") {
      guard Forms.isID(id) else { throw .usage("--id is \(quoted(id)); it must be \(Forms.id)") }
      guard drafts.count == 1 else {
        throw .usage("--id goes with exactly one event, and undoing this takes \(drafts.count)")
      }
      drafts[0].id = id
    }
    guard let written = try invocation.write(drafts, asRead: position) else { return .done }
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
  /// The events of the subject in its batch that was recorded last.
  func lastBatch() throws(CommandError) -> [Event] {
    let owner = try load().ledger.owner
    let wanted = subject == owner ? nil : subject
    func isOwn(_ event: Event) -> Bool {
      event.subject == wanted || wanted == nil && event.subject == owner
    }
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
        guard isOwn(event) else { continue }
        batches[segment, default: []].append(event)
        lastSegment = segment
      }
    } catch { throw .log(error) }
    return lastSegment.flatMap { batches[$0] } ?? last
  }
}

/// The events that make up for a batch.
private struct Compensation {
  private let batch: [Event]
  private let invocation: Invocation
  /// The definitions, retirements (nil) and reminders of the stream, without the batch's.
  private var definitions: [(habit: String, definition: Definition?, day: Day)] = []
  private var reminders: [String: Payload] = [:]
  /// The entries that the batch deleted, as they were logged.
  private var originals: [String: Event] = [:]

  init(of batch: [Event], _ invocation: Invocation) throws(CommandError) {
    self.batch = batch
    self.invocation = invocation
    let ids = Set(batch.map(\.id))
    let deleted = Set(batch.compactMap { if case .entryDeleted(let id, _) = $0.payload { id } else { nil } })
    var stream = try invocation.stream(inFull: true)
    do throws(LogError) {
      var names = Names()
      var item = StreamItem()
      while try stream.next(&item, names: &names) {
        guard let event = item.event, !ids.contains(event.id) else { continue }
        if deleted.contains(event.id) { originals[event.id] = event }
        guard event.subject == batch.first?.subject else { continue }
        switch event.payload {
        case .habitDefined(let definition): definitions.append((definition.habit, definition, event.day))
        case .habitRetired(let habit): definitions.append((habit, nil, event.day))
        case .reminderSet(let habit, _, _): reminders[habit] = event.payload
        default: break
        }
      }
    } catch { throw .log(error) }
  }

  /// One event for each of the batch, the last first; or an error that names what has no counterpart.
  func drafts() throws(CommandError) -> [Draft] {
    var drafts: [Draft] = []
    var lost: [String] = []
    let logged = Set(batch.compactMap { if case .entryLogged = $0.payload { $0.id } else { nil } })
    let deleted = Set(batch.compactMap { if case .entryDeleted(let id, _) = $0.payload { id } else { nil } })
    for event in batch.reversed() {
      switch event.payload {
      // Logged and deleted in one batch, an entry leaves nothing to make up for.
      case .entryLogged where deleted.contains(event.id): continue
      case .entryDeleted(let id, _) where logged.contains(id): continue
      case .dayChanged: continue
      case .daysExcused(_, _, _, "zone"?): continue
      default: break
      }
      let made = compensations(of: event)
      if made.isEmpty {
        lost.append("\(event.payload.type.rawValue) \(event.id): \(reason(event.payload))")
      }
      for var draft in made {
        draft.event.subject = event.subject
        draft.event.cause = event.id
        drafts.append(draft)
      }
    }
    guard lost.isEmpty else {
      throw .notFound("cannot be undone, so nothing was written:\n  " + lost.joined(separator: "\n  "))
    }
    return drafts
  }

  /// The events that make up for one; none where it has no counterpart.
  private func compensations(of event: Event) -> [Draft] {
    switch event.payload {
    case .entryLogged:
      return [Draft(.entryDeleted(entry: event.id, reason: "undone"), command: "undo")]
    case .entryDeleted(let entry, _):
      guard let original = originals[entry] else { return [] }
      var draft = Draft(original.payload, command: "undo")
      (draft.at, draft.day, draft.zone) = (original.at, original.day, original.zone)
      return [draft]
    case .habitDefined(let definition): return restored(definition.habit, on: event.day, instead: definition)
    case .habitRetired(let habit): return restored(habit, on: event.day, instead: nil)
    case .reminderSet(let habit, let time, _):
      let before = reminders[habit] ?? .reminderSet(habit: habit, time: time, enabled: false)
      return [Draft(before, command: "undo")]
    case .ledgerOpened, .dayChanged, .daysExcused, .celebrationSeen, .expectationStated: return []
    }
  }

  /// What brings back how a habit stood on a day without the batch: its definition, and its retirement if it was
  /// retired; `instead` is the definition that is taken back.
  private func restored(_ habit: String, on day: Day, instead: Definition?) -> [Draft] {
    let own = definitions.enumerated().filter { $0.element.habit == habit }
      .sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
    let upTo = own.filter { $0.day <= day }
    guard
      let before = upTo.last(where: { $0.definition != nil }) ?? own.first(where: { $0.definition != nil }),
      let definition = before.definition
    else { return [] }
    // A first definition says when days without an entry begin to count, so an earlier one cannot be made up for.
    let isFirst = !upTo.contains { $0.definition != nil }
    if isFirst, definition.rule.kind == .none || definition.rule.isComposite { return [] }
    let isRetired = upTo.last.map { $0.definition == nil } ?? false
    var drafts: [Draft] = []
    if definition != instead || !isRetired {
      drafts.append(Draft(.habitDefined(definition), command: "undo"))
    }
    if isRetired { drafts.append(Draft(.habitRetired(habit: habit), command: "undo")) }
    for index in drafts.indices { drafts[index].day = day }
    return drafts
  }

  private func reason(_ payload: Payload) -> String {
    switch payload {
    case .daysExcused: "days once excused stay excused"
    case .celebrationSeen: "what was seen stays seen"
    case .expectationStated: "an expectation stands for what held then"
    case .ledgerOpened: "a ledger begins once"
    case .habitDefined: "there is no definition before it; `streaks define --retire` ends it"
    default: "it has no counterpart"
    }
  }
}

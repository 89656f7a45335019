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
    let batch = try invocation.lastBatch()
    guard !batch.isEmpty else { throw .notFound("there is nothing to undo") }
    let drafts = try Compensation(of: batch, invocation).drafts()
    guard !drafts.isEmpty else {
      throw .notFound("the last command only began a new day, which cannot be undone")
    }
    guard let written = try invocation.write(drafts) else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
      return .done
    }
    for (draft, event) in zip(written.results, drafts) {
      let made = draft.event.payload.type.rawValue
      invocation.print(Escaping.visible("undid \(event.event.cause ?? "") with \(made) \(draft.id)"))
    }
    for line in invocation.changes(written) { invocation.print("  " + line) }
    return .done
  }
}

extension Invocation {
  /// The events of the batch that was recorded last.
  fileprivate func lastBatch() throws(CommandError) -> [Event] {
    var stream = try stream(inFull: true)
    var batches: [Int: [Event]] = [:]
    var last: Int?
    do throws(LogError) {
      var names = Names()
      var item = StreamItem()
      while try stream.next(&item, names: &names) {
        guard let event = item.event else { continue }
        if let before = batches[item.segment]?.last, before.more {
          batches[item.segment]?.append(event)
        } else {
          batches[item.segment] = [event]
        }
        if subject == nil || event.subject == subject { last = item.segment }
      }
    } catch { throw .log(error) }
    return last.flatMap { batches[$0] } ?? []
  }
}

/// The events that make up for a batch.
private struct Compensation {
  private let batch: [Event]
  private let invocation: Invocation
  /// The definitions and reminders of the stream, without the batch's.
  private var definitions: [(definition: Definition, day: Day, subject: String?)] = []
  private var reminders: [String: Payload] = [:]

  init(of batch: [Event], _ invocation: Invocation) throws(CommandError) {
    self.batch = batch
    self.invocation = invocation
    let ids = Set(batch.map(\.id))
    var stream = try invocation.stream(inFull: true)
    do throws(LogError) {
      var names = Names()
      var item = StreamItem()
      while try stream.next(&item, names: &names) {
        guard let event = item.event, !ids.contains(event.id), event.subject == batch.first?.subject else {
          continue
        }
        switch event.payload {
        case .habitDefined(let definition): definitions.append((definition, event.day, event.subject))
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
    for event in batch.reversed() {
      switch event.payload {
      case .dayChanged: continue
      case .daysExcused(_, _, _, "zone"?): continue
      default: break
      }
      if let draft = try draft(for: event) {
        drafts.append(draft)
      } else {
        lost.append("\(event.payload.type.rawValue) \(event.id): \(reason(event.payload))")
      }
    }
    guard lost.isEmpty else {
      throw .notFound("cannot be undone, so nothing was written:\n  " + lost.joined(separator: "\n  "))
    }
    return drafts
  }

  private func draft(for event: Event) throws(CommandError) -> Draft? {
    var draft: Draft
    switch event.payload {
    case .entryLogged:
      draft = Draft(.entryDeleted(entry: event.id, reason: "undone"), command: "undo")
    case .entryDeleted(let entry, _):
      guard let original = try invocation.event(entry) else { return nil }
      draft = Draft(original.payload, command: "undo")
      (draft.at, draft.day, draft.zone) = (original.at, original.day, original.zone)
    case .habitDefined(let definition):
      guard let before = self.definition(of: definition.habit, on: event.day) else { return nil }
      draft = Draft(.habitDefined(before), command: "undo")
      draft.day = event.day
    case .habitRetired(let habit):
      guard let before = self.definition(of: habit, on: event.day) else { return nil }
      draft = Draft(.habitDefined(before), command: "undo")
      draft.day = event.day
    case .reminderSet(let habit, let time, _):
      draft = Draft(
        reminders[habit] ?? .reminderSet(habit: habit, time: time, enabled: false), command: "undo")
    case .ledgerOpened, .dayChanged, .daysExcused, .celebrationSeen, .expectationStated: return nil
    }
    draft.event.subject = event.subject
    draft.event.cause = event.id
    return draft
  }

  /// The definition in force on a day without those of the batch.
  private func definition(of habit: String, on day: Day) -> Definition? {
    let own = definitions.enumerated().filter { $0.element.definition.habit == habit }
      .sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(\.element)
    return (own.last { $0.day <= day } ?? own.first)?.definition
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

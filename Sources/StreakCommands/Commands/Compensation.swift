import EventLog
import Replay
import StreakDomain

/// The events that make up for a batch.
struct Compensation {
  private let batch: [Event]
  private let invocation: Invocation
  /// How many events the stream has, the batch's included.
  private let position: Int
  /// The definitions, retirements (nil) and reminders of the stream, without the batch's.
  private var definitions: [(habit: String, definition: Definition?, day: Day)] = []
  private var reminders: [String: Payload] = [:]
  /// The entries that the batch deleted, as they were logged.
  private var originals: [String: Event] = [:]
  /// Those entries and what followed them at the same moment, in the order of the stream.
  private var moments: [Moment: [Event]] = [:]
  /// By entry, what deleted it beside the batch.
  private var deletions: [String: String] = [:]

  /// Of two entries that agree in this the order in the stream decides which is the later one.
  private struct Moment: Hashable {
    let habit: String
    let day: Day
    let at: Instant

    init?(_ event: Event) {
      guard case .entryLogged(let entry) = event.payload else { return nil }
      (habit, day, at) = (entry.habit, event.day, event.at.instant)
    }
  }

  /// Reads what was before a batch; `ledger` is the subject's, with the batch.
  init(of batch: [Event], in ledger: Ledger, _ invocation: Invocation) throws(CommandError) {
    self.batch = batch
    self.invocation = invocation
    position = ledger.position
    let ids = Set(batch.map(\.id))
    let deleted = Set(batch.compactMap { if case .entryDeleted(let id, _) = $0.payload { id } else { nil } })
    var stream = try invocation.stream(inFull: true)
    do throws(LogError) {
      var names = Names()
      var item = StreamItem()
      while try stream.next(&item, names: &names) {
        guard let event = item.event, !ids.contains(event.id), ledger.folds(event.subject) else { continue }
        switch event.payload {
        case .habitDefined(let definition): definitions.append((definition.habit, definition, event.day))
        case .habitRetired(let habit): definitions.append((habit, nil, event.day))
        case .reminderSet(let habit, _, _): reminders[habit] = event.payload
        case .entryDeleted(let entry, _): deletions[entry] = event.id
        case .entryLogged where originals[event.id] == nil:
          guard let moment = Moment(event) else { continue }
          if deleted.contains(event.id) { originals[event.id] = event }
          if originals[event.id] != nil || moments[moment] != nil {
            moments[moment, default: []].append(event)
          }
        default: break
        }
      }
    } catch { throw .log(error) }
  }

  /// Writes them, once it is known that they bring back what was; nil where that is only told.
  func write(by invocation: inout Invocation) throws(CommandError) -> (written: Decision, drafts: [Draft])? {
    let wanted = try wantedLedger()
    // Only where the order of entries decides are those that followed at the same moment logged again, too.
    for keepsOrder in [false, true] {
      let drafts = try named(drafts(keepsOrder: keepsOrder))
      var difference = Difference()
      do throws(CommandError) {
        let written = try invocation.write(
          Drafts(drafts), asRead: position,
          judge: { (decision) throws(CommandError) in
            difference = try self.difference(from: wanted, to: decision)
            if !difference.isEmpty { throw inexact(difference) }
          })
        return written.map { ($0, drafts) }
      } catch {
        guard !difference.isEmpty, !keepsOrder else { throw error }
      }
    }
    return nil
  }

  /// The drafts with the id that was given for one.
  private func named(_ drafts: [Draft]) throws(CommandError) -> [Draft] {
    guard !drafts.isEmpty else {
      throw .notFound("the last command left nothing to undo but a new day, which stays begun")
    }
    guard let id = invocation.arguments.value("--id") else { return drafts }
    guard Forms.isID(id) else { throw .usage("--id is \(quoted(id)); it must be \(Forms.id)") }
    guard drafts.count == 1 else {
      throw .usage("--id goes with exactly one event, and undoing this takes \(drafts.count)")
    }
    var named = drafts
    named[0].id = id
    return named
  }

  /// The ledger as it would be without the batch, but for the days that it began.
  private func wantedLedger() throws(CommandError) -> Ledger {
    let undone = batch.filter { !Compensation.stays($0.payload) }.map(\.id)
    let reading = Invocation(
      context: invocation.context, command: invocation.command,
      arguments: invocation.arguments.with("--without", undone))
    return try reading.load().ledger
  }

  /// Whether an event of a batch is of the store and true whatever becomes of the rest.
  private static func stays(_ payload: Payload) -> Bool {
    switch payload {
    case .dayChanged, .daysExcused(_, _, _, "zone"?): true
    default: false
    }
  }

  /// In what the state that was decided differs from the one that is wanted; `longest` remembers what was undone, and
  /// entries that are logged again have other ids.
  private func difference(from wanted: Ledger, to decision: Decision) throws(CommandError) -> Difference {
    var wanted = wanted
    do throws(LogError) {
      try decision.batch.each { if Compensation.stays($0.payload) { _ = wanted.apply($0) } }
    } catch { throw .log(error) }
    let made = invocation.settled(decision.after)
    // A day that an entry began stays begun.
    if let today = made.today { wanted.advance(to: today) }
    wanted.settle()
    var difference = Difference.between(wanted, made)
    difference.changes.removeAll { change in
      if case .habit(_, .longest) = change.field { true } else { false }
    }
    difference.books.removeAll { $0.removed.map(\.withoutCause) == $0.added.map(\.withoutCause) }
    return difference
  }

  private func inexact(_ difference: Difference) -> CommandError {
    let lines = DifferenceText.lines(difference, Style(isColoured: false))
    return refused(
      "would not bring back what was", lines.isEmpty ? ["sums over entries or days differ"] : lines)
  }

  private func refused(_ says: String, _ lines: [String]) -> CommandError {
    let shown = lines.prefix(20) + (lines.count > 20 ? ["and \(lines.count - 20) more"] : [])
    return .log(
      .objected(
        nil,
        Objection(
          .notRestored,
          "undoing the last command \(says), so nothing was written:\n  " + shown.joined(separator: "\n  "))))
  }

  /// One event for each of the batch, the last first, or more where an order is to be kept; or an error that names what has
  /// no counterpart.
  private func drafts(keepsOrder: Bool) throws(CommandError) -> [Draft] {
    var drafts: [Draft] = []
    var lost: [String] = []
    var others: [String] = []
    var done: Set<Moment> = []
    let logged = Set(batch.compactMap { if case .entryLogged = $0.payload { $0.id } else { nil } })
    let deleted = Set(batch.compactMap { if case .entryDeleted(let id, _) = $0.payload { id } else { nil } })
    for event in batch.reversed() where !Compensation.stays(event.payload) {
      var made: [Draft]
      switch event.payload {
      // Logged and deleted in one batch, an entry leaves nothing to make up for.
      case .entryLogged where deleted.contains(event.id): continue
      case .entryDeleted(let id, _) where logged.contains(id): continue
      case .entryDeleted(let id, _):
        if let other = deletions[id] {
          others.append("\(event.payload.type.rawValue) \(event.id): \(other) deletes the same entry")
          continue
        }
        guard let original = originals[id], let moment = Moment(original) else {
          made = []
          break
        }
        guard done.insert(moment).inserted else { continue }
        made = again(moments[moment] ?? [], deleted, keepsOrder: keepsOrder)
      default: made = compensations(of: event)
      }
      if made.isEmpty {
        lost.append("\(event.payload.type.rawValue) \(event.id): \(reason(event.payload))")
      }
      for var draft in made {
        draft.event.subject = event.subject
        draft.event.cause = draft.event.cause ?? event.id
        drafts.append(draft)
      }
    }
    guard others.isEmpty else { throw refused("would bring back what others deleted, too", others) }
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
    case .habitDefined(let definition): return restored(definition.habit, on: event.day, instead: definition)
    case .habitRetired(let habit): return restored(habit, on: event.day, instead: nil)
    case .reminderSet(let habit, let time, _):
      let before = reminders[habit] ?? .reminderSet(habit: habit, time: time, enabled: false)
      return [Draft(before, command: "undo")]
    case .ledgerOpened, .dayChanged, .daysExcused, .celebrationSeen, .expectationStated, .entryDeleted:
      return []
    }
  }

  /// Logs the entries of one moment again that the batch deleted, in their order; with `keepsOrder` those that
  /// followed, too, and deletes them where they stand.
  private func again(_ entries: [Event], _ deleted: Set<String>, keepsOrder: Bool) -> [Draft] {
    var causes: [String: String] = [:]
    for event in batch {
      if case .entryDeleted(let entry, _) = event.payload { causes[entry] = event.id }
    }
    var drafts: [Draft] = []
    for entry in entries where deletions[entry.id] == nil {
      let isOriginal = deleted.contains(entry.id)
      guard isOriginal || keepsOrder else { continue }
      if !isOriginal {
        let reason = "logged again in its order"
        drafts.append(Draft(.entryDeleted(entry: entry.id, reason: reason), command: "undo"))
      }
      var draft = Draft(entry.payload, command: "undo")
      (draft.at, draft.day, draft.zone) = (entry.at, entry.day, entry.zone)
      draft.event.cause = causes[entry.id]
      drafts.append(draft)
    }
    return drafts
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

extension JokerLine {
  /// The line without the entries that it comes from.
  fileprivate var withoutCause: [String] {
    ["\(day)", action.rawValue, lot.map { "\($0)" } ?? "", "\(held)"]
  }
}

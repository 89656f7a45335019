import EventLog
import Inspection
import StreakDomain

/// The events that changed closed days for people: what each did, before → after, and a table of their kinds at the
/// end.
struct InterventionText {
  private let invocation: Invocation
  private let phrases: Phrases
  private var group: Group?
  private var sums = InterventionSums()
  /// Who wrote the batch that the last event left open, and in which segment.
  private var open: (by: Text, segment: Int)?

  init(_ invocation: Invocation) {
    self.invocation = invocation
    phrases = Phrases(invocation.style)
  }

  /// Interventions that are shown as one: a batch that one program wrote.
  private struct Group {
    let by: Text?
    let says: String
    let first: Int
    let today: Day
    var last: Int
    var count = 0
    var days: ClosedRange<Day>
    /// 0 where no event but a correction of the day is in it, which comes late for nothing.
    var lateDays = 0
    /// Whether a day was not over yet in the segment that the event is in.
    var isOwnOpen = false
    var effects = Effects()

    mutating func add(_ found: Intervention, of type: EventType, at position: Int, isOwnOpen: Bool) {
      last = position
      count += 1
      days = days.joined(found.days)
      if type != .dayCorrected { lateDays = max(lateDays, found.lateDays) }
      self.isOwnOpen = self.isOwnOpen || isOwnOpen
      effects.add(found.difference)
    }
  }

  /// Takes an event and what it did, if it changed a closed day.
  mutating func pass(
    _ item: StreamItem, _ found: Intervention?, ownToday: Day?, _ fold: inout LedgerFold
  ) {
    let by = item.by
    let goesOn = open.map { $0.by == by && $0.segment == item.segment } ?? false
    open = by.flatMap { !item.isContinued ? nil : ($0, item.segment) }
    if !goesOn, group != nil { flush(fold.settled) }
    guard let found else { return }
    sums.add(found.difference, of: item)
    if group == nil {
      let id = invocation.style.paint(Event.shortID(item.id.text(fold.names)), .grey)
      group = Group(
        by: by, says: Escaping.visible(EventText(ledger: fold.settled).text(of: item)) + "  " + id,
        first: fold.position, today: found.today, last: fold.position, days: found.days)
    }
    let isOwnOpen = ownToday.map { found.days.lowerBound >= $0 } ?? true
    group?.add(found, of: item.type, at: fold.position, isOwnOpen: isOwnOpen)
  }

  /// Prints what is left, and the table of kinds.
  mutating func finish(_ ledger: Ledger) {
    flush(ledger)
    guard !sums.isEmpty else { return invocation.print("no event changed a day that was over") }
    for line in sums.lines { invocation.print(line) }
  }

  private mutating func flush(_ ledger: Ledger) {
    guard let group else { return }
    self.group = nil
    let isOne = group.count == 1
    let place = isOne ? "\(group.first)" : "\(group.first)–\(group.last)"
    let says =
      isOne
      ? group.says : "\(group.count) events by \(Escaping.visible(group.by ?? "")), the first: \(group.says)"
    let lead = "\(Style.padded(place, 6)) \(group.today)  "
    invocation.print(lead + says)
    let indent = String(repeating: " ", count: 4)
    let often = (isOne ? "" : "up to ") + counted(group.lateDays, "day") + " late, "
    let late = group.lateDays > 0 ? often : ""
    let own = group.isOwnOpen ? "; in its own segment not over yet" : ""
    invocation.print("\(indent)\(late)changes \(DayText.span(group.days))\(own)")
    for line in group.effects.lines(phrases, ledger) { invocation.print(indent + line) }
    invocation.print("")
  }
}

/// What interventions did together: of each field the first value and the last.
private struct Effects {
  private var fields: [StateField] = []
  private var changes: [StateField: FieldChange] = [:]
  private var habits: [String] = []
  private var verdicts: [String: [VerdictChange]] = [:]
  private var days: [String: Int] = [:]
  /// By key: whether it came in the end, or went.
  private var achievements: [String: Bool] = [:]

  /// How many spans of a habit are listed before the rest is only counted.
  private static let shown = 4

  mutating func add(_ difference: Difference) {
    for change in difference.changes {
      if let known = changes[change.field] {
        changes[change.field] = known.followed(by: change)
      } else {
        fields.append(change.field)
        changes[change.field] = change
        note(change.field.habit)
      }
    }
    for change in difference.verdicts {
      note(change.habit)
      let key = change.habit
      days[key, default: 0] += change.days.count
      if verdicts[key, default: []].count < Effects.shown { verdicts[key, default: []].append(change) }
    }
    for key in difference.unlocked { note(key, came: true) }
    for key in difference.revoked { note(key, came: false) }
  }

  /// What came and went again is as it was.
  private mutating func note(_ key: String, came: Bool) {
    if let known = achievements[key], known != came {
      achievements[key] = nil
    } else {
      achievements[key] = came
    }
  }

  private mutating func note(_ habit: String?) {
    if let habit, !habits.contains(habit) { habits.append(habit) }
  }

  /// A line a habit, and one for XP and achievements.
  func lines(_ phrases: Phrases, _ ledger: Ledger) -> [String] {
    var lines: [String] = []
    for habit in habits {
      var own = Difference()
      own.changes = fields.filter { $0.habit == habit }.compactMap { changes[$0] }
      own.verdicts = verdicts[habit] ?? []
      let told = own.verdicts.reduce(0) { $0 + $1.days.count }
      let more = days[habit, default: 0] - told
      guard let line = line(own, phrases, ledger) else { continue }
      lines.append(line + (more > 0 ? ", and \(counted(more, "day")) more" : ""))
    }
    var own = Difference()
    own.changes = fields.filter { $0 == .ledger(.xp) }.compactMap { changes[$0] }
    let standing = achievements.sorted { $0.key < $1.key }
    own.unlocked = standing.filter(\.value).map(\.key)
    own.revoked = standing.filter { !$0.value }.map(\.key)
    if let line = line(own, phrases, ledger) { lines.append(line) }
    return lines.isEmpty ? ["no verdict, run or joker changes, only sums or causes"] : lines
  }

  private func line(_ difference: Difference, _ phrases: Phrases, _ ledger: Ledger) -> String? {
    var text: [UInt8] = []
    phrases.write(difference, ledger, into: &text)
    return text.isEmpty ? nil : String(decoding: text.drop { $0 == 0x20 }, as: UTF8.self)
  }
}

import EventLog
import Inspection
import StreakDomain
import TimeZones

/// An event that changed a day which was already over when the event was recorded.
private struct Intervention {
  let row: TimelineRow
  let today: Day
  let days: ClosedRange<Day>
  let difference: Difference

  init?(_ row: TimelineRow, foundOn today: Day, _ difference: Difference, in ledger: Ledger) {
    guard today > Day.first else { return nil }
    let closed = Day.first...today.previous
    var days = difference.verdicts.map(\.days)
    for book in difference.books { days += (book.removed + book.added).map { $0.day...$0.day } }
    // If an entry or a definition changed only sums, its own day is the changed day.
    if difference.changes.contains(where: { ($0.increase ?? .zero) != .zero }) {
      switch row.item.event?.payload {
      case nil, .entryLogged, .habitDefined, .habitRetired: days.append(row.item.day...row.item.day)
      case .entryDeleted(let entry, _): if let day = ledger.entry(of: entry)?.day { days.append(day...day) }
      // An automatic excuse of a date that a change of time zone skipped isn't an intervention.
      case .daysExcused(let from, let to, _, "zone") where from == to && today - to <= 2: return nil
      default: break
      }
    }
    days = days.filter { $0.overlaps(closed) }.map { $0.clamped(to: closed) }
    guard let first = days.first else { return nil }
    self.days = days.reduce(first) { $0.joined($1) }
    (self.row, self.today, self.difference) = (row, today, difference)
  }

  var lateDays: Int { today - days.lowerBound }

  func json(_ names: SymbolTable) -> JSON {
    var members = row.members(difference, names)
    members["days"] = .list([.day(days.lowerBound), .day(days.upperBound)])
    members["lateDays"] = .whole(lateDays)
    return .object(members)
  }

  func lines(_ ledger: Ledger, _ style: Style) -> [String] {
    // A correction of today isn't late.
    let late = row.item.type == .dayCorrected ? "" : counted(lateDays, "day") + " late, "
    let writer = row.writer.map { "by \(Escaping.visible($0)), " } ?? ""
    let effect = ChangePhrases(style).text(of: difference, ledger)
    let sums = difference.changes.prefix(3).map { "\($0.path) \($0.before) → \($0.after)" }
    return [
      row.text(ledger, showsWriter: false),
      "    \(late)\(writer)changes \(DayText.span(days))",
      "    " + (effect.isEmpty ? "only sums changed: \(sums.joined(separator: ", "))" : effect), "",
    ]
  }
}

extension Invocation {
  func listInterventions() throws(Failure) {
    let habits = try timelineHabits()
    var timeline = Timeline()
    var list: [JSON] = []
    var isEmpty = true
    var (walk, point) = try reader.walkToPoint(wanting: isJSON ? [] : .texts)
    while try walk.readNext() {
      let today = walk.ledger.today
      guard try walk.foldCurrent(), case var difference = timeline.note(&walk.ledger), !difference.isEmpty
      else { continue }
      if !habits.isEmpty { difference.keepOnly(habits) }
      let row = TimelineRow(walk.item, at: walk.ledger.position, of: walk.stream)
      guard let today, let found = Intervention(row, foundOn: today, difference, in: walk.ledger)
      else { continue }
      isEmpty = false
      if isJSON {
        list.append(found.json(walk.ledger.names))
      } else {
        for line in found.lines(walk.ledger, style) { print(line) }
      }
    }
    try reader.check(point, reached: try walk.end())
    if isJSON { return printJSON(["interventions": .list(list)]) }
    if isEmpty { print("no event changed a day that was over") }
  }
}

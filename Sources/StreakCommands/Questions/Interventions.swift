import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Invocation {
  /// Lists the events that changed days which were already over when the event was recorded.
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
      guard let today, let days = difference.days(before: today, changedBy: walk.item, in: walk.ledger) else {
        continue
      }
      isEmpty = false
      let row = TimelineRow(walk.item, at: walk.ledger.position, of: walk.stream)
      if isJSON {
        var members = row.members(difference, walk.ledger.names)
        members["days"] = .list([.day(days.lowerBound), .day(days.upperBound)])
        members["lateDays"] = .whole(today - days.lowerBound)
        list.append(.object(members))
      } else {
        // A correction of today isn't late.
        let isLate = walk.item.type != .dayCorrected
        let late = isLate ? counted(today - days.lowerBound, "day") + " late, " : ""
        let writer = row.writer.map { "by \(Escaping.visible($0)), " } ?? ""
        let effect = DifferenceText.line(difference, walk.ledger, style)
        print(String(decoding: row.text(walk.ledger, showsWriter: false), as: UTF8.self))
        print("    \(late)\(writer)changes \(DayText.span(days))")
        print("    " + (effect.isEmpty ? "only sums or the joker book changed; --json has them" : effect))
        print("")
      }
    }
    try reader.check(point, reached: try walk.end())
    if isJSON { return printJSON(["interventions": .list(list)]) }
    if isEmpty { print("no event changed a day that was over") }
  }
}

extension Difference {
  /// Returns the range from the first to the last day before `today` that `item` changed, or `nil` if it changed none.
  fileprivate func days(
    before today: Day, changedBy item: StreamItem, in ledger: Ledger
  ) -> ClosedRange<Day>? {
    guard today > Day.first else { return nil }
    var days = verdicts.map(\.days)
    for book in books { days += (book.removed + book.added).map { $0.day...$0.day } }
    // If an entry or a definition changed only sums, its own day is the changed day.
    if changes.contains(where: { if case .number = $0.after { true } else { false } }) {
      switch item.event?.payload {
      case nil, .entryLogged, .habitDefined, .habitRetired: days.append(item.day...item.day)
      case .entryDeleted(let entry, _): if let day = ledger.entry(of: entry)?.day { days.append(day...day) }
      // An automatic excuse of a date that a change of time zone skipped isn't an intervention.
      case .daysExcused(let from, let to, _, "zone") where from == to && today - to <= 2: return nil
      default: break
      }
    }
    let closed = Day.first...today.previous
    days = days.filter { $0.overlaps(closed) }.map { $0.clamped(to: closed) }
    return days.first.map { first in days.reduce(first) { $0.joined($1) } }
  }
}

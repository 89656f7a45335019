import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Invocation {
  /// Lists the events that changed days which were already over when the event was recorded.
  func listInterventions() throws(Failure) {
    let habits = try timelineHabits()
    var timeline = Timeline()
    var list: [Intervention] = []
    var (walk, point) = try reader.walkToPoint(wanting: isJSON ? [] : .texts)
    while try walk.readNext() {
      let today = walk.ledger.today
      guard try walk.foldCurrent(), case var difference = timeline.note(&walk.ledger),
        !difference.isEmpty
      else { continue }
      if !habits.isEmpty { difference.keepOnly(habits) }
      guard let today,
        let days = difference.days(before: today, changedBy: walk.item, in: walk.ledger)
      else {
        continue
      }
      let change = StreakChange(
        walk.item, at: walk.ledger.position, of: walk.stream, walk.ledger, difference)
      list.append(Intervention(change: change, days: days, lateDays: today - days.lowerBound))
      if isJSON { continue }
      // A correction of today isn't late.
      let isLate = walk.item.type != .dayCorrected
      let delay = isLate ? counted(today - days.lowerBound, "day") + " late, " : ""
      let writer = change.writer.map { "by \(Escaping.visible($0)), " } ?? ""
      let effect = DifferenceText.line(difference, walk.ledger, style)
      print(String(decoding: change.text(walk.item, walk.ledger), as: UTF8.self))
      print("    \(delay)\(writer)changes \(DayText.span(days))")
      let lines = difference.books.reduce(0) { $0 + $1.removed.count + $1.added.count }
      if !effect.isEmpty || lines == 0 {
        print("    " + (effect.isEmpty ? "only sums changed" : effect))
      }
      if lines > 0 {
        print("    \(counted(lines, "line")) of the joker book, in `why @\(change.position)`")
      }
      print("")
    }
    let loaded = try walk.end()
    try reader.reportAhead([loaded.recorded])
    try reader.reportLate(0...loaded.ledger.position, of: habits.count == 1 ? habits.first : nil)
    try reader.check(point, reached: loaded)
    if isJSON { return printJSON(["interventions": JSON(of: list)]) }
    if list.isEmpty { print("no event changed a day that was over") }
  }
}

/// An event that changed days which were over when it was recorded.
private struct Intervention: Encodable {
  let change: StreakChange
  let days: ClosedRange<Day>
  let lateDays: Int

  private enum CodingKeys: CodingKey { case days, lateDays }

  func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode([days.lowerBound, days.upperBound], forKey: .days)
    try members.encode(lateDays, forKey: .lateDays)
  }
}

extension Difference {
  /// Returns the range from the first to the last day before `today` that `item` changed, or `nil`
  /// if it changed none.
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
      case .entryDeleted(let entry, _):
        if let day = ledger.facts.entry(of: entry)?.day { days.append(day...day) }
      default: break
      }
    }
    let closed = Day.first...today.previous
    days = days.filter { $0.overlaps(closed) }.map { $0.clamped(to: closed) }
    return days.first.map { first in days.reduce(first) { $0.joined($1) } }
  }
}

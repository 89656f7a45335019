import StreakDomain

/// A line of the joker book as the page has it: its day, action and lot tell it from all others and order them.
struct PageLine: Hashable {
  private let day: Day
  private let action: JokerLine.Action
  private let lot: Int?
  private let held: Int

  init(_ line: JokerLine) {
    (day, action, lot, held) = (line.day, line.action, line.lot, line.held)
  }

  var json: JSON {
    .list([
      .whole(Int(day.number)), .whole(JokerLine.Action.allCases.firstIndex(of: action) ?? 0),
      lot.map { .whole($0) } ?? .null, .whole(held),
    ])
  }
}

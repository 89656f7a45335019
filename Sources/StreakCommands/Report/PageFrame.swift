import Replay
import StreakDomain

/// What of a definition the page shows beside a state: how many jokers can be held, and of what a quota is.
struct PageFrame {
  var cap: Int?
  var per: Schedule.Period?

  init(_ definition: Definition? = nil) {
    cap = definition?.forgiveness?.cap
    if case .times(_, let per)? = definition?.schedule { self.per = per }
  }

  /// What is another than before, each under its number, which are those after all fields of a state.
  func changes(from old: PageFrame) -> [JSON] {
    let field = HabitField.allCases.count
    var changes: [JSON] = []
    if cap != old.cap { changes += [.whole(field), cap.map { .whole($0) } ?? .null] }
    if per != old.per { changes += [.whole(field + 1), .text(per?.rawValue)] }
    return changes
  }
}

import StreakDomain

/// What makes one list of another: which items go, and which come in their place.
struct Splice {
  let removed: Range<Int>
  let inserted: Range<Int>

  /// Nil where the lists are equal.
  init?<Item: Equatable>(from old: [Item], to new: [Item]) {
    guard old != new else { return nil }
    let shorter = min(old.count, new.count)
    let head = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
    let most = shorter - head
    let tail = (0..<most).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? most
    removed = head..<(old.count - tail)
    inserted = head..<(new.count - tail)
  }

  /// Where it begins and how many items go.
  var place: [JSON] { [.whole(removed.lowerBound), .whole(removed.count)] }
}

/// What makes one list of achievements of another; what only grew is not said again.
///
/// An item is the number of one that goes and is to stay, or `[number, id…]` for one that stays with more entries
/// behind it, or an achievement in full. On the day of a tier every entry joins its grounds, and in full the page
/// would grow with the square of a day's entries.
struct AchievementSplice {
  let json: JSON

  /// Nil where the lists are equal.
  init?(from old: [Achievement], to new: [Achievement]) {
    guard let splice = Splice(from: old, to: new) else { return nil }
    let gone = old[splice.removed]
    let items = new[splice.inserted].map { item -> JSON in
      guard
        let place = gone.firstIndex(where: { $0.key == item.key && $0.on == item.on && $0.xp == item.xp }),
        item.because.starts(with: gone[place].because)
      else { return item.json }
      let number = JSON.whole(place - gone.startIndex)
      let more = item.because.dropFirst(gone[place].because.count)
      return more.isEmpty ? number : .list([number] + more.map { .text($0) })
    }
    json = .list(splice.place + items)
  }
}

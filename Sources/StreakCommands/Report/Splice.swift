import StreakDomain

/// The difference between two lists: a range of the old list, and the range of the new list that replaces it.
struct Splice {
  let removed: Range<Int>
  let inserted: Range<Int>

  init?<Item: Equatable>(from old: [Item], to new: [Item]) {
    guard old != new else { return nil }
    let shorter = min(old.count, new.count)
    let head = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
    let most = shorter - head
    let tail = (0..<most).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? most
    removed = head..<(old.count - tail)
    inserted = head..<(new.count - tail)
  }

  var place: [JSON] { [.whole(removed.lowerBound), .whole(removed.count)] }
}

/// A change of the achievements as JSON; a known one is its old index, or `[index, id…]` with added causes.
///
/// If all causes were repeated, the page would grow with the square of a day's entries.
struct AchievementSplice {
  let json: JSON

  init?(from old: [Achievement], to new: [Achievement]) {
    guard let splice = Splice(from: old, to: new) else { return nil }
    let gone = old[splice.removed]
    let items = new[splice.inserted].map { item -> JSON in
      guard
        let place = gone.firstIndex(where: { $0.key == item.key && $0.on == item.on && $0.xp == item.xp }),
        item.because.starts(with: gone[place].because)
      else { return JSON(of: item) }
      let number = JSON.whole(place - gone.startIndex)
      let more = item.because.dropFirst(gone[place].because.count)
      return more.isEmpty ? number : .list([number] + more.map { .text($0) })
    }
    json = .list(splice.place + items)
  }
}

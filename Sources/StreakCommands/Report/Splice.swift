import StreakDomain

/// A change of the list of achievements, as JSON: the start and the length of the replaced range, then its new
/// contents.
///
/// An achievement of the old range is written as its index in the range, or as `[index, id…]` if it has more causes
/// now. If all causes were repeated, the page would grow with the square of the number of a day's entries.
struct AchievementSplice {
  let json: JSON

  init?(from old: [Achievement], to new: [Achievement]) {
    guard old != new else { return nil }
    let shorter = min(old.count, new.count)
    let head = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
    let most = shorter - head
    let tail = (0..<most).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? most
    let gone = old[head..<(old.count - tail)]
    let items = new[head..<(new.count - tail)].map { item -> JSON in
      guard
        let place = gone.firstIndex(where: { $0.key == item.key && $0.on == item.on && $0.xp == item.xp }),
        item.because.starts(with: gone[place].because)
      else { return JSON(of: item) }
      let number = JSON.whole(place - gone.startIndex)
      let more = item.because.dropFirst(gone[place].because.count)
      return more.isEmpty ? number : .list([number] + more.map { .text($0) })
    }
    json = .list([.whole(head), .whole(gone.count)] + items)
  }
}

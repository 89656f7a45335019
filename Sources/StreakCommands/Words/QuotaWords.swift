import StreakDomain

extension Quota {
  /// `2 of 3 this week`, `2 rest days left`: how many of the days asked for are done, and how many rest days are left.
  ///
  /// Those that the days from one on, or behind it where it is done, have no room for are not said.
  func clauses(on day: Day, isDone: Bool, asked: Int) -> [String] {
    let left = min(rests, through - day + (isDone ? 0 : 1))
    let isEnough = asked < times && good >= asked
    let span = "this \(period.rawValue)"
    if isEnough { return [good == 0 ? "none needed \(span)" : "\(good) \(span), no more needed"] }
    return ["\(good) of \(asked) \(span)"]
      + (good < times && !(isDone && day == through) ? ["\(counted(left, "rest day")) left"] : [])
  }
}

package import StreakDomain

extension LedgerFold {
  /// Folds the next event in, and returns the position of the one that has its id already.
  @inline(__always)
  package mutating func apply(_ item: StreamItem) -> Int? {
    item.isFact ? apply(item.fact, id: item.id, second: item.second) : applyEvent(of: item)
  }

  /// Apart, so that the many entries without an event have none to make room for.
  @inline(never)
  private mutating func applyEvent(of item: StreamItem) -> Int? {
    item.event.flatMap { apply($0) }
  }
}

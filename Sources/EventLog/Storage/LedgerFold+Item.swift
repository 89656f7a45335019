package import StreakDomain

extension LedgerFold {
  /// Folds the next event; returns the position of an earlier event with the same id, if any.
  @inline(__always)
  package mutating func apply(_ item: StreamItem) -> Int? {
    item.isFact ? apply(item.fact, id: item.id, second: item.second) : applyEvent(of: item)
  }

  /// A separate function, so that the common case needs no stack space for an `Event`.
  @inline(never)
  private mutating func applyEvent(of item: StreamItem) -> Int? {
    item.event.flatMap { apply($0) }
  }
}

/// Where an entry is among those of a ledger, in the order of the stream.
struct EntryPlace: Hashable, Sendable {
  /// 1 + the index, so that the end of a chain is 0.
  private let number: UInt32

  /// No entry: the end of a day's chain.
  static let none = EntryPlace(index: -1)

  init(index: Int) { number = UInt32(index + 1) }

  fileprivate var index: Int { Int(number) - 1 }
}

extension [EntryFact] {
  subscript(place: EntryPlace) -> EntryFact {
    @inline(__always) get { self[place.index] }
    @inline(__always) _modify { yield &self[place.index] }
  }

  /// The place of the entry that is appended next.
  var endPlace: EntryPlace { EntryPlace(index: count) }

  /// The entries of a day's chain with their places, the one that arrived last first; deleted ones too.
  func chain(from head: EntryPlace) -> some Sequence<(place: EntryPlace, entry: EntryFact)> {
    sequence(state: head) { place in
      guard place != .none else { return nil }
      let found = (place: place, entry: self[place])
      place = found.entry.next
      return found
    }
  }
}

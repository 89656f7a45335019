/// A claim of an entry to its key: of all entries with the key, the one with the latest claim
/// counts.
package struct KeyClaim: BitwiseCopyable, Sendable {
  package let key: EventKey
  /// The field `asOf`, or `recorded` if the entry has no such field.
  package let asOf: Instant

  package init(key: EventKey, asOf: Instant) {
    self.key = key
    self.asOf = asOf
  }
}

/// The keys of one habit's entries, each with the entry that holds it (domain.md, "Keys").
///
///     position  entry                      holder of "k"
///     4         id "k", without a key      none; the entry counts
///     7         key "k", as of 20:00       7, and 4 is replaced
///     9         key "k", as of 12:00       7, and 9 is replaced, because it is older
struct KeyHolders: Sendable {
  /// The entry that holds a key.
  struct Holder: BitwiseCopyable, Sendable {
    fileprivate(set) var asOf: Instant
    fileprivate(set) var position: UInt32
    /// The position of the first entry that belongs to the key.
    ///
    /// This is the first entry that has the key, or an earlier entry whose id is the key.
    let first: UInt32
    /// The position of the first entry that has the key.
    fileprivate let firstKeyed: UInt32
  }

  /// The keys in the same order as `holders`, but numbered from 1.
  private var keys = EventIndex()
  /// The holder of each key, in the order of the first entries that have the keys.
  private var holders: [Holder] = []

  var isEmpty: Bool { holders.isEmpty }

  subscript(key: EventKey) -> Holder? { keys.position(of: key).map { holders[$0 - 1] } }

  /// Returns the holder of a key, or `nil` if no entry has the key.
  ///
  /// The key is given by the first entry that belongs to it: `first` is the position of that entry,
  /// and `firstID` its id.
  func holder(ofKeyFrom first: UInt32, firstID: EventKey) -> Holder? {
    number(ofKeyFrom: first, firstID: firstID).map { holders[$0 - 1] }
  }

  /// Returns a key, or `nil` if no entry has it.
  ///
  /// The key is given by the first entry that belongs to it: `first` is the position of that entry,
  /// and `firstID` its id.
  func key(from first: UInt32, firstID: EventKey) -> EventKey? {
    number(ofKeyFrom: first, firstID: firstID).map { keys.key(at: $0) }
  }

  private func number(ofKeyFrom first: UInt32, firstID: EventKey) -> Int? {
    if let number = keys.position(of: firstID), holders[number - 1].first == first { return number }
    let index = holders.partitioningIndex { $0.firstKeyed >= first }
    return index < holders.count && holders[index].first == first ? index + 1 : nil
  }

  /// Adds the key of `claim`.
  ///
  /// The entry at `position` is the first one that has the key, and becomes its holder. `original`
  /// is the position of an earlier entry whose id is the key and that has no key, or `nil` if there
  /// is none.
  mutating func add(_ claim: KeyClaim, by position: Int, original: Int?) {
    _ = keys.insert(claim.key)
    holders.append(
      Holder(
        asOf: claim.asOf, position: UInt32(position), first: UInt32(original ?? position),
        firstKeyed: UInt32(position)))
  }

  /// Gives the key of `claim` to the entry at `position`.
  ///
  /// The present holder keeps the key if it is as of a later instant.
  ///
  /// - Returns: The position of the holder that is replaced, or `nil` if it keeps the key.
  mutating func give(_ claim: KeyClaim, to position: Int) -> Int? {
    guard let number = keys.position(of: claim.key) else { return nil }
    let former = holders[number - 1]
    guard claim.asOf >= former.asOf else { return nil }

    holders[number - 1].asOf = claim.asOf
    holders[number - 1].position = UInt32(position)
    return Int(former.position)
  }
}

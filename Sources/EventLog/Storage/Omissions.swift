import StreakDomain

/// Events to be left out of a stream, by id.
struct Omissions {
  private let keys: [EventKey: String]
  private let names: Set<String>
  private var met: Set<String> = []

  init(_ ids: Set<String>) {
    var keys: [EventKey: String] = [:]
    var names: Set<String> = []
    for id in ids {
      // Without any names only an id that is its own key is found.
      if let key = EventKey.find(id, names: Names()) { keys[key] = id } else { names.insert(id) }
    }
    self.keys = keys
    self.names = names
  }

  var isEmpty: Bool { keys.isEmpty && names.isEmpty }

  /// The ids that no event had, ascending.
  var unmet: [String] { (Set(keys.values).union(names)).subtracting(met).sorted() }

  /// Whether the event is left out; remembers that it was there.
  mutating func leavesOut(_ key: EventKey, _ known: Names) -> Bool {
    if let id = keys[key] {
      met.insert(id)
      return true
    }
    guard !names.isEmpty, key.isName else { return false }
    let id = key.text(known)
    guard names.contains(id) else { return false }
    met.insert(id)
    return true
  }
}

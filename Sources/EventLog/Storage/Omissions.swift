import StreakDomain

/// Events to be left out of a stream, by id.
struct Omissions {
  private var keys: Set<EventKey> = []
  private var names: Set<Spelling> = []

  init(_ ids: Set<String>) {
    for id in ids {
      // Without any names only an id that is its own key is found.
      if let key = EventKey.find(id, names: Names()) { keys.insert(key) } else { names.insert(id.spelling) }
    }
  }

  var isEmpty: Bool { keys.isEmpty && names.isEmpty }

  func leavesOut(_ key: EventKey, _ known: Names) -> Bool {
    keys.contains(key) || !names.isEmpty && key.isName && names.contains(key.text(known).spelling)
  }
}

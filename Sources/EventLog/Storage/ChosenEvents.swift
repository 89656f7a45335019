import StreakDomain

/// Events of a stream that are meant, by id: those to be left out, or those that lost texts.
struct ChosenEvents {
  private var keys: Set<EventKey> = []
  private var names: Set<Spelling> = []

  init(_ ids: Set<String>) {
    for id in ids { add(id) }
  }

  mutating func add(_ id: String) {
    // Without any names only an id that is its own key is found.
    if let key = EventKey.find(id, names: Names()) { keys.insert(key) } else { names.insert(id.spelling) }
  }

  var isEmpty: Bool { keys.isEmpty && names.isEmpty }

  func has(_ key: EventKey, _ known: Names) -> Bool {
    keys.contains(key) || !names.isEmpty && key.isName && names.contains(key.text(known).spelling)
  }
}

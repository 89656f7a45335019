/// The codes of a habit's days, and a cache of transitions per kind of record; the leaves are eight weeks.
struct DayTree: Sendable {
  static let leafDays = 56
  private static let height = 11
  private static let mostKinds = 64

  private var nodes = [Node()]
  private var codes: [DayCode] = []
  private var newest: (leaf: Int, node: Int32, base: Int) = (-1, -1, -1)
  /// Whether the tree is a read-only copy, which doesn't cache.
  var isFrozen = false

  fileprivate struct Node: Sendable {
    var parent: Int32 = -1
    /// The children; for a leaf, `low` is the index of its first code.
    var low: Int32 = -1
    var high: Int32 = -1
    var isKnown = false
    var known: [Known] = []

    mutating func forget() {
      isKnown = false
      known.removeAll(keepingCapacity: true)
    }
  }

  fileprivate struct Known: BitwiseCopyable {
    let kind: RecordKind
    let transition: Transition
  }

  struct Branch {
    let node: Int32
    let level: Int
    let days: ClosedRange<Day>

    var isLeaf: Bool { level == 0 }
    var exists: Bool { node >= 0 }

    fileprivate init(node: Int32, level: Int, from day: Day) {
      self.node = node
      self.level = level
      days = day...(day + ((DayTree.leafDays << level) - 1))
    }
  }

  var root: Branch { Branch(node: 0, level: DayTree.height, from: Day.first) }

  func halves(of branch: Branch) -> (low: Branch, high: Branch) {
    let (low, high) = branch.exists ? (nodes[Int(branch.node)].low, nodes[Int(branch.node)].high) : (-1, -1)
    let (level, start) = (branch.level - 1, branch.days.lowerBound)
    return (
      Branch(node: low, level: level, from: start),
      Branch(node: high, level: level, from: start + DayTree.leafDays << level)
    )
  }

  static func leaf(of day: Day) -> ClosedRange<Day> {
    let start = Day.first + (day - Day.first) / leafDays * leafDays
    return start...(start + (leafDays - 1))
  }

  @inline(__always)
  func codes(around day: Day) -> Int? {
    let leaf = (day - Day.first) / DayTree.leafDays
    return leaf == newest.leaf ? newest.base : codes(ofLeaf: leaf)
  }

  private func codes(ofLeaf leaf: Int) -> Int? {
    let node = node(ofLeaf: leaf)
    return node < 0 ? nil : Int(nodes[Int(node)].low)
  }

  private func node(ofLeaf leaf: Int) -> Int32 {
    var node: Int32 = 0
    for level in stride(from: DayTree.height - 1, through: 0, by: -1) {
      node = leaf >> level & 1 == 0 ? nodes[Int(node)].low : nodes[Int(node)].high
      if node < 0 { return node }
    }
    return node
  }

  func leafBranch(of day: Day) -> Branch {
    let leaf = (day - Day.first) / DayTree.leafDays
    let node = leaf == newest.leaf ? newest.node : node(ofLeaf: leaf)
    return Branch(node: node, level: 0, from: Day.first + leaf * DayTree.leafDays)
  }

  func codes(of branch: Branch) -> Int? { branch.exists ? Int(nodes[Int(branch.node)].low) : nil }

  @inline(__always)
  func code(at place: Int) -> DayCode { codes[place] }

  subscript(day: Day) -> DayCode {
    @inline(__always) get {
      codes(around: day).map { codes[$0 + (day - Day.first) % DayTree.leafDays] } ?? .none
    }
    set {
      if newValue == .none, codes(around: day) == nil { return }
      let leaf = (day - Day.first) / DayTree.leafDays
      if leaf != newest.leaf { findLeaf(leaf) }
      let place = newest.base + (day - Day.first) % DayTree.leafDays
      guard codes[place] != newValue else { return }
      codes[place] = newValue
      var node = newest.node
      while node >= 0, nodes[Int(node)].isKnown {
        nodes[Int(node)].forget()
        node = nodes[Int(node)].parent
      }
    }
  }

  private mutating func findLeaf(_ leaf: Int) {
    var node: Int32 = 0
    var isNew = false
    for level in stride(from: DayTree.height - 1, through: 0, by: -1) {
      let isHigh = leaf >> level & 1 == 1
      var next = isHigh ? nodes[Int(node)].high : nodes[Int(node)].low
      if next < 0 {
        next = Int32(nodes.count)
        nodes.append(Node(parent: node))
        if isHigh { nodes[Int(node)].high = next } else { nodes[Int(node)].low = next }
        isNew = true
      }
      node = next
    }
    if isNew {
      nodes[Int(node)].low = Int32(codes.count)
      codes.append(contentsOf: repeatElement(.none, count: DayTree.leafDays))
      var above = nodes[Int(node)].parent
      while above >= 0 {
        nodes[Int(above)].forget()
        above = nodes[Int(above)].parent
      }
    }
    newest = (leaf, node, Int(nodes[Int(node)].low))
  }

  func leaves(in days: ClosedRange<Day>) -> [ClosedRange<Day>] {
    var found: [ClosedRange<Day>] = []
    func visit(_ branch: Branch) {
      guard branch.exists, branch.days.overlaps(days) else { return }
      if branch.isLeaf { return found.append(branch.days.clamped(to: days)) }
      let (low, high) = halves(of: branch)
      visit(low)
      visit(high)
    }
    visit(root)
    return found
  }

  func known(_ branch: Branch, _ kind: RecordKind) -> Transition? {
    nodes[Int(branch.node)].known.first { $0.kind == kind }?.transition
  }

  mutating func remember(_ transition: Transition, _ branch: Branch, _ kind: RecordKind) {
    guard !isFrozen else { return }
    let node = Int(branch.node)
    nodes[node].isKnown = true
    if nodes[node].known.count < DayTree.mostKinds {
      nodes[node].known.append(Known(kind: kind, transition: transition))
    } else {
      nodes[node].known[kind.room(among: DayTree.mostKinds)] = Known(kind: kind, transition: transition)
    }
  }

  mutating func forget(_ days: ClosedRange<Day>) { forget(days, root) }

  private mutating func forget(_ days: ClosedRange<Day>, _ branch: Branch) {
    guard branch.exists, branch.days.overlaps(days) else { return }
    nodes[Int(branch.node)].forget()
    guard !branch.isLeaf else { return }
    let (low, high) = halves(of: branch)
    forget(days, low)
    forget(days, high)
  }
}

/// A class of records on which some days have the same effect.
///
/// It contains what `DayRecord.next` reads, with the run length reduced to what jokers depend on.
struct RecordKind: Hashable, Sendable {
  private let phase: UInt32
  private let misses: Int32
  private let held: UInt16
  private let rested: UInt16
  private let days: UInt8

  init(_ record: DayRecord, phase: Int, first: Int) {
    self.phase = record.run > 0 ? 1 + UInt32(phase) : 0
    (misses, held, rested) = (record.misses, record.held, record.rested)
    days = UInt8(first)
  }

  func room(among count: Int) -> Int {
    let mixed = (UInt64(phase) << 32 | UInt64(held) << 16 | UInt64(rested)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 40) & (count - 1)
  }
}

/// What each day brings, and what weeks were found to do to a record: a binary tree over the calendar.
///
/// Its leaves are eight weeks. Weeks of which nothing was said have no nodes. A node remembers a transition for each
/// kind of record that came to it, until a day below it has another code.
struct DayTree: Sendable {
  /// Whole weeks, and the first Monday is the first day of the calendar.
  static let leafDays = 56
  /// 2^11 leaves are more than three centuries.
  private static let height = 11
  /// The most kinds that a node remembers; a further one replaces one of them.
  private static let mostKinds = 64

  private var nodes = [Node()]
  /// By leaf and day.
  private var codes: [DayCode] = []
  /// The leaf that was asked for last, which nearly always is the one asked for next.
  private var newest: (leaf: Int, node: Int32, base: Int) = (-1, -1, -1)
  /// Whether a reader has it, who remembers nothing.
  var isFrozen = false

  fileprivate struct Node: Sendable {
    var parent: Int32 = -1
    /// The halves; of a leaf `low` is the place of its first code.
    var low: Int32 = -1
    var high: Int32 = -1
    /// Whether it remembers something, or was stored.
    var isKnown = false
    var known: [Known] = []

    mutating func forget() {
      isKnown = false
      known.removeAll(keepingCapacity: true)
    }
  }

  /// What a node does to records of a kind.
  fileprivate struct Known: BitwiseCopyable {
    let kind: RecordKind
    let transition: Transition
  }

  /// A part of the calendar that a node is for, or would be.
  struct Branch {
    /// Below 0 where there is none.
    let node: Int32
    /// 0 for a leaf.
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

  /// The whole calendar.
  var root: Branch { Branch(node: 0, level: DayTree.height, from: Day.first) }

  func halves(of branch: Branch) -> (low: Branch, high: Branch) {
    let (low, high) = branch.exists ? (nodes[Int(branch.node)].low, nodes[Int(branch.node)].high) : (-1, -1)
    let (level, start) = (branch.level - 1, branch.days.lowerBound)
    return (
      Branch(node: low, level: level, from: start),
      Branch(node: high, level: level, from: start + DayTree.leafDays << level)
    )
  }

  // MARK: Codes

  /// The days of the leaf that a day is in.
  static func leaf(of day: Day) -> ClosedRange<Day> {
    let start = Day.first + (day - Day.first) / leafDays * leafDays
    return start...(start + (leafDays - 1))
  }

  /// Where the codes of a day's leaf begin; nil where nothing was said of its weeks.
  @inline(__always)
  func codes(around day: Day) -> Int? {
    let leaf = (day - Day.first) / DayTree.leafDays
    return leaf == newest.leaf ? newest.base : codes(ofLeaf: leaf)
  }

  private func codes(ofLeaf leaf: Int) -> Int? {
    let node = node(ofLeaf: leaf)
    return node < 0 ? nil : Int(nodes[Int(node)].low)
  }

  /// The node of a leaf; below 0 where there is none.
  private func node(ofLeaf leaf: Int) -> Int32 {
    var node: Int32 = 0
    for level in stride(from: DayTree.height - 1, through: 0, by: -1) {
      node = leaf >> level & 1 == 0 ? nodes[Int(node)].low : nodes[Int(node)].high
      if node < 0 { return node }
    }
    return node
  }

  /// The leaf that a day is in.
  func leafBranch(of day: Day) -> Branch {
    let leaf = (day - Day.first) / DayTree.leafDays
    let node = leaf == newest.leaf ? newest.node : node(ofLeaf: leaf)
    return Branch(node: node, level: 0, from: Day.first + leaf * DayTree.leafDays)
  }

  /// Where the codes of a leaf begin.
  func codes(of branch: Branch) -> Int? { branch.exists ? Int(nodes[Int(branch.node)].low) : nil }

  /// The nth code.
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
      // Above a node of which nothing is known none remembers anything.
      while node >= 0, nodes[Int(node)].isKnown {
        nodes[Int(node)].forget()
        node = nodes[Int(node)].parent
      }
    }
  }

  /// Goes to a leaf, and makes it where there is none: then all above forget, as they knew it empty.
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

  /// The leaves of some days of which something was said, ascending.
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

  // MARK: Transitions

  /// What a branch is known to do to records of a kind.
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

  /// Forgets what days do that have another definition or excuse now.
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

/// Records that some days treat alike.
///
/// It has all that `DayRecord.next` looks at, and of the length of the run what jokers depend on (`Definitions.kind`).
struct RecordKind: Hashable, Sendable {
  /// 1 + what distinguishes the lengths of runs; 0 without a run.
  private let phase: UInt32
  private let misses: Int32
  private let held: UInt16
  private let rested: UInt16
  /// Of a leaf, how many of its first days are meant; 0 for all.
  private let days: UInt8

  /// The kind of a record, where `phase` is what distinguishes the lengths of runs, and `first` how many of the first
  /// days of a leaf are meant, 0 for all.
  init(_ record: DayRecord, phase: Int, first: Int) {
    self.phase = record.run > 0 ? 1 + UInt32(phase) : 0
    (misses, held, rested) = (record.misses, record.held, record.rested)
    days = UInt8(first)
  }

  /// A place among so many, a power of two.
  func room(among count: Int) -> Int {
    let mixed = (UInt64(phase) << 32 | UInt64(held) << 16 | UInt64(rested)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 40) & (count - 1)
  }
}

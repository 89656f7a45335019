/// The nesting of composites, and the order in which habits are folded: composites after their
/// members.
///
///     a, b      habits without members              rank 0
///     c         all of a and b                      rank 1
///     d         either c or a                       rank 2; its descendants are a, b and c
struct Hierarchy: Sendable {
  /// The defined habits in the order of the fold: composites after their members.
  private(set) var membersFirst: [Int] = []
  /// The number of habits without members, which come first in `membersFirst`.
  private var leafCount = 0
  private var nodes: [Node] = []

  /// The place of one habit in the hierarchy.
  private struct Node {
    /// The composites that contain this habit at any depth, under any definition; a composite comes
    /// after its members.
    var ancestors: [Int] = []
    /// The habits that this composite contains at any depth, under any definition; a composite
    /// comes after its members.
    var descendants: [Int] = []
    /// The members that contain this composite in turn, or that are this composite.
    ///
    /// Only definitions that are in force on some day are considered.
    var circularMembers: Set<Int> = []
    /// The depth of nesting.
    ///
    /// It is 0 for a habit without members. For a composite, it is 1 more than the highest rank of
    /// its members. Circular members don't count.
    var rank = 0
  }

  @inline(__always)
  func ancestors(of habit: Int) -> [Int] { habit < nodes.count ? nodes[habit].ancestors : [] }

  func descendants(of habit: Int) -> [Int] { habit < nodes.count ? nodes[habit].descendants : [] }

  func circularMembers(of habit: Int) -> Set<Int> {
    habit < nodes.count ? nodes[habit].circularMembers : []
  }

  /// Returns `habits` without duplicates, composites after their members.
  func sorted(_ habits: some Collection<Int>) -> [Int] {
    guard habits.count > 1 else { return Array(habits) }
    return Set(habits).sorted { (rank(of: $0), $0) < (rank(of: $1), $1) }
  }

  private func rank(of habit: Int) -> Int { habit < nodes.count ? nodes[habit].rank : 0 }

  /// Adds a habit without members whose first definition was just read.
  mutating func addLeaf(_ habit: Int) {
    membersFirst.insert(habit, at: leafCount)
    leafCount += 1
  }

  /// Determines the hierarchy of all habits again.
  ///
  /// - Returns: Whether the circular members of any habit changed; if so, all days must be
  ///   refolded.
  mutating func update(_ habits: [HabitFold]) -> Bool {
    while nodes.count < habits.count { nodes.append(Node()) }
    let definitions = habits.map(\.definitions)
    let circularMembers = definitions.indices.map { habit in
      let members = definitions[habit].membersInForce
      return Set(members.filter { $0 == habit || definitions.isNested(habit, in: $0) })
    }
    let isChanged = nodes.indices.contains { circularMembers[$0] != nodes[$0].circularMembers }
    let ranks = Hierarchy.ranks(definitions, circularMembers: circularMembers)
    func isBefore(_ one: Int, _ other: Int) -> Bool { (ranks[one], one) < (ranks[other], other) }

    var ancestors = [[Int]](repeating: [], count: habits.count)
    for habit in nodes.indices {
      let descendants = definitions.descendants(of: habit).sorted(by: isBefore)
      for descendant in descendants where descendant != habit {
        ancestors[descendant].append(habit)
      }
      nodes[habit].descendants = descendants
    }
    for habit in nodes.indices {
      nodes[habit].ancestors = ancestors[habit].sorted(by: isBefore)
      nodes[habit].circularMembers = circularMembers[habit]
      nodes[habit].rank = ranks[habit]
    }

    membersFirst.sort(by: isBefore)
    leafCount = membersFirst.partitioningIndex { ranks[$0] > 0 }
    return isChanged
  }

  private static func ranks(_ definitions: [Definitions], circularMembers: [Set<Int>]) -> [Int] {
    var ranks = [Int?](repeating: nil, count: definitions.count)

    func rank(_ habit: Int) -> Int {
      if let result = ranks[habit] { return result }
      let members = definitions[habit].membersInForce.filter {
        !circularMembers[habit].contains($0)
      }
      let result = definitions[habit].isEverComposite ? 1 + (members.map(rank).max() ?? 0) : 0
      ranks[habit] = result
      return result
    }
    return definitions.indices.map(rank)
  }
}

extension [Definitions] {
  /// Whether `habit` is `composite`, or is a member of `composite` at any depth, according to
  /// `membersInForce`.
  func isNested(_ habit: Int, in composite: Int) -> Bool {
    habitsReached(from: [composite]) { self[$0].membersInForce }.contains(habit)
  }

  /// Returns the habits that `habit` contains at any depth, under any definition.
  ///
  /// The result contains `habit` itself only if it is part of a circle.
  func descendants(of habit: Int) -> Set<Int> {
    habitsReached(from: self[habit].members) { self[$0].members }
  }
}

/// Returns `habits` and all habits that can be reached from them.
///
/// For each habit, `next` returns the habits that are one step away, such as its members.
func habitsReached(from habits: [Int], by next: (Int) -> [Int]) -> Set<Int> {
  var reached: Set<Int> = []
  var pending = habits
  while let habit = pending.popLast() {
    if reached.insert(habit).inserted { pending += next(habit) }
  }
  return reached
}

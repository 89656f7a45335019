/// The nesting of composites that a new definition would cause.
struct Nesting {
  /// A member that is the habit itself or contains the habit, or `nil` if there is none.
  private(set) var circularMember: String?
  /// The largest nesting depth among the habit and the composites that contain it.
  private(set) var depth = 0
  /// The largest number of composites that would contain one habit.
  ///
  /// Every habit that the new definition contains at any depth is considered.
  private(set) var ancestorCount = 0

  /// Determines the nesting that `definition` would cause; its members must be defined.
  init(of definition: Habit, in facts: Facts) {
    guard definition.rule.isComposite else { return }
    let graph = facts.habits.map(\.definitions)
    let members = definition.rule.members.compactMap { facts.habitIndex(named: $0) }
    let habit = facts.habitIndex(named: definition.id)

    circularMember = definition.rule.members.first { $0 == definition.id }
    let circular = members.first { member in habit.map { graph.isNested($0, in: member) } ?? false }
    if let circular {
      circularMember = facts.name(of: circular)
      return
    }

    let parents = graph.parents
    let ancestors = habit.map { [$0] + parents.ancestors(of: $0).sorted() } ?? [facts.habits.count]
    depth = graph.depth(of: ancestors, members: members)
    let descendants = Set(members).union(members.flatMap { graph.descendants(of: $0) })
    for descendant in descendants {
      let all = Set(ancestors).union(parents.ancestors(of: descendant))
      ancestorCount = max(ancestorCount, all.count)
    }
  }
}

extension [[Int]] {
  /// Returns the composites that contain `habit` at any depth; each element of the array has the
  /// parents of the habit with its index.
  fileprivate func ancestors(of habit: Int) -> Set<Int> {
    habitsReached(from: [habit]) { self[$0] }.subtracting([habit])
  }
}

extension [Definitions] {
  /// The parents of each habit, by the habit's index.
  ///
  /// A parent is a composite that has the habit as a member under any definition.
  fileprivate var parents: [[Int]] {
    var parents = [[Int]](repeating: [], count: count)
    for composite in indices {
      for member in self[composite].members { parents[member].append(composite) }
    }
    return parents
  }

  /// Returns the largest depth of `habits` if the first of them had the given members.
  ///
  /// A habit without members has the depth 0, and a composite 1 more than its deepest member.
  fileprivate func depth(of habits: [Int], members: [Int]) -> Int {
    var depths: [Int: Int] = [:]

    func depth(_ habit: Int, _ path: Set<Int>) -> Int {
      if let result = depths[habit] { return result }
      let allMembers = habit == habits.first ? members : self[habit].membersInForce
      let others = allMembers.filter { !path.contains($0) }
      let isComposite = habit == habits.first || self[habit].isEverComposite
      let depth = isComposite ? 1 + (others.map { depth($0, path.union([habit])) }.max() ?? 0) : 0
      depths[habit] = depth
      return depth
    }
    return habits.map { depth($0, [$0]) }.max() ?? 0
  }
}

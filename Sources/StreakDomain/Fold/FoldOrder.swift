/// In which order composites are folded: the members before those made of them.
///
/// Habits that have ever led to each other, by definitions of different days, are one group and are folded day by day
/// together; nearly every composite is a group of its own. Found again after a definition that changes a composite.
struct FoldOrder: Sendable {
  /// Members before composites; habits that were never composites are in none.
  let groups: [Group]
  private let groupOfHabit: [Int: Int]

  /// Composites that are folded together.
  struct Group: Sendable {
    let habits: [Int]
    /// Ascending, the first from the begin of the calendar on; none for a single habit.
    let eras: [Era]
  }

  /// Days on which the definitions of a group stay the same.
  struct Era: Sendable {
    let from: Day
    /// The group's habits, members before composites.
    let order: [Int]
    /// Those that lead to each other on these days have the same number.
    let circle: [Int: Int]
  }

  init(_ habits: [HabitHistory]) {
    let composites = habits.indices.filter { habits[$0].isEverComposite }
    let found = FoldOrder.circles(of: composites) { habit in habits[habit].terms.flatMap(\.members) }
    groups = found.map { Group(habits: $0, eras: FoldOrder.eras(of: $0, habits)) }
    var groupOfHabit: [Int: Int] = [:]
    for (place, group) in found.enumerated() {
      for habit in group { groupOfHabit[habit] = place }
    }
    self.groupOfHabit = groupOfHabit
  }

  /// The place of a composite's group.
  func group(of habit: Int) -> Int? { groupOfHabit[habit] }

  /// Whether a member leads back to its composite, in depth, by the definitions of that day.
  func isCircular(_ member: Int, in composite: Int, on day: Day) -> Bool {
    if member == composite { return true }
    guard let group = groupOfHabit[member], group == groupOfHabit[composite],
      let era = groups[group].eras.last(where: { $0.from <= day })
    else { return false }
    return era.circle[member] == era.circle[composite]
  }

  private static func eras(of group: [Int], _ habits: [HabitHistory]) -> [Era] {
    guard group.count > 1 else { return [] }
    let begins = Set(group.flatMap { habits[$0].regimes.map(\.from) }).union([Day.first]).sorted()
    return begins.map { from in
      let circles = circles(of: group) { habit in
        habits[habit].isDefined ? habits[habit].terms(on: from).members : []
      }
      var numbers: [Int: Int] = [:]
      for (number, circle) in circles.enumerated() {
        for habit in circle { numbers[habit] = number }
      }
      return Era(from: from, order: circles.flatMap { $0 }, circle: numbers)
    }
  }

  /// The circles among some habits, those first that others lead to; a habit in no circle is one by itself.
  ///
  /// Tarjan's algorithm, without recursion; O(habits + members).
  private static func circles(of habits: [Int], members: (Int) -> [Int]) -> [[Int]] {
    var found: [[Int]] = []
    var number: [Int: Int] = [:]
    var lowest: [Int: Int] = [:]
    var open: [Int] = []
    var isOpen: Set<Int> = []
    let known = Set(habits)
    for root in habits where number[root] == nil {
      var path: [(habit: Int, members: [Int], next: Int)] = []
      func enter(_ habit: Int) {
        (number[habit], lowest[habit]) = (number.count, number.count)
        open.append(habit)
        isOpen.insert(habit)
        path.append((habit, members(habit), 0))
      }
      enter(root)
      while let (habit, all, next) = path.last {
        if next < all.count {
          path[path.count - 1].next += 1
          let member = all[next]
          guard known.contains(member) else { continue }
          if number[member] == nil {
            enter(member)
          } else if isOpen.contains(member) {
            lowest[habit] = min(lowest[habit, default: 0], number[member, default: 0])
          }
          continue
        }
        path.removeLast()
        if let above = path.last?.habit {
          lowest[above] = min(lowest[above, default: 0], lowest[habit, default: 0])
        }
        guard lowest[habit] == number[habit] else { continue }
        var circle: [Int] = []
        while let last = open.popLast() {
          isOpen.remove(last)
          circle.append(last)
          if last == habit { break }
        }
        found.append(circle)
      }
    }
    return found
  }
}

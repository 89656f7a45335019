import Foundation
import StreakCommands

/// The parts of `replay --json` that the page shows, with each habit's line of `show`.
struct SaidState: Decodable {
  let today: String?
  let zone: String?
  let event: String?
  var habits: [Habit]
  let achievements: [Achievement]
  private let xp: Int
  var groups: [String] = []

  private enum CodingKeys: CodingKey { case today, zone, event, habits, achievements, xp }

  struct Achievement: Decodable {
    let key: String
    let on: String
    let xp: Int
  }

  struct Habit: Decodable {
    let habit: String
    let name: String
    private let status: String
    private let jokers: Jokers
    private let totals: [String: Double]
    let progress: Progress?

    struct Progress: Decodable {
      let per: String
    }

    private var run = ""
    private var remarks: [String] = []

    private enum CodingKeys: CodingKey { case habit, name, status, jokers, totals, progress }

    private struct Jokers: Decodable {
      let held: Int
    }
  }

  /// The habits in the page's order: due ones first, retired ones last.
  var sorted: [Habit] {
    habits.filter(\.isDue) + habits.filter { !$0.isDue && !$0.isRetired }
      + habits.filter(\.isRetired)
  }

  var due: String {
    let count = habits.count(where: \.isDue)
    return count == 0 ? "nothing is due" : count == 1 ? "1 habit is due" : "\(count) habits are due"
  }

  /// The number of habits in the other groups, except those that are off or retired; done ones
  /// without those that are kept so far.
  var notDue: String {
    let kept = habits.count(where: \.isKept)
    let counts = groups.compactMap { group -> String? in
      guard let count = group.firstMatch(of: #/^(\d+) done$/#).flatMap({ Int($0.1) }) else {
        let others = #/^\d+ (may rest today|resting|excused|bad today|to begin)$/#
        return group.contains(others) ? group : nil
      }
      return count > kept ? "\(count - kept) done" : nil
    }
    return (counts + (kept > 0 ? ["\(kept) kept so far"] : [])).joined(separator: " · ")
  }

  var experience: String { "\(xp) XP" }
}

extension SaidState.Habit {
  private static let words: Set = [
    "due", "may rest today", "done", "kept so far", "saved by a joker", "bad today", "retired",
  ]

  var isDue: Bool { remarks.first == "due" }

  var isKept: Bool { remarks.first == "kept so far" }

  var isRetired: Bool { status == "retired" }

  mutating func hear(_ line: String) {
    let form = #/  (\d+ (?:day|week|month)s?)(?:  +[★☆]+\d*)?(?:  +(?<remarks>.*))?$/#
    let parts = line.firstMatch(of: form)
    run = parts.map { String($0.1) } ?? ""
    let said =
      parts == nil ? line.components(separatedBy: "  ").last : parts?.remarks.map(String.init)
    remarks = said?.components(separatedBy: " · ") ?? []
  }

  private var word: String? { remarks.first.flatMap { Self.words.contains($0) ? $0 : nil } }

  /// Returns a card's texts: name, run, jokers, status of today, and the first remark that isn't in
  /// the bar.
  func card(bar: String) -> String {
    let remark = remarks.dropFirst(word == nil ? 0 : 1).first { $0 != bar }
    let said = bar.isEmpty || remarks.contains(bar) ? bar : "no bar"
    return [name, run, "\(jokers.held)", word ?? "", remark ?? "", said].joined(separator: "|")
  }

  var detail: String {
    let count = Int(totals["entries"] ?? 0)
    let entries = count == 0 ? [] : ["\(count) entr\(count == 1 ? "y" : "ies")"]
    let sums = [("minutes", "min"), ("km", "km"), ("sets", "sets"), ("drinks", "drinks")].compactMap
    {
      key, units in
      totals[key].flatMap {
        let unit = $0 == 1 && units.hasSuffix("s") ? String(units.dropLast()) : units
        return $0 > 0 ? "\($0 == $0.rounded() ? "\(Int($0))" : "\($0)") \(unit)" : nil
      }
    }
    let said = [run].filter { !$0.isEmpty } + remarks
    return (said + entries.filter { !said.contains($0) } + sums).joined(separator: " · ")
  }
}

import Foundation

/// What of `replay --json` the page shows, and of each habit what `show` says.
struct SaidState: Decodable {
  let today: String?
  let zone: String?
  let event: String?
  var habits: [Habit]
  let achievements: [Achievement]
  private let xp: Int

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
    /// Its run, and what `show` says of it behind its jokers.
    private var run = ""
    private var remarks: [String] = []

    private enum CodingKeys: CodingKey { case habit, name, status, jokers, totals }

    private struct Jokers: Decodable {
      let held: Int
    }
  }

  /// The habits as the page has them: those that are due first, and the retired ones last.
  var sorted: [Habit] {
    habits.filter(\.isDue) + habits.filter { !$0.isDue && !$0.isRetired } + habits.filter(\.isRetired)
  }

  var due: String {
    let count = habits.count(where: \.isDue)
    return count == 0 ? "nothing is due" : count == 1 ? "1 habit is due" : "\(count) habits are due"
  }

  var experience: String { "\(xp) XP" }
}

extension SaidState.Habit {
  private static let words: Set = ["due", "may rest today", "done", "kept so far", "bad today"]

  var isDue: Bool { remarks.first == "due" }

  var isRetired: Bool { status == "retired" }

  /// Takes the line of `show`: name, run, jokers and remarks.
  mutating func hear(_ line: String) {
    let form = #/  (\d+ (?:day|week|month)s?)(?:  +[★☆]+\d*)?(?:  +(?<remarks>.*))?$/#
    let parts = line.firstMatch(of: form)
    run = parts.map { String($0.1) } ?? ""
    let said = parts == nil ? line.components(separatedBy: "  ").last : parts?.remarks.map(String.init)
    remarks = said?.components(separatedBy: " · ") ?? []
  }

  private var word: String? { remarks.first.flatMap { Self.words.contains($0) ? $0 : nil } }

  /// Name, run, the jokers that are held, the word for today, and the first remark that no bar of these says.
  func card(bars: Set<String>) -> String {
    let remark = remarks.dropFirst(word == nil ? 0 : 1).first { !bars.contains($0) }
    return [name, run, "\(jokers.held)", word ?? "", remark ?? ""].joined(separator: "|")
  }

  /// What is said of the chosen habit.
  var detail: String {
    let count = Int(totals["entries"] ?? 0)
    let sums = [("minutes", "min"), ("km", "km"), ("sets", "sets"), ("drinks", "drinks")].compactMap {
      key, unit in
      totals[key].flatMap { $0 > 0 ? "\($0 == $0.rounded() ? "\(Int($0))" : "\($0)") \(unit)" : nil }
    }
    let said = status == "off" ? [] : [run] + remarks
    return (said + ["\(count) entr\(count == 1 ? "y" : "ies")"] + sums).joined(separator: " · ")
  }
}

import Foundation

/// What of `replay --json` the page shows, in the words of its cards.
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
    private let current: Int
    private let longest: Int
    private let status: String
    private let ifMissed: String
    private let safeThrough: String?
    private let jokers: Jokers
    private let totals: [String: Double]
    private let progress: Progress?
    /// Of today, which no state has.
    var verdict: String?

    /// What its run counts.
    var unit: String { progress?.per ?? "day" }

    private struct Progress: Decodable {
      let per: String
      let total: Double
      let atMost: Double?

      var isWeekOver: Bool { per != "day" && atMost.map { total > $0 } ?? false }
    }

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
  private var isExcused: Bool { verdict == "excused" && !["off", "retired"].contains(status) }

  private var isBad: Bool { verdict == "bad" && ["new", "broken"].contains(status) }

  private var isKept: Bool { status == "due" && ifMissed == "safe" }

  var isDue: Bool { ["due", "grace"].contains(status) && !isKept && !isExcused }

  var isRetired: Bool { status == "retired" }

  private var run: String { "\(current) \(unit)\(current == 1 ? "" : "s")" }

  private var entries: String {
    let count = Int(totals["entries"] ?? 0)
    return "\(count) entr\(count == 1 ? "y" : "ies")"
  }

  /// The word for today, and what follows on it.
  private var words: [String] {
    if status == "off" { return ["", entries] }
    if isExcused { return ["excused", ""] }
    if isBad { return ["bad today", ""] }
    if isKept { return ["✓ kept so far", ""] }
    if status == "done" { return ["✓ done", ""] }
    let missed = [
      "heals": "or a joker is spent", "graced": "but may be missed", "rests": "but may rest",
      "breaks": "or the run ends",
    ]
    if isDue { return ["due", missed[ifMissed] ?? ""] }
    let isOver = ["new", "broken"].contains(status) && progress?.isWeekOver ?? false
    return ["", ["new": "not begun", "rest": "not asked for today"][isOver ? "rest" : status] ?? status]
  }

  /// Name, run, the jokers that are held, the word for today and what follows on it.
  var card: String {
    ([name, status == "off" ? "" : run, "\(jokers.held)"] + words).joined(separator: "|")
  }

  /// What is said of the chosen habit; how far a week or month is, which no state says, is taken from the page.
  func detail(like page: String) -> String {
    let quota = page.components(separatedBy: " · ").filter {
      $0.contains(" this ") || $0.hasSuffix(" left") || $0.hasSuffix(" over") || $0 == "the last day"
        || $0.contains(" of ") && $0.hasSuffix(" today")
    }
    let today = words.filter { !$0.isEmpty }.joined(separator: ", ")
    let safe = ifMissed == "breaks" ? nil : safeThrough.map { "safe through \($0)" }
    let longest = longest > current && status != "off" ? "longest \(longest)" : nil
    let sums = [("minutes", "min"), ("km", "km"), ("sets", "sets"), ("drinks", "drinks")].compactMap {
      key, unit in
      totals[key].flatMap { $0 > 0 ? "\($0 == $0.rounded() ? "\(Int($0))" : "\($0)") \(unit)" : nil }
    }
    return
      ((status == "off" ? [] : [run, today]) + quota + [safe, longest].compactMap { $0 } + [entries] + sums)
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
